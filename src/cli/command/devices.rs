//! `devices`: what is reachable, and its health.

use std::fmt::Write;

use serde::Serialize;

use super::show;
use crate::cli::args::Common;
use crate::cli::exit_code::ExitCode;
use crate::config::Config;
use crate::drivers;
use crate::model::Seed;
use crate::replay::Start;
use crate::report::visible;
use crate::session::{JobError, setup};

/// One device and what a clean start of the app on it gave.
#[derive(Serialize)]
struct Health {
    device: String,
    kind: &'static str,
    healthy: bool,
    /// The screen after the start, or what went wrong.
    detail: String,
}

pub(super) fn run(config: &Config, common: &Common) -> Result<ExitCode, JobError> {
    let fleet = drivers::open(&config.device, &setup(config))?;
    let kind = fleet.kind;
    let start = Start {
        seed: Seed(config.seed),
        trouble: Seed(config.seed).derive("devices"),
    };
    let mut devices = Vec::new();
    for mut device in fleet.devices {
        let started = device.start(start);
        devices.push(Health {
            device: device.name().to_owned(),
            kind,
            healthy: started.is_ok(),
            detail: match (started, device.remark()) {
                (Ok(sight), None) => sight.screen,
                (Ok(sight), Some(remark)) => format!("{}, but {remark}", sight.screen),
                (Err(error), _) => error.to_string(),
            },
        });
    }
    show(common, &devices, || text(&devices));
    if devices.iter().any(|device| device.healthy) {
        Ok(ExitCode::Done)
    } else {
        Ok(ExitCode::Infrastructure)
    }
}

fn text(devices: &[Health]) -> String {
    let mut text = String::new();
    for Health {
        device,
        healthy,
        detail,
        ..
    } in devices
    {
        let state = if *healthy {
            "ready, starts on"
        } else {
            "not usable:"
        };
        let _ = writeln!(text, "{}  {state} {}", visible(device), visible(detail));
    }
    text
}
