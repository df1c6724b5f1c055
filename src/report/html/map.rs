//! The map of the app: its screens and transitions as a picture, and the same as tables.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use super::layout::{HEIGHT, Layout, WIDTH, layout};
use super::page::Page;
use super::table::{Cell, List, Row, Table, Tone};
use crate::report::number::{counted, grouped};
use crate::report::text::{html, html_escaped, visible};
use crate::report::{Report, Screen, System, Transition};

/// Room for the picture and for each table, in bytes.
const PICTURE: usize = 800_000;
const TABLE: usize = 500_000;

/// How broad a label may be, beside the mark of screens that lead to themselves.
const LABEL: f64 = WIDTH - 24.0;

/// The picture; no screens, no picture.
pub(super) fn map(report: &Report, page: &mut Page) -> io::Result<()> {
    let system = &checked(&report.system);
    if system.screens.is_empty() {
        return Ok(());
    }
    let layout = layout(system);
    writeln!(
        page,
        "<section id=\"map\">\n<h2>Map of the app</h2>\n<p>{}</p>\n\
         <div class=\"legend\" aria-hidden=\"true\"><span class=\"key kept\">still visited</span> \
         <span class=\"key gone\">recorded only</span> <span class=\"key launch\">launch</span></div>\n\
         <div class=\"chart\">",
        html_escaped(&about(system))
    )?;
    let edges_left_out = picture(system, &layout, page)?;
    writeln!(
        page,
        "</div>\n<div class=\"told\" aria-live=\"polite\"></div>"
    )?;
    let screens_left_out = system.screens.len() - layout.places.len();
    let left_out = [
        (screens_left_out, "screen"),
        (system.left_out + edges_left_out, "transition"),
    ];
    for (count, noun) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        let verb = if count == 1 { "is" } else { "are" };
        writeln!(
            page,
            "<p class=\"capped\">{} {verb} not drawn, to keep the map readable.</p>",
            counted(count, noun)
        )?;
    }
    writeln!(page, "</section>")
}

/// The system without what points nowhere, as a report from elsewhere may.
fn checked(system: &System) -> System {
    let mut system = system.clone();
    let screens = system.screens.len();
    let all = system.transitions.len();
    let inside = |one: &Transition| one.from < screens && one.to < screens;
    system.transitions.retain(inside);
    system.left_out += all - system.transitions.len();
    system
}

fn about(system: &System) -> String {
    let kept = |counts: &mut dyn Iterator<Item = usize>| counts.filter(|&kept| kept > 0).count();
    let screens = kept(&mut system.screens.iter().map(|screen| screen.kept));
    let transitions = kept(&mut system.transitions.iter().map(|one| one.kept));
    format!(
        "The new suite still visits {} of {} and takes {} of {}. Transitions that add no coverage \
         need not be taken.",
        grouped(screens),
        counted(system.screens.len(), "screen"),
        grouped(transitions),
        counted(system.transitions.len() + system.left_out, "transition"),
    )
}

/// Draws the map and says how many transitions had no room.
fn picture(system: &System, layout: &Layout, page: &mut Page) -> io::Result<usize> {
    let (width, height) = layout.size;
    writeln!(
        page,
        "<svg id=\"system\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-label=\"Map of screens and transitions; the \
         tables below say the same.\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" \
         refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" markerUnits=\"userSpaceOnUse\" \
         orient=\"auto\"><path d=\"M0 0.5 8 4 0 7.5z\"/></marker></defs>"
    )?;
    let (mut size, mut left_out, room) = (0, 0, page.room(PICTURE) / 2);
    let pairs = layout.edges.iter().filter(|((from, to), _)| from != to);
    // What is kept is drawn last, above the rest.
    let kept = |indices: &[usize]| indices.iter().any(|&idx| system.transitions[idx].kept > 0);
    let (above, below): (Vec<_>, Vec<_>) = pairs.partition(|(_, indices)| kept(indices));
    let groups = [("gone", below), ("kept", above)];
    for (class, pairs) in &groups {
        writeln!(page, "<g class=\"edges {class}\">")?;
        for (ends, indices) in pairs {
            let line = edge(system, layout, **ends, indices);
            size += line.len();
            // Half of the room each, so that the many do not crowd out what matters.
            if size > if *class == "gone" { room / 2 } else { room } {
                left_out += indices.len();
                size -= line.len();
            } else {
                page.write_all(line.as_bytes())?;
            }
        }
        writeln!(page, "</g>")?;
    }
    for (&idx, &at) in &layout.places {
        let loops = layout.edges.get(&(idx, idx));
        let loops = loops.map_or(&[][..], Vec::as_slice);
        let mut line = node(system, idx, at, loops);
        size += line.len();
        if size > 2 * room {
            left_out += loops.len();
            line = node(system, idx, at, &[]);
        }
        page.write_all(line.as_bytes())?;
    }
    writeln!(page, "</svg>")?;
    Ok(left_out)
}

/// All transitions from one screen to another as one line.
fn edge(system: &System, layout: &Layout, (from, to): (usize, usize), indices: &[usize]) -> String {
    let path = curve(layout.places[&from], layout.places[&to]);
    let mut title = title(&system.screens[from]);
    let _ = write!(title, " → {}", self::title(&system.screens[to]));
    for &idx in indices {
        let _ = write!(title, "\n{}", way(&system.transitions[idx]));
    }
    format!(
        "<path data-from=\"{from}\" data-to=\"{to}\" d=\"{path}\"><title>{title}</title></path>\n"
    )
}

/// A line from one box to another; ways back run a little below ways there.
fn curve(from: (f64, f64), to: (f64, f64)) -> String {
    let middle = HEIGHT / 2.0;
    let ((start, end), (up, down), bends) = if from.0 + 1.0 < to.0 {
        let (left, right) = (from.0 + WIDTH, to.0);
        let bend = ((right - left) / 2.0).max(20.0);
        let heights = (from.1 + middle - 3.0, to.1 + middle - 3.0);
        ((left, right), heights, (bend, -bend))
    } else if to.0 + 1.0 < from.0 {
        let (left, right) = (from.0, to.0 + WIDTH);
        let bend = ((left - right) / 2.0).max(20.0);
        let heights = (from.1 + middle + 4.0, to.1 + middle + 4.0);
        ((left, right), heights, (-bend, bend))
    } else {
        let bend = 14.0 + (to.1 - from.1).abs() / 12.0;
        let side = from.0 + WIDTH;
        let heights = (from.1 + middle, to.1 + middle);
        ((side, side), heights, (bend, bend))
    };
    let (first, second) = (start + bends.0, end + bends.1);
    format!("M{start:.0} {up:.0}C{first:.0} {up:.0} {second:.0} {down:.0} {end:.0} {down:.0}")
}

fn title(screen: &Screen) -> String {
    html(&screen.name)
}

/// A transition in a line: its action and how often it is taken.
fn way(one: &Transition) -> String {
    let action = html(&one.action);
    format!("{action} · {}", often(one.seen, one.kept))
}

fn often(seen: usize, kept: usize) -> String {
    let kept = match kept {
        0 => "not any more".to_owned(),
        kept => format!("{}× now", grouped(kept)),
    };
    format!("{}× recorded, {kept}", grouped(seen))
}

/// The box of a screen.
fn node(system: &System, idx: usize, (x, y): (f64, f64), loops: &[usize]) -> String {
    let screen = &system.screens[idx];
    let state = if screen.kept > 0 { "kept" } else { "gone" };
    let launch = if screen.launch { " launch" } else { "" };
    let mut told = format!("{}\n{}", title(screen), often(screen.seen, screen.kept));
    for &idx in loops {
        let _ = write!(told, "\n↻ {}", way(&system.transitions[idx]));
    }
    let mark = if loops.is_empty() { "" } else { " ↻" };
    format!(
        "<g class=\"node {state}{launch}\" id=\"screen-{idx}\" transform=\"translate({x:.0} \
         {y:.0})\"><title>{told}</title><rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"7\"/>\
         <text x=\"{}\" y=\"17\">{}{mark}</text></g>\n",
        WIDTH / 2.0,
        html(&label(&screen.name)),
    )
}

/// A name that fits into a box.
fn label(name: &str) -> String {
    let name = visible(name);
    if name.chars().map(breadth).sum::<f64>() <= LABEL {
        return name.into_owned();
    }
    let mut used = breadth('…');
    let fits = name.chars().take_while(|&c| {
        used += breadth(c);
        used <= LABEL
    });
    fits.collect::<String>() + "…"
}

/// How broad a character is at most, in the fonts that the page may be shown in.
fn breadth(c: char) -> f64 {
    match c {
        'f' | 'i' | 'j' | 'l' | 'r' | 't' | ' ' | '.' | ',' | ':' | ';' | '!' | '|' | '-' => 5.0,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '…' => 12.0,
        'a'..='z' | '0'..='9' | '_' | '/' => 7.7,
        c if u32::from(c) < 0x1100 => 9.5,
        _ => 12.5,
    }
}

/// The same as tables.
pub(super) fn tables(report: &Report, page: &mut Page) -> io::Result<()> {
    let system = &checked(&report.system);
    let drawn = layout(system).places;
    let screens = system.screens.iter().enumerate().map(|(idx, screen)| {
        let name = html(&screen.name);
        let name = if drawn.contains_key(&idx) {
            format!("<a href=\"#screen-{idx}\">{name}</a>")
        } else {
            format!("<code>{name}</code>")
        };
        Row::from(vec![
            Cell::safe(name).flagged(screen.launch.then_some("launch")),
            Cell::figure(&grouped(screen.seen)),
            Cell::figure(&grouped(screen.kept)),
        ])
    });
    let table = Table {
        list: List {
            id: "screens",
            title: "Screens",
            about: "How often the recording shows each screen, and how often the new suite does.",
            tone: Tone::Folded,
        },
        head: &["screen", "recorded", "now"],
        room: TABLE,
    };
    table.write(page, screens)?;
    let name = |idx: usize| Cell::name(&system.screens[idx].name);
    let transitions = system.transitions.iter().map(|one| {
        vec![
            name(one.from),
            Cell::name(&one.action),
            name(one.to),
            Cell::figure(&grouped(one.seen)),
            Cell::figure(&grouped(one.kept)),
        ]
    });
    let table = Table {
        list: List {
            id: "transitions",
            title: "Transitions",
            about: "How often the recording takes each transition, and how often the new suite does.",
            tone: Tone::Folded,
        },
        head: &["from", "action", "to", "recorded", "now"],
        room: TABLE,
    };
    table.write(page, transitions)
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn a_label_fits_its_box_and_says_when_it_is_cut() {
        assert_eq!(label("Home"), "Home");
        assert_eq!(label("SearchResults"), "SearchResults");
        assert_eq!(label("SettingsOfTheApplication"), "SettingsOfTheA…");
        assert_eq!(label("WWWWWWWWWWWWWWW"), "WWWWWWWWW…");
        assert_eq!(label("設定設定設定設定設定設定"), "設定設定設定設定…");
        assert_eq!(label("a\u{202e}b"), "a\\u{202e}b");
    }
}
