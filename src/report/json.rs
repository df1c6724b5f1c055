//! `report.json`: the report as it is.

use std::io::{self, Write};

use super::{Renderer, Shown};

pub(super) const RENDERER: Renderer = Renderer {
    name: "json",
    file: "report.json",
    render,
};

fn render(shown: &Shown, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, shown.report)?;
    writeln!(out)
}

#[cfg(test)]
mod tests {
    use super::RENDERER;
    use crate::report::sample::{hostile, rendered, sample};
    use crate::report::{Report, Witness};

    #[test]
    fn a_report_survives_the_way_to_the_file_and_back() {
        for report in [sample(), hostile()] {
            let text = rendered(&RENDERER, &report);
            let back: Report = serde_json::from_str(&text).unwrap();
            assert_eq!(back, report);
        }
    }

    #[test]
    fn a_launch_is_witnessed_by_no_step() {
        let witness = Witness {
            trace: "r1".to_owned(),
            step: None,
            runs: 10,
        };
        let text = serde_json::to_string(&witness).unwrap();
        assert_eq!(text, r#"{"trace":"r1","step":null,"runs":10}"#);
    }

    #[test]
    fn a_field_of_a_later_tool_is_ignored() {
        let mut value = serde_json::to_value(sample()).unwrap();
        value["added_later"] = 1.into();
        let back: Report = serde_json::from_value(value).unwrap();
        assert_eq!(back, sample());
    }
}
