//! What the command line of the bench asks for.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::case::Case;
use crate::generate::record::Recorder;
use crate::generate::{GENERATORS, Generator};

/// How it is called.
pub const USAGE: &str = "\
usage: cargo run --release -p xtask -- bench [OPTIONS]
  --sizes 300,800            traces of a suite; screens and branches grow with it
  --seeds 1..4               a range, both ends included, or a list
  --generators NAME,...      random, flags, grid (all)
  --recorders NAME,...       curious, random, restarts (curious)
  --flaky 0,0.02             shares of flaky actions
  --strategies paper,best    the first is what the second is compared with
  --set KEY=VALUE            a setting for all but the first strategy; repeats
  --threads 2                apps at a time
  --runs 100                 independent runs of each shipped trace
  --eight                    also on eight devices, to see that the answer is the same
  --gate                     exit 1 when a target is missed; implies --eight
  --patience 900             seconds until a reduction is given up
  --cache DIR | none         where figures of the first strategy are kept (target/bench/cache)
  --keep DIR                 keeps each app, its suite and all that reductions left there
  --json FILE                all figures as JSON
       cargo xtask bench rules
                             rddmin beside ddmin on the logs of the Flex Store, where they are at hand
       cargo xtask bench pace
                             steps and clean starts a second of web devices, beside a plain Playwright script
       cargo xtask bench web [OPTIONS]
                             real web apps from npm packages, in a real browser
";

/// The options with every default filled in.
pub(super) struct Options {
    pub(super) sizes: Vec<usize>,
    pub(super) seeds: Vec<u64>,
    pub(super) generators: Vec<Generator>,
    pub(super) recorders: Vec<(&'static str, Recorder)>,
    pub(super) flaky: Vec<f64>,
    pub(super) strategies: Vec<String>,
    pub(super) settings: Vec<String>,
    pub(super) threads: usize,
    pub(super) runs: usize,
    pub(super) eight: bool,
    pub(super) gate: bool,
    pub(super) patience: u64,
    pub(super) cache: Option<PathBuf>,
    pub(super) keep: Option<PathBuf>,
    pub(super) json: Option<PathBuf>,
}

impl Options {
    pub(super) fn new(target: &Path) -> Self {
        Self {
            sizes: vec![300, 800],
            seeds: (1..=4).collect(),
            generators: GENERATORS.to_vec(),
            recorders: vec![Recorder::CHOICES[0]],
            flaky: vec![0.0, 0.02],
            strategies: vec!["paper".to_owned(), "best".to_owned()],
            settings: Vec::new(),
            threads: 2,
            runs: 100,
            eight: false,
            gate: false,
            patience: 900,
            cache: Some(target.join("bench/cache")),
            keep: None,
            json: None,
        }
    }

    pub(super) fn parse(words: &[String], target: &Path) -> Result<Self, String> {
        let mut options = Self::new(target);
        let mut words = words.iter();
        while let Some(name) = words.next() {
            match name.as_str() {
                "--eight" => options.eight = true,
                "--gate" => (options.gate, options.eight) = (true, true),
                _ => {
                    let value = words.next().ok_or(format!("{name} has no value"))?;
                    options
                        .take(name, value)
                        .map_err(|why| format!("{name}: {why}"))?;
                }
            }
        }
        Ok(options)
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "--sizes" => self.sizes = list(value)?,
            "--seeds" => self.seeds = seeds(value)?,
            "--generators" => self.generators = named(value, &GENERATORS)?,
            "--recorders" => self.recorders = named(value, &Recorder::CHOICES)?,
            "--flaky" => {
                self.flaky = list(value)?;
                if self.flaky.iter().any(|share| !(0.0..=1.0).contains(share)) {
                    return Err("a share is from 0 to 1".to_owned());
                }
            }
            "--strategies" => self.strategies = list(value)?,
            "--set" => self.settings.push(value.to_owned()),
            "--threads" => self.threads = one(value)?,
            "--runs" => self.runs = one(value)?,
            "--patience" => self.patience = one(value)?,
            "--cache" => self.cache = (value != "none").then(|| value.into()),
            // Reductions work in folders of their own.
            "--keep" => self.keep = Some(std::path::absolute(value).map_err(|it| it.to_string())?),
            "--json" => self.json = Some(value.into()),
            _ => return Err("there is no such option".to_owned()),
        }
        Ok(())
    }

    /// All apps that are asked for, the small ones first.
    pub(super) fn cases(&self) -> Vec<Case> {
        let mut cases = Vec::new();
        for &traces in &self.sizes {
            for &generator in &self.generators {
                for &recorder in &self.recorders {
                    for &flaky in &self.flaky {
                        cases.extend(self.seeds.iter().map(|&seed| Case {
                            generator,
                            recorder,
                            traces,
                            flaky,
                            seed,
                        }));
                    }
                }
            }
        }
        cases
    }
}

fn one<T: FromStr>(text: &str) -> Result<T, String> {
    let text = text.trim();
    text.parse()
        .map_err(|_| format!("{text} does not fit here"))
}

fn list<T: FromStr>(text: &str) -> Result<Vec<T>, String> {
    text.split(',').map(one).collect()
}

fn seeds(text: &str) -> Result<Vec<u64>, String> {
    match text.split_once("..") {
        Some((first, last)) => Ok((one(first)?..=one(last.trim_start_matches('='))?).collect()),
        None => list(text),
    }
}

fn named<T: Copy>(
    text: &str,
    known: &[(&'static str, T)],
) -> Result<Vec<(&'static str, T)>, String> {
    let find = |name: &str| {
        let found = known.iter().find(|(known, _)| *known == name.trim());
        found.copied().ok_or_else(|| {
            let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
            format!("{name} is not known, but {} are", names.join(", "))
        })
    };
    text.split(',').map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&words, Path::new("target"))
    }

    #[test]
    fn ranges_and_lists_make_the_cases() {
        let options = parse("--sizes 20,40 --seeds 2..4 --flaky 0 --generators random").unwrap();
        assert_eq!(options.seeds, [2, 3, 4]);
        let cases = options.cases();
        assert_eq!(cases.len(), 6);
        assert_eq!((cases[0].traces, cases[5].traces), (20, 40));
        assert_eq!(parse("--seeds 7,9").unwrap().seeds, [7, 9]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let error = |line| parse(line).err().unwrap_or_default();
        assert_eq!(error("--sizes"), "--sizes has no value");
        assert_eq!(error("--sizes 3,x"), "--sizes: x does not fit here");
        assert_eq!(error("--flaky 2"), "--flaky: a share is from 0 to 1");
        assert_eq!(error("--what 2"), "--what: there is no such option");
        assert_eq!(
            error("--recorders nobody"),
            "--recorders: nobody is not known, but curious, random, restarts are"
        );
    }

    #[test]
    fn the_gate_looks_at_eight_devices_too() {
        assert!(parse("--gate").unwrap().eight);
        assert!(!parse("").unwrap().eight);
        assert_eq!(parse("--cache none").unwrap().cache, None);
    }

    #[test]
    fn what_is_kept_is_found_from_any_folder() {
        let keep = parse("--keep here").unwrap().keep.unwrap();
        assert!(keep.is_absolute() && keep.ends_with("here"));
    }
}
