//! How a virtual device is started.

use std::error::Error;
use std::net::Ipv4Addr;
use std::ops::Range;
use std::time::Duration;

use super::trouble::Fault;

/// How it is called.
pub const USAGE: &str = "\
usage: cargo xtask virtual-android --app MODEL [OPTIONS]

Serves an app model as a virtual Android device that adb can connect to, until interrupted.

  --app MODEL           the app model, as for sim:MODEL
  --port N              the port to listen on [6555]; 0 is any free one
                        (adb takes 5555 to 5585 for emulators by itself)
  --count N             so many devices on ports in a row [1]
  --host ADDRESS        the address to listen on [127.0.0.1]
  --package NAME        the name of the app [org.example.app]
  --trouble LIST        shares of runs that end in trouble, such as drop=0.02,stall=0.01; kinds are
                        drop, stall, half (a dump), reboot, anr (a dialog), full (disk)
  --seed N              where trouble is drawn from [1]
  --lag MILLIS          how long the app works on each action [0]
  --boot MILLIS         how long a reboot takes [1500]
  --old                 a device without shell v2

Trouble can be had by order, too: adb shell setprop debug.virtual.trouble drop:3 cuts the connection
at the third command from then.

Example: cargo xtask virtual-android --app testdata/file-browser/app.json --port 6555
         adb connect 127.0.0.1:6555
         cargo reduce-suite devices --device adb:
";

/// What a device is like.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address it listens on.
    pub host: Ipv4Addr,
    /// The name of the app.
    pub package: String,
    /// Shares of runs that end in trouble.
    pub trouble: Vec<(Fault, f64)>,
    /// Where trouble is drawn from.
    pub seed: u64,
    /// How long the app works on each action.
    pub lag: Duration,
    /// How long a reboot takes.
    pub boot: Duration,
    /// Whether it knows the first shell protocol alone.
    pub old: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            host: Ipv4Addr::LOCALHOST,
            package: "org.example.app".to_owned(),
            trouble: Vec::new(),
            seed: 1,
            lag: Duration::ZERO,
            boot: Duration::from_millis(1500),
            old: false,
        }
    }
}

/// Reads the words of the command line: the options, the model's path and the ports.
pub(super) fn parse(words: &[String]) -> Result<(Options, String, Range<u16>), Box<dyn Error>> {
    let mut options = Options::default();
    let (mut app, mut port, mut count) = (None, 6555_u16, 1_u16);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--old" {
            options.old = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{word} has no value"))?;
        let wrong = |_| format!("{word}: {value} is no number");
        match word.as_str() {
            "--app" => app = Some(value.clone()),
            "--port" => port = value.parse().map_err(wrong)?,
            "--count" => count = value.parse().map_err(wrong)?,
            "--host" => {
                options.host = value
                    .parse()
                    .map_err(|_| format!("{value} is no address"))?;
            }
            "--package" => options.package.clone_from(value),
            "--trouble" => options.trouble = shares(value)?,
            "--seed" => options.seed = value.parse().map_err(wrong)?,
            "--lag" => options.lag = Duration::from_millis(value.parse().map_err(wrong)?),
            "--boot" => options.boot = Duration::from_millis(value.parse().map_err(wrong)?),
            _ => return Err(format!("unknown option {word}").into()),
        }
    }
    let app = app.ok_or("--app is missing")?;
    let end = port
        .checked_add(count)
        .ok_or("there are not so many ports")?;
    if port == 0 && count > 1 {
        return Err("--port 0 is for one device".into());
    }
    Ok((options, app, port..end))
}

fn shares(text: &str) -> Result<Vec<(Fault, f64)>, String> {
    let share = |pair: &str| {
        let (name, share) = pair
            .split_once('=')
            .ok_or(format!("{pair} is not KIND=SHARE"))?;
        let fault = Fault::of(name).ok_or(format!("unknown trouble {name}"))?;
        let share: Option<f64> = share
            .parse()
            .ok()
            .filter(|share| (0.0..=1.0).contains(share));
        Ok((
            fault,
            share.ok_or(format!("{pair}: not a share from 0 to 1"))?,
        ))
    };
    text.split(',').map(share).collect()
}
