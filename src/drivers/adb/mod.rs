//! Android devices behind adb servers: `adb:` all of the local one, `adb://HOST:PORT/SERIAL` one
//! of any.
//!
//! Every word that reaches a device's shell is quoted. An app tells what it covers by its log, or
//! nothing; what it leaves to chance it can draw from the property `debug.reduce_suite.seed`.
#![expect(
    clippy::disallowed_methods,
    reason = "devices are waited for by the clock, and their client has no time limits of its own"
)]

mod agent;
mod deed;
mod device;
mod hand;
mod link;
mod log;
mod look;
mod offers;
mod probe;
mod ready;
mod rest;
mod server;
mod words;

use std::fs;

use agent::Agent;
use device::{AdbDevice, Hangs};
use link::Link;
use server::Server;
use words::quoted;

use super::{DeviceUrl, OpenError, Setup};
use crate::abstraction::{self, Abstraction};
use crate::model::{Costs, sha256};
use crate::replay::{Driver, DriverError, Fleet};

/// The app on a device.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Target {
    package: String,
    activity: String,
}

/// Opens the devices behind a URL.
pub(super) fn open(url: &DeviceUrl, _: usize, setup: &Setup) -> Result<Fleet, OpenError> {
    url.allow(&["count"])?;
    let wrong = |reason: String| OpenError::Url {
        url: url.text.clone(),
        reason,
    };
    let (server, serial) = address(&url.rest).map_err(wrong)?;
    server.start().map_err(wrong)?;
    let mut serials = find(server, serial.as_deref()).map_err(wrong)?;
    if let Some(count) = url.given_count()? {
        if serials.len() < count {
            let there = serials.len();
            return Err(wrong(format!(
                "{count} devices are asked for and {there} are there"
            )));
        }
        serials.truncate(count);
    }
    let hangs = Hangs::default();
    let mut known: Option<(String, String, Option<Costs>)> = None;
    let mut devices: Vec<Box<dyn Driver>> = Vec::new();
    for serial in serials {
        let mut link = Link::new(server, &serial, setup.android.command);
        let found = app(&mut link, setup);
        let found = found.map_err(|reason| wrong(format!("{serial}: {reason}")))?;
        let seen = Setup {
            abstraction: found.abstraction,
            ..setup.clone()
        };
        let digest = sha256(format!("{} {}", found.sha256, seen.digest()).as_bytes());
        match &known {
            Some((first, other, _)) if *other != digest => {
                return Err(OpenError::Mixed {
                    first: first.clone(),
                    second: serial,
                });
            }
            Some(_) => {}
            None => known = Some((serial, digest, found.costs)),
        }
        let agent = seen.android.jacoco.as_ref().map(Agent::new);
        let agent = agent.transpose().map_err(wrong)?;
        let device = AdbDevice::new(link, found.target, seen, agent, Hangs::clone(&hangs));
        devices.push(Box::new(device));
    }
    let (_, sha256, costs) = known.ok_or_else(|| wrong(NO_DEVICE.to_owned()))?;
    Ok(Fleet {
        kind: "adb",
        sha256,
        costs,
        actions: None,
        untold: None,
        devices,
    })
}

const NO_DEVICE: &str = "no device is ready; `adb devices` lists those that the server knows";

/// The server and the device behind `adb:REST`.
fn address(rest: &str) -> Result<(Server, Option<String>), String> {
    let Some(address) = rest.strip_prefix("//") else {
        return match rest {
            "" => Ok((Server::local(), None)),
            serial => Ok((Server::local(), Some(serial.to_owned()))),
        };
    };
    let (server, serial) = address.split_once('/').unwrap_or((address, ""));
    let serial = (!serial.is_empty()).then(|| serial.to_owned());
    Ok((Server::at(server)?, serial))
}

/// The devices that are meant: one by its serial, or all that are ready.
fn find(server: Server, serial: Option<&str>) -> Result<Vec<String>, String> {
    if let Some(serial) = serial {
        let listed = server.devices()?;
        if !listed.iter().any(|device| device.serial == serial) {
            server.connect(serial);
        }
        return match server
            .devices()?
            .iter()
            .find(|device| device.serial == serial)
        {
            Some(_) => Ok(vec![serial.to_owned()]),
            None => Err(format!(
                "the adb server at {} knows no such device",
                server.0
            )),
        };
    }
    let listed = server.devices()?;
    let ready = listed.iter().filter(|device| device.is_ready);
    let mut ready: Vec<_> = ready.map(|device| device.serial.clone()).collect();
    ready.sort_unstable();
    if ready.is_empty() {
        let states = listed
            .iter()
            .map(|device| format!("{} is {}", device.serial, device.state));
        let states: Vec<_> = states.collect();
        return Err(format!("{NO_DEVICE} {}", states.join(", "))
            .trim_end()
            .to_owned());
    }
    Ok(ready)
}

/// What a device has.
struct Found {
    target: Target,
    /// Digest of the app's file.
    sha256: String,
    /// What it says that things cost.
    costs: Option<Costs>,
    abstraction: &'static Abstraction,
}

/// Finds the app on a device.
fn app(link: &mut Link, setup: &Setup) -> Result<Found, String> {
    let android = &setup.android;
    ready::wait(link, android.boot).map_err(|error| told(&error))?;
    if let Some(apk) = &android.apk {
        let content = fs::read(apk).map_err(|error| format!("{}: {error}", apk.display()))?;
        ready::install(link, &content).map_err(|error| told(&error))?;
    }
    let package = match &android.package {
        Some(package) => package.clone(),
        None => only_package(link)?,
    };
    let name = quoted(&package);
    let output = link.run_parts(&[
        &format!("pm path {name}"),
        &format!("cmd package resolve-activity --brief {name} | tail -n 1"),
        "getprop debug.reduce_suite.costs",
        "getprop debug.reduce_suite.screens",
    ]);
    let output = output.map_err(|error| told(&error))?;
    let part = |at: usize| output.parts.get(at).map_or("", |text| text.trim());
    let path = part(0).lines().next();
    let path = path.and_then(|line| line.strip_prefix("package:"));
    let path = path.ok_or(format!(
        "{package} is not installed; name its file with android.apk"
    ))?;
    let main = part(1)
        .split_once('/')
        .map(|(_, activity)| activity.to_owned());
    let activity = android.activity.clone().or(main).ok_or(format!(
        "{package} has no activity for the launcher; name one with android.activity"
    ))?;
    let digest = link.run(&format!("sha256sum {}", quoted(path)));
    let digest = digest.map_err(|error| told(&error))?.text();
    let own = abstraction::find(part(3)).filter(|_| setup.is_abstraction_open);
    Ok(Found {
        target: Target { package, activity },
        sha256: digest
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned(),
        costs: costs(part(2)),
        abstraction: own.unwrap_or(setup.abstraction),
    })
}

fn told(error: &DriverError) -> String {
    error.to_string()
}

/// The only app that is not part of the system.
fn only_package(link: &mut Link) -> Result<String, String> {
    let output = link
        .run("pm list packages -3")
        .map_err(|error| told(&error))?
        .text();
    let names = output
        .lines()
        .filter_map(|line| line.trim().strip_prefix("package:"));
    let names: Vec<_> = names
        .filter(|name| *name != "com.android.adbkeyboard")
        .collect();
    match names[..] {
        [name] => Ok(name.to_owned()),
        [] => Err("no app is installed; name its file with android.apk".to_owned()),
        _ => Err(format!(
            "several apps are installed; name one with android.package: {}",
            names.join(", ")
        )),
    }
}

/// Microseconds of a start and of an action, as a virtual device says them.
fn costs(text: &str) -> Option<Costs> {
    let (restart, action) = text.split_once(' ')?;
    Some(Costs {
        restart_micros: restart.parse().ok()?,
        action_micros: action.parse().ok()?,
    })
}
