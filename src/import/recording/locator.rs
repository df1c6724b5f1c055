//! How recorders name widgets: the selectors of four tools become what a target has.
//!
//! A name that people see (an accessible name, a text) goes before one that only the page's
//! source has; the latter is kept beside it, so that nothing of a recording is lost.

use serde_json::Value;

use crate::model::act::Target;
use crate::model::selector::{css_string, css_text, id_of_css, xpath_string};

/// What a recording says about a widget.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Locator(pub(super) Target);

impl Locator {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The selectors of a step of the `DevTools` Recorder: alternatives, each a chain through
    /// shadow roots.
    pub(super) fn of_recorder(selectors: &Value) -> Result<Self, String> {
        let alternatives = selectors.as_array().ok_or("no selectors")?;
        let mut found = Self::default();
        for alternative in alternatives {
            let chain: Vec<&str> = match alternative {
                Value::String(one) => vec![one],
                Value::Array(chain) => chain.iter().filter_map(Value::as_str).collect(),
                _ => continue,
            };
            found.add_recorded(&chain);
        }
        if found.is_empty() {
            return Err("none of its selectors can be used".to_owned());
        }
        Ok(found)
    }

    fn add_recorded(&mut self, chain: &[&str]) {
        let [selector] = *chain else {
            if chain.iter().all(|part| is_css(part)) && !chain.is_empty() {
                put(&mut self.0.css, &chain.join(" >>> "));
            }
            return;
        };
        if let Some(aria) = selector.strip_prefix("aria/") {
            let (name, role) = aria_parts(aria);
            put(&mut self.0.description, name);
            if let Some(role) = role {
                put(&mut self.0.class, role);
            }
        } else if let Some(text) = selector.strip_prefix("text/") {
            put(&mut self.0.text, text);
        } else if let Some(xpath) = selector.strip_prefix("xpath/") {
            put(&mut self.0.xpath, xpath);
        } else if let Some(css) = selector.strip_prefix("pierce/") {
            put(&mut self.0.css, css);
        } else {
            self.add_css(selector);
        }
    }

    fn add_css(&mut self, css: &str) {
        match id_of_css(css) {
            Some(id) => put(&mut self.0.id, &id),
            None => put(&mut self.0.css, css),
        }
    }

    /// A locator of Selenium IDE: `kind=value`.
    pub(super) fn of_selenium(locator: &str) -> Result<Self, String> {
        let mut found = Self::default();
        if locator.starts_with("//") || locator.starts_with("(//") {
            put(&mut found.0.xpath, locator);
            return Ok(found);
        }
        let (kind, value) = locator
            .split_once('=')
            .filter(|(_, value)| !value.is_empty())
            .ok_or_else(|| format!("`{locator}` is no locator"))?;
        match kind {
            "id" | "identifier" => put(&mut found.0.id, value),
            "name" => put(&mut found.0.css, &format!("[name={}]", css_string(value))),
            "css" => found.add_css(value),
            "xpath" => put(&mut found.0.xpath, value),
            "linkText" | "link" => {
                put(&mut found.0.class, "link");
                put(&mut found.0.description, value);
            }
            "partialLinkText" => {
                let xpath = format!("//a[contains(., {})]", xpath_string(value));
                put(&mut found.0.xpath, &xpath);
            }
            "className" | "class" => {
                put(&mut found.0.css, &format!("[class~={}]", css_string(value)));
            }
            _ => return Err(format!("locators of kind `{kind}` are not known")),
        }
        Ok(found)
    }

    /// A selector of Playwright's engine, as traces have it: pieces between `>>`.
    pub(super) fn of_playwright(selector: &str) -> Result<Self, String> {
        let mut found = Self::default();
        let mut css: Vec<&str> = Vec::new();
        for piece in pieces(selector) {
            if piece == "internal:control=enter-frame" {
                return Err("it is inside a frame".to_owned());
            }
            // A target is resolved to the first widget that fits anyway.
            if piece == "nth=0" {
                continue;
            }
            if !found.is_empty() {
                return Err(format!("`{selector}` is a chain of unlike pieces"));
            }
            match engine(piece) {
                ("css", rest) => css.push(rest),
                _ if !css.is_empty() => {
                    return Err(format!("`{selector}` is a chain of unlike pieces"));
                }
                (kind, rest) => found.add_piece(kind, rest)?,
            }
        }
        if !css.is_empty() {
            found.add_css(&css.join(" "));
        }
        if found.is_empty() {
            return Err(format!("`{selector}` names nothing"));
        }
        Ok(found)
    }

    fn add_piece(&mut self, kind: &str, rest: &str) -> Result<(), String> {
        match kind {
            "internal:role" | "role" => {
                let (role, name) = rest.split_once('[').unwrap_or((rest, ""));
                put(&mut self.0.class, role);
                if let Some(name) = name.strip_prefix("name=") {
                    let name = name.strip_suffix(']').and_then(quoted);
                    put(
                        &mut self.0.description,
                        &name.ok_or("a role with attributes")?,
                    );
                } else if !name.is_empty() {
                    return Err("a role with attributes".to_owned());
                }
            }
            "internal:label" => {
                put(
                    &mut self.0.description,
                    &quoted(rest).ok_or("a label that is no text")?,
                );
            }
            "internal:text" | "text" | "internal:has-text" => {
                let text = quoted(rest).unwrap_or_else(|| rest.to_owned());
                put(&mut self.0.text, &text);
            }
            "internal:testid" | "internal:attr" => {
                // `[data-testid="x"s]`: the letter behind is Playwright's, `i` is CSS as well.
                let exact = rest.strip_suffix("s]").map(|rest| format!("{rest}]"));
                put(&mut self.0.css, &exact.unwrap_or_else(|| rest.to_owned()));
            }
            "xpath" => put(&mut self.0.xpath, rest),
            "id" => put(&mut self.0.id, rest),
            "data-testid" | "data-test-id" | "data-test" => {
                put(&mut self.0.css, &format!("[{kind}={}]", css_string(rest)));
            }
            _ => return Err(format!("selectors of kind `{kind}` are not known")),
        }
        Ok(())
    }
}

/// The first name of a kind is the recorder's favourite.
fn put(place: &mut String, value: &str) {
    if place.is_empty() {
        value.clone_into(place);
    }
}

fn is_css(selector: &str) -> bool {
    !["aria/", "text/", "xpath/", "pierce/"]
        .iter()
        .any(|kind| selector.starts_with(kind))
}

/// The name and the role of `Name[role="button"]`.
fn aria_parts(aria: &str) -> (&str, Option<&str>) {
    let parts = aria
        .strip_suffix("\"]")
        .and_then(|aria| aria.rsplit_once("[role=\""));
    parts.map_or((aria, None), |(name, role)| (name, Some(role)))
}

/// The pieces of a selector between `>>`, which does not count inside quotation marks.
fn pieces(selector: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut quote, mut escaped) = (0, None, false);
    for (at, c) in selector.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (_, '\\') => escaped = true,
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '>') if at >= start && selector[at..].starts_with(">>") => {
                pieces.push(selector[start..at].trim());
                start = at + 2;
            }
            _ => {}
        }
    }
    pieces.push(selector.get(start..).unwrap_or("").trim());
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The engine of a piece and what it is given.
fn engine(piece: &str) -> (&str, &str) {
    if piece.starts_with("//") || piece.starts_with("..") {
        return ("xpath", piece);
    }
    if piece.starts_with(['"', '\'']) {
        return ("text", piece);
    }
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_:".contains(c))
    };
    match piece.split_once('=') {
        Some((name, rest)) if is_name(name) => (name, rest),
        _ => ("css", piece),
    }
}

/// The text of `"text"`, `"text"i` and `"text"s`.
fn quoted(text: &str) -> Option<String> {
    let text = text.strip_suffix(['i', 's']).unwrap_or(text);
    css_text(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Locator;

    #[track_caller]
    fn check(found: Result<Locator, String>, expect: Result<serde_json::Value, &str>) {
        let found = found.map(|locator| serde_json::to_value(locator.0).unwrap());
        assert_eq!(found, expect.map_err(str::to_owned));
    }

    #[test]
    fn selectors_of_the_recorder_are_alternatives() {
        let selectors = json!([
            ["aria/WORK [x] WITH ME[role=\"link\"]"],
            ["#nav > ul > a"],
            ["xpath///*[@id=\"nav\"]/a"],
            ["text/Work With Me"],
            ["pierce/#nav"]
        ]);
        check(
            Locator::of_recorder(&selectors),
            Ok(json!({"class": "link", "css": "#nav > ul > a",
                "description": "WORK [x] WITH ME", "text": "Work With Me",
                "xpath": "//*[@id=\"nav\"]/a"})),
        );
        check(
            Locator::of_recorder(&json!(["#save"])),
            Ok(json!({"id": "save"})),
        );
        check(
            Locator::of_recorder(&json!([["my-app", "button"]])),
            Ok(json!({"css": "my-app >>> button"})),
        );
        check(Locator::of_recorder(&json!(null)), Err("no selectors"));
        check(
            Locator::of_recorder(&json!([[], 7, ["text/", "aria/a"]])),
            Err("none of its selectors can be used"),
        );
    }

    #[test]
    fn locators_of_selenium_have_a_kind() {
        let check = |locator, expect| check(Locator::of_selenium(locator), expect);
        check("id=a b", Ok(json!({"id": "a b"})));
        check("name=q\"", Ok(json!({"css": "[name=\"q\\\"\"]"})));
        check("css=#x", Ok(json!({"id": "x"})));
        check("//a[2]", Ok(json!({"xpath": "//a[2]"})));
        check(
            "linkText=Log in",
            Ok(json!({"class": "link", "description": "Log in"})),
        );
        check(
            "partialLinkText=o'x",
            Ok(json!({"xpath": "//a[contains(., \"o'x\")]"})),
        );
        check("", Err("`` is no locator"));
        check(
            "relative=parent",
            Err("locators of kind `relative` are not known"),
        );
    }

    #[test]
    fn selectors_of_playwright_are_pieces() {
        let check = |selector, expect| check(Locator::of_playwright(selector), expect);
        check(
            "internal:role=button[name=\"a >> \\\"b\\\"\"i]",
            Ok(json!({"class": "button", "description": "a >> \"b\""})),
        );
        check(
            "internal:testid=[data-testid=\"go\"s]",
            Ok(json!({"css": "[data-testid=\"go\"]"})),
        );
        check("text=Submit", Ok(json!({"text": "Submit"})));
        check("\"Submit\"", Ok(json!({"text": "Submit"})));
        check("div >> .x >> nth=0", Ok(json!({"css": "div .x"})));
        check(
            "internal:role=button >> nth=1",
            Err("`internal:role=button >> nth=1` is a chain of unlike pieces"),
        );
        check(
            "iframe >> internal:control=enter-frame >> a",
            Err("it is inside a frame"),
        );
        check("", Err("`` names nothing"));
        check(
            "internal:label=\"Name\"s",
            Ok(json!({"description": "Name"})),
        );
    }
}
