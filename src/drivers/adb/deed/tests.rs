//! Actions on windows: what they mean, and when they are not there.

use super::{Deed, deeds};
use crate::import::dump::window;
use crate::model::gesture::Key;

const XML: &str = r#"<hierarchy><node class="F" bounds="[0,0][100,200]">
<node class="Button" text="Save" resource-id="a:id/save_it" clickable="true" bounds="[0,0][10,20]"/>
<node class="Button" text="" content-desc="More" resource-id="a:id/more" clickable="true" bounds="[10,0][20,20]"/>
<node class="Button" text="off" resource-id="a:id/off" clickable="true" enabled="false" bounds="[20,0][30,20]"/>
<node class="EditText" text="abc" resource-id="a:id/name" clickable="true" bounds="[0,20][100,40]"/>
<node class="ListView" resource-id="a:id/list" scrollable="true" bounds="[0,100][100,200]"/>
<node class="ViewPager" resource-id="a:id/pager" scrollable="true" bounds="[0,50][100,100]"/>
<node class="Row" text="both" long-clickable="true" bounds="[40,0][50,20]"/><node class="Row" text="both" clickable="true" bounds="[50,0][60,20]"/>
<node class="Button" content-desc="scroll:down" clickable="true" bounds="[30,0][40,20]"/>
</node></hierarchy>"#;

#[track_caller]
fn check(action: &str, expect: &[Deed]) {
    let found = deeds(action, &window(XML).unwrap());
    let found = found.map(|found| found.deeds).unwrap_or_default();
    assert_eq!(found, expect, "{action}");
}

fn stroke(from: (i32, i32), to: (i32, i32)) -> Deed {
    Deed::Stroke {
        from,
        to,
        millis: 300,
    }
}

#[test]
fn words_name_widgets_by_text_description_or_id() {
    check("tap:Save", &[Deed::Tap(5, 10)]);
    check("tap:More", &[Deed::Tap(15, 10)]);
    check("tap:save_it", &[Deed::Tap(5, 10)]);
    check("tap:Save It", &[Deed::Tap(5, 10)]);
    check("Save", &[Deed::Tap(5, 10)]);
    check("tap:both", &[Deed::Tap(55, 10)]);
    check("hold:both", &[super::held(45, 10, 1000)]);
    check("tap:nothing", &[]);
    check("tap:off", &[]);
    check("tap:", &[]);
}

#[test]
fn keys_and_strokes_are_what_they_say() {
    check("back", &[Deed::Press(Key::BACK)]);
    check("key:enter", &[Deed::Press(Key(66))]);
    check("key:none", &[]);
    check("scroll", &[stroke((50, 180), (50, 120))]);
    check("scroll:up", &[stroke((50, 120), (50, 180))]);
    check("swipe:left", &[stroke((80, 75), (20, 75))]);
    check("swipe:sideways", &[]);
    check("rotate", &[Deed::Rotate(None)]);
}

#[test]
fn a_widget_that_is_called_like_the_whole_action_is_meant() {
    check("scroll:down", &[Deed::Tap(35, 10)]);
}

#[test]
fn typing_replaces_what_stands_in_the_field() {
    let text = Deed::Type("x".into());
    check("type:x", &[Deed::Tap(50, 30), Deed::Erase(3), text.clone()]);
    check(
        r#"{"do":"type","on":{"id":"name"},"text":"x"}"#,
        &[Deed::Tap(50, 30), Deed::Erase(3), text],
    );
}

#[test]
fn acts_find_their_widgets_and_fall_back_to_coordinates() {
    check(
        r#"{"do":"hold","on":{"id":"more"}}"#,
        &[Deed::Stroke {
            from: (15, 10),
            to: (15, 10),
            millis: 1000,
        }],
    );
    check(r#"{"do":"tap","on":{"id":"gone"}}"#, &[]);
    check(
        r#"{"do":"tap","on":{"at":[7,8],"id":"gone"}}"#,
        &[Deed::Tap(5, 10)],
    );
    check(
        r#"{"do":"tap","on":{"at":[99,45],"id":"gone"}}"#,
        &[Deed::Tap(99, 45)],
    );
    check("Tap(3.4, 7.6, 0)", &[Deed::Tap(3, 8)]);
}

#[test]
fn the_recorded_and_the_resolved_target_are_both_told() {
    let aim = deeds(
        r#"{"do":"tap","on":{"id":"save_it"}}"#,
        &window(XML).unwrap(),
    )
    .unwrap()
    .aim
    .unwrap();
    assert_eq!(aim.recorded, r#"{"id":"save_it"}"#);
    assert_eq!(
        aim.resolved,
        r#"{"at":[5,10],"class":"Button","id":"save_it"}"#
    );
    assert_eq!(aim.how, "everything");
}

#[test]
fn hostile_actions_are_only_words() {
    for action in ["", ":", "{", "{}", "\"", "tap:'; reboot", "(", "type:"] {
        let _ = deeds(action, &window(XML).unwrap());
        let _ = deeds(action, &window("<hierarchy/>").unwrap());
    }
}
