//! Packages: what is installed, and installing more.

use crate::virtual_android::Shared;
use crate::virtual_android::shell::{Call, Done};

/// The keyboard for tests, which takes any text by broadcast.
const KEYBOARD: &str = "com.android.adbkeyboard";

pub(super) fn cmd(call: &Call) -> Done {
    let inner = Call {
        shared: call.shared,
        words: call.words.get(1..).unwrap_or(&[]),
        input: call.input,
    };
    match call.word(0) {
        "package" => pm(&inner),
        "activity" => super::activity::am(&inner),
        "notification" | "uimode" | "stats" => Done::default(),
        other => Done::fails(20, format!("cmd: Can't find service: {other}")),
    }
}

pub(super) fn pm(call: &Call) -> Done {
    let package = call.words.last().cloned().unwrap_or_default();
    let mut phone = call.shared.phone();
    let is_app = package == phone.package && phone.is_installed();
    match call.word(0) {
        "list" => {
            let mut names = vec![KEYBOARD.to_owned()];
            if phone.is_installed() {
                names.push(phone.package.clone());
            }
            let lines = names.iter().map(|name| format!("package:{name}\n"));
            Done::says(lines.collect::<String>())
        }
        "path" if is_app => Done::says(format!("package:{}\n", phone.apk())),
        "path" if package == KEYBOARD => {
            Done::says("package:/data/app/com.android.adbkeyboard-1/base.apk\n")
        }
        "path" => Done {
            status: 1,
            ..Done::default()
        },
        "clear" if is_app => {
            phone.stop();
            phone.granted.clear();
            Done::says("Success\n")
        }
        "clear" => Done {
            status: 1,
            ..Done::says("Failed\n")
        },
        "grant" if call.word(1) == phone.package && phone.is_installed() => {
            phone.granted.insert(call.word(2).to_owned());
            Done::default()
        }
        "grant" | "revoke" => Done::fails(255, "Exception occurred: Unknown package"),
        "trim-caches" => {
            phone.is_full = false;
            Done::default()
        }
        "resolve-activity" if is_app => {
            let activity = phone.main_activity().unwrap_or_default();
            Done::says(format!("priority=0 isDefault=true\n{package}/{activity}\n"))
        }
        "resolve-activity" => Done::says("No activity found\n"),
        "uninstall" if is_app => {
            phone.uninstall();
            Done::says("Success\n")
        }
        "uninstall" => Done::fails(1, "Failure [DELETE_FAILED_INTERNAL_ERROR]"),
        "install" => {
            let content = phone.file(&package);
            drop(phone);
            match content {
                Some(content) => install_bytes(call.shared, &content),
                None => Done::fails(1, format!("Error: unable to open file: {package}")),
            }
        }
        other => Done::fails(255, format!("Unknown command: {other}")),
    }
}

/// How many bytes of an app follow a command that installs from its input.
pub(in crate::virtual_android) fn streamed_install(script: &str) -> Option<usize> {
    let words: Vec<_> = script
        .split_whitespace()
        .map(|word| word.trim_matches('\''))
        .collect();
    if !words.starts_with(&["cmd", "package", "install"]) {
        return None;
    }
    let at = words.iter().position(|word| *word == "-S")?;
    let size = words.get(at + 1)?.parse().ok()?;
    (size <= 1 << 30).then_some(size)
}

/// Installs an app whose model stands for its file.
pub(in crate::virtual_android) fn install_bytes(shared: &Shared, model: &[u8]) -> Done {
    let mut phone = shared.phone();
    if phone.is_full {
        return Done {
            status: 1,
            ..Done::says("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]\n")
        };
    }
    match phone.install(model) {
        Ok(()) => Done::says("Success\n"),
        Err(reason) => Done {
            status: 1,
            ..Done::says(format!(
                "Failure [INSTALL_PARSE_FAILED_NOT_APK: {reason}]\n"
            ))
        },
    }
}
