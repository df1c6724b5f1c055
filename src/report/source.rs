//! Which source file an element speaks of, and what became of the elements of each file.

use std::collections::BTreeMap;

use super::Report;
use super::facts::kind_of;

/// How the names of source files end.
const ENDINGS: [&str; 42] = [
    "c", "cc", "cjs", "clj", "cpp", "cs", "cxx", "dart", "erl", "ex", "exs", "fs", "go", "groovy",
    "h", "hpp", "hs", "html", "java", "jl", "js", "jsx", "kt", "kts", "lua", "m", "mjs", "ml",
    "mm", "php", "pl", "py", "rb", "rs", "scala", "svelte", "swift", "ts", "tsx", "vb", "vue",
    "xml",
];

/// The source file that an element carries.
///
/// An element carries one when its name, without its kind, starts with the name of a file that
/// ends like a source file (`.js`, `.java`, …) and then either ends or goes on with `:` or `#`
/// and a place in that file: `line:src/app.js:12`, `branch:com/app/Main.java#L3`. Screens, faults
/// and activities carry none.
pub(super) fn source_file(element: &str) -> Option<&str> {
    if matches!(kind_of(element), "screen" | "fault" | "activity") {
        return None;
    }
    let prefix = format!("{}:", kind_of(element));
    let name = element.strip_prefix(&prefix).unwrap_or(element);
    let ends = name.match_indices([':', '#']).map(|(end, _)| end);
    let mut candidates = ends.chain([name.len()]).map(|end| &name[..end]);
    candidates.find(|file| is_source(file))
}

fn is_source(file: &str) -> bool {
    let last = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let ending = last.rsplit_once('.');
    ending.is_some_and(|(stem, ending)| !stem.is_empty() && ENDINGS.contains(&ending))
}

/// What became of the elements of one source file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileRow {
    pub(super) kept: usize,
    pub(super) unstable: usize,
    pub(super) lost: usize,
}

/// The source files by name, with what became of their elements.
pub(super) fn source_files(report: &Report) -> BTreeMap<&str, FileRow> {
    let mut files: BTreeMap<&str, FileRow> = BTreeMap::new();
    let mut count = |element, which: fn(&mut FileRow) -> &mut usize| {
        if let Some(file) = source_file(element) {
            *which(files.entry(file).or_default()) += 1;
        }
    };
    for element in report.witness.keys() {
        count(element, |row| &mut row.kept);
    }
    for gone in &report.unstable {
        count(&gone.element, |row| &mut row.unstable);
    }
    for gone in &report.lost {
        count(&gone.element, |row| &mut row.lost);
    }
    files
}

#[cfg(test)]
mod tests {
    use super::{FileRow, source_file, source_files};
    use crate::report::sample::{gone, sample};

    #[track_caller]
    fn check(element: &str, expect: &str) {
        let expect = Some(expect).filter(|file| !file.is_empty());
        assert_eq!(source_file(element), expect, "{element}");
    }

    #[test]
    fn an_element_carries_the_file_in_front_of_its_place() {
        check("line:src/app.js:12", "src/app.js");
        check("line:src/app.js:12:3", "src/app.js");
        check("branch:com/app/Main.java#L3", "com/app/Main.java");
        check("src/a b/ä.rs:7", "src/a b/ä.rs");
        check("function:view.tsx#render", "view.tsx");
        check("block:lib/x.py", "lib/x.py");
        check(r"line:C:\src\Main.cs:4", r"C:\src\Main.cs");
        check(
            "line:http://localhost:80/app.js:1",
            "http://localhost:80/app.js",
        );
    }

    #[test]
    fn names_of_code_and_of_screens_carry_no_file() {
        for element in [
            "b17",
            "",
            "ads.Banner:3",
            "com.app:17",
            "method:com.app.Main.onCreate",
            "screen:index.html",
            "fault:crash in app.js:3",
            "activity:Main.java",
            "line:.js:3",
            "line:src/.js:3",
            "line:app.jsp:3",
        ] {
            check(element, "");
        }
    }

    #[test]
    fn files_count_what_is_kept_unstable_and_lost() {
        let mut report = sample();
        let witness = report.witness["b1"].clone();
        for line in 1..=3 {
            report
                .witness
                .insert(format!("line:a.js:{line}"), witness.clone());
        }
        report.unstable.push(gone("line:a.js:4", "1 of 10 runs"));
        report.lost.push(gone("branch:b.js#1", "gone"));
        let row = |kept, unstable, lost| FileRow {
            kept,
            unstable,
            lost,
        };
        let files: Vec<_> = source_files(&report).into_iter().collect();
        assert_eq!(files, [("a.js", row(3, 1, 0)), ("b.js", row(0, 0, 1))]);
    }
}
