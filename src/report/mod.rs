//! What a reduction tells about itself: the data of `report.json` and the files made from it.

mod attestation;
mod certainty;
mod certificate;
mod claims;
mod cover;
mod data;
mod duration;
mod explain;
mod explore;
mod facts;
mod html;
mod json;
mod junit;
mod markdown;
mod minimize;
mod number;
mod restored;
mod review;
mod schema;
mod shadow;
mod shard;
mod since;
mod source;
mod strip;
mod summary;
mod system;
mod text;

#[cfg(test)]
mod sample;

use std::io::{self, Write};

pub use attestation::{ATTESTATION, PREDICATE, STATEMENT, SUBJECTS, predicate, write_attestation};
pub use certificate::{
    Beyond, Certificate, CertifiedTrace, FileDigest, Fragment, JournalDigest, Line, RunEntry,
    RunMode, RunOutcome, run_sha256, trace_sha256,
};
pub use claims::{canonical, claims, claims_sha256, seal};
pub use cover::{CoverReport, cover_summary};
pub use data::{
    Bound, Choice, Cost, Cut, Device, Dropped, Expensive, Gone, LimitHit, PhaseSize, PhaseUse,
    Removed, Report, SeenCount, Side, Subject, Validated, Validation, Witness,
};
pub use duration::human_seconds;
pub use explain::{
    ElementFate, ElementState, ElementStory, Explanation, KeptStory, Piece, Sighting, Sole,
    TraceFate, TraceStory, explained,
};
pub use explore::{
    Actions, DeniedAction, ExploreReport, FaultPlace, FollowedTrace, GrowthPoint, explore_summary,
    growth_line, write_page as write_explore_page,
};
pub use minimize::{
    BEHAVIOUR, BlindRule, Check, DeviceUse, Length, MinimizeReport, Minimized, NotReproduced,
    OracleUse, PrivateBytes, PrivateStep, minimize_summary,
};
pub use restored::Restored;
pub use review::{ErrorReport, Reviewed, review_page};
#[cfg(test)]
pub(crate) use sample::sample;
pub use schema::schema;
pub use shadow::{
    FlakyTest, Gate, MissedBuild, MissedFailure, Rate, ShadowReport, Unpaired, shadow_summary,
};
pub use shard::{Shard, ShardReport, shard_summary};
pub use since::{Changed, Followed, Since};
pub use strip::{Frame, Strip, strips};
pub use summary::summary;
pub use system::{Screen, System, Transition};
pub use text::visible;

/// The version of `report.json` that this crate writes.
pub const VERSION: u32 = 1;

/// One way to show a report.
#[derive(Debug, Clone, Copy)]
pub struct Renderer {
    /// The word that chooses it.
    pub name: &'static str,
    /// The file it fills in the output folder.
    pub file: &'static str,
    /// Writes the whole file.
    pub render: fn(&Shown, &mut dyn Write) -> io::Result<()>,
}

/// What is shown: a report and the traces it speaks of.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// The report.
    pub report: &'a Report,
    /// The reduced traces; empty where they are not at hand.
    pub strips: &'a [Strip],
}

/// Every renderer there is.
#[must_use]
pub fn all() -> &'static [Renderer] {
    &[
        json::RENDERER,
        markdown::RENDERER,
        html::RENDERER,
        junit::RENDERER,
    ]
}

#[cfg(test)]
mod tests {
    use super::sample::{hostile, rendered};
    use super::{all, sample};

    #[test]
    fn every_renderer_writes_the_same_bytes_twice_and_ends_with_a_newline() {
        for renderer in all() {
            let text = rendered(renderer, &sample());
            assert_eq!(text, rendered(renderer, &sample()), "{}", renderer.name);
            assert!(text.ends_with('\n'), "{}", renderer.name);
        }
    }

    #[test]
    fn renderers_have_their_own_names_and_files() {
        let files: Vec<&str> = all().iter().map(|renderer| renderer.file).collect();
        assert_eq!(
            files,
            ["report.json", "report.md", "report.html", "junit.xml"]
        );
        let names: Vec<&str> = all().iter().map(|renderer| renderer.name).collect();
        assert_eq!(names, ["json", "markdown", "html", "junit"]);
    }

    #[test]
    fn no_renderer_for_people_passes_on_what_an_app_could_inject() {
        for renderer in all().iter().filter(|renderer| renderer.name != "json") {
            let text = rendered(renderer, &hostile());
            // A page has scripts of its own in front of what it shows.
            let text = text
                .split_once("<body>")
                .map_or(text.as_str(), |(_, body)| body);
            for bad in ["<script", "\u{1b}", "\u{202e}", "\0", "\u{ffff}"] {
                assert!(!text.contains(bad), "{}: {bad:?}", renderer.name);
            }
        }
    }
}
