//! What is written can be read back, and what cannot be read is refused with its place.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use reduce_suite::export::trace_text;
use reduce_suite::export::write_suite;
use reduce_suite::import::text::{parse_suite, parse_trace};
use reduce_suite::import::{ImportError, Limits, Loaded, load};
use reduce_suite::model::{Names, NewStep, NewTrace, Seed, StepRef, Suite};

const LIMITS: Limits = Limits {
    max_line_bytes: 1 << 20,
    max_name_bytes: 1000,
};

/// Draws from a seed, one number after the other.
struct Draw(Seed);

impl Draw {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.mix(1);
        (self.0.0 % n as u64) as usize
    }

    fn name(&mut self) -> String {
        const PARTS: [&str; 24] = [
            "a",
            "Home",
            " ",
            "->",
            "-",
            "{",
            "}",
            ",",
            ":",
            ": ",
            "\"",
            "\\",
            "ä",
            "\u{1F600}",
            "!",
            "#",
            "\n",
            "\r",
            "\0",
            "\u{2028}",
            "17",
            "fault:",
            "screen:",
            "branch:",
        ];
        let len = self.below(4);
        (0..len).map(|_| PARTS[self.below(PARTS.len())]).collect()
    }

    /// An action as JSON.
    fn action(&mut self) -> String {
        let name = json(&self.name());
        match self.below(4) {
            0 => format!(r#"{{"z":1.50,"a":[{name},{{}}],"k":{{"y":null,"x":{name}}}}}"#),
            _ => name,
        }
    }

    fn covers(&mut self) -> String {
        let len = self.below(4);
        let elements = (0..len).map(|_| match self.below(4) {
            0 => ["0", "7", "-3", "18446744073709551615"][self.below(4)].to_owned(),
            _ => json(&self.name()),
        });
        elements.collect::<Vec<_>>().join(",")
    }

    fn step(&mut self) -> String {
        let (action, covers) = (self.action(), self.covers());
        let screen = json(&self.name());
        let mut step = format!(r#"{{"action":{action},"covers":[{covers}],"screen":{screen}"#);
        if self.below(3) == 0 {
            let _ = write!(step, r#","fault":{}"#, json(&self.name()));
        }
        if self.below(3) == 0 {
            step += r#","millis":12,"dump":{"deep": [1, 2.50]}"#;
        }
        step + "}"
    }

    fn trace(&mut self, number: usize) -> String {
        let (screen, covers) = (json(&self.name()), self.covers());
        let id = json(&format!("{number}{}", self.name()));
        let n_steps = self.below(4);
        let steps: Vec<_> = (0..n_steps).map(|_| self.step()).collect();
        let steps = steps.join(",");
        format!(
            r#"{{"id":{id},"launch":{{"screen":{screen},"covers":[{covers}],"l":"\u0041"}},"steps":[{steps}],"source":{{ }}}}"#
        )
    }

    fn suite(&mut self, n_traces: usize) -> String {
        (0..n_traces).map(|i| self.trace(i) + "\n").collect()
    }
}

fn json(text: &str) -> String {
    serde_json::to_string(text).expect("strings are JSON")
}

fn load_bytes(folder: &Path, bytes: &[u8]) -> Result<Loaded, ImportError> {
    let path = folder.join("suite.jsonl");
    fs::write(&path, bytes).expect("the suite can be written");
    load(&[path], &LIMITS)
}

fn written(loaded: &Loaded) -> Vec<u8> {
    let mut out = Vec::new();
    write_suite(&loaded.suite, &loaded.names, &mut out).expect("memory can be written");
    out
}

/// Everything in a suite, ids and their order included.
fn spelled(suite: &Suite, names: &Names) -> String {
    let elements = |id| {
        let ids = suite.recorded(id).iter();
        ids.map(|&e| (e, names.element_name(e), names.kind(e), names.is_integer(e)))
            .collect::<Vec<_>>()
    };
    let mut out = String::new();
    for (idx, trace) in suite.traces() {
        let launch = names.screen_name(trace.launch_screen);
        let _ = writeln!(
            out,
            "{trace:?} {launch} {:?}",
            elements(trace.launch_covers)
        );
        for (step, position) in suite.steps(idx).iter().zip(0..) {
            let step_ref = StepRef {
                trace: idx,
                step: position,
            };
            let (action, screen) = (
                names.action_text(step.action),
                names.screen_name(step.screen),
            );
            let (covers, fields) = (elements(step.covers), suite.step_fields(step_ref));
            let _ = writeln!(
                out,
                "  {step:?} {action:?} {screen:?} {covers:?} {fields:?}"
            );
        }
    }
    out
}

#[test]
fn suites_survive_writing_and_loading() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 0..200 {
        let text = Draw(Seed(seed)).suite(5);
        let first = load_bytes(folder.path(), text.as_bytes()).expect(&text);
        let bytes = written(&first);
        let second = load_bytes(folder.path(), &bytes).expect("what was written can be read");
        assert_eq!(
            spelled(&first.suite, &first.names),
            spelled(&second.suite, &second.names)
        );
        assert_eq!(bytes, written(&second));
    }
}

#[test]
fn what_was_written_by_hand_comes_back_byte_for_byte() {
    let text = concat!(
        r#"{"id":"t1","launch":{"screen":"Home","covers":["b0",3,-4,18446744073709551615]},"steps":["#,
        r#"{"action":{"a":{},"b":[1,"ä"]},"covers":["b1"],"screen":"M","fault":"N","millis":3,"dump":[ ]},"#,
        r#"{"action":"{","covers":[],"screen":""}],"source":{"b":1,"a":2}}"#,
        "\n"
    );
    let folder = tempfile::tempdir().expect("a folder");
    let loaded = load_bytes(folder.path(), text.as_bytes()).expect("it is well-formed");
    assert_eq!(String::from_utf8_lossy(&written(&loaded)), text);
}

#[test]
fn traces_survive_the_notation_for_people() {
    let folder = tempfile::tempdir().expect("a folder");
    for seed in 0..300 {
        let text = Draw(Seed(seed)).suite(3);
        let loaded = load_bytes(folder.path(), text.as_bytes()).expect(&text);
        let (suite, mut names) = (&loaded.suite, loaded.names.clone());
        for (idx, trace) in suite.traces() {
            let line = trace_text(suite, &loaded.names, idx);
            assert!(!line.contains(['\n', '\r']), "{line:?}");
            let (read, steps) = parse_trace(&line, &mut names).expect(&line);
            check_same(suite, idx, &read, &steps, &line);
            assert_eq!(&*read.id, trace.id);
        }
        assert_eq!(names.n_elements(), loaded.names.n_elements());
    }
}

#[track_caller]
fn check_same(
    suite: &Suite,
    idx: reduce_suite::model::TraceIdx,
    read: &NewTrace,
    steps: &[NewStep],
    line: &str,
) {
    let trace = suite.trace(idx);
    assert_eq!(read.launch_screen, trace.launch_screen, "{line}");
    assert_eq!(
        read.launch_covers,
        suite.recorded(trace.launch_covers),
        "{line}"
    );
    assert_eq!(steps.len(), suite.steps(idx).len(), "{line}");
    for (step, expect) in steps.iter().zip(suite.steps(idx)) {
        assert_eq!(
            (step.action, step.screen),
            (expect.action, expect.screen),
            "{line}"
        );
        assert_eq!(step.covers, suite.recorded(expect.covers), "{line}");
        assert_eq!(step.fault, expect.fault, "{line}");
    }
}

/// Changes some bytes of a text, most often to such as mean something in it.
fn damage(draw: &mut Draw, text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=draw.below(3) {
        let at = draw.below(bytes.len());
        let byte = match draw.below(3) {
            0 => draw.below(256) as u8,
            _ => b"{}[],:\"\\0-n!> \n\xC3"[draw.below(16)],
        };
        match draw.below(4) {
            0 if bytes.len() > 1 => drop(bytes.remove(at)),
            1 => bytes.insert(at, byte),
            2 => bytes.truncate(at.max(1)),
            _ => bytes[at] = byte,
        }
    }
    bytes
}

#[test]
fn damaged_suites_load_or_are_refused_with_the_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut draw = Draw(Seed(1));
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..3000 {
        let text = draw.suite(2);
        let bytes = damage(&mut draw, &text);
        match load_bytes(folder.path(), &bytes) {
            Ok(_) => accepted += 1,
            Err(ImportError::Malformed(problems)) => {
                refused += 1;
                check_places(&problems.shown, &bytes);
            }
            Err(error) => panic!("{error} for {}", String::from_utf8_lossy(&bytes)),
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted} {refused}");
}

fn check_places(problems: &[reduce_suite::import::Problem], bytes: &[u8]) {
    assert!(!problems.is_empty());
    for place in problems.iter().filter_map(|problem| problem.place.as_ref()) {
        let line = bytes
            .split(|&b| b == b'\n')
            .nth(place.line - 1)
            .expect("the line exists");
        assert!(place.column <= line.len() + 1, "{problems:?}");
        assert!(place.excerpt.chars().count() <= 60, "{problems:?}");
        assert!(!place.excerpt.contains(char::is_control), "{problems:?}");
    }
}

#[test]
fn damaged_notation_is_read_or_refused_with_the_place() {
    let mut draw = Draw(Seed(2));
    let text = "t1: Home{b0} -tap:menu{b1,\"b,7\",!Null Pointer}-> \"Me nu\" -{\"a\":[1]}-> Ö";
    for _ in 0..20_000 {
        let bytes = damage(&mut draw, text);
        if let Ok(line) = std::str::from_utf8(&bytes)
            && let Err(error) = parse_suite(line)
        {
            assert!(
                error.error.column <= line.chars().count() + 1,
                "{error} for {line}"
            );
        }
    }
}

#[test]
fn a_small_file_that_unpacks_to_one_endless_line_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("bomb.jsonl.zst");
    let packed = zstd::encode_all(&vec![b' '; 50 << 20][..], 3).expect("it can be packed");
    fs::write(&path, packed).expect("it can be written");
    let error = load(&[path], &LIMITS)
        .expect_err("it is too long")
        .to_string();
    assert!(
        error.contains("bomb.jsonl.zst:1:1048577: a line of more than 1048576 bytes"),
        "{error}"
    );
}

#[test]
fn folders_load_in_path_order_whatever_the_number_of_threads() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("a")).expect("a folder");
    let text = Draw(Seed(3)).suite(50);
    let packed = zstd::encode_all(text.as_bytes(), 3).expect("it can be packed");
    fs::write(folder.path().join("a/1.jsonl.zst"), packed).expect("it can be written");
    fs::write(folder.path().join("b.trace"), "# two\nx -a-> y\ny\n").expect("it can be written");
    let load_with = |n_threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(n_threads)
            .build();
        let paths = [folder.path().to_owned()];
        let loaded = pool.expect("a pool").install(|| load(&paths, &LIMITS));
        loaded.expect("the suite is well-formed")
    };
    let (one, four) = (load_with(1), load_with(4));
    assert_eq!(
        spelled(&one.suite, &one.names),
        spelled(&four.suite, &four.names)
    );
    assert_eq!(one.sha256, four.sha256);
    assert_eq!(one.files.len(), 2);
    let ids: Vec<_> = one.suite.traces().map(|(_, trace)| trace.id).collect();
    assert_eq!(ids[50..], ["t51", "t52"]);
}
