//! Apps that load their parts all at once.

use reduce_suite::model::window::Widget;

use super::support::{device, has_browser, start};

#[test]
fn parts_that_are_loaded_at_once_come_in_the_same_order_at_every_start() {
    if !has_browser() {
        return;
    }
    let mut device = device("web-modules", |_| {});
    for attempt in 0..8 {
        device.start(start(attempt)).expect("it starts");
        let window = device.window().expect("it shows a window");
        let buttons = window.widgets.iter().filter(|w| w.class == "button");
        let words: Vec<&str> = buttons.map(Widget::label).collect();
        assert_eq!(
            words,
            [
                "pen", "brush", "line", "circle", "star", "arrow", "text", "zoom"
            ],
            "start {attempt}"
        );
    }
}
