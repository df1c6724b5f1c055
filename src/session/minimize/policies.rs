//! Optimal schedules: solved side by side on all cores, and kept on disk by what they are about.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::super::output::write_file;
use crate::model::sha256;
use crate::reduce::sequence::nd3min::{Optimal, Parameters, Repeats, Schedulers, schedulers};
use crate::reduce::sequence::{Chances, Rule};
use crate::session::JobError;

/// The scheduler that has to be solved first.
const OPTIMAL: &str = "mdp";
/// Changes whenever the same parameters would give other bytes.
const FORMAT: &str = "reduce-suite schedules 1";

/// The names of all schedulers with what they do, the default first.
#[must_use]
pub fn scheduler_names() -> Vec<(&'static str, &'static str)> {
    let all = schedulers().iter().map(|one| (one.name, one.about));
    let optimal = (OPTIMAL, "optimal for few candidates, solved once and kept");
    all.chain([optimal]).collect()
}

/// How candidates are judged with the scheduler of this name.
pub(super) fn repeats(
    name: &str,
    candidates: usize,
    lanes: usize,
    folder: Option<&Path>,
) -> Result<Repeats, JobError> {
    let scheduler = if name == OPTIMAL {
        let parameters = Parameters {
            candidates,
            lanes: lanes as u32,
            rule: Rule::default(),
            chances: Chances::default(),
        };
        let folder = folder.map(Path::to_owned).or_else(cache);
        Schedulers::Optimal(Arc::new(optimal(parameters, folder.as_deref())))
    } else {
        let known = schedulers().iter().find(|one| one.name == name);
        let text = || JobError::Unfit(format!("there is no scheduler `{name}`"));
        Schedulers::Rule(known.ok_or_else(text)?)
    };
    Ok(Repeats {
        scheduler,
        ..Repeats::default()
    })
}

/// Solves a process with all cores.
#[must_use]
pub fn solve_side_by_side(parameters: Parameters) -> Optimal {
    Optimal::solve(parameters, &|n, value| {
        (0..n).into_par_iter().map(value).collect()
    })
}

/// The solution from disk, or a new one that is then kept there.
fn optimal(parameters: Parameters, folder: Option<&Path>) -> Optimal {
    let path = folder.map(|folder| folder.join(format!("{}.mdp", key(&parameters))));
    let bytes = path.as_ref().and_then(|path| fs::read(path).ok());
    let values = bytes.and_then(|bytes| read(&parameters, &bytes));
    if let Some(optimal) =
        values.and_then(|values| Optimal::from_values(parameters.clone(), values))
    {
        return optimal;
    }
    let optimal = solve_side_by_side(parameters);
    if let Some(path) = path {
        // Not being able to keep it costs the next run some seconds and nothing else.
        let _ = write_file(&path, |out| out.write_all(&written(&optimal)));
    }
    optimal
}

/// Where the user keeps what can be made again.
fn cache() -> Option<PathBuf> {
    let folder = |name, rest| Some(PathBuf::from(env::var_os(name)?).join(rest));
    let cache = folder("XDG_CACHE_HOME", "").or_else(|| folder("HOME", ".cache"));
    cache.map(|cache| cache.join("reduce-suite"))
}

fn key(parameters: &Parameters) -> String {
    sha256(format!("{FORMAT} {parameters:?}").as_bytes())
}

/// Numbers as bytes behind their digest.
fn written(optimal: &Optimal) -> Vec<u8> {
    let numbers = optimal.values().iter().flatten();
    let body: Vec<u8> = numbers.flat_map(|value| value.to_le_bytes()).collect();
    [sha256(&body).into_bytes(), body].concat()
}

/// What was written; nothing if it is damaged.
fn read(parameters: &Parameters, bytes: &[u8]) -> Option<Vec<Vec<f64>>> {
    let (digest, body) = bytes.split_at_checked(64)?;
    if sha256(body).as_bytes() != digest {
        return None;
    }
    let numbers = body.chunks_exact(8).map(|eight| {
        let eight = eight.try_into().expect("chunks of eight have eight bytes");
        f64::from_le_bytes(eight)
    });
    let numbers: Vec<f64> = numbers.collect();
    let mut rest = &numbers[..];
    let mut values = Vec::new();
    for len in parameters.n_states() {
        let (these, others) = rest.split_at_checked(len)?;
        values.push(these.to_vec());
        rest = others;
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use super::{Chances, Parameters, Rule, optimal, read, written};

    #[test]
    fn a_solution_is_kept_and_a_damaged_one_is_made_again() {
        let parameters = Parameters {
            candidates: 2,
            lanes: 4,
            rule: Rule { runs: 6, accept: 5 },
            chances: Chances::default(),
        };
        let folder = tempfile::tempdir().unwrap();
        let first = optimal(parameters.clone(), Some(folder.path()));
        let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        let path = files[0].as_ref().unwrap().path();
        let kept = std::fs::read(&path).unwrap();
        assert_eq!((files.len(), &kept), (1, &written(&first)));
        let mut damaged = kept.clone();
        damaged[100] ^= 1;
        assert_eq!(read(&parameters, &damaged), None);
        std::fs::write(&path, damaged).unwrap();
        let again = optimal(parameters, Some(folder.path()));
        assert_eq!(written(&again), kept);
        assert_eq!(std::fs::read(&path).unwrap(), kept);
    }
}
