//! `report.html` and `review.html` opened in a real browser: read, searched, clicked, typed at, printed and attacked.

mod case;
mod chromium;
mod hostile;
mod keyboard;
mod large;
mod lists;
mod looks;
mod map;
mod paper;
mod review;
mod tab;
