//! Reports of `JaCoCo` as XML: which methods, lines and branches were covered.
//!
//! A report counts the branches of a line without naming them, so `branch:com/app/Main.java:12#1`
//! says that at least two of them were taken there. Sets of such elements grow as coverage does.

use std::collections::BTreeSet;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// More branches than these on a line say nothing new.
const MOST_BRANCHES: u32 = 4096;

/// What a report says was covered; the reason if it is none.
pub fn elements(xml: &str) -> Result<BTreeSet<String>, String> {
    let mut reader = Reader::from_str(xml);
    let mut cursor = Cursor::default();
    let (mut depth, mut is_report) = (0_usize, false);
    loop {
        let event = reader.read_event();
        let event = event.map_err(|error| {
            format!(
                "no well-formed XML at byte {}: {error}",
                reader.error_position()
            )
        })?;
        match event {
            Event::Start(tag) => {
                is_report |= tag.name().as_ref() == b"report";
                depth += 1;
                cursor.open(&tag);
            }
            Event::Empty(tag) => {
                is_report |= tag.name().as_ref() == b"report";
                cursor.open(&tag);
                cursor.close(tag.name().as_ref());
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                cursor.close(tag.name().as_ref());
            }
            Event::Eof if depth > 0 => return Err("it is cut off".to_owned()),
            Event::Eof if is_report => return Ok(cursor.elements),
            Event::Eof => return Err("it has no <report>".to_owned()),
            _ => {}
        }
    }
}

#[derive(Default)]
struct Cursor {
    package: String,
    class: String,
    method: Option<String>,
    source: Option<String>,
    elements: BTreeSet<String>,
}

impl Cursor {
    fn open(&mut self, tag: &BytesStart) {
        let get = |name: &[u8]| attribute(tag, name);
        match tag.name().as_ref() {
            b"package" => self.package = get(b"name"),
            b"class" => self.class = get(b"name"),
            b"method" => {
                let class = &self.class;
                self.method = Some(format!("method:{class}.{}{}", get(b"name"), get(b"desc")));
            }
            b"counter" if get(b"type") == "METHOD" && number(tag, b"covered") > 0 => {
                // The counters of a class say nothing about a method.
                self.elements.extend(self.method.clone());
            }
            b"sourcefile" => {
                let (package, file) = (&self.package, get(b"name"));
                self.source = Some(if package.is_empty() {
                    file
                } else {
                    format!("{package}/{file}")
                });
            }
            b"line" => self.line(tag),
            _ => {}
        }
    }

    fn close(&mut self, name: &[u8]) {
        match name {
            b"method" => self.method = None,
            b"sourcefile" => self.source = None,
            _ => {}
        }
    }

    fn line(&mut self, tag: &BytesStart) {
        let Some(source) = &self.source else { return };
        let line = number(tag, b"nr");
        if number(tag, b"ci") > 0 {
            self.elements.insert(format!("line:{source}:{line}"));
        }
        for branch in 0..number(tag, b"cb").min(MOST_BRANCHES) {
            self.elements
                .insert(format!("branch:{source}:{line}#{branch}"));
        }
    }
}

fn attribute(tag: &BytesStart, name: &[u8]) -> String {
    let mut attributes = tag.attributes().flatten();
    let found = attributes.find(|attribute| attribute.key.as_ref() == name);
    let raw = found.map_or_else(String::new, |found| {
        String::from_utf8_lossy(&found.value).into_owned()
    });
    quick_xml::escape::unescape(&raw).map_or(raw.clone(), std::borrow::Cow::into_owned)
}

fn number(tag: &BytesStart, name: &[u8]) -> u32 {
    attribute(tag, name).parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::elements;

    #[test]
    fn covered_methods_lines_and_branches_are_named() {
        let xml = r#"<?xml version="1.0"?><!DOCTYPE report PUBLIC "-//JACOCO" "report.dtd"><report name="x">
            <package name="a/b"><class name="a/b/C"><method name="&lt;init&gt;" desc="()V" line="3">
            <counter type="METHOD" missed="0" covered="1"/></method><method name="no" desc="()V">
            <counter type="METHOD" missed="1" covered="0"/></method><counter type="METHOD" missed="1" covered="1"/></class>
            <sourcefile name="C.java"><line nr="3" mi="0" ci="2" mb="0" cb="0"/><line nr="5" mi="1" ci="0" mb="1" cb="2"/>
            </sourcefile></package></report>"#;
        let expect = [
            "branch:a/b/C.java:5#0",
            "branch:a/b/C.java:5#1",
            "line:a/b/C.java:3",
            "method:a/b/C.<init>()V",
        ];
        let elements = elements(xml).unwrap();
        assert_eq!(elements.iter().collect::<Vec<_>>(), expect);
    }

    #[test]
    fn what_is_no_report_is_told() {
        for (xml, expect) in [
            ("", "no <report>"),
            ("<html/>", "no <report>"),
            ("<report><package>", "cut off"),
            ("<report><a></report>", "no well-formed XML"),
        ] {
            let error = elements(xml).unwrap_err();
            assert!(error.contains(expect), "{error}");
        }
    }
}
