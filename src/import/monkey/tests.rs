//! Monkey files of every kind, read through the front door.

use std::fmt::Write as _;
use std::fs;

use crate::import::{Limits, load_from, named};

const LIMITS: Limits = Limits {
    max_line_bytes: 100_000,
    max_name_bytes: 1000,
};

/// Each trace as its launch and steps with the screen after each, then the notes; or the error.
fn read(files: &[(&str, &[u8])]) -> String {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let first = folder.path().join(files[0].0);
    let loaded = match load_from(&[first], &LIMITS, named("monkey")) {
        Ok(loaded) => loaded,
        Err(error) => {
            let folder = format!("{}/", folder.path().display());
            return error.to_string().replace(&folder, "");
        }
    };
    let mut out = String::new();
    let names = &loaded.names;
    for (idx, trace) in loaded.suite.traces() {
        let _ = writeln!(
            out,
            "{} at {}",
            trace.id,
            names.screen_name(trace.launch_screen)
        );
        for (step, position) in loaded.suite.steps(idx).iter().zip(0..) {
            let at = crate::model::StepRef {
                trace: idx,
                step: position,
            };
            let fields = loaded.suite.step_fields(at).iter();
            let fields: Vec<_> = fields
                .map(|(name, json)| format!("{name}={json}"))
                .collect();
            let _ = write!(
                out,
                "{} -> {}",
                names.action_text(step.action),
                names.screen_name(step.screen)
            );
            if let Some(fault) = step.fault {
                let _ = write!(out, " {}", names.element_name(fault));
            }
            let _ = writeln!(out, " {}", fields.join(" "));
        }
    }
    for note in &loaded.notes {
        let _ = writeln!(out, "{}: {}", note.line, note.reason);
    }
    out
}

#[track_caller]
fn check(text: &str, expect: &str) {
    assert_eq!(read(&[("x.txt", text.as_bytes())]), expect);
}

const LOG: &str = "\
:Monkey: seed=1 count=9
:Switch: #Intent;action=a;component=a.b/.Main;end
    // Allowing start of Intent { act=a cmp=a.b/.Main } in package a.b
:Sending Touch (ACTION_DOWN): 0:(10.0,20.0)
:Sending Touch (ACTION_UP): 0:(12.0,19.0)
    // Allowing start of Intent { cmp=a.b/a.b.Second } in package a.b
Sleeping for 300 milliseconds
:Sending Key (ACTION_DOWN): 4    // KEYCODE_BACK
:Sending Key (ACTION_UP): 4    // KEYCODE_BACK
    // Injection Failed
";

#[test]
fn a_log_becomes_gestures_with_the_activities_after_them() {
    check(
        LOG,
        "x at a.b/.Main\n\
         Tap(10.0, 20.0, 0) -> a.b/.Second ids=[2,3]\n\
         DispatchPress(4) -> a.b/.Second ids=[4,5] injected=false\n",
    );
}

#[test]
fn events_keep_the_numbers_that_a_log_gives_them() {
    // As Figure 2 of paper 003 prints it.
    check(
        "#1: Switch: Component = a.b/.Main\n\
         #8: Sending Touch (ACTION_DOWN): 0:(539.0, 434.0)\n\
         #9: Sending Touch (ACTION_UP): 0:(533.3379, 434.0376)\n\
         Sleeping for 800 milliseconds\n\
         #146: Sending Touch (ACTION_DOWN): 0:(326.0, 1812.0)\n\
         #147: Sending Touch (ACTION_UP): 0:(334.20886,1806.3463)\n",
        "x at a.b/.Main\n\
         Tap(539.0, 434.0, 0) -> a.b/.Main ids=[8,9]\n\
         Tap(326.0, 1812.0, 0) -> a.b/.Main ids=[146,147]\n",
    );
}

#[test]
fn every_shell_writes_the_same_log() {
    let expect = read(&[("x.txt", LOG.as_bytes())]);
    let wide: Vec<u8> = [0xFF, 0xFE]
        .into_iter()
        .chain(
            LOG.replace('\n', "\r\r\n")
                .encode_utf16()
                .flat_map(u16::to_le_bytes),
        )
        .collect();
    assert_eq!(read(&[("x.txt", &wide)]), expect);
}

#[test]
fn fingers_that_move_swipe_two_pinch_and_one_that_stays_holds() {
    check(
        "LaunchActivity(a, a.B)
:Sending Touch (ACTION_DOWN): 0:(1.0,1.0)
:Sending Touch (ACTION_UP): 0:(1.0,27.0)
:Sending Touch (ACTION_DOWN): 0:(1.0,1.0)
:Sending Touch (ACTION_POINTER_DOWN 1): 0:(2.0,2.0) 1:(9.0,9.0)
:Sending Touch (ACTION_MOVE): 0:(3.0,3.0) 1:(8.0,8.0)
:Sending Touch (ACTION_POINTER_UP 1): 0:(4.0,4.0) 1:(7.0,7.0)
:Sending Touch (ACTION_UP): 0:(5.0,5.0)
DispatchPointer(0, 0, 0, 5, 6, 1, 1, 0, 0, 0, 0, 0)
UserWait(700)
DispatchPointer(0, 0, 1, 5, 6, 1, 1, 0, 0, 0, 0, 0)
",
        "x at a/.B\n\
         Drag(1.0, 1.0, 1.0, 27.0, 1) -> a/.B ids=[2,3]\n\
         PinchZoom(1.0, 1.0, 5.0, 5.0, 9.0, 9.0, 7.0, 7.0, 1) -> a/.B ids=[4,5,6,7,8]\n\
         PressAndHold(5.0, 6.0, 700) -> a/.B ids=[9,10]\n",
    );
}

#[test]
fn a_crash_is_the_fault_of_the_last_gesture_and_ends_a_touch() {
    check(
        ":Switch: component=a/.B;end
:Sending Touch (ACTION_DOWN): 0:(1.0,1.0)
// CRASH: a.b:remote (pid 7)
// Short Msg: java.lang.Error
// Long Msg: java.lang.Error: oops
// java.lang.Error: oops
// \tat java.x.Y.z(Y.java:3)
// \tat a.B.tap(B.java:9)
//
** Monkey aborted due to error.
Events injected: 1
:Sending rotation degree=0, persist=false
",
        "x at a/.B\nTap(1.0, 1.0, 0) -> a/.B fault:java.lang.Error at a.B.tap ids=[2]\n",
    );
}

#[test]
fn lines_that_cannot_be_used_are_named() {
    check(
        "hello
Tap(1, 2, 0) #8,9
Tap(oops)
:Sending Touch (ACTION_UP): 0:(1.0,1.0)
:Sending Touch (ACTION_DOWN): 0:(1.0,1.0)
:Sending Touch (ACTION_DOWN): nowhere
RunCmd(rm -rf /)
",
        "x at unknown\n\
         Tap(1.0, 2.0, 0) -> unknown ids=[1]\n\
         Tap(1.0, 1.0, 0) -> unknown ids=[3]\n\
         1: no part of a Monkey log or script\n\
         3: a command whose arguments cannot be read\n\
         4: the end of a touch that never began\n\
         6: an event that cannot be read\n\
         7: a command that is no input to the app\n\
         5: the log ends in this touch, which is taken as a tap\n",
    );
}

#[test]
fn a_file_without_events_is_refused_with_what_to_do() {
    let error = read(&[("x.txt", b"/system/bin/sh: unknown option\r\n")]);
    assert!(
        error.starts_with("x.txt:1:1: no event of Monkey in the file; give what"),
        "{error}"
    );
    let error = read(&[("execute.log", b"1;MonkeyTouchEvent;a;a.B;1\n")]);
    assert!(error.contains("give the script.log beside it"), "{error}");
}

#[test]
fn two_runs_in_a_log_are_two_traces() {
    let twice = format!("{LOG}{LOG}");
    let read = read(&[("x.txt", twice.as_bytes())]);
    assert!(
        read.contains("x at a.b/.Main\n") && read.contains("x-2 at a.b/.Main\n"),
        "{read}"
    );
}

const SCRIPT: &[u8] = b"# Start Script\ntype= user\ncount= 10\nspeed= 1.0\nstart data >>\n\
    LaunchActivity(a, a.B)\nTap(1.0, 2.0, 0)\nTap(3.0, 4.0, 0)\n";

#[test]
fn the_execute_log_beside_a_script_tells_activities_and_the_crash() {
    let states = b"1;MonkeyActivityEvent;a;a.B;1\n2;MonkeyThrottleEvent;a;a.B;1\n\
        3;MonkeyTouchEvent;a;a.B;0\n4;MonkeyTouchEvent;a;a.C;1\n5;MonkeyThrottleEvent;a;a.C;1\n\
        6;MonkeyTouchEvent;a;a.C;1\n// CRASH: // x.E: no$$ \tat a.C.f(C.java:1)\n7;MonkeyThrottleEvent;a;a.C;1\n";
    let expect = "script at a/.B\n\
        Tap(1.0, 2.0, 0) -> a/.C ids=[2] injected=false\n\
        Tap(3.0, 4.0, 0) -> a/.C fault:x.E at a.C.f ids=[3]\n";
    assert_eq!(
        read(&[("script.log", SCRIPT), ("execute.log", states)]),
        expect
    );
    let short = b"1;MonkeyActivityEvent;a;a.B;1\n";
    let without = read(&[("script.log", SCRIPT), ("execute.log", short)]);
    assert!(
        without.contains("6: the execute log beside it tells of 1 events and not of 3"),
        "{without}"
    );
}

/// Lines of all kinds, cut and mixed at will, never upset the reader.
#[test]
fn no_mixture_of_lines_upsets_the_reader() {
    let pieces: Vec<&str> = LOG.split_inclusive([' ', '\n', '(', ':']).collect();
    let mut state = 7_u64;
    for _ in 0..300 {
        let mut text = String::new();
        for _ in 0..40 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            text.push_str(pieces[(state >> 33) as usize % pieces.len()]);
        }
        read(&[("x.txt", text.as_bytes())]);
    }
}
