//! Screens as the XML that uiautomator writes.

use std::fmt::Write;

use super::screen::View;

/// The dump of these views, which come in pre-order with their depths.
pub(super) fn xml(package: &str, views: &[View], rotation: u8) -> String {
    let mut xml = format!(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"{rotation}\">"
    );
    let mut open = Vec::new();
    let mut indices = vec![0];
    for (position, view) in views.iter().enumerate() {
        while open.len() > view.depth {
            xml.push_str("</node>");
            open.pop();
            indices.pop();
        }
        let index = indices.last_mut().expect("the root has one");
        node(&mut xml, package, view, *index);
        *index += 1;
        let has_children = views
            .get(position + 1)
            .is_some_and(|next| next.depth > view.depth);
        if has_children {
            xml.push('>');
            open.push(());
            indices.push(0);
        } else {
            xml.push_str(" />");
        }
    }
    xml.push_str(&"</node>".repeat(open.len()));
    xml.push_str("</hierarchy>");
    xml
}

fn node(xml: &mut String, package: &str, view: &View, index: usize) {
    let [left, top, right, bottom] = view.bounds;
    let taps = view.on_tap.is_some();
    let is_field = view.class.ends_with("EditText");
    let _ = write!(
        xml,
        "<node index=\"{index}\" text=\"{}\" resource-id=\"{}\" class=\"{}\" package=\"{package}\" \
         content-desc=\"{}\" checkable=\"false\" checked=\"false\" clickable=\"{taps}\" enabled=\"true\" \
         focusable=\"{}\" focused=\"{}\" scrollable=\"{}\" long-clickable=\"{}\" password=\"false\" \
         selected=\"false\" bounds=\"[{left},{top}][{right},{bottom}]\"",
        escaped(&view.text),
        escaped(&view.id),
        view.class,
        escaped(&view.description),
        taps || is_field,
        view.focused,
        view.scrolls,
        view.on_hold.is_some() || is_field,
    );
}

/// Text that is safe between the quotes of an attribute; what XML cannot hold is a dot, as in
/// real dumps.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push_str("&#9;"),
            c if c.is_control() => escaped.push('.'),
            c => escaped.push(c),
        }
    }
    escaped
}
