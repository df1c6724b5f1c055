//! The answer is the same whatever happens around it: devices, stops, trouble.

use std::cell::Cell;
use std::fs;

use super::case::{Apps, Case, Verdict, check, ensure};
use super::lab::{FILES, JOURNAL, Lab, Reduced};

fn same_files(one: &Reduced, other: &Reduced, names: &[&str]) -> Verdict {
    for name in names {
        ensure(one.bytes(name) == other.bytes(name), || {
            let text =
                |reduced: &Reduced| String::from_utf8_lossy(&reduced.bytes(name)).into_owned();
            let (left, right) = (text(one), text(other));
            let lines = left.lines().zip(right.lines());
            let differing = lines.filter(|(left, right)| left != right).take(3);
            let differing: Vec<_> = differing.map(|(l, r)| format!("{l}\n{r}")).collect();
            format!("{name} differs:\n{}", differing.join("\n"))
        })?;
    }
    Ok(())
}

/// Settings drawn for a case, so that not all cases are reduced in the same way.
fn drawn(case: &Case) -> Vec<String> {
    let mut random = case.random();
    let stabilize = *random.pick(&["full", "full", "lazy", "none"]);
    let after = *random.pick(&["stop", "finish"]);
    let runs = *random.pick(&[1, 2, 5, 10]);
    let strategy = *random.pick(&["paper", "best"]);
    vec![
        format!("strategy={strategy}"),
        format!("stabilize={stabilize}"),
        format!("replay.after_divergence={after}"),
        format!("replay.runs={runs}"),
        format!("seed={}", random.below(1000)),
    ]
}

fn words(settings: &[String]) -> Vec<&str> {
    settings.iter().map(String::as_str).collect()
}

#[test]
fn one_two_and_eight_devices_give_the_same_bytes() {
    for apps in [Apps::Certain, Apps::Flaky, Apps::Maze] {
        check(300..320, apps, |case| {
            let lab = Lab::new(case);
            let settings = drawn(case);
            let settings = words(&settings);
            let one = lab.reduce_on("one", "count=1", &settings)?;
            let two = lab.reduce_on("two", "count=2", &settings)?;
            let eight = lab.reduce_on("eight", "count=8", &settings)?;
            same_files(&one, &two, &FILES)?;
            same_files(&one, &eight, &FILES)
        });
    }
}

/// Leaves in `name` what a reduction would have left when killed.
fn kill(lab: &Lab, whole: &Reduced, name: &str, length: usize) {
    let journal = lab.out(name).join(JOURNAL);
    let folder = journal.parent().expect("the journal is in a folder");
    fs::create_dir_all(folder).expect("the folder is made");
    fs::write(journal, &whole.bytes(JOURNAL)[..length]).expect("the journal is written");
}

#[test]
fn a_stopped_reduction_goes_on_as_if_it_had_not_been_stopped() {
    for apps in [Apps::Certain, Apps::Flaky, Apps::Maze] {
        check(400..420, apps, |case| {
            let lab = Lab::new(case);
            let settings = drawn(case);
            let settings = words(&settings);
            let whole = lab.reduce_on("whole", "count=1", &settings)?;
            let written = whole.bytes(JOURNAL).len();
            let length = case.random().below(written + 1);
            kill(&lab, &whole, "resumed", length);
            let resumed = lab.reduce_on("resumed", "count=1", &settings)?;
            same_files(&whole, &resumed, &FILES)?;
            // One device works in order, so not even the journal tells of the stop.
            same_files(&whole, &resumed, &[JOURNAL])?;
            kill(&lab, &whole, "eight", length);
            let eight = lab.reduce_on("eight", "count=8", &settings)?;
            same_files(&whole, &eight, &FILES)
        });
    }
}

#[test]
fn a_finished_reduction_answers_at_once_and_touches_nothing() {
    check(450..460, Apps::Flaky, |case| {
        let lab = Lab::new(case);
        let first = lab.reduce(&[])?;
        // Without runs to go by and with a device that never works, only the result is left.
        kill(&lab, &first, "reduced", 0);
        let files = FILES.iter().chain(&[JOURNAL]);
        let before: Vec<_> = files.clone().map(|name| first.bytes(name)).collect();
        let again = lab.reduce_on("reduced", "dead=1", &[])?;
        let after: Vec<_> = files.map(|name| again.bytes(name)).collect();
        ensure(before == after, || "a file changed".to_owned())
    });
}

#[test]
fn trouble_with_devices_changes_no_verdict() {
    let (launches, retries) = (Cell::new(0), Cell::new(0));
    for apps in [Apps::Certain, Apps::Flaky] {
        check(500..530, apps, |case| {
            let lab = Lab::new(case);
            let settings = drawn(case);
            let settings = words(&settings);
            let calm = lab.reduce_on("calm", "count=1", &settings)?;
            let trouble = "lost=0.1&hang=0.05&slow=0.05";
            let few = lab.reduce_on("few", trouble, &settings)?;
            let many = lab.reduce_on("many", &format!("count=3&{trouble}"), &settings)?;
            let figure = |name: &str| few.report["device"][name].as_u64().unwrap_or(0);
            launches.set(launches.get() + figure("launches"));
            retries.set(retries.get() + figure("retries"));
            for troubled in [few, many] {
                same_files(&calm, &troubled, &["suite.jsonl"])?;
                let mut report = troubled.report.clone();
                report["device"]["retries"] = calm.report["device"]["retries"].clone();
                // The seals are over the retries as well.
                for seal in ["claims", "claims_sha256"] {
                    report["certificate"][seal] = calm.report["certificate"][seal].clone();
                }
                ensure(report == calm.report, || "the reports differ".to_owned())?;
            }
            Ok(())
        });
    } // A fifth of all tries fail, so a quarter of a try is added to each run.
    let share = retries.get() as f64 / launches.get() as f64;
    assert!((0.2..0.3).contains(&share), "{share}");
}
