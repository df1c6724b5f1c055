//! Tables of cells that cannot hold unescaped text, and that end before a page gets too large.

use std::io::{self, Write as _};

use super::page::Page;
use crate::report::number::{and_more, grouped};
use crate::report::text::{html, html_escaped};

/// So many rows are shown before somebody asks for all.
pub(super) const FIRST: usize = 20;

/// Up to this many rows a list is open without the script that shows the first few only.
const OPEN: usize = 1_000;

/// How many names a cell shows.
const NAMED: usize = 12;

/// Safe content of a cell.
pub(super) struct Cell {
    class: &'static str,
    inner: String,
}

impl Cell {
    /// A sentence or a word.
    pub(super) fn text(text: &str) -> Self {
        Self::safe(html(text))
    }

    /// A figure, on one line.
    pub(super) fn figure(text: &str) -> Self {
        let inner = html(text);
        let class = " class=\"n\"";
        Self { class, inner }
    }

    /// A name that the app or a file provided.
    pub(super) fn name(name: &str) -> Self {
        Self::noted([(name, String::new())])
    }

    /// Names, each with a plain remark behind it.
    pub(super) fn noted<'a>(names: impl IntoIterator<Item = (&'a str, String)>) -> Self {
        let code =
            |(name, note): (&str, String)| format!("<code>{}</code>{}", html(name), html(&note));
        Self::listed(names.into_iter().map(code))
    }

    /// Parts that are escaped already, of which the first few are shown.
    pub(super) fn listed(parts: impl IntoIterator<Item = String>) -> Self {
        let mut parts = parts.into_iter();
        let first: Vec<String> = parts.by_ref().take(NAMED).collect();
        let more = and_more(parts.count());
        Self::safe(first.join(", ") + &more)
    }

    /// What is escaped already.
    pub(super) fn safe(inner: String) -> Self {
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

/// A row of a table, and its place where something links to it.
pub(super) struct Row {
    id: Option<String>,
    cells: Vec<Cell>,
}

impl Row {
    /// A row that links can lead to.
    pub(super) fn at(id: Option<String>, cells: Vec<Cell>) -> Self {
        Self { id, cells }
    }

    fn line(&self) -> String {
        let cell = |cell: &Cell| format!("<td{}>{}</td>", cell.class, cell.inner);
        let cells: String = self.cells.iter().map(cell).collect();
        let id = self.id.as_ref();
        let id = id.map_or_else(String::new, |id| format!(" id=\"{id}\""));
        format!("<tr{id}>{cells}</tr>\n")
    }
}

impl From<Vec<Cell>> for Row {
    fn from(cells: Vec<Cell>) -> Self {
        Self { id: None, cells }
    }
}

/// How much a section wants to be seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// It is there for those who look for it.
    Calm,
    /// It is there for those who look for it, and folded because it is long.
    Folded,
    /// Somebody should know.
    Warning,
    /// Somebody has to act.
    Alarm,
}

/// A section that can be folded and holds a list of things.
pub(super) struct List<'a> {
    /// Its place on the page.
    pub(super) id: &'a str,
    /// Heading of the section.
    pub(super) title: &'a str,
    /// What the things are, in a sentence.
    pub(super) about: &'a str,
    /// How much the section wants to be seen.
    pub(super) tone: Tone,
}

impl List<'_> {
    /// Writes what comes before the things.
    pub(super) fn begin(&self, page: &mut Page, total: usize) -> io::Result<()> {
        let folded = total > OPEN || self.tone == Tone::Folded;
        let open = if folded { "" } else { " open" };
        let tone = match self.tone {
            Tone::Calm | Tone::Folded => "",
            Tone::Warning => " warning",
            Tone::Alarm => " alarm",
        };
        writeln!(
            page,
            "<details class=\"list{tone}\" id=\"{}\"{open}>\n<summary><h2>{}</h2> \
             <span class=\"count\">{}</span></summary>\n<p class=\"about\">{}</p>",
            self.id,
            html(self.title),
            grouped(total),
            html_escaped(self.about)
        )
    }

    /// Writes what comes behind the things.
    pub(super) fn end(page: &mut Page, left_out: usize) -> io::Result<()> {
        if left_out > 0 {
            let verb = if left_out == 1 { " is" } else { "s are" };
            writeln!(
                page,
                "<p class=\"capped\">{} more row{verb} not on this page, which would be too \
                 large: see <code>report.json</code>.</p>",
                grouped(left_out)
            )?;
        }
        writeln!(page, "</details>")
    }
}

/// A folding section with a table in it.
pub(super) struct Table<'a> {
    /// The section.
    pub(super) list: List<'a>,
    /// Heads of the columns.
    pub(super) head: &'a [&'a str],
    /// How many bytes of rows there is room for.
    pub(super) room: usize,
}

impl Table<'_> {
    /// Writes the table; no rows, no table.
    pub(super) fn write<R: Into<Row>>(
        &self,
        page: &mut Page,
        rows: impl ExactSizeIterator<Item = R>,
    ) -> io::Result<()> {
        let total = rows.len();
        if total == 0 {
            return Ok(());
        }
        self.list.begin(page, total)?;
        let shown = self.write_rows(page, rows)?;
        List::end(page, total - shown)
    }

    /// Writes rows until the table is large enough, and says how many.
    fn write_rows<R: Into<Row>>(
        &self,
        page: &mut Page,
        rows: impl Iterator<Item = R>,
    ) -> io::Result<usize> {
        let label = html(self.list.title);
        writeln!(
            page,
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\">\n\
             <table>\n<thead><tr>"
        )?;
        for name in self.head {
            write!(page, "<th scope=\"col\">{}</th>", html(name))?;
        }
        writeln!(page, "</tr></thead>\n<tbody>")?;
        let (mut shown, mut size, room) = (0, 0, page.room(self.room));
        for row in rows {
            let line = row.into().line();
            size += line.len();
            if size > room {
                break;
            }
            if shown == FIRST {
                // What the script hides until somebody asks for it.
                writeln!(page, "</tbody>\n<tbody class=\"rest\">")?;
            }
            page.write_all(line.as_bytes())?;
            shown += 1;
        }
        writeln!(page, "</tbody>\n</table>\n</div>")?;
        Ok(shown)
    }
}
