//! Properties and settings.

use crate::virtual_android::shell::{Call, Done};

pub(super) fn getprop(call: &Call) -> Done {
    let phone = call.shared.phone();
    let value = match call.word(0) {
        "sys.boot_completed" | "dev.bootcomplete" if phone.has_booted() => "1",
        "init.svc.bootanim" => {
            if phone.has_booted() {
                "stopped"
            } else {
                "running"
            }
        }
        "ro.build.version.sdk" => "29",
        "ro.build.version.release" => "10",
        "ro.product.model" | "ro.product.name" => "Virtual",
        "ro.serialno" => "virtual",
        name => phone.properties.get(name).map_or("", String::as_str),
    };
    Done::says(format!("{value}\n"))
}

pub(super) fn setprop(call: &Call) -> Done {
    let (name, value) = (call.word(0), call.word(1));
    let mut phone = call.shared.phone();
    if name == "debug.virtual.trouble" {
        return match phone.trouble.order(value) {
            Ok(()) => Done::default(),
            Err(reason) => Done::fails(1, reason),
        };
    }
    if name.starts_with("ro.") || name.is_empty() {
        return Done::fails(1, format!("Failed to set property '{name}' to '{value}'"));
    }
    phone.properties.insert(name.to_owned(), value.to_owned());
    Done::default()
}

pub(super) fn settings(call: &Call) -> Done {
    let key = format!("{} {}", call.word(1), call.word(2));
    let mut phone = call.shared.phone();
    match call.word(0) {
        "get" => {
            let value = phone.settings.get(&key).map_or("null", String::as_str);
            Done::says(format!("{value}\n"))
        }
        "put" => {
            let turns = key == "system user_rotation";
            let before = phone.settings.insert(key, call.word(3).to_owned());
            if turns && before.as_deref().unwrap_or("0") != call.word(3) {
                phone.turned();
            }
            Done::default()
        }
        "delete" => {
            let known = phone.settings.remove(&key).is_some();
            Done::says(format!("Deleted {} rows\n", u8::from(known)))
        }
        _ => Done::fails(255, "Invalid command"),
    }
}
