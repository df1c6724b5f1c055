//! From flags to settings that lie over the project file.

use toml::Value;

use super::{BestArgs, Bounds, Command, Common, ExploreArgs, MinimizeArgs, ReduceArgs};
use crate::config::Layers;

impl Command {
    /// The flags that every command has.
    #[must_use]
    pub fn common(&self) -> &Common {
        match self {
            Self::Reduce(args) => &args.common,
            Self::Stabilize(args) => &args.common,
            Self::Minimize(args) => &args.common,
            Self::Review(args) => &args.common,
            Self::Replay(args) => &args.common,
            Self::Explore(args) => &args.common,
            Self::Devices(args) => &args.common,
            Self::Cover(args) => &args.common,
            Self::Import(args) => &args.common,
            Self::Inspect(args) => &args.common,
            Self::Audit(args) => &args.common,
            Self::Export(args) => &args.common,
            Self::Describe(args) => &args.common,
            Self::Report(args) => &args.common,
            Self::Explain(args) => &args.common,
            Self::Restore(args) => &args.common,
            Self::Shadow(args) => &args.common,
            Self::Shard(args) => &args.common,
        }
    }

    /// What the command line says about settings.
    #[must_use]
    pub fn layers(&self) -> Layers {
        let common = self.common();
        let mut overrides = Overrides(common.set.clone());
        overrides.list("device", &common.device);
        overrides.value("out", common.out.as_ref());
        overrides.value("seed", common.seed.as_ref());
        match self {
            Self::Reduce(args) => overrides.reduce(args),
            Self::Stabilize(args) => overrides.suite(&args.suite, &args.bounds),
            Self::Minimize(args) => overrides.minimize(args),
            Self::Replay(args) => overrides.suite(&args.suite, &args.bounds),
            Self::Explore(args) => overrides.explore(args),
            Self::Shard(args) => overrides.list("suite", &args.suite),
            Self::Cover(args) => {
                overrides.list("suite", &args.suite);
                overrides.list("preserve", &args.preserve);
            }
            Self::Audit(args) => {
                overrides.list("suite", &args.original);
                overrides.value("replay.runs", args.runs.as_ref());
            }
            Self::Inspect(args) => {
                overrides.list("screen.masks", &args.mask);
                overrides.value("screen.lists", args.lists.as_ref());
            }
            Self::Devices(_)
            | Self::Review(_)
            | Self::Import(_)
            | Self::Report(_)
            | Self::Explain(_)
            | Self::Restore(_)
            | Self::Shadow(_) => {}
            Self::Export(args) => overrides.list("suite", &args.suite),
            Self::Describe(args) => overrides.list("suite", &args.suite),
        }
        Layers {
            file: common.config.clone(),
            overrides: overrides.0,
        }
    }
}

struct Overrides(Vec<(String, Value)>);

impl Overrides {
    fn value<T: Clone + Into<Value>>(&mut self, key: &str, value: Option<&T>) {
        let value = value.map(|value| (key.to_owned(), value.clone().into()));
        self.0.extend(value);
    }

    fn list(&mut self, key: &str, items: &[String]) {
        if !items.is_empty() {
            self.0.push((key.to_owned(), items.to_vec().into()));
        }
    }

    fn suite(&mut self, suite: &[String], bounds: &Bounds) {
        self.list("suite", suite);
        self.value("replay.runs", bounds.runs.as_ref());
        self.value("budget.device", bounds.budget.as_ref());
        self.value("budget.wall", bounds.wall.as_ref());
    }

    fn explore(&mut self, args: &ExploreArgs) {
        self.value("explore.strategy", args.strategy.as_ref());
        let budget = (!args.budget.is_empty()).then(|| args.budget.join(","));
        self.value("explore.budget", budget.as_ref());
        self.value("budget.wall", args.wall.as_ref());
        self.value("explore.max_steps", args.max_steps.as_ref());
        self.list("explore.also_deny", &args.deny);
        self.list("explore.texts", &args.text);
    }

    fn minimize(&mut self, args: &MinimizeArgs) {
        self.list("suite", &args.suite);
        self.value("budget.device", args.budget.as_ref());
        self.value("budget.wall", args.wall.as_ref());
        self.list("minimize.private", &args.private);
        self.value("minimize.replace_text", args.replace_text.as_ref());
        self.list("minimize.rules_off", &args.off);
    }

    fn reduce(&mut self, args: &ReduceArgs) {
        self.suite(&args.suite, &args.bounds);
        self.value("strategy", args.strategy.as_ref());
        self.value("stabilize", args.stabilize.as_ref());
        self.list("preserve", &args.preserve);
        self.value("splice.fragments", args.fragments.as_ref());
        self.best(&args.best);
    }

    fn best(&mut self, args: &BestArgs) {
        self.value("walk.max_steps", args.max_steps.as_ref());
        self.value("walk.allow_observed", args.allow_observed.as_ref());
        self.value("certify.suite_flake", args.suite_flake.as_ref());
        self.value("slack.min_witness", args.min_witness.as_ref());
        self.value("slack.keep_faults", args.keep_faults.as_ref());
        self.value("cover.exact", args.exact.then_some(true).as_ref());
    }
}

/// `KEY=VALUE` with a TOML value; what is none is taken as text, so that shells need no quotes
/// within quotes.
pub(super) fn parse_setting(text: &str) -> Result<(String, Value), String> {
    let (key, value) = text
        .split_once('=')
        .ok_or("it must be KEY=VALUE, such as replay.runs=3")?;
    let (key, value) = (key.trim(), value.trim());
    if key.is_empty() {
        return Err("the key is missing; it must be KEY=VALUE, such as replay.runs=3".to_owned());
    }
    let parsed = value.parse::<Value>();
    Ok((key.to_owned(), parsed.unwrap_or_else(|_| value.into())))
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};
    use toml::Value;

    use super::super::{Args, EXIT_CODES};
    use super::parse_setting;
    use crate::config::Layers;

    #[track_caller]
    fn layers(line: &str) -> Layers {
        let words = ["cargo-reduce-suite"].into_iter().chain(line.split(' '));
        Args::try_parse_from(words).unwrap().command.layers()
    }

    #[track_caller]
    fn check(line: &str, expect: &[&str]) {
        let overrides = layers(line).overrides;
        let shown: Vec<String> = overrides
            .iter()
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        assert_eq!(shown, expect);
    }

    #[test]
    fn the_flags_are_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_bare_command_overrides_nothing() {
        for line in ["reduce", "stabilize", "replay", "devices", "report out"] {
            assert_eq!(layers(line), Layers::default(), "{line}");
        }
    }

    #[test]
    fn every_flag_of_reduce_sets_its_option() {
        check(
            "reduce a b --device adb: --device sim:x --out o --seed 3 --strategy paper \
             --stabilize lazy --preserve branch,screen --runs 4 --fragments 2 --budget 2h \
             --wall 90s --max-steps 50 --allow-observed false --suite-flake 1% --min-witness 2 \
             --keep-faults false --exact",
            &[
                r#"device = ["adb:", "sim:x"]"#,
                r#"out = "o""#,
                "seed = 3",
                r#"suite = ["a", "b"]"#,
                "replay.runs = 4",
                r#"budget.device = "2h""#,
                r#"budget.wall = "90s""#,
                r#"strategy = "paper""#,
                r#"stabilize = "lazy""#,
                r#"preserve = ["branch", "screen"]"#,
                "splice.fragments = 2",
                "walk.max_steps = 50",
                "walk.allow_observed = false",
                r#"certify.suite_flake = "1%""#,
                "slack.min_witness = 2",
                "slack.keep_faults = false",
                "cover.exact = true",
            ],
        );
    }

    #[test]
    fn a_switch_without_its_word_is_on() {
        let on = ["walk.allow_observed = true", "slack.keep_faults = true"];
        check("reduce --allow-observed --keep-faults", &on);
        check("reduce --allow-observed=true --keep-faults=true", &on);
    }

    #[test]
    fn stabilize_and_replay_take_suites_and_bounds() {
        let expect = [
            r#"suite = ["a"]"#,
            "replay.runs = 1",
            r#"budget.device = "2h""#,
            r#"budget.wall = "1m""#,
        ];
        check(
            "stabilize a --runs 1 --budget 2h --wall 1m --fresh",
            &expect,
        );
        check("replay a --runs 1 --budget 2h --wall 1m", &expect);
    }

    #[test]
    fn a_flag_made_for_an_option_wins_over_set() {
        check("reduce --seed 3 --set seed=4", &["seed = 4", "seed = 3"]);
    }

    #[test]
    fn a_number_as_the_name_of_a_folder_stays_a_name() {
        check("reduce --out 7", &[r#"out = "7""#]);
    }

    #[test]
    fn values_of_set_are_toml_or_plain_text() {
        let value = |text| parse_setting(text).unwrap().1;
        assert_eq!(value("seed=3"), Value::from(3));
        assert_eq!(value("cost.action_seconds = 2.5"), Value::from(2.5));
        assert_eq!(value("suite=['a', 'b']"), Value::from(vec!["a", "b"]));
        assert_eq!(value("out=a b"), Value::from("a b"));
        assert_eq!(value("out=a=b"), Value::from("a=b"));
        assert_eq!(value("out='7'"), Value::from("7"));
        assert_eq!(value("budget.device=1h30m"), Value::from("1h30m"));
        assert_eq!(value("out="), Value::from(""));
        assert_eq!(value("seed=3\nout=4"), Value::from("3\nout=4"));
        assert!(parse_setting("seed").is_err());
        assert!(parse_setting("=3").is_err());
    }

    #[test]
    fn wrong_usage_exits_with_2() {
        let lines = [
            "",
            "reduce --no-such",
            "reduce --strategy worst",
            "reduce --keep-faults never",
            "reduce --exact true --exact",
            "reduce -q -v",
            "report",
        ];
        for line in lines {
            let words = ["cargo-reduce-suite"]
                .into_iter()
                .chain(line.split_whitespace());
            let error = Args::try_parse_from(words).unwrap_err();
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }

    #[test]
    fn every_help_has_examples_and_the_long_one_exit_codes() {
        let mut command = Args::command();
        command.build();
        for command in command
            .get_subcommands_mut()
            .filter(|one| one.get_name() != "help")
        {
            let short = command.render_help().to_string();
            let long = command.render_long_help().to_string();
            assert!(short.contains("Usage: cargo reduce-suite "), "{short}");
            assert!(
                short.contains("\nExamples:\n  cargo reduce-suite "),
                "{short}"
            );
            assert!(
                long.contains("\nExamples:\n  cargo reduce-suite "),
                "{long}"
            );
            assert!(long.contains(EXIT_CODES), "{long}");
        }
    }

    #[test]
    fn every_example_in_the_help_parses() {
        let mut command = Args::command();
        let helps: Vec<String> = command
            .get_subcommands_mut()
            .map(|command| command.render_help().to_string())
            .collect();
        let help = helps.concat();
        let examples = help
            .lines()
            .filter_map(|line| line.strip_prefix("  cargo "));
        let mut n_examples = 0;
        for example in examples {
            let words = example
                .split_whitespace()
                .map(|word| word.trim_matches('\''));
            let parsed = Args::try_parse_from(words);
            assert!(parsed.is_ok(), "{example}: {parsed:?}");
            n_examples += 1;
        }
        assert!(n_examples >= 11, "{n_examples}");
    }
}
