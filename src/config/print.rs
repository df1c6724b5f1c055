//! Shows every option with the value that holds and where it came from, as TOML.

use super::Resolved;

/// Values longer than this do not push the comments of the others to the right.
const WIDEST: usize = 44;

/// Every option as TOML, each with a comment that says where its value came from.
#[must_use]
pub fn print_config(resolved: &Resolved) -> String {
    let rows: Vec<Row> = resolved
        .settings
        .iter()
        .map(|(key, setting)| {
            let (table, name) = key.rsplit_once('.').unwrap_or(("", key));
            Row {
                table,
                name,
                value: setting.value.to_string(),
                // A path may hold anything, but a comment ends with the line.
                origin: setting.origin.to_string().replace(char::is_control, "?"),
            }
        })
        .collect();
    let name_width = widest(rows.iter().map(|row| row.name));
    let value_width = widest(rows.iter().map(|row| row.value.as_str()));
    let mut lines = Vec::new();
    let mut table = "";
    for row in &rows {
        if row.table != table {
            table = row.table;
            lines.push(format!("\n[{table}]\n"));
        }
        let (name, value, origin) = (row.name, &row.value, &row.origin);
        lines.push(format!(
            "{name:name_width$} = {value:value_width$}  # {origin}\n"
        ));
    }
    lines.concat()
}

struct Row<'a> {
    table: &'a str,
    name: &'a str,
    value: String,
    origin: String,
}

fn widest<'a>(texts: impl Iterator<Item = &'a str>) -> usize {
    let widths = texts.map(|text| text.chars().count());
    widths.filter(|width| *width <= WIDEST).max().unwrap_or(0)
}
