//! Activities and processes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::virtual_android::shell::{Call, Done};

pub(super) fn am(call: &Call) -> Done {
    match call.word(0) {
        "start" | "start-activity" => start(call),
        "force-stop" | "kill" => {
            let mut phone = call.shared.phone();
            if call.word(1) == phone.package {
                phone.stop();
            }
            Done::default()
        }
        "broadcast" => broadcast(call),
        "instrument" => Done::fails(1, "INSTRUMENTATION_FAILED: no instrumentation is installed"),
        other => Done::fails(255, format!("Unknown command: {other}")),
    }
}

fn start(call: &Call) -> Done {
    let mut phone = call.shared.phone();
    let component = call.option("-n").map(str::to_owned);
    let data = call.option("-d").map(str::to_owned);
    if phone.is_full {
        return Done::fails(1, "Error: java.io.IOException: No space left on device");
    }
    if component.is_none() && (data.is_some() || call.option("-a").is_some()) {
        let intent = data
            .or(call.option("-a").map(str::to_owned))
            .unwrap_or_default();
        phone.act(&format!("intent:{intent}"));
        return Done::says("Starting: Intent\n");
    }
    let component = component.unwrap_or_default();
    let package = component.split('/').next().unwrap_or("").to_owned();
    if package != phone.package || !phone.is_installed() {
        return Done {
            status: 1,
            ..Done::says(format!(
                "Error type 3\nError: Activity class {{{component}}} does not exist.\n"
            ))
        };
    }
    phone.trouble.start();
    match phone.launch() {
        Ok(fresh) => {
            let state = if fresh { "COLD" } else { "HOT" };
            Done::says(format!(
                "Starting: Intent {{ cmp={component} }}\nStatus: ok\nLaunchState: {state}\n\
                 Activity: {component}\nTotalTime: 12\nWaitTime: 14\nComplete\n"
            ))
        }
        Err(reason) => Done::fails(1, format!("Error: {reason}")),
    }
}

/// A broadcast; the keyboard for tests types what it is told.
fn broadcast(call: &Call) -> Done {
    let mut phone = call.shared.phone();
    let is_keyboard = phone.keyboard.as_deref() == Some("com.android.adbkeyboard/.AdbIME");
    if call.option("-a") == Some("ADB_INPUT_B64") && is_keyboard {
        let message = call.option("msg").unwrap_or("");
        let text = STANDARD.decode(message).ok();
        if let Some(text) = text.and_then(|bytes| String::from_utf8(bytes).ok()) {
            phone.type_text(&text);
        }
    }
    if call.option("-a") == Some(&format!("{}.DUMP_COVERAGE", phone.package)) {
        phone.dump_coverage();
    }
    Done::says("Broadcasting: Intent\nBroadcast completed: result=0\n")
}

pub(super) fn pidof(call: &Call) -> Done {
    let phone = call.shared.phone();
    match phone.pid() {
        Some(pid) if call.words.iter().any(|word| *word == phone.package) => {
            Done::says(format!("{pid}\n"))
        }
        _ => Done {
            status: 1,
            ..Done::default()
        },
    }
}
