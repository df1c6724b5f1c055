//! Android devices: virtual ones behind the real adb, driven as phones are.
//!
//! Where adb is not installed the tests say that they were skipped; CI installs it.

mod contract;
mod hostile;
mod lab;
mod reduce;
mod trouble;
