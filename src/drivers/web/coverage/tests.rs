//! Elements of small scripts, with counts as V8 gives them.

use serde_json::{Value, json};

use super::{Library, Scripts};

/// A report of one script with one function, by its ranges.
fn report(ranges: &[(u32, u32, u64)]) -> Value {
    let ranges: Vec<Value> = ranges
        .iter()
        .map(|(start, end, count)| json!({"startOffset": start, "endOffset": end, "count": count}))
        .collect();
    let function = json!({"functionName": "f", "ranges": ranges, "isBlockCoverage": true});
    json!({"result": [{"scriptId": "3", "url": "http://h:1/a.js", "functions": [function]}]})
}

/// What is covered of a script, as the texts of the blocks.
#[track_caller]
fn check(text: &str, ranges: &[(u32, u32, u64)], expect: &[&str]) {
    let (mut scripts, mut library) = (Scripts::default(), Library::default());
    let report = report(ranges);
    scripts.parsed(&json!({"scriptId": "3", "url": "http://h:1/a.js"}), "h");
    for (_, name) in scripts.unknown(&report, &library) {
        library.learn(name, text);
    }
    let covered = scripts.covered(&report, &library);
    let units: Vec<u16> = text.encode_utf16().collect();
    let mut texts: Vec<String> = covered
        .iter()
        .map(|element| {
            let range = element.strip_prefix("block:a.js:f@").unwrap();
            let (start, end) = range.split_once('-').unwrap();
            let (start, end): (usize, usize) = (start.parse().unwrap(), end.parse().unwrap());
            String::from_utf16_lossy(&units[start..end])
        })
        .collect();
    texts.sort();
    let mut expect: Vec<&str> = expect.to_vec();
    expect.sort_unstable();
    assert_eq!(texts, expect);
}

/// What all blocks of a function are when everything was entered.
#[track_caller]
fn all(text: &str, expect: &[&str]) {
    let units = text.encode_utf16().count() as u32;
    let mut whole = vec![text];
    whole.extend(expect);
    check(text, &[(0, units, 1)], &whole);
}

#[test]
fn an_element_does_not_depend_on_how_often_its_function_ran() {
    let text = "if (a) { b } else { c }";
    check(text, &[(0, 23, 1), (12, 23, 0)], &[text, "{ b }"]);
    check(
        text,
        &[(0, 23, 2), (7, 12, 1), (12, 23, 1)],
        &[text, "{ b }", "{ c }"],
    );
    check(text, &[(0, 23, 1)], &[text, "{ b }", "{ c }"]);
    check(text, &[(0, 23, 0)], &[]);
}

#[test]
fn what_is_inside_a_range_that_was_not_entered_may_have_been() {
    let text = "{ a; { b; { c } } }";
    check(
        text,
        &[(0, 19, 1), (5, 17, 0), (10, 15, 1)],
        &[text, "{ c }"],
    );
}

#[test]
fn branches_without_brackets_and_what_follows_them_are_blocks() {
    all("if(a)return 1;b()", &["return 1", "b()"]);
    all("if (a) b; else c; d", &["b", "c"]);
    all("for (;;) x()", &["x()"]);
    all(
        "while (a) { if (b) break; c } d",
        &["{ if (b) break; c }", "break", "c", "d"],
    );
}

#[test]
fn arms_of_expressions_are_blocks() {
    all("x = a ? b : c, d", &["b", "c"]);
    all("a && b() || c[d ?? e]", &["b()", "c[d ?? e]", "e"]);
    all("f(a?.b, {k: v ? 1 : 2})", &["1", "2"]);
}

#[test]
fn cases_are_blocks() {
    all(
        "switch (a) { case 1: b(); break; default: c }",
        &["b(); break;", "c"],
    );
}

#[test]
fn blocks_of_inner_functions_are_theirs() {
    all(
        "const g = () => a ? b : c; function h() { if (x) { y } }",
        &[],
    );
    let text = "const g = () => a ? b : c; z && w";
    check(text, &[(10, 25, 1)], &["() => a ? b : c", "b", "c"]);
    let text = "class A { m(x) { if (x) { y } } }";
    check(
        text,
        &[(10, 31, 1), (24, 29, 0)],
        &["m(x) { if (x) { y } }"],
    );
}

#[test]
fn strings_patterns_templates_and_comments_hide_brackets() {
    all(
        "a = '{ ? :' + `{ ${ b ? 1 : 2 } }` + /[/{]?:/ // ? : {",
        &["1", "2"],
    );
    all("/* { */ a ? b : c", &["b", "c"]);
}

#[test]
fn any_text_has_some_blocks_and_none_makes_trouble() {
    for text in [
        "}}}",
        "((((",
        "`${`${",
        "a ? ? : : :",
        "/",
        "'",
        "\u{1F600} ? 1 : 2",
        "case default :",
    ] {
        let mut library = Library::default();
        library.learn("a.js".to_owned(), text);
    }
    let deep = "{".repeat(100_000);
    Library::default().learn("a.js".to_owned(), &deep);
}
