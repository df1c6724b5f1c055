//! The CI examples of the README: YAML that parses, with commands that run.

use saphyr::{LoadableYamlNode, Yaml};

use super::support::{Case, root};

/// The YAML examples, in order.
fn examples() -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("it can be read");
    let blocks = readme.split("\n```yaml\n").skip(1);
    let blocks = blocks.map(|block| block.split("\n```\n").next().expect("it ends").to_owned());
    blocks.collect()
}

fn parsed(text: &str) -> Yaml<'_> {
    let mut documents = Yaml::load_from_str(text).expect("it is YAML");
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

fn texts<'a>(list: &'a Yaml) -> Vec<&'a str> {
    let list = list.as_vec().expect("a list").iter();
    list.map(|text| text.as_str().expect("a text")).collect()
}

/// Runs the commands of an example on a small suite, as a shell would.
fn run_all(commands: &[&str]) -> Case {
    let case = Case::small();
    case.write("traces.jsonl", case.read("suite.jsonl"));
    let known = case.run(&["--help"]).done().stdout;
    for command in commands {
        let Some(words) = command.strip_prefix("cargo reduce-suite ") else {
            assert_eq!(*command, "cargo install --path .");
            continue;
        };
        let words = words.split(' ').map(|word| word.trim_matches(['\'', '"']));
        let words = words.map(|word| word.replace("$GITHUB_STEP_SUMMARY", "summary.md"));
        let words: Vec<String> = words.collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if words[0] == "audit" && !known.contains("\n  audit ") {
            continue;
        }
        case.run(&words).done();
    }
    case
}

#[test]
fn the_example_for_github_actions_runs() {
    let text = &examples()[0];
    let workflow = parsed(text);
    let steps = &workflow["jobs"]["reduce"]["steps"];
    let steps = steps.as_vec().expect("a list");
    let (mut commands, mut uses) = (Vec::new(), Vec::new());
    for step in steps {
        let map = step.as_mapping().expect("a step is a map");
        let has = |key: &str| map.contains_key(&Yaml::value_from_str(key));
        assert!(
            has("run") != has("uses"),
            "a step either runs or uses: {step:?}"
        );
        if has("run") {
            commands.push(step["run"].as_str().expect("a text"));
        } else {
            uses.push(step["uses"].as_str().expect("a text"));
        }
    }
    for used in [
        "actions/cache/restore@",
        "actions/cache/save@",
        "actions/upload-artifact@",
    ] {
        assert!(uses.iter().any(|uses| uses.starts_with(used)), "{used}");
    }
    let case = run_all(&commands);
    assert_eq!(case.read("summary.md"), case.read("reduced/report.md"));
    // What is kept is what the commands leave.
    let artifact = steps.iter().find(|step| {
        let uses = step.as_mapping_get("uses").and_then(Yaml::as_str);
        uses.is_some_and(|uses| uses.starts_with("actions/upload-artifact@"))
    });
    let kept = artifact.expect("there is one")["with"]["path"]
        .as_str()
        .expect("a text");
    for file in kept.lines() {
        assert!(case.has(file), "{file}");
    }
}

#[test]
fn the_example_for_gitlab_runs() {
    let text = &examples()[1];
    let job = &parsed(text)["reduce"];
    let case = run_all(&texts(&job["script"]));
    let junit = job["artifacts"]["reports"]["junit"]
        .as_str()
        .expect("a text");
    for file in texts(&job["artifacts"]["paths"]).into_iter().chain([junit]) {
        assert!(case.has(file), "{file}");
    }
    for file in texts(&job["cache"]["key"]["files"]) {
        assert!(case.has(file), "{file}");
    }
    assert_eq!(job["retry"]["exit_codes"].as_integer(), Some(3));
}

#[test]
fn a_summary_is_appended_to_what_is_there() {
    let case = Case::small();
    case.write("summary.md", "# before\n");
    case.reduce(&["--summary", "summary.md"]).done();
    let report = case.read("out/report.md");
    assert_eq!(case.read("summary.md"), format!("# before\n{report}"));
    let ran = case.reduce(&["--summary", "no/such/folder.md"]);
    ran.failed(2, &["no/such/folder.md"]);
}
