//! The embedded simulated device: an app model, a virtual clock, and trouble on demand.
//!
//! What the app leaves to chance is drawn from the run's seed and the actions so far, so the
//! same attempt shows the same on every device, and a prefix of a script shows what the whole
//! script shows up to there. Trouble (`lost`, `hang`, `slow`, each a share of runs; `stall`
//! blocks for real; `dead` never works) is drawn anew for every try.

mod app;

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use app::Edge;
pub use app::{App, AppError};

use super::{DeviceUrl, OpenError, Setup};
use crate::model::Seed;
use crate::replay::{Driver, DriverError, Fleet, Reaction, Sight, Start};

/// How long the simulated device claims to have been silent when it hangs.
const SILENCE: Duration = Duration::from_secs(60);
/// Trouble strikes within the first so many calls of a run.
const EARLY: u64 = 4;

/// Opens the simulated devices behind a URL.
pub(super) fn open(url: &DeviceUrl, n_open: usize, _: &Setup) -> Result<Fleet, OpenError> {
    url.allow(&["count", "lost", "hang", "slow", "stall", "dead"])?;
    let path = Path::new(&url.rest);
    let (app, sha256) = App::load(path).map_err(|source| OpenError::App {
        path: path.to_owned(),
        source,
    })?;
    let app = Arc::new(app);
    let trouble = Trouble {
        lost: url.share("lost")?,
        hang: url.share("hang")?,
        slow: url.share("slow")?,
        stall: url.share("stall")?,
        dead: url.share("dead")?,
    };
    let device = |number| device(format!("sim-{}", n_open + number), &app, trouble);
    Ok(Fleet {
        kind: "sim",
        sha256,
        costs: Some(app.costs()),
        actions: Some(app.actions()),
        untold: None,
        devices: (1..=url.count()?).map(device).collect(),
    })
}

/// A simulated device that never makes trouble, for programs that show an app in their own way.
#[must_use]
pub fn calm(name: String, app: &Arc<App>) -> Box<dyn Driver> {
    device(name, app, Trouble::default())
}

fn device(name: String, app: &Arc<App>, trouble: Trouble) -> Box<dyn Driver> {
    Box::new(Simulated {
        name,
        app: Arc::clone(app),
        trouble,
        state: None,
        draw: Seed(0),
        strike: None,
    })
}

/// Shares of runs that end in trouble.
#[derive(Debug, Clone, Copy, Default)]
struct Trouble {
    lost: f64,
    hang: f64,
    slow: f64,
    stall: f64,
    dead: f64,
}

/// Trouble that is about to strike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strike {
    Lost,
    Hang,
    Slow,
    Stall,
}

impl Trouble {
    fn draw(self, seed: Seed) -> Option<(Strike, u64)> {
        let calls = seed.mix(1).0 % EARLY;
        let mut left = seed.fraction();
        for (share, strike, calls) in [
            (self.dead, Strike::Lost, 0),
            (self.lost, Strike::Lost, calls),
            (self.hang, Strike::Hang, calls),
            (self.slow, Strike::Slow, 0),
            (self.stall, Strike::Stall, calls),
        ] {
            if left < share {
                return Some((strike, calls));
            }
            left -= share;
        }
        None
    }
}

/// One simulated device.
struct Simulated {
    name: String,
    app: Arc<App>,
    trouble: Trouble,
    /// Where the app is; none when it has died.
    state: Option<usize>,
    draw: Seed,
    /// Calls until trouble strikes.
    strike: Option<(Strike, u64)>,
}

impl Simulated {
    fn strike(&mut self) -> Result<(), DriverError> {
        match &mut self.strike {
            None => Ok(()),
            Some((_, calls @ 1..)) => {
                *calls -= 1;
                Ok(())
            }
            Some((strike, _)) => Err(match strike {
                Strike::Lost => DriverError::Lost,
                Strike::Hang => DriverError::TimedOut(SILENCE),
                Strike::Slow => DriverError::SlowStart(SILENCE),
                Strike::Stall => {
                    thread::sleep(Duration::from_secs(3600));
                    DriverError::TimedOut(SILENCE)
                }
            }),
        }
    }

    /// One of several outcomes, by weight.
    fn choose<'e>(&self, edges: &'e [Edge]) -> Option<&'e Edge> {
        let total: f64 = edges.iter().map(|edge| edge.weight).sum();
        let mut left = self.draw.fraction() * total;
        let chosen = edges.iter().find(|edge| {
            left -= edge.weight;
            left < 0.0
        });
        chosen.or(edges.iter().rfind(|edge| edge.weight > 0.0))
    }
}

impl Driver for Simulated {
    fn name(&self) -> &str {
        &self.name
    }

    fn start(&mut self, start: Start) -> Result<Sight, DriverError> {
        self.strike = self.trouble.draw(start.trouble);
        self.strike()?;
        self.draw = start.seed;
        self.state = Some(self.app.launch());
        Ok(Sight {
            screen: self.app.screen(self.app.launch()).to_owned(),
            covers: self.app.launch_covers().to_vec(),
            fault: None,
            micros: self.app.costs().restart_micros,
            aim: None,
        })
    }

    fn is_alive(&mut self) -> Result<bool, DriverError> {
        Ok(self.state.is_some())
    }

    fn offers(&mut self) -> Result<Vec<String>, DriverError> {
        self.strike()?;
        let offered = self.state.map(|state| self.app.offers(state));
        Ok(offered.unwrap_or_default())
    }

    fn perform(&mut self, action: &str) -> Result<Reaction, DriverError> {
        self.strike()?;
        let Some(state) = self.state else {
            return Ok(Reaction::Dead);
        };
        let app = Arc::clone(&self.app);
        let not_enabled = Reaction::NotEnabled {
            micros: app.costs().action_micros,
        };
        // An action that is not there leaves no trace in the app, not even in its chances.
        let Some(edges) = app.edges(state, action) else {
            return Ok(not_enabled);
        };
        self.draw = self.draw.derive(action);
        let Some(edge) = self.choose(edges) else {
            return Ok(not_enabled);
        };
        self.state = (!edge.crash).then_some(edge.to);
        Ok(Reaction::Sight(Sight {
            screen: app.screen(edge.to).to_owned(),
            covers: edge.covers.clone(),
            fault: edge.fault.clone(),
            micros: edge.micros.unwrap_or(app.costs().action_micros),
            aim: None,
        }))
    }
}
