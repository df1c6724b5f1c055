//! Logs as devices give them, read in pieces.

use super::{Position, TAG, Told};

const APP: &str = "org.example.app";

fn line(time: u32, pid: u32, tag: &str, text: &str) -> String {
    format!("11-18 00:00:00.{time:03} {pid:5} {pid:5} I {tag}: {text}\n")
}

/// What is told of a log behind a mark.
#[track_caller]
fn told(log: &str) -> Told {
    let mut position = Position::marked("m", "11-18 00:00:00.000\n");
    let log = line(0, 1, TAG, "!mark m") + log;
    position.read(&log, TAG, APP).expect("nothing is missing")
}

#[test]
fn covered_elements_come_as_words_or_as_a_list() {
    let log = line(1, 7, TAG, "b1 method:A.b") + &line(1, 7, TAG, r#"["x y","z"]"#);
    assert_eq!(told(&log).covers, ["b1", "method:A.b", "x y", "z"]);
}

#[test]
fn no_line_is_read_twice_and_a_forgotten_one_is_told() {
    let mut position = Position::marked("m", "11-18 00:00:00.000\n");
    let first = line(0, 1, TAG, "!mark old") + &line(1, 1, TAG, "!mark m") + &line(2, 7, TAG, "b1");
    assert_eq!(position.read(&first, TAG, APP).unwrap().covers, ["b1"]);
    // From the time of the last line on, a second one of the same time has come.
    let again = line(2, 7, TAG, "b1") + &line(2, 7, TAG, "b1") + &line(3, 7, TAG, "b2");
    assert_eq!(
        position.read(&again, TAG, APP).unwrap().covers,
        ["b1", "b2"]
    );
    let cut = line(4, 7, TAG, "b9");
    let error = position.read(&cut, TAG, APP).unwrap_err();
    assert!(error.to_string().contains("forgotten"), "{error}");
}

#[test]
fn a_log_without_the_mark_is_not_believed() {
    let mut position = Position::marked("m", "11-18 00:00:00.000\n");
    assert!(position.read(&line(1, 7, TAG, "b1"), TAG, APP).is_err());
}

#[test]
fn a_crash_is_the_signature_of_its_stack_and_only_of_this_app() {
    let crash = |process: &str| {
        line(1, 7, "AndroidRuntime", "FATAL EXCEPTION: main")
            + &line(
                1,
                7,
                "AndroidRuntime",
                &format!("Process: {process}, PID: 7"),
            )
            + &line(1, 7, "AndroidRuntime", "java.lang.Error: at noon")
            + &line(
                1,
                7,
                "AndroidRuntime",
                "\tat android.view.View.x(View.java:1)",
            )
            + &line(
                1,
                7,
                "AndroidRuntime",
                "\tat org.example.Pay.now(Pay.java:17)",
            )
    };
    let mine = told(&crash(APP));
    assert_eq!(
        mine.fault.as_deref(),
        Some("java.lang.Error at org.example.Pay.now")
    );
    assert!(mine.crashed);
    assert_eq!(told(&crash("com.other")), Told::default());
}

#[test]
fn a_handled_exception_is_a_fault_and_no_crash() {
    let log = line(1, 7, "System.err", "java.io.IOException: no")
        + &line(1, 7, "System.err", "\tat a.B.c(B.java:3)")
        + &line(1, 7, "System.err", "java.lang.Error")
        + &line(1, 7, "System.err", "\tat d.E.f(E.java:3)");
    let told = told(&log);
    assert_eq!(told.fault.as_deref(), Some("java.io.IOException at a.B.c"));
    assert!(!told.crashed);
}

#[test]
fn what_the_app_itself_says_wins() {
    let log = line(1, 7, "System.err", "java.io.IOException: no") + &line(1, 7, TAG, "!fault E 7");
    assert_eq!(told(&log).fault.as_deref(), Some("E 7"));
    let log = line(1, 7, TAG, r#"!fault "E\n7""#);
    assert_eq!(told(&log).fault.as_deref(), Some("E\n7"));
    assert!(told(&line(1, 7, TAG, "!refused")).refused);
}

#[test]
fn only_this_app_hangs_the_step() {
    let hung = |app: &str| {
        told(&line(
            1,
            9,
            "ActivityManager",
            &format!("ANR in {app} (x/.Y)"),
        ))
        .hung
    };
    assert!(hung(APP));
    assert!(!hung("org.example.apps"));
}

#[test]
fn lines_that_are_none_do_no_harm() {
    for text in [
        "",
        "--------- beginning of main\n",
        "11-18\n",
        "é1-18 00:00:00.000 é\n",
        "11-18 00:00:00.000 1 1 I\n",
    ] {
        assert_eq!(told(text), Told::default(), "{text}");
    }
}

#[test]
fn a_crash_of_native_code_is_named_by_its_signal() {
    let crash = |process: &str| {
        line(
            1,
            9,
            "DEBUG",
            &format!("pid: 7, tid: 7, name: main  >>> {process} <<<"),
        ) + &line(
            1,
            9,
            "DEBUG",
            "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0",
        )
    };
    let mine = told(&crash(APP));
    assert_eq!(mine.fault.as_deref(), Some("SIGSEGV"));
    assert!(mine.crashed);
    assert_eq!(told(&crash("com.other")), Told::default());
}

#[test]
fn an_app_may_say_that_it_ends() {
    let told = told(&line(1, 7, TAG, "!crash"));
    assert!(told.crashed && told.fault.is_none());
}
