//! What is on the screen: as a dump, as a picture, and its size.

use std::thread;
use std::time::{Duration, Instant};

use crate::virtual_android::dump;
use crate::virtual_android::picture;
use crate::virtual_android::screen::{HEIGHT, WIDTH};
use crate::virtual_android::shell::{Call, Done};

/// A dump waits so long for the app to be idle.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) fn uiautomator(call: &Call) -> Done {
    if call.word(0) != "dump" {
        return Done::fails(1, "Unknown command");
    }
    let path = call.words[1..].iter().find(|word| !word.starts_with('-'));
    let path = path.map_or("/sdcard/window_dump.xml", String::as_str);
    let wait = call
        .shared
        .phone()
        .idle_at
        .saturating_duration_since(Instant::now());
    if wait > PATIENCE {
        thread::sleep(PATIENCE);
        return Done::fails(1, "ERROR: could not get idle state.");
    }
    thread::sleep(wait);
    let mut phone = call.shared.phone();
    if !phone.is_awake {
        return Done::fails(
            1,
            "ERROR: null root node returned by UiTestAutomationBridge.",
        );
    }
    let (package, screen) = phone.window();
    let rotation = phone.settings.get("system user_rotation");
    let rotation = rotation.and_then(|turns| turns.parse().ok()).unwrap_or(0);
    let mut xml = dump::xml(&package, &screen.views, rotation);
    if std::mem::take(&mut phone.halve_next_dump) {
        let middle = (0..=xml.len() / 2)
            .rev()
            .find(|at| xml.is_char_boundary(*at));
        xml.truncate(middle.unwrap_or(0));
    }
    let told = format!("UI hierchary dumped to: {path}\n");
    if path == "/dev/tty" {
        return Done::says(xml + &told);
    }
    match phone.write(path, xml.into_bytes()) {
        Ok(()) => Done::says(told),
        Err(reason) => Done::fails(1, format!("java.io.IOException: {reason}")),
    }
}

pub(super) fn screencap(call: &Call) -> Done {
    let phone = call.shared.phone();
    let (_, screen) = phone.window();
    let picture = picture::png(&screen.views, phone.is_awake);
    drop(phone);
    let path = call.words.iter().find(|word| !word.starts_with('-'));
    match path {
        None => Done::says(picture),
        Some(path) => match call.shared.phone().write(path, picture) {
            Ok(()) => Done::default(),
            Err(reason) => Done::fails(1, reason),
        },
    }
}

pub(super) fn wm(call: &Call) -> Done {
    match call.word(0) {
        "size" => Done::says(format!("Physical size: {WIDTH}x{HEIGHT}\n")),
        "density" => Done::says("Physical density: 160\n"),
        "dismiss-keyguard" => {
            let mut phone = call.shared.phone();
            phone.is_locked = !phone.is_awake;
            Done::default()
        }
        other => Done::fails(255, format!("Unknown command: {other}")),
    }
}
