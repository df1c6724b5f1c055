//! The settings of devices: what a user says about all of them, whatever their URLs say.

use super::web::WebSetup;
use crate::abstraction::{Abstraction, Lens};

/// How devices look at apps.
#[derive(Debug, Clone)]
pub struct Setup {
    /// What counts as the same screen, where devices show windows.
    pub abstraction: &'static Abstraction,
    /// What is not looked at.
    pub lens: Lens,
    /// How pages are visited.
    pub web: WebSetup,
}
