//! Window dumps of uiautomator in a folder: the screens that somebody looked at.
//!
//! A dump tells of no action, so each becomes a trace of its own that is a launch and nothing else.
//! Its screen is that of an abstraction, `actionable` unless another is asked for; what stands in
//! `dump` is the path of the file. A dump without widgets is a screen as well.

use std::borrow::Cow;
use std::io::Read as _;
use std::path::Path;

use super::collect::Collector;
use super::lines::LineFault;
use super::source::Source;
use super::wire::{WireLaunch, WireTrace};
use super::{ImportError, Importer, Likeness, Look, PLAIN, bytes, dump, monkey};
use crate::abstraction::{self, Lens};
use crate::model::Fields;
use crate::model::window::Window;

pub(super) const IMPORTER: Importer = Importer {
    name: "uiautomator",
    extensions: &["uix", "window.xml"],
    shared: &["xml"],
    looks,
    read,
    ..PLAIN
};

/// No dump of a screen is larger.
const MOST_BYTES: u64 = 1 << 27;

fn looks(_: &Path, text: &str) -> Likeness {
    if text.contains("<hierarchy") {
        Likeness::Alike
    } else {
        Likeness::Foreign
    }
}

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let mut raw = Vec::new();
    let read = source.by_ref().take(MOST_BYTES).read_to_end(&mut raw);
    read.map_err(|error| source.unreadable(error))?;
    let window = match dump::window(&bytes::text(&raw)) {
        Ok(window) => window,
        Err(reason) => {
            let fault = LineFault {
                offset: 0,
                reason,
                advice: "give what `uiautomator dump` wrote, whole",
            };
            collector.report(1, b"", &fault);
            return Ok(());
        }
    };
    let id = monkey::trace_id(source.path(), collector.has_many_files());
    let file = serde_json::Value::from(&*source.path().to_string_lossy());
    let trace = WireTrace {
        id: Some(Cow::Owned(id)),
        launch: WireLaunch {
            screen: Cow::Owned(screen(collector.look(), &window)),
            covers: Vec::new(),
            fields: Fields::from([("dump".into(), file.to_string().into())]),
        },
        steps: Vec::new(),
        fields: Fields::new(),
    };
    collector.push_checked(1, trace);
    Ok(())
}

fn screen(look: Option<&Look>, window: &Window) -> String {
    let usual = abstraction::find("actionable").expect("it is in the list");
    match look {
        Some(look) => look.screen(window),
        None => usual.screen(window, &Lens::default()),
    }
}
