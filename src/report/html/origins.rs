//! What became of each recorded trace: kept whole, kept in part, or gone.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use super::anchor::{Anchors, Piece, origins};
use super::page::Page;
use super::table::{Cell, List, Row, Table, Tone};
use crate::report::number::and_more;
use crate::report::text::html;
use crate::report::{Dropped, Report, Shown};

/// Room for the rows of these lists, in bytes.
const KEPT: usize = 700_000;
const REMOVED: usize = 1_900_000;

/// How many pieces of one trace are named.
const PIECES: usize = 30;

/// Recorded traces that the output has pieces of.
pub(super) fn kept(shown: &Shown, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let mut dropped: BTreeMap<&str, Vec<&Dropped>> = BTreeMap::new();
    for piece in &shown.report.dropped {
        dropped.entry(&piece.trace).or_default().push(piece);
    }
    let rows = origins(shown).into_rows();
    let rows = rows.iter().map(|(trace, pieces)| {
        let gone = dropped.get(trace).map_or(&[][..], Vec::as_slice);
        let cells = if pieces.is_empty() && gone.is_empty() {
            vec![
                Cell::name(trace),
                Cell::text("its launch"),
                Cell::text("all of its steps"),
            ]
        } else {
            vec![
                Cell::name(trace),
                kept_pieces(pieces, anchors),
                dropped_pieces(gone, anchors).wide(),
            ]
        };
        Row::at(anchors.recorded_id(trace), cells)
    });
    let table = Table {
        list: List {
            id: "kept",
            title: "Kept traces",
            about: "Recorded traces that the new suite has pieces of. A piece that is not needed is \
                    a loop (it leads back to the screen it started on), a head or a detour (another \
                    way leads to what is kept), a tail (nothing behind it is needed) or unstable \
                    (replays leave the recording there). Steps count from 0.",
            tone: Tone::Calm,
        },
        head: &["trace", "kept", "not needed, and where it is covered now"],
        room: KEPT,
    };
    table.write(page, rows)
}

fn kept_pieces(pieces: &BTreeSet<Piece>, anchors: &Anchors) -> Cell {
    let piece = |&(first, last, reduced): &Piece| {
        format!("{} in {}", steps(first, last), anchors.to_reduced(reduced))
    };
    Cell::listed(pieces.iter().map(piece))
}

fn dropped_pieces(pieces: &[&Dropped], anchors: &Anchors) -> Cell {
    if pieces.is_empty() {
        return Cell::text("nothing: kept as a whole");
    }
    let parts = pieces.iter().take(PIECES).map(|piece| {
        let now = links(&piece.now, anchors);
        let now = if now.is_empty() {
            String::new()
        } else {
            format!(" → {}", now.join(" "))
        };
        let steps = steps(piece.first, piece.last);
        format!("{} <b>{}</b>{now}", steps, html(&piece.why))
    });
    let parts: Vec<String> = parts.collect();
    let more = and_more(pieces.len() - parts.len());
    Cell::safe(parts.join("<br>") + &more)
}

fn links(names: &[String], anchors: &Anchors) -> Vec<String> {
    names.iter().map(|name| anchors.to_reduced(name)).collect()
}

/// Some steps of a trace, as `3` or `3–7`.
pub(super) fn steps(first: u32, last: u32) -> String {
    if first == last {
        first.to_string()
    } else {
        format!("{first}–{last}")
    }
}

/// Recorded traces that the output does not contain.
pub(super) fn removed(report: &Report, anchors: &Anchors, page: &mut Page) -> io::Result<()> {
    let rows = report.removed.iter().map(|removed| {
        let by = removed.covered_by.iter();
        let cells = vec![
            Cell::name(&removed.trace),
            Cell::text(&removed.why),
            Cell::listed(links(&removed.now, anchors)),
            Cell::listed(by.map(|name| anchors.to_recorded(name))),
        ];
        Row::at(anchors.recorded_id(&removed.trace), cells)
    });
    let table = Table {
        list: List {
            id: "removed",
            title: "Removed traces",
            about: "Recorded traces that the new suite does not contain: redundant ones add nothing \
                    to the others, the elements of spliced ones are covered on new ways, unstable \
                    ones do not replay.",
            tone: Tone::Calm,
        },
        head: &["trace", "why", "covered now by", "with steps of"],
        room: REMOVED,
    };
    table.write(page, rows)
}
