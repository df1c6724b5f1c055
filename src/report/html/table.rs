//! Tables of cells that cannot hold unescaped text, and that end before a page gets too large.

use std::io::{self, Write};

use crate::report::number::{and_more, grouped};
use crate::report::text::html;

/// Up to this many rows a table is shown open.
const SHOWN: usize = 30;

/// Safe content of a cell.
pub(super) struct Cell {
    class: &'static str,
    inner: String,
}

impl Cell {
    /// A sentence or a word.
    pub(super) fn text(text: &str) -> Self {
        let inner = html(text);
        Self { class: "", inner }
    }

    /// A figure, aligned to the right.
    pub(super) fn figure(text: &str) -> Self {
        let inner = html(text);
        let class = " class=\"n\"";
        Self { class, inner }
    }

    /// A name that the app or a file provided.
    pub(super) fn name(name: &str) -> Self {
        Self::names([name])
    }

    /// Several such names, of which the first few are shown.
    pub(super) fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self::noted(names.into_iter().map(|name| (name, String::new())))
    }

    /// Names, each with a plain remark behind it.
    pub(super) fn noted<'a>(names: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let mut names = names.into_iter();
        let code =
            |(name, note): (&str, String)| format!("<code>{}</code>{}", html(name), html(&note));
        let inner = names
            .by_ref()
            .take(6)
            .map(code)
            .collect::<Vec<_>>()
            .join(", ");
        let inner = inner + &and_more(names.count());
        Self { class: "", inner }
    }

    /// The same cell with a plain word behind it that catches the eye.
    pub(super) fn flagged(mut self, flag: Option<&str>) -> Self {
        if let Some(flag) = flag {
            let flag = html(flag);
            let pill = [" <span class=\"pill warn\">", &flag, "</span>"];
            self.inner.extend(pill);
        }
        self
    }

    /// The same cell with room for its words on a small screen.
    pub(super) fn wide(mut self) -> Self {
        self.class = " class=\"w\"";
        self
    }

    /// The same cell, marked as bad news.
    pub(super) fn bad_if(mut self, bad: bool) -> Self {
        if bad {
            self.class = " class=\"n alarm\"";
        }
        self
    }
}

/// How much a section wants to be seen.
#[derive(Clone, Copy)]
pub(super) enum Tone {
    /// It is there for those who look for it.
    Calm,
    /// Somebody should know.
    Warning,
    /// Somebody has to act.
    Alarm,
}

/// A folded section with a table in it.
pub(super) struct Table<'a> {
    /// Heading of the section.
    pub(super) title: &'a str,
    /// What the rows are, in a sentence.
    pub(super) about: &'a str,
    /// Heads of the columns.
    pub(super) head: &'a [&'a str],
    /// How much the section wants to be seen.
    pub(super) tone: Tone,
    /// How many bytes of rows there is room for.
    pub(super) room: usize,
}

impl Table<'_> {
    /// Writes the table; no rows, no table.
    pub(super) fn write(
        &self,
        out: &mut dyn Write,
        rows: impl ExactSizeIterator<Item = Vec<Cell>>,
    ) -> io::Result<()> {
        let total = rows.len();
        if total == 0 {
            return Ok(());
        }
        let open = if total <= SHOWN { " open" } else { "" };
        let tone = match self.tone {
            Tone::Calm => "",
            Tone::Warning => " warning",
            Tone::Alarm => " alarm",
        };
        writeln!(
            out,
            "<details class=\"list{tone}\"{open}>\n<summary><h2>{}</h2> \
             <span class=\"count\">{}</span></summary>\n<p>{}</p>",
            html(self.title),
            grouped(total),
            html(self.about)
        )?;
        let shown = self.write_rows(out, rows)?;
        if shown < total {
            let more = grouped(total - shown);
            writeln!(
                out,
                "<p>{more} more rows are in <code>report.json</code>.</p>"
            )?;
        }
        writeln!(out, "</details>")
    }

    /// Writes rows until the table is large enough, and says how many.
    fn write_rows(
        &self,
        out: &mut dyn Write,
        rows: impl Iterator<Item = Vec<Cell>>,
    ) -> io::Result<usize> {
        let label = html(self.title);
        writeln!(
            out,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">\n\
             <table>\n<thead><tr>"
        )?;
        for name in self.head {
            write!(out, "<th scope=\"col\">{}</th>", html(name))?;
        }
        writeln!(out, "</tr></thead>\n<tbody>")?;
        let (mut shown, mut size) = (0, 0);
        for row in rows {
            let line = row_line(&row);
            size += line.len();
            if size > self.room {
                break;
            }
            out.write_all(line.as_bytes())?;
            shown += 1;
        }
        writeln!(out, "</tbody>\n</table>\n</div>")?;
        Ok(shown)
    }
}

fn row_line(row: &[Cell]) -> String {
    let cell = |cell: &Cell| format!("<td{}>{}</td>", cell.class, cell.inner);
    let cells: String = row.iter().map(cell).collect();
    format!("<tr>{cells}</tr>\n")
}
