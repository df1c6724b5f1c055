//! `shadow`: what the reduced suite would have missed, from the files that test runners leave.

use insta::assert_snapshot;

use super::support::{Case, Ran};

/// A JUnit file with these cases, such as `pay=Null login=ok`.
fn junit(cases: &str) -> String {
    let cases = cases.split_whitespace().map(|case| {
        let (name, ending) = case.split_once('=').expect("NAME=ENDING");
        match ending {
            "ok" => format!("<testcase classname=\"app\" name=\"{name}\"/>"),
            failed => format!(
                "<testcase classname=\"app\" name=\"{name}\">\
                 <failure type=\"{failed}\" message=\"it broke\"/></testcase>"
            ),
        }
    });
    let cases = cases.collect::<Vec<_>>().concat();
    format!("<testsuites><testsuite name=\"s\">{cases}</testsuite></testsuites>\n")
}

/// Ten builds: three fail, one of them is missed, one is flaky, one was not run twice.
fn nightly() -> Case {
    let case = Case::empty();
    for build in 100..110 {
        case.write(&format!("full/{build}.xml"), junit("t1=ok t2=ok"));
        case.write(&format!("reduced/{build}.xml"), junit("r1=ok"));
    }
    case.write("full/102.xml", junit("t1=Null t2=ok t3=Null t4=Late"));
    case.write("full/104.xml", junit("t1=Null t2=Late"));
    case.write("reduced/104.xml", junit("r1=Null"));
    case.write("full/105.xml", junit("t1=Null"));
    case.write("reduced/105.xml", junit("r1=Null"));
    case.write("full/107/first/a.xml", junit("t1=Null t2=ok"));
    case.write("full/107/again/a.xml", junit("t1=ok t2=ok"));
    std::fs::remove_file(case.path("full/107.xml")).expect("it is there");
    std::fs::remove_file(case.path("reduced/109.xml")).expect("it is there");
    case.write("reduced/108.xml", junit("r1=Odd"));
    case
}

fn shadow(case: &Case, more: &[&str]) -> Ran {
    let words = ["shadow", "--full", "full", "--reduced", "reduced"];
    case.run(&[&words[..], more].concat())
}

#[test]
fn what_would_have_been_missed_is_told_by_build_and_by_failure() {
    let ran = shadow(&nightly(), &[]).done();
    assert_snapshot!("shadow", ran.stdout);
    assert_eq!(ran.stderr, "");
}

#[test]
fn shadow_as_json() {
    let ran = shadow(&nightly(), &["--format", "json", "--max-miss", "50%"]);
    let version = concat!("reduce-suite ", env!("CARGO_PKG_VERSION"));
    let text = ran.done().stdout.replace(version, "reduce-suite [VERSION]");
    assert_snapshot!("shadow_as_json", text);
}

#[test]
fn the_limit_is_held_against_the_share_or_the_interval() {
    let case = nightly();
    let check = |more: &[&str], code: i32, said: &str| {
        let ran = shadow(&case, more);
        assert_eq!(ran.code, Some(code), "{more:?} {ran:?}");
        assert!(ran.stdout.contains(said), "{more:?} {ran:?}");
    };
    check(
        &["--max-miss", "1%"],
        1,
        "1 % of failed builds missed is exceeded: 33.3 %",
    );
    check(
        &["--max-miss", "34%"],
        0,
        "34 % of failed builds missed holds: 33.3 %",
    );
    check(
        &["--max-miss", "34%", "--strict"],
        1,
        "at worst is exceeded: 90.6 %",
    );
    check(
        &["--max-miss", "0.4", "--by", "failure"],
        1,
        "failures missed is exceeded: 60 %",
    );
    check(
        &["--max-miss", "34%", "--count-flaky"],
        1,
        "is exceeded: 50 %",
    );
}

#[test]
fn without_a_failed_build_nothing_is_known_and_a_strict_limit_does_not_hold() {
    let case = Case::empty();
    case.write("full/1.xml", junit("t1=ok"));
    case.write("reduced/1.xml", junit("r1=ok"));
    let ran = shadow(&case, &["--max-miss", "1%"]).done();
    assert!(ran.stdout.starts_with("No build failed"), "{ran:?}");
    let ran = shadow(&case, &["--max-miss", "1%", "--strict"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[test]
fn builds_are_paired_by_name_or_in_their_order() {
    let case = Case::empty();
    case.write("f1.xml", junit("t1=Null"));
    case.write("f2.xml", junit("t1=ok"));
    case.write("r1.xml", junit("r1=Null"));
    case.write("r2.xml", junit("r1=ok"));
    let words = [
        "shadow",
        "--full",
        "f1.xml",
        "f2.xml",
        "--reduced",
        "r1.xml",
    ];
    let named = case.run(&[&words[..], &["r2.xml"]].concat());
    named.failed(2, &["`f1`", "`r1`", "--pair order"]);
    let order = ["--pair", "order"];
    let ran = case.run(&[&words[..], &["r2.xml"], &order].concat()).done();
    assert!(ran.stdout.starts_with("Nothing missed"), "{ran:?}");
    let uneven = case.run(&[&words[..], &order].concat());
    uneven.failed(2, &["2 builds of the full", "1 of the reduced"]);
}

#[test]
fn bad_files_are_named_with_their_place() {
    let check = |content: &str, named: &[&str]| {
        let case = Case::empty();
        case.write("full/1.xml", content);
        case.write("reduced/1.xml", junit("r1=ok"));
        shadow(&case, &[]).failed(2, named);
    };
    check("<testsuite>\n<testcase", &["full/1.xml:2:", "not XML"]);
    check("<html/>", &["full/1.xml:1:1:", "<html>", "no JUnit file"]);
    check("<testsuite/>", &["full/1.xml", "no test case"]);
    check("", &["full/1.xml:1:1:", "no element"]);
    let case = Case::empty();
    shadow(&case, &[]).failed(2, &["full", "check the path"]);
    std::fs::create_dir(case.path("full")).expect("it can be made");
    shadow(&case, &[]).failed(2, &["full", ".xml"]);
    let ran = shadow(&case, &["--max-miss", "5"]);
    ran.failed(2, &["--max-miss", "such as 1%"]);
}

#[test]
fn the_files_of_a_reduction_itself_can_be_compared() {
    let case = Case::small();
    case.reduce(&[]).done();
    let file = "out/junit.xml";
    let words = ["shadow", "--full", file, "--reduced", file];
    let ran = case.run(&words).done();
    assert!(ran.stdout.contains("1 compared"), "{ran:?}");
}
