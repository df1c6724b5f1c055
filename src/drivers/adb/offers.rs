//! What can be done on a window, for explorers.

use crate::model::act::{Act, Side, Target, Verb};
use crate::model::window::Window;

/// What explorers type.
const TEXT: &str = "text";

/// The actions that a window takes: its widgets' in their order, then the way back.
pub(super) fn offers(window: &Window) -> Vec<String> {
    let mut acts = Vec::new();
    for (index, widget) in window.widgets.iter().enumerate() {
        if widget.state.disabled {
            continue;
        }
        let takes = widget.takes;
        let verbs = [
            ((takes.taps || takes.ticks) && !takes.types, Verb::Tap),
            (takes.holds && !takes.types, Verb::Hold),
            (takes.types, Verb::Type(TEXT.to_owned())),
            (takes.swipes, Verb::Scroll(Side::Down)),
            (takes.swipes, Verb::Scroll(Side::Up)),
        ];
        for (_, verb) in verbs.into_iter().filter(|(takes, _)| *takes) {
            acts.push(Act::on(verb, Target::of(window, index)).to_string());
        }
    }
    acts.push(Act::plain(Verb::Back).to_string());
    acts
}

#[cfg(test)]
mod tests {
    use super::offers;
    use crate::import::dump::window;

    #[test]
    fn every_widget_offers_what_it_takes_and_the_way_back_comes_last() {
        let xml = r#"<hierarchy><node class="F"><node class="Button" resource-id="a:id/ok" clickable="true" long-clickable="true"/>
            <node class="EditText" resource-id="a:id/name" clickable="true"/><node class="ListView" resource-id="a:id/l" scrollable="true"/>
            <node class="Button" resource-id="a:id/no" clickable="true" enabled="false"/></node></hierarchy>"#;
        let expect = [
            r#"{"do":"tap","on":{"id":"ok"}}"#,
            r#"{"do":"hold","on":{"id":"ok"}}"#,
            r#"{"do":"type","on":{"id":"name"},"text":"text"}"#,
            r#"{"do":"scroll","on":{"id":"l"},"to":"down"}"#,
            r#"{"do":"scroll","on":{"id":"l"},"to":"up"}"#,
            r#"{"do":"back"}"#,
        ];
        assert_eq!(offers(&window(xml).unwrap()), expect);
    }
}
