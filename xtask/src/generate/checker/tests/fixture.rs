//! A small app, a suite recorded on it, and a right reduction of that suite.

use serde_json::{Value, json};

/// A reduction and all that it is judged by; suites are lists of traces.
pub(super) fn fixture() -> Value {
    json!({"app": app(), "original": original(), "reduced": reduced(), "report": report()})
}

pub(super) fn app() -> Value {
    json!({"launch":"c0","covers":["b0"],"action_seconds":2.0,"restart_seconds":15.0,"states":{
        "c0":{"screen":"Home","edges":[
            {"action":"tap:menu","to":"c1","covers":["b1"]},
            {"action":"tap:list","to":"c2","covers":["b2","method:List.open"]}]},
        "c1":{"screen":"Menu","edges":[
            {"action":"back","to":"c0","covers":["b3"]},
            {"action":"tap:option","to":"c3","covers":["branch:b4"]}]},
        "c2":{"screen":"List","edges":[
            {"action":"tap:a","to":"c4","covers":["b5"]},
            {"action":"back","to":"c0","covers":["b6"]}]},
        "c3":{"screen":"Options","edges":[
            {"action":"tap:sync","to":"c3","covers":["b8"],"weight":0.9},
            {"action":"tap:sync","to":"c0","covers":["b9"],"weight":0.1},
            {"action":"tap:boom","to":"c6","covers":["b11"],"fault":"E2","crash":true}]},
        "c4":{"screen":"List","edges":[{"action":"tap:a","to":"c5","covers":["b7"]}]},
        "c5":{"screen":"Item","edges":[
            {"action":{"tap":[1,2]},"to":"c5","covers":["b10",12,"screen:x"],"fault":"E1"}]},
        "c6":{"screen":"Crashed","edges":[]}}})
}

pub(super) fn step(action: impl Into<Value>, covers: &[&str], screen: &str) -> Value {
    json!({"action": action.into(), "covers": covers, "screen": screen})
}

pub(super) fn trace(id: &str, steps: &[&Value]) -> Value {
    json!({"id": id, "launch": {"screen":"Home","covers":["b0"]}, "steps": steps})
}

/// The steps of the fixture: menu, back, option, boom; list, a, a, fail; sync.
pub(super) fn steps() -> ([Value; 4], [Value; 4], Value) {
    let mut boom = step("tap:boom", &["b11"], "Crashed");
    boom["fault"] = json!("E2");
    let fail =
        json!({"action":{"tap":[1,2]},"covers":["b10",12,"screen:x"],"screen":"Item","fault":"E1"});
    let menu = step("tap:menu", &["b1"], "Menu");
    let back = step("back", &["b3"], "Home");
    let option = step("tap:option", &["b4"], "Options");
    let list = step("tap:list", &["b2", "method:List.open"], "List");
    let one = step("tap:a", &["b5"], "List");
    let two = step("tap:a", &["b7"], "Item");
    (
        [menu, back, option, boom],
        [list, one, two, fail],
        step("tap:sync", &["b8"], "Options"),
    )
}

pub(super) fn original() -> Value {
    let ([menu, back, option, boom], [list, one, two, fail], sync) = steps();
    json!([
        trace("t1", &[&menu, &back, &menu, &option, &sync]),
        trace("t2", &[&list, &one, &two, &fail]),
        trace("t3", &[&menu]),
        trace("t4", &[&menu, &option, &boom]),
    ])
}

pub(super) fn reduced() -> Value {
    let ([menu, back, option, boom], [list, one, two, fail], _) = steps();
    let mut first = trace("r1", &[&list, &one, &two, &fail]);
    first["from"] = json!([{"trace":"t2","first":0,"last":3}]);
    let mut second = trace("r2", &[&menu, &back, &menu, &option, &boom]);
    second["from"] = json!([{"trace":"t1","first":0,"last":1},{"trace":"t4","first":0,"last":2}]);
    json!([first, second])
}

/// The reduction lost `b8`, which only one of two outcomes covers.
pub(super) fn report() -> Value {
    json!({"version":1,
        "input":{"traces":4,"steps":13,"coverage":{"branch":12,"method":1,"fault":2,"screen":6}},
        "output":{"traces":2,"steps":9,"coverage":{"branch":11,"method":1,"fault":2,"screen":6,"line":0}},
        "phases":[{"name":"traces","traces":3,"steps":12},{"name":"splice","traces":2,"steps":9}],
        "device":{"launches":3,"steps":13,"seconds":71.0,"by_phase":{
            "loops":{"launches":2,"steps":9,"seconds":48.0},"splice":{"launches":1,"steps":4,"seconds":23.0}}},
        "preserved":false,"lost":["b8"],
        "witness":{
            "b0":{"trace":"r1","step":null},"screen:Home":{"trace":"r2","step":"launch"},
            "b2":{"trace":"r1","step":0},"method:List.open":{"trace":"r1","step":0},
            "screen:List":{"trace":"r1","step":1},"b5":{"trace":"r1","step":1},
            "b7":{"trace":"r1","step":2},"screen:Item":{"trace":"r1","step":3},
            "b10":{"trace":"r1","step":3},"12":{"trace":"r1","step":3},
            "branch:screen:x":{"trace":"r1","step":3},"fault:E1":{"trace":"r1","step":3},
            "b1":{"trace":"r2","step":0},"screen:Menu":{"trace":"r2","step":2},
            "b3":{"trace":"r2","step":1},"b4":{"trace":"r2","step":3},
            "screen:Options":{"trace":"r2","step":3},"b11":{"trace":"r2","step":4},
            "fault:E2":{"trace":"r2","step":4},"screen:Crashed":{"trace":"r2","step":4}},
        "removed":[{"trace":"t3","why":"redundant","covered_by":["t1"]}],
        "validation":{"runs_per_trace":10,"traces":[
            {"trace":"r1","runs":10,"diverged":0},{"trace":"r2","runs":10,"diverged":0}]}})
}

pub(super) fn lines(suite: &Value) -> String {
    let lines: Vec<String> = suite
        .as_array()
        .unwrap()
        .iter()
        .map(Value::to_string)
        .collect();
    lines.join(
        "
",
    )
}
