//! Events as `SwiftHand2` spells them: `dclick:CLASS:PATH` and the like.

use crate::model::act::{Act, Side, Target, Verb};

/// The kind and the class, which is what the tool compares.
pub(super) fn kind_and_class(event: &str) -> &str {
    let mut colons = event.match_indices(':').map(|(at, _)| at);
    let second = colons.nth(1);
    second.map_or(event, |at| &event[..at])
}

/// The action that an event is, and whether it types a text that nobody knows.
pub(super) fn action(event: &str) -> (String, bool) {
    if let Some(act) = act(event) {
        let is_guess = matches!(act.verb, Verb::Type(_));
        return (act.to_string(), is_guess);
    }
    let text = crate::model::action::plain(event.into());
    (text.into_owned(), false)
}

fn act(event: &str) -> Option<Act> {
    let words: Vec<&str> = event.split(':').collect();
    let (kind, class, path, rest) = match *words {
        ["back"] => return Some(Act::plain(Verb::Back)),
        ["menu"] => return Some(Act::plain(Verb::Menu)),
        // Logs of the driver have a digest in front of the path.
        [kind, class, _, path, ref rest @ ..] if is_path(path) && rest.len() >= 2 => {
            (kind, class, path, rest.to_vec())
        }
        [kind, class, path, ref rest @ ..] if is_path(path) => (kind, class, path, rest.to_vec()),
        _ => return None,
    };
    let verb = match (kind, &*rest) {
        ("dclick" | "dcheck", _) => Verb::Tap,
        ("dlong", _) => Verb::Hold,
        ("edit", [number, ..]) => Verb::Type((*number).to_owned()),
        ("scroll", [_, "0", ..]) => Verb::Scroll(Side::Down),
        ("scroll", [_, "1", ..]) => Verb::Scroll(Side::Up),
        _ => return None,
    };
    let target = Target {
        class: class.rsplit('.').next().unwrap_or(class).to_owned(),
        path: path.to_owned(),
        ..Target::default()
    };
    Some(Act::on(verb, target))
}

/// Dotted positions from the root, `0`.
fn is_path(text: &str) -> bool {
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    (text == "0" || text.starts_with("0.")) && text.split('.').all(is_number)
}

#[cfg(test)]
mod tests {
    use super::{action, kind_and_class};

    #[track_caller]
    fn check(event: &str, expect: &str) {
        assert_eq!(action(event).0, expect);
    }

    #[test]
    fn events_are_acts_on_widgets_by_their_paths() {
        check("back", r#"{"do":"back"}"#);
        check(
            "dclick:android.widget.Button:0.1.2",
            r#"{"do":"tap","on":{"class":"Button","path":"0.1.2"}}"#,
        );
        check(
            "dclick:a.Button:1f9c:0.1:540:960",
            r#"{"do":"tap","on":{"class":"Button","path":"0.1"}}"#,
        );
        check(
            "dlong:X:0",
            r#"{"do":"hold","on":{"class":"X","path":"0"}}"#,
        );
        check(
            "edit:a.EditText:0.3:2",
            r#"{"do":"type","on":{"class":"EditText","path":"0.3"},"text":"2"}"#,
        );
        check(
            "scroll:a.ListView:0.3:0:1",
            r#"{"do":"scroll","on":{"class":"ListView","path":"0.3"},"to":"up"}"#,
        );
    }

    #[test]
    fn what_is_no_act_stays_as_it_is() {
        for event in [
            "close",
            "dclick",
            "dclick:A",
            "dclick:A:x",
            "fly:A:0.1",
            "edit:A:0",
        ] {
            check(event, event);
        }
        check("{", "\"{\"");
    }

    #[test]
    fn the_tool_compares_kind_and_class() {
        assert_eq!(kind_and_class("dclick:A:0.1"), "dclick:A");
        assert_eq!(kind_and_class("back"), "back");
    }
}
