//! Recordings of all four recorders, in small.

use super::{Recording, devtools, playwright_script, selenium};

/// Spells out what was understood: launch, steps with their pages, what could not be used.
fn spelt(recording: &Recording) -> String {
    let mut out = recording.url.clone().unwrap_or_default();
    for (action, page) in &recording.steps {
        let page = page.as_deref().unwrap_or("?");
        out.extend(["\n", action, " -> ", page]);
    }
    for (line, reason) in &recording.notes {
        out.extend(["\n", &line.to_string(), ": ", reason]);
    }
    out
}

#[track_caller]
fn check(recording: &Recording, expect: &[&str]) {
    assert_eq!(spelt(recording), expect.join("\n"));
}

#[test]
fn devtools_steps_become_actions() {
    let json = r##"{"title":"T","steps":[
{"type":"setViewport","width":800,"height":600},
{"type":"navigate","url":"http://localhost:1/a?b"},
{"type":"click","target":"main","selectors":[["aria/New"],["#new"]],
 "assertedEvents":[{"type":"navigation","url":"http://localhost:1/new"}]},
{"type":"change","value":"it's \"\n","selectors":["#title"]},
{"type":"keyDown","key":"Control"},{"type":"keyDown","key":"a"},
{"type":"keyUp","key":"a"},{"type":"keyUp","key":"Control"},
{"type":"keyDown","key":"Enter"},
{"type":"click","frame":[0],"selectors":[["#x"]]},
{"type":"waitForElement","selectors":[["#x"]]},
{"type":"scroll","y":20}, 7]}"##;
    let recording = devtools::parse(json).unwrap();
    assert_eq!(recording.viewport, Some((800, 600)));
    check(
        &recording,
        &[
            "http://localhost:1/a?b",
            r#"{"do":"tap","on":{"description":"New","id":"new"}} -> /new"#,
            r#"{"do":"type","on":{"id":"title"},"text":"it's \"\n"} -> /new"#,
            r#"{"do":"key","to":"Control+a"} -> /new"#,
            r#"{"do":"key","to":"Enter"} -> /new"#,
            r#"{"do":"scroll","to":"down"} -> /new"#,
            "10: click: it is in a frame or another tab",
            "11: `waitForElement` is no action that can be replayed",
            "12: `` is no action that can be replayed",
        ],
    );
}

#[test]
fn what_is_no_recording_is_refused_with_its_line() {
    let refused = |json| {
        devtools::parse(json)
            .err()
            .map(|(line, reason)| format!("{line} {reason}"))
    };
    let missing = "1 no recording: missing field `steps`";
    assert_eq!(refused("{\"type\":\"navigate\"}").as_deref(), Some(missing));
    assert!(refused("{\n\"steps\": [").is_some_and(|text| text.starts_with("2 no recording: EOF")));
    assert!(selenium::parse("[]").is_err());
}

#[test]
fn tests_of_selenium_call_each_other_and_end_at_loops() {
    let json = r#"{"url":"http://h/base","tests":[{"name":"login","commands":[
{"command":"open","target":"/login","value":""},
{"command":"type","target":"id=user","value":"${who}"}]},
{"name":"main","commands":[
{"command":"store","target":"Eve","value":"who"},
{"command":"run","target":"login","value":""},
{"command":"sendKeys","target":"id=user","value":"x${KEY_ENTER}"},
{"command":"//click","target":"id=no","value":""},
{"command":"assertText","target":"id=a","value":"b"},
{"command":"select","target":"id=s","value":"label=One"},
{"command":"while","target":"true","value":""},
{"command":"click","target":"id=never","value":""}]},
{"name":"loop","commands":[{"command":"run","target":"loop","value":""}]}]}"#;
    let recordings = selenium::parse(json).unwrap();
    assert_eq!(recordings.len(), 3);
    check(
        &recordings[1],
        &[
            "http://h/login",
            r#"{"do":"type","on":{"id":"user"},"text":"Eve"} -> /login"#,
            r#"{"do":"type","on":{"id":"user"},"text":"x"} -> /login"#,
            r#"{"do":"key","on":{"id":"user"},"to":"Enter"} -> /login"#,
            r#"{"do":"select","on":{"id":"s"},"text":"One"} -> /login"#,
            "9: `assertText` is no action that can be replayed",
            "11: `while`: the test is taken up to here",
        ],
    );
    let reason = "13: run: no test `loop` that ends; the test is taken up to here";
    check(&recordings[2], &["", reason]);
}

#[test]
fn scripts_of_playwright_are_calls_of_page() {
    let script = r#"import { test, expect } from '@playwright/test';
// page.goto('http://no/');
test.use({ viewport: { height: 600 } });
test('adds "one"', async ({ page }) => {
  await page.goto('http://h/x');
  await page.getByRole('textbox', { name: 'What?', exact: true }).fill('a\'b\n\u{1f600}\ud83d\ude00');
  await page
    .getByRole("button", { name: `Save` }).first()
    .click();
  page.once('dialog', dialog => dialog.accept('y"es'));
  await page.locator('#gone').press('Enter');
  await page.keyboard.press('Control+a');
  await page.click('text=Old');
  await expect(page.getByText('Done')).toBeVisible();
  await page.getByText('a' + b).click();
  await page.frameLocator('iframe').getByText('x').click();
  await page.selectOption('select', 'v');
});
test.only("two", async () => { await page.goBack() })"#;
    let recordings = playwright_script::parse(script);
    assert_eq!(recordings.len(), 2);
    assert_eq!(recordings[0].name, "adds \"one\"");
    check(
        &recordings[0],
        &[
            "http://h/x",
            "{\"do\":\"type\",\"on\":{\"class\":\"textbox\",\"description\":\"What?\"},\"text\":\"a'b\\n😀😀\"} -> /x",
            r#"{"do":"tap","on":{"class":"button","description":"Save"}} -> /x"#,
            r#"{"do":"key","on":{"id":"gone"},"to":"Enter"} -> /x"#,
            r#"{"do":"accept","text":"y\"es"} -> /x"#,
            r#"{"do":"key","to":"Control+a"} -> /x"#,
            r#"{"do":"tap","on":{"text":"Old"}} -> /x"#,
            r#"{"do":"select","on":{"css":"select"},"text":"v"} -> /x"#,
            "14: `getByText` is no action that can be replayed",
            "15: tap: getByText: no plain text",
            "16: tap: `getByText` behind a locator",
        ],
    );
    check(&recordings[1], &["", r#"{"do":"back"} -> ?"#]);
}

#[test]
fn broken_scripts_end() {
    for script in [
        "page.",
        "page.a(",
        "page.a('",
        "page.a({",
        "page.a(]",
        "page.a({x:",
        "page.a({x:)",
        "page.a(`${`",
        "/*",
        "test(",
        "page.a({{{{",
        "page.a((((",
        "page.a(b]c)",
        "test.only",
        "'",
        "page..a()",
    ] {
        let _ = playwright_script::parse(script);
    }
}
