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
    /// What it can tell of the app, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tells: Vec<String>,
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
        let tells = if common.verbose > 0 && started.is_ok() {
            device
                .probe()
                .unwrap_or_else(|error| vec![error.to_string()])
        } else {
            Vec::new()
        };
        devices.push(Health {
            device: device.name().to_owned(),
            kind,
            healthy: started.is_ok(),
            tells,
            detail: started.map_or_else(|error| error.to_string(), |sight| sight.screen),
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
        tells,
        ..
    } in devices
    {
        let state = if *healthy {
            "ready, starts on"
        } else {
            "not usable:"
        };
        let _ = writeln!(text, "{}  {state} {}", visible(device), visible(detail));
        for line in tells {
            let _ = writeln!(text, "  {}", visible(line));
        }
    }
    text
}
