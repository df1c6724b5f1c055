//! What must hold of every reduction, tried on some hundreds of random apps and their suites.

mod answer;
mod audited;
mod best;
mod bounds;
mod case;
mod explore;
mod forged;
mod hostile;
mod lab;
mod promise;
mod settings;
mod settled;
mod tamper;
