//! A device under watch: each answer leaves a mark, so that a long session is told from silence.

use std::sync::atomic::{AtomicU64, Ordering};

use super::driver::{Driver, DriverError, Reaction, Sight, Start};
use crate::model::window::Window;

/// A device and the count of its answers.
pub(super) struct Watched<'a> {
    pub(super) device: &'a mut dyn Driver,
    pub(super) answers: &'a AtomicU64,
}

impl Watched<'_> {
    fn answered<T>(&self, answer: T) -> T {
        self.answers.fetch_add(1, Ordering::Relaxed);
        answer
    }
}

impl Driver for Watched<'_> {
    fn name(&self) -> &str {
        self.device.name()
    }

    fn start(&mut self, start: Start) -> Result<Sight, DriverError> {
        let sight = self.device.start(start);
        self.answered(sight)
    }

    fn perform(&mut self, action: &str) -> Result<Reaction, DriverError> {
        let reaction = self.device.perform(action);
        self.answered(reaction)
    }

    fn offers(&mut self) -> Result<Vec<String>, DriverError> {
        let offers = self.device.offers();
        self.answered(offers)
    }

    fn window(&self) -> Option<&Window> {
        self.device.window()
    }

    fn probe(&mut self) -> Result<Vec<String>, DriverError> {
        let told = self.device.probe();
        self.answered(told)
    }

    fn is_alive(&mut self) -> Result<bool, DriverError> {
        let alive = self.device.is_alive();
        self.answered(alive)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{Driver, DriverError, Reaction, Sight, Start, Watched};
    use crate::model::Seed;

    struct Still;

    impl Driver for Still {
        fn name(&self) -> &'static str {
            "still"
        }

        fn start(&mut self, _: Start) -> Result<Sight, DriverError> {
            Err(DriverError::Lost)
        }

        fn perform(&mut self, _: &str) -> Result<Reaction, DriverError> {
            Ok(Reaction::Dead)
        }

        fn offers(&mut self) -> Result<Vec<String>, DriverError> {
            Ok(Vec::new())
        }
    }

    #[test]
    fn every_answer_leaves_a_mark() {
        let answers = AtomicU64::new(0);
        let mut watched = Watched {
            device: &mut Still,
            answers: &answers,
        };
        let start = Start {
            seed: Seed(1),
            trouble: Seed(2),
        };
        assert!(watched.start(start).is_err());
        assert_eq!(watched.perform("a"), Ok(Reaction::Dead));
        assert_eq!(watched.offers(), Ok(Vec::new()));
        assert_eq!(watched.is_alive(), Ok(true));
        assert_eq!(watched.name(), "still");
        assert_eq!(answers.load(Ordering::Relaxed), 4);
    }
}
