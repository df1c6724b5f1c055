//! What the elements of a page are beyond their roles: tags, ids, and where they stand.

use std::collections::HashMap;

use serde_json::Value;

use crate::model::window::Bounds;

/// Attributes that people put on elements for tests to find them, most common first.
const TEST_IDS: [&str; 5] = [
    "data-testid",
    "data-test-id",
    "data-test",
    "data-cy",
    "data-qa",
];

/// An element.
#[derive(Debug, Clone, Default)]
pub(super) struct Element {
    pub(super) tag: String,
    /// Its test id, else its id.
    pub(super) id: String,
    pub(super) has_test_id: bool,
    /// The type of an input field.
    pub(super) r#type: String,
    /// Whether the page listens to clicks on it.
    pub(super) clickable: bool,
    pub(super) bounds: Bounds,
}

/// The elements of a page by the browser's numbers for them.
#[derive(Debug, Default)]
pub(super) struct Elements(HashMap<i64, Element>);

impl Elements {
    /// Reads what `DOMSnapshot.captureSnapshot` says.
    pub(super) fn read(snapshot: &Value) -> Self {
        let strings = snapshot["strings"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let text = |index: &Value| {
            let index = usize::try_from(index.as_i64()?).ok()?;
            strings.get(index)?.as_str()
        };
        let mut elements = HashMap::new();
        for document in snapshot["documents"].as_array().into_iter().flatten() {
            let mut here = document_elements(document, &text);
            let layout = &document["layout"];
            let places = list(&layout["nodeIndex"])
                .iter()
                .zip(list(&layout["bounds"]));
            for (index, bounds) in places {
                let index = index.as_u64().unwrap_or(u64::MAX) as usize;
                if let Some((_, element)) = here.get_mut(index) {
                    element.bounds = rectangle(bounds);
                }
            }
            elements.extend(here);
        }
        Self(elements)
    }

    pub(super) fn get(&self, backend: i64) -> Option<&Element> {
        self.0.get(&backend)
    }
}

fn document_elements<'a>(
    document: &Value,
    text: &impl Fn(&Value) -> Option<&'a str>,
) -> Vec<(i64, Element)> {
    let nodes = &document["nodes"];
    let names = list(&nodes["nodeName"]);
    let attributes = list(&nodes["attributes"]);
    let backends = list(&nodes["backendNodeId"]);
    let mut here: Vec<(i64, Element)> = Vec::with_capacity(backends.len());
    for (index, backend) in backends.iter().enumerate() {
        let mut element = Element {
            tag: names
                .get(index)
                .and_then(text)
                .unwrap_or_default()
                .to_owned(),
            ..Element::default()
        };
        let pairs = attributes.get(index).map_or(&[][..], list);
        let pairs = pairs.chunks_exact(2);
        let pairs = pairs.filter_map(|pair| Some((text(&pair[0])?, text(&pair[1])?)));
        name(&mut element, pairs);
        here.push((backend.as_i64().unwrap_or_default(), element));
    }
    for index in list(&nodes["isClickable"]["index"]) {
        let index = index.as_u64().unwrap_or(u64::MAX) as usize;
        if let Some((_, element)) = here.get_mut(index) {
            element.clickable = true;
        }
    }
    here
}

fn name<'a>(element: &mut Element, attributes: impl Iterator<Item = (&'a str, &'a str)>) {
    let mut best = TEST_IDS.len() + 1;
    for (key, value) in attributes {
        if key == "type" {
            element.r#type = value.to_ascii_lowercase();
        }
        let rank = match TEST_IDS.iter().position(|known| *known == key) {
            Some(rank) => rank,
            None if key == "id" => TEST_IDS.len(),
            None => continue,
        };
        if rank < best && !value.is_empty() {
            best = rank;
            value.clone_into(&mut element.id);
        }
    }
    element.has_test_id = best < TEST_IDS.len();
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn rectangle(bounds: &Value) -> Bounds {
    let at = |index: usize| bounds[index].as_f64().unwrap_or_default() as i32;
    let (left, top) = (at(0), at(1));
    Bounds {
        left,
        top,
        right: left.saturating_add(at(2)),
        bottom: top.saturating_add(at(3)),
    }
}
