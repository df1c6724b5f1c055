//! What a WebDriver end says about itself: whether it is one, and which slots a grid has left.

use std::collections::BTreeSet;

use serde_json::Value;

/// What can be had of an end for one browser.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Room {
    /// There is no knowing: it is one driver, which starts as many browsers as it is asked for.
    Unknown,
    /// A grid with so many slots, of which so many are free.
    Slots { free: usize, all: usize },
    /// A grid whose nodes have other browsers only.
    Others(Vec<String>),
    /// A grid without nodes.
    NoNodes,
}

/// Reads what an end answers when asked for its status; none where that is no WebDriver's answer.
pub(super) fn room(status: &Value, browser: &str) -> Option<Room> {
    let value = &status["value"];
    let is_ready = value["ready"].as_bool()?;
    let Some(nodes) = value["nodes"].as_array() else {
        return Some(
            if value["message"].as_str() == Some("Selenium Grid not ready.") {
                Room::NoNodes
            } else {
                Room::Unknown
            },
        );
    };
    let (mut free, mut all) = (0, 0);
    let mut others = BTreeSet::new();
    for node in nodes.iter().filter(|node| node["availability"] == "UP") {
        let slots = node["slots"].as_array().map_or(&[][..], Vec::as_slice);
        let (mut fitting, mut vacant, mut busy) = (0, 0, 0);
        for slot in slots {
            let is_taken = !slot["session"].is_null();
            busy += usize::from(is_taken);
            let name = slot["stereotype"]["browserName"]
                .as_str()
                .unwrap_or_default();
            if name == browser {
                fitting += 1;
                vacant += usize::from(!is_taken);
            } else {
                others.insert(name.to_owned());
            }
        }
        let most = node["maxSessions"]
            .as_u64()
            .map_or(usize::MAX, |most| most as usize);
        all += fitting.min(most);
        free += vacant.min(most.saturating_sub(busy));
    }
    Some(match (all, others.is_empty()) {
        (0, true) => Room::NoNodes,
        (0, false) => Room::Others(others.into_iter().collect()),
        // A grid that has lost its nodes knows that sooner than it takes them off its list.
        _ if !is_ready => Room::Slots { free: 0, all },
        _ => Room::Slots { free, all },
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Room, room};

    fn node(availability: &str, slots: &[(&str, bool)]) -> Value {
        let slot = |(name, is_taken): &(&str, bool)| {
            let session = if *is_taken {
                json!({"sessionId": "1"})
            } else {
                Value::Null
            };
            json!({"session": session, "stereotype": {"browserName": name}})
        };
        let slots: Vec<Value> = slots.iter().map(slot).collect();
        json!({"availability": availability, "maxSessions": 2, "slots": slots})
    }

    #[track_caller]
    fn check(nodes: &[Value], expect: Room) {
        let status = json!({"value": {"ready": true, "nodes": nodes}});
        assert_eq!(room(&status, "chrome"), Some(expect));
    }

    #[test]
    fn slots_are_free_as_far_as_nodes_take_more_sessions() {
        let busy = node(
            "UP",
            &[("chrome", true), ("chrome", false), ("chrome", false)],
        );
        check(&[busy], Room::Slots { free: 1, all: 2 });
        let other = node(
            "UP",
            &[("firefox", true), ("firefox", true), ("chrome", false)],
        );
        check(&[other], Room::Slots { free: 0, all: 1 });
        let down = node("DOWN", &[("chrome", false)]);
        let up = node("UP", &[("chrome", false)]);
        check(&[down.clone(), up], Room::Slots { free: 1, all: 1 });
        check(&[down], Room::NoNodes);
        check(&[], Room::NoNodes);
    }

    #[test]
    fn a_grid_that_is_not_ready_has_no_room() {
        let nodes = [node("UP", &[("chrome", false)])];
        let status = json!({"value": {"ready": false, "nodes": nodes}});
        let expect = Room::Slots { free: 0, all: 1 };
        assert_eq!(room(&status, "chrome"), Some(expect));
    }

    #[test]
    fn browsers_that_a_grid_has_instead_are_named() {
        let other = node("UP", &[("firefox", false), ("MicrosoftEdge", false)]);
        check(
            &[other],
            Room::Others(vec!["MicrosoftEdge".to_owned(), "firefox".to_owned()]),
        );
    }

    #[test]
    fn one_driver_has_room_and_another_server_is_none() {
        let driver =
            json!({"value": {"ready": true, "message": "ChromeDriver ready for new sessions."}});
        assert_eq!(room(&driver, "chrome"), Some(Room::Unknown));
        for other in [json!({}), json!({"value": 3}), json!("hello"), Value::Null] {
            assert_eq!(room(&other, "chrome"), None);
        }
    }
}
