//! Coverage matrices: one test a line, the ids of what it covers separated by blanks.
//!
//! A test becomes a trace without steps. It has neither actions nor screens, so all that it
//! covers is covered by its launch, and the launch screen is the same for all of them: `test`,
//! which any choice of tests covers. The id of the test on line 7 is `t7`, or `NAME:t7` when
//! several files are read at once, NAME being the file's name without its extension. A line
//! without ids is a test that covers nothing and is left out. The ids are whole numbers; their
//! kind is the one that the file's name speaks of (`chart-line.txt`: lines), and branch if it
//! speaks of none.

use std::borrow::Cow;
use std::path::Path;

use super::lines::{self, LineFault};
use super::wire::{Label, WireLaunch, WireTrace};
use super::{ImportError, Importer, PLAIN};
use crate::model::Kind;

use super::collect::Collector;
use super::source::Source;

pub(super) const IMPORTER: Importer = Importer {
    name: "coverage-matrix",
    extensions: &["matrix"],
    read,
    ..PLAIN
};

/// The launch screen of all tests.
const SCREEN: &str = "test";

fn read(source: &mut Source, collector: &mut Collector) -> Result<(), ImportError> {
    let kind = kind_in_name(source.path());
    let stem = source.path().file_stem().unwrap_or_default();
    let prefix = if collector.has_many_files() {
        format!("{}:", stem.to_string_lossy())
    } else {
        String::new()
    };
    lines::read(source, collector, &move |line, number, _| {
        let id = format!("{prefix}t{number}");
        parse_line(line, id, kind).map(Some)
    })
}

/// The kind that one of the words of a file's name is.
fn kind_in_name(path: &Path) -> Kind {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    let mut words = name.split(|c: char| !c.is_alphanumeric());
    words.find_map(Kind::parse).unwrap_or(Kind::Branch)
}

fn parse_line(line: &str, id: String, kind: Kind) -> Result<WireTrace<'_>, LineFault> {
    let ids = line.split_ascii_whitespace();
    let covers: Result<Vec<_>, _> = ids.map(|id| label(line, id, kind)).collect();
    Ok(WireTrace {
        id: Some(Cow::Owned(id)),
        launch: WireLaunch {
            screen: Cow::Borrowed(SCREEN),
            covers: covers?,
            fields: Vec::new(),
        },
        steps: Vec::new(),
        fields: Vec::new(),
    })
}

fn label<'a>(line: &str, id: &str, kind: Kind) -> Result<Label<'a>, LineFault> {
    match (id.parse::<u64>(), kind) {
        (Ok(number), Kind::Branch) => Ok(Label::Unsigned(number)),
        (Ok(number), kind) => {
            let text = format!("{}:{number}", kind.name());
            Ok(Label::Text(Cow::Owned(text)))
        }
        (Err(_), _) => Err(LineFault {
            offset: (id.as_ptr() as usize).saturating_sub(line.as_ptr() as usize),
            reason: format!("`{id}` is not the id of something covered"),
            advice: "write whole numbers below 2^64 with blanks between them, one test a line",
        }),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use crate::import::{Limits, load_from, named};

    const LIMITS: Limits = Limits {
        max_line_bytes: 1000,
        max_name_bytes: 50,
    };

    /// Each test with what it covers, or what is wrong.
    fn read(files: &[(&str, &str)]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<_> = files
            .iter()
            .map(|(name, text)| {
                let path = folder.path().join(name);
                fs::write(&path, text).unwrap();
                path
            })
            .collect();
        let loaded = match load_from(&paths, &LIMITS, named("coverage-matrix")) {
            Ok(loaded) => loaded,
            Err(error) => {
                let folder = format!("{}/", folder.path().display());
                return error.to_string().replace(&folder, "");
            }
        };
        let traces = loaded.suite.traces().map(|(_, trace)| {
            let covers = loaded.suite.cover(trace.launch_covers).elements().iter();
            let names = covers.map(|&e| loaded.names.element_name(e));
            format!("{} {}", trace.id, names.collect::<Vec<_>>().join(" "))
        });
        traces.collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn tests_are_named_by_their_lines_and_cover_sets() {
        let text = "3 1 3 \n\n1412742949672951\t1\r\n";
        let expect = "t1 3 1, t3 1 1412742949672951";
        assert_eq!(read(&[("x.txt", text)]), expect);
    }

    #[test]
    fn the_kind_is_in_the_name_of_the_file() {
        assert_eq!(read(&[("chart-line.txt", "7")]), "t1 line:7");
        assert_eq!(read(&[("a_Function.txt", "7")]), "t1 function:7");
        assert_eq!(read(&[("baseline-branch.txt", "7")]), "t1 7");
    }

    #[test]
    fn several_files_have_tests_of_their_own() {
        let files = [("a.txt", "1\n2"), ("b.txt", "1")];
        assert_eq!(read(&files), "a:t1 1, a:t2 2, b:t1 1");
    }

    #[test]
    fn what_is_no_id_is_named_with_its_place_and_good_files_are_counted() {
        let files = [("a.txt", "1 2"), ("b.txt", "1\n1 -2 x"), ("c.txt", "3")];
        let error = read(&files);
        let start = "b.txt:2:3: `-2` is not the id of something covered; write whole numbers";
        assert!(error.starts_with(start), "{error}");
        assert!(error.ends_with("\n2 of 3 files are good"), "{error}");
    }
}
