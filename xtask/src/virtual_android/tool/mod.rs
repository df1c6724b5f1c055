//! The programs on the device, one file for what belongs together.

mod activity;
mod files;
mod input;
mod log;
mod package;
mod settings;
mod state;
mod window;

pub(super) use log::{follows, wanted_by as log_wanted};
pub(super) use package::{install_bytes, streamed_install};

use super::shell::{Call, Done};

/// A program: its name and what it does.
pub(super) type Tool = (&'static str, fn(&Call) -> Done);

/// All programs.
pub(super) fn all() -> &'static [Tool] {
    &[
        ("am", activity::am),
        ("base64", files::base64),
        ("cat", files::cat),
        ("cmd", package::cmd),
        ("date", files::date),
        ("df", files::df),
        ("dumpsys", state::dumpsys),
        ("echo", files::echo),
        ("false", files::no),
        ("getprop", settings::getprop),
        ("grep", files::grep),
        ("id", files::id),
        ("ime", input::ime),
        ("input", input::input),
        ("log", log::write),
        ("logcat", log::logcat),
        ("ls", files::ls),
        ("mkdir", files::yes),
        ("pidof", activity::pidof),
        ("pm", package::pm),
        ("reboot", state::reboot),
        ("rm", files::rm),
        ("screencap", window::screencap),
        ("setprop", settings::setprop),
        ("settings", settings::settings),
        ("sha256sum", files::sha256sum),
        ("sleep", files::sleep),
        ("tail", files::tail),
        ("true", files::yes),
        ("uiautomator", window::uiautomator),
        ("wm", window::wm),
    ]
}
