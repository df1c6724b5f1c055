//! Window dumps of uiautomator: the XML that names every widget of a screen and its place.
//!
//! Attributes that a dump lacks count as empty or false. What is no dump, is cut off or is nested
//! too deep is an error with the reason; nothing in it can make the reader use much memory.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::model::window::{Bounds, Takes, Widget, Window};

/// More widgets than these are no screen.
const MOST_WIDGETS: usize = 100_000;
/// Longer texts are cut.
const MOST_CHARS: usize = 500;

/// Reads a dump; the reason if it is none.
pub fn window(xml: &str) -> Result<Window, String> {
    let mut reader = Reader::from_str(xml);
    let mut window = Window::default();
    let mut around: Vec<Option<u32>> = Vec::new();
    let mut is_dump = false;
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
                is_dump |= tag.name().as_ref() == b"hierarchy";
                let parent = around.last().copied().flatten();
                around.push(add(&mut window, &tag, parent)?.or(parent));
            }
            Event::Empty(tag) => {
                is_dump |= tag.name().as_ref() == b"hierarchy";
                add(&mut window, &tag, around.last().copied().flatten())?;
            }
            Event::End(_) => {
                around.pop();
            }
            Event::Eof if !around.is_empty() => return Err("it is cut off".to_owned()),
            Event::Eof if is_dump => return Ok(window),
            Event::Eof => return Err("it has no <hierarchy>".to_owned()),
            _ => {}
        }
        if window.widgets.len() > MOST_WIDGETS {
            return Err(format!("it has more than {MOST_WIDGETS} widgets"));
        }
    }
}

fn add(window: &mut Window, tag: &BytesStart, parent: Option<u32>) -> Result<Option<u32>, String> {
    if tag.name().as_ref() != b"node" {
        return Ok(None);
    }
    let mut widget = Widget {
        parent,
        ..Widget::default()
    };
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let raw = String::from_utf8_lossy(&attribute.value);
        let value = quick_xml::escape::unescape(&raw).unwrap_or(raw.clone());
        let is_true = value == "true";
        match attribute.key.as_ref() {
            b"class" => last_part(&value, '.').clone_into(&mut widget.class),
            b"package" if value.contains("inputmethod") => window.keyboard = true,
            b"package" if window.package.is_empty() => window.package = cut(&value),
            b"resource-id" => last_part(&value, '/').clone_into(&mut widget.id),
            b"text" => widget.text = cut(&value),
            b"content-desc" => widget.description = cut(&value),
            b"bounds" => widget.bounds = bounds(&value).unwrap_or_default(),
            b"clickable" => widget.takes.taps = is_true,
            b"long-clickable" => widget.takes.holds = is_true,
            b"scrollable" => widget.takes.swipes = is_true,
            b"checkable" => widget.takes.ticks = is_true,
            b"checked" => widget.state.checked = is_true,
            b"selected" => widget.state.selected = is_true,
            b"focused" => widget.state.focused = is_true,
            b"password" => widget.state.password = is_true,
            b"enabled" => widget.state.disabled = value == "false",
            _ => {}
        }
    }
    widget.takes.types = widget.class.ends_with("EditText");
    if widget.state.disabled {
        widget.takes = Takes::default();
    }
    window.widgets.push(widget);
    Ok(Some(window.widgets.len() as u32 - 1))
}

fn cut(text: &str) -> String {
    text.chars().take(MOST_CHARS).collect()
}

fn last_part(text: &str, separator: char) -> &str {
    text.rsplit(separator).next().unwrap_or(text)
}

/// `[left,top][right,bottom]`
fn bounds(text: &str) -> Option<Bounds> {
    let inside = text.strip_prefix('[')?.strip_suffix(']')?;
    let (start, end) = inside.split_once("][")?;
    let (left, top) = start.split_once(',')?;
    let (right, bottom) = end.split_once(',')?;
    Some(Bounds {
        left: left.trim().parse().ok()?,
        top: top.trim().parse().ok()?,
        right: right.trim().parse().ok()?,
        bottom: bottom.trim().parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::window;

    #[test]
    fn widgets_are_read_with_what_they_take_and_what_is_around_them() {
        let xml = r#"<?xml version='1.0'?><hierarchy rotation="0"><node class="android.widget.Row" bounds="[0,0][10,20]">
            <node class="a.b.Button" resource-id="a.b:id/ok" text="" content-desc="O &amp; K" clickable="true" checked="true"
                  bounds="[-1,2][3,4]"/><node class="Gone" clickable="true" enabled="false"/></node></hierarchy>"#;
        let window = window(xml).unwrap();
        let seen: Vec<_> = window
            .widgets
            .iter()
            .map(|w| (&*w.class, &*w.id, w.label(), w.takes.taps, w.parent))
            .collect();
        let expect = [
            ("Row", "", "", false, None),
            ("Button", "ok", "O & K", true, Some(0)),
            ("Gone", "", "", false, Some(0)),
        ];
        assert_eq!(seen, expect);
        assert_eq!(window.widgets[1].bounds.left, -1);
    }

    #[track_caller]
    fn check(xml: &str, expect: &str) {
        let error = window(xml).unwrap_err();
        assert!(error.contains(expect), "{error}");
    }

    #[test]
    fn what_is_no_dump_is_told() {
        check("", "no <hierarchy>");
        check("<html/>", "no <hierarchy>");
        check("<hierarchy><node>", "cut off");
        check("<hierarchy><node></hierarchy>", "no well-formed XML");
        check(&"<hierarchy>".repeat(50_000), "cut off");
    }

    #[test]
    fn entities_of_its_own_expand_to_nothing() {
        let xml =
            "<!DOCTYPE x [<!ENTITY a \"aaaaaaaa\">]><hierarchy><node text=\"&a;&a;\"/></hierarchy>";
        assert_eq!(window(xml).unwrap().widgets[0].text, "&a;&a;");
    }
}
