//! Turns what was written into the types of [`Config`], refusing what does not fit.

use std::{fmt::Debug, ops::RangeInclusive, time::Duration};

use toml::Value;

use super::{
    Config, ConfigError, Settings, effort, share, time,
    values::{
        Android, Budget, Certify, Cost, Cover, Explore, Load, Loops, Minimize, Replay, Retry,
        Screen, Settle, Slack, Splice, UnknownActions, Walk, Web,
    },
};
use crate::abstraction::{self, Attribute, Lists};
use crate::explore;
use crate::model::{AfterDivergence, Kind, Stabilize, Strategy};

const COUNT: RangeInclusive<i64> = 1..=1_000_000_000;
const SECONDS_OF_A_DAY: RangeInclusive<f64> = 0.0..=86_400.0;

/// The settings as [`Config`].
pub(super) fn read(settings: &Settings) -> Result<Config, ConfigError> {
    let read = Reader { settings };
    let strategy = read.choice("strategy", &Strategy::CHOICES)?;
    let stabilize = read.choice("stabilize", &Stabilize::CHOICES)?;
    Ok(Config {
        suite: read.texts("suite")?.into_iter().map(Into::into).collect(),
        device: read.texts("device")?,
        out: read.text("out")?.into(),
        seed: read.integer("seed", &(0..=i64::MAX))?,
        strategy,
        stabilize: stabilize.unwrap_or_else(|| strategy.stabilize()),
        preserve: read.kinds("preserve")?,
        replay: Replay {
            runs: read.integer("replay.runs", &(1..=1000))?,
            after_divergence: read.choice("replay.after_divergence", &AfterDivergence::CHOICES)?,
        },
        retry: Retry {
            per_job: read.integer("retry.per_job", &(0..=1_000_000))?,
            per_device: read.integer("retry.per_device", &(1..=1_000_000))?,
            hang_seconds: read.seconds("retry.hang_seconds", &(0.1..=86_400.0))?,
        },
        budget: Budget {
            device: read.time_limit("budget.device")?,
            wall: read.time_limit("budget.wall")?,
        },
        loops: Loops {
            max_work: read.integer("loops.max_work", &COUNT)?,
            max_candidates: read.integer("loops.max_candidates", &COUNT)?,
        },
        splice: Splice {
            fragments: read.integer("splice.fragments", &(1..=8))?,
            max_work: read.integer("splice.max_work", &COUNT)?,
        },
        settle: Settle {
            rounds: read.integer("settle.rounds", &(0..=1000))?,
        },
        walk: read.walk()?,
        certify: read.certify()?,
        slack: Slack {
            min_witness: read.integer("slack.min_witness", &(1..=10))?,
            keep_faults: read.truth("slack.keep_faults")?,
        },
        cover: Cover {
            exact: read.truth("cover.exact")?,
        },
        minimize: Minimize {
            private: read.texts("minimize.private")?,
            replace_text: read.truth("minimize.replace_text")?,
            rules_off: read.texts("minimize.rules_off")?,
            solved_candidates: read.integer("minimize.solved_candidates", &(1..=5))?,
        },
        screen: read.screen()?,
        android: read.android()?,
        explore: read.explore()?,
        web: read.web()?,
        cost: Cost {
            action_seconds: read.seconds("cost.action_seconds", &SECONDS_OF_A_DAY)?,
            restart_seconds: read.seconds("cost.restart_seconds", &SECONDS_OF_A_DAY)?,
        },
        load: Load {
            max_line_mib: read.integer("load.max_line_mib", &(1..=65_536))?,
            max_name_kib: read.integer("load.max_name_kib", &(1..=1_048_576))?,
            unknown_actions: read.choice("load.unknown_actions", &UnknownActions::CHOICES)?,
        },
    })
}

struct Reader<'a> {
    settings: &'a Settings,
}

impl Reader<'_> {
    fn walk(&self) -> Result<Walk, ConfigError> {
        Ok(Walk {
            max_steps: self.integer("walk.max_steps", &(10..=100_000))?,
            allow_observed: self.truth("walk.allow_observed")?,
            lanes: self.integer("walk.lanes", &(1..=1024))?,
        })
    }

    fn certify(&self) -> Result<Certify, ConfigError> {
        Ok(Certify {
            trace_flake: self.flake("certify.trace_flake", "")?,
            suite_flake: self.flake_limit("certify.suite_flake")?,
            confidence: self.confidence("certify.confidence")?,
            max_runs: self.integer("certify.max_runs", &(1..=10_000))?,
        })
    }

    fn explore(&self) -> Result<Explore, ConfigError> {
        let budget = self.value("explore.budget").as_str();
        let texts = self.texts("explore.texts")?;
        if texts.is_empty() {
            return Err(self.wrong("explore.texts", "a list with at least one text"));
        }
        Ok(Explore {
            strategy: self.choice("explore.strategy", &explore::Strategy::CHOICES)?,
            budget: budget.and_then(effort::parse).ok_or_else(|| {
                let allowed =
                    r#""1000steps", "50traces", a time such as "30m", or several of them"#;
                self.wrong("explore.budget", allowed)
            })?,
            max_steps: self.integer("explore.max_steps", &(1..=100_000))?,
            lanes: self.integer("explore.lanes", &(1..=1024))?,
            deny: self.texts("explore.deny")?,
            also_deny: self.texts("explore.also_deny")?,
            texts,
        })
    }

    fn screen(&self) -> Result<Screen, ConfigError> {
        let names: Vec<_> = abstraction::all().iter().map(|one| one.name).collect();
        let names = std::iter::once("auto").chain(names);
        let choices: Vec<_> = names.map(|name| (name, name)).collect();
        let screen = Screen {
            abstraction: self.choice("screen.abstraction", &choices)?,
            masks: self.texts("screen.masks")?,
            lists: self.choice("screen.lists", &Lists::CHOICES)?,
            attributes: self.choices("screen.attributes", &Attribute::CHOICES)?,
        };
        match screen.lens() {
            Ok(_) => Ok(screen),
            Err(reason) => Err(self.wrong("screen.masks", reason)),
        }
    }

    fn web(&self) -> Result<Web, ConfigError> {
        Ok(Web {
            chromium: self.text("web.chromium")?,
            allow_hosts: self.texts("web.allow_hosts")?,
            pin_clock: self.truth("web.pin_clock")?,
            pin_random: self.truth("web.pin_random")?,
            step_millis: self.integer("web.step_millis", &(0..=600_000))?,
            calm_millis: self.integer("web.calm_millis", &(1..=60_000))?,
            quiet_seconds: self.seconds("web.quiet_seconds", &(0.1..=3600.0))?,
            load_seconds: self.seconds("web.load_seconds", &(0.1..=3600.0))?,
            max_elements: self.integer("web.max_elements", &COUNT)?,
            width: self.integer("web.width", &(100..=10_000))?,
            height: self.integer("web.height", &(100..=10_000))?,
        })
    }

    fn android(&self) -> Result<Android, ConfigError> {
        let limit = 0.1..=86_400.0;
        Ok(Android {
            package: self.text("android.package")?,
            activity: self.text("android.activity")?,
            apk: self.text("android.apk")?,
            snapshot: self.text("android.snapshot")?,
            wipe: self.texts("android.wipe")?,
            grant: self.texts("android.grant")?,
            coverage_tag: self.text("android.coverage_tag")?,
            jacoco_broadcast: self.text("android.jacoco_broadcast")?,
            jacoco_file: self.text("android.jacoco_file")?,
            jacoco_classes: self.texts("android.jacoco_classes")?,
            stable_seconds: self.seconds("android.stable_seconds", &limit)?,
            command_seconds: self.seconds("android.command_seconds", &limit)?,
            boot_seconds: self.seconds("android.boot_seconds", &limit)?,
        })
    }

    fn choices<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<Vec<T>, ConfigError> {
        let chosen = |word: String| {
            let found = choices.iter().find(|(name, _)| *name == word);
            found.map(|(_, choice)| *choice).ok_or_else(|| {
                let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
                self.wrong(key, format!("a list of {}", one_of(&names)))
            })
        };
        self.texts(key)?.into_iter().map(chosen).collect()
    }

    fn value(&self, key: &str) -> &Value {
        &self.settings.get(key).value
    }

    fn wrong(&self, key: &str, allowed: impl Into<String>) -> ConfigError {
        let setting = self.settings.get(key);
        ConfigError::Value {
            key: key.to_owned(),
            origin: setting.origin.clone(),
            given: given(&setting.value),
            allowed: allowed.into(),
        }
    }

    /// A whole number; the range must fit the type.
    fn integer<T>(&self, key: &str, range: &RangeInclusive<i64>) -> Result<T, ConfigError>
    where
        T: TryFrom<i64, Error: Debug>,
    {
        let number = self.value(key).as_integer();
        let (low, high) = (range.start(), range.end());
        match number.filter(|number| range.contains(number)) {
            Some(number) => Ok(T::try_from(number).expect("the range fits the type")),
            None if *high == i64::MAX => {
                Err(self.wrong(key, format!("a whole number of at least {low}")))
            }
            None => Err(self.wrong(key, format!("a whole number from {low} to {high}"))),
        }
    }

    fn seconds(&self, key: &str, range: &RangeInclusive<f64>) -> Result<f64, ConfigError> {
        let value = self.value(key);
        let whole = value.as_integer().map(|seconds| seconds as f64);
        let seconds = value.as_float().or(whole);
        seconds
            .filter(|seconds| range.contains(seconds))
            .ok_or_else(|| {
                let (low, high) = (range.start(), range.end());
                self.wrong(key, format!("a number of seconds from {low} to {high}"))
            })
    }

    fn truth(&self, key: &str) -> Result<bool, ConfigError> {
        let truth = self.value(key).as_bool();
        truth.ok_or_else(|| self.wrong(key, "true or false"))
    }

    /// A share that is neither nothing nor everything; `or` names what else may be written.
    fn flake(&self, key: &str, or: &str) -> Result<f64, ConfigError> {
        let share = share::read(self.value(key));
        share
            .filter(|share| 0.0 < *share && *share < 1.0)
            .ok_or_else(|| {
                let range = "a share above 0 and below 100 %, such as \"1%\", \"0.5%\" or 0.01";
                self.wrong(key, format!("{or}{range}{}", self.meant(key)))
            })
    }

    fn flake_limit(&self, key: &str) -> Result<Option<f64>, ConfigError> {
        match self.value(key).as_str() {
            Some("none") => Ok(None),
            _ => self.flake(key, "\"none\" or ").map(Some),
        }
    }

    fn confidence(&self, key: &str) -> Result<f64, ConfigError> {
        let share = share::read(self.value(key));
        share
            .filter(|share| (0.5..1.0).contains(share))
            .ok_or_else(|| {
                let range = "a share from 50 % to below 100 %, such as \"95%\" or 0.95";
                self.wrong(key, format!("{range}{}", self.meant(key)))
            })
    }

    fn meant(&self, key: &str) -> String {
        let meant = share::meant(self.value(key));
        meant.map_or_else(String::new, |meant| format!("; did you mean \"{meant}\"?"))
    }

    fn text(&self, key: &str) -> Result<String, ConfigError> {
        let text = self.value(key).as_str().filter(|text| !text.is_empty());
        text.map(str::to_owned)
            .ok_or_else(|| self.wrong(key, "a text that is not empty"))
    }

    fn texts(&self, key: &str) -> Result<Vec<String>, ConfigError> {
        let item = |item: &Value| {
            let text = item.as_str().filter(|text| !text.is_empty());
            text.map(str::to_owned)
        };
        let items = self.value(key).as_array();
        items
            .and_then(|items| items.iter().map(item).collect())
            .ok_or_else(|| self.wrong(key, r#"a list of texts, such as ["a", "b"]"#))
    }

    fn choice<T: Copy>(&self, key: &str, choices: &[(&str, T)]) -> Result<T, ConfigError> {
        let word = self.value(key).as_str();
        let chosen = choices.iter().find(|(name, _)| Some(*name) == word);
        chosen.map(|(_, choice)| *choice).ok_or_else(|| {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            self.wrong(key, one_of(&names))
        })
    }

    /// Kinds in the order of [`Kind::ALL`], whatever order they are written in.
    fn kinds(&self, key: &str) -> Result<Vec<Kind>, ConfigError> {
        let wrong = || {
            let mut names = vec!["all"];
            names.extend(Kind::ALL.map(Kind::name));
            self.wrong(key, format!("a list with at least {}", one_of(&names)))
        };
        let words = self.texts(key).map_err(|_| wrong())?;
        let known = |word: &String| word == "all" || Kind::parse(word).is_some();
        if words.is_empty() || !words.iter().all(known) {
            return Err(wrong());
        }
        let named = |kind: &Kind| {
            words
                .iter()
                .any(|word| word == "all" || word == kind.name())
        };
        Ok(Kind::ALL.into_iter().filter(named).collect())
    }

    fn time_limit(&self, key: &str) -> Result<Option<Duration>, ConfigError> {
        let text = self.value(key).as_str();
        if text == Some("none") {
            return Ok(None);
        }
        let time = text.and_then(time::parse);
        time.map(Some)
            .ok_or_else(|| self.wrong(key, r#""none" or a time such as "90s", "30m" or "1h30m""#))
    }
}

fn one_of(names: &[&str]) -> String {
    match names {
        [first @ .., last] if !first.is_empty() => {
            format!("\"{}\" or \"{last}\"", first.join("\", \""))
        }
        names => format!("\"{}\"", names.concat()),
    }
}

/// A value in an error message: on one line and not too long.
fn given(value: &Value) -> String {
    const LONGEST: usize = 60;
    let text = match value {
        Value::Table(_) => "a table".to_owned(),
        Value::String(text) => format!("{text:?}"),
        value => value.to_string().replace(char::is_control, " "),
    };
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
