//! Files as real runners write them, and files that mean harm.

use super::read;
use crate::shadow::Ending;

/// Each test of a file as `name: how it ended`.
fn endings(text: &str) -> Result<Vec<String>, String> {
    let mut told = Vec::new();
    let tell = |test: String, ending| {
        told.push(match ending {
            Ending::Passed => format!("{test}: passed"),
            Ending::Skipped => format!("{test}: skipped"),
            Ending::Failed(f) if f.is_error => format!("{test}: error {}", f.signature),
            Ending::Failed(f) => format!("{test}: failed {}", f.signature),
            Ending::Flaky(f) => format!("{test}: flaky {}", f.signature),
        });
    };
    read(text.as_bytes(), tell).map_err(|error| error.to_string())?;
    Ok(told)
}

#[track_caller]
fn check(text: &str, expect: &[&str]) {
    assert_eq!(endings(text).unwrap(), expect);
}

#[track_caller]
fn check_wrong(text: &str, place: &str, reason: &str) {
    let error = endings(text).unwrap_err();
    assert!(
        error.starts_with(place) && error.contains(reason),
        "{error}"
    );
}

#[test]
fn surefire_with_reruns() {
    check(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuite xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" name="com.app.PayTest" time="0.1" tests="4" errors="1" skipped="1" failures="1">
  <properties><property name="java.version" value="17"/></properties>
  <testcase name="ok" classname="com.app.PayTest" time="0.01"/>
  <testcase name="off" classname="com.app.PayTest"><skipped message="later"/></testcase>
  <testcase name="bad" classname="com.app.PayTest">
    <failure message="expected: &lt;3&gt; but was: &lt;4&gt;" type="org.opentest4j.AssertionFailedError"><![CDATA[org.opentest4j.AssertionFailedError: expected
	at com.app.PayTest.bad(PayTest.java:9)]]></failure>
    <rerunFailure message="expected: &lt;3&gt; but was: &lt;4&gt;" type="org.opentest4j.AssertionFailedError"><stackTrace>x</stackTrace></rerunFailure>
  </testcase>
  <testcase name="luck" classname="com.app.PayTest">
    <flakyFailure message="timed out" type="E"><stackTrace>E</stackTrace><system-out>x</system-out></flakyFailure>
  </testcase>
  <testcase name="npe" classname="com.app.PayTest"><error type="java.lang.NullPointerException">java.lang.NullPointerException
	at com.app</error><system-err>noise</system-err></testcase>
</testsuite>"#,
        &[
            "com.app.PayTest.ok: passed",
            "com.app.PayTest.off: skipped",
            "com.app.PayTest.bad: failed org.opentest4j.AssertionFailedError: expected: <3> but was: <4>",
            "com.app.PayTest.luck: flaky E: timed out",
            "com.app.PayTest.npe: error java.lang.NullPointerException",
        ],
    );
}

#[test]
fn pytest_with_a_collection_error_and_an_expected_failure() {
    check(
        r#"<?xml version="1.0" encoding="utf-8"?><testsuites name="pytest tests"><testsuite name="pytest" errors="1" failures="1" skipped="1" tests="4"><testcase classname="" name="tests.test_broken"><error message="collection failure">ImportError: no</error></testcase><testcase classname="tests.test_a" name="test_x[1-a]" time="0.001"><failure message="AssertionError: assert 1 == 2&#10; +  where 1 = f()">def test_x():</failure></testcase><testcase classname="tests.test_a" name="test_y"><skipped type="pytest.xfail" message=""/></testcase><testcase classname="tests.test_a" name="test_z"><system-out>out</system-out></testcase></testsuite></testsuites>"#,
        &[
            "tests.test_broken: error collection failure",
            "tests.test_a.test_x[1-a]: failed AssertionError: assert 1 == 2",
            "tests.test_a.test_y: skipped",
            "tests.test_a.test_z: passed",
        ],
    );
}

#[test]
fn nextest_and_jest() {
    check(
        r#"<testsuites name="nextest-run" uuid="0c6b3b4e"><testsuite name="app::bin/app"><testcase name="pay::confirm" classname="app::bin/app" timestamp="2026-01-01T00:00:00+00:00"><failure message="thread panicked at src/pay.rs:7:9" type="test failure with exit code 101">left == right</failure><rerunFailure type="test failure"/><system-out/></testcase><testcase name="slow" classname="app::bin/app"><flakyFailure type="test timeout"/></testcase></testsuite></testsuites>"#,
        &[
            "app::bin/app.pay::confirm: failed test failure with exit code 101: thread panicked at src/pay.rs:7:9",
            "app::bin/app.slow: flaky test timeout",
        ],
    );
    check(
        r#"<testsuites name="jest tests"><testsuite name="Cart"><testcase classname="Cart adds" name="Cart adds" time="0.005"><failure>Error: expect(received).toBe(expected)
    at Object.&lt;anonymous&gt; (cart.test.js:3:1)</failure></testcase></testsuite></testsuites>"#,
        &["Cart adds: failed Error: expect(received).toBe(expected)"],
    );
}

#[test]
fn suites_within_suites_and_other_files_within_them() {
    check(
        r#"<j:testsuites xmlns:j="urn:x"><j:testsuite><j:testsuite><j:testcase name="a"><j:properties><j:property name="failure"/></j:properties></j:testcase></j:testsuite><j:testcase name="b"/></j:testsuite></j:testsuites>"#,
        &["a: passed", "b: passed"],
    );
}

#[test]
fn an_output_that_speaks_of_failures_is_no_failure() {
    check(
        "<testsuite><testcase name='a'><system-out><failure message='x'/>failure</system-out></testcase><failure/></testsuite>",
        &["a: passed"],
    );
}

#[test]
fn entities_are_not_expanded() {
    let bomb = r#"<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
<testsuite><testcase name="&b;"><failure>&x;&lt;&#65;</failure></testcase></testsuite>"#;
    check(bomb, &["&b;: failed &x;<A"]);
}

#[test]
fn depth_and_width_do_no_harm() {
    let depth = 200_000;
    let deep = "<testsuite>".repeat(depth) + "<testcase name='a'/>" + &"</testsuite>".repeat(depth);
    check(&deep, &["a: passed"]);
    let many: Vec<String> = (0..50_000).map(|n| format!(" a{n}='x'")).collect();
    let many = many.concat();
    let wide = format!("<testsuite><testcase{many} name='a'/></testsuite>");
    check(&wide, &["a: passed"]);
    let long = format!(
        "<testsuite><testcase name='{}'/></testsuite>",
        "x".repeat(1 << 20)
    );
    assert!(endings(&long).unwrap()[0].len() < 2_000);
}

#[test]
fn what_is_no_junit_file_is_named_with_its_place() {
    check_wrong("", "1:1: ", "no element");
    check_wrong("\n\nplain words", "3:12: ", "no element");
    check_wrong("<html></html>", "1:1: ", "<html>");
    check_wrong("<testsuite>\n<testcase name='a'>", "2:20: ", "cut off");
    check_wrong("<testsuite>\n </testcase>", "2:2: ", "not XML");
    check_wrong("<testsuite>\n<testcase name='a", "2:", "not XML");
}

#[test]
fn bytes_that_are_no_text_do_no_harm() {
    let mut seed = 7_u64;
    for _ in 0..2_000 {
        let mut text =
            b"<testsuite><testcase name='a'><failure>x</failure></testcase></testsuite>".to_vec();
        for _ in 0..3 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let place = (seed >> 33) as usize % text.len();
            text[place] = (seed >> 56) as u8;
        }
        // Whatever it says, it ends.
        let _ = read(&text, |_, _| ());
    }
}
