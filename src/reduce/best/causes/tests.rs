//! What is found to decide actions, on small suites.

use super::*;
use crate::import::text::parse_suite;
use crate::model::{Names, Suite};
use crate::reduce::best::chance::{chance, contested, cover_numbers};

/// Whether the recordings tell what decides `action` on `screen`, and how many places that screen has then.
fn found(text: &str, screen: &str, action: &str) -> (bool, usize) {
    let (suite, mut names) = parse_suite(text).expect("the notation is right");
    let evidence = recorded(&suite);
    let causes = causes_of(&evidence, &mut Memory::default());
    let (screen, action) = (names.screen(screen), names.action(action));
    let signatures = causes.signatures(&evidence);
    let here = (0..evidence.len()).filter(|&node| evidence.prefix(node as Node).screen == screen);
    let signature = |node: usize| signatures.get(node).copied().unwrap_or(0);
    let places: FxHashSet<Signature> = here.map(signature).collect();
    (causes.is_decided(screen, action), places.len())
}

fn recorded(suite: &Suite) -> Evidence<'_> {
    let mut evidence = Evidence::new(suite);
    for (trace, _) in suite.traces() {
        evidence.record_trace(trace);
    }
    evidence
}

/// Lines with a step that is taken another number of times in each turn.
fn varied(lines: &str, step: &str, turns: impl Iterator<Item = usize>) -> String {
    turns
        .map(|at| lines.replace(" ..", &step.repeat(at)))
        .collect()
}

fn causes_of(evidence: &Evidence, memory: &mut Memory) -> Causes {
    let covers = cover_numbers(evidence);
    let pairs = contested(evidence, &covers);
    Causes::find(evidence, &covers, (&pairs, &chance(evidence)), memory)
}

/// Walks that switch something so many times, with other steps between, and then see what came of it.
fn switched(times: usize, between: usize, shows: &str) -> String {
    let mut line = "Home -settings-> Settings".to_owned();
    for _ in 0..times {
        line += " -switch-> Settings";
    }
    line += " -back-> Home";
    for at in 0..between {
        line.extend([" -other", &at.to_string(), "-> Home"]);
    }
    line + &format!(" -open-> {shows}\n")
}

#[test]
fn a_switch_that_decides_elsewhere_is_found_among_other_steps() {
    let mut text = String::new();
    for times in 0..4 {
        for between in 0..4 {
            let shows = if times % 2 == 1 { "Page" } else { "Login" };
            text += &switched(times, between, shows);
        }
    }
    assert_eq!(found(&text, "Home", "open"), (true, 2));
}

#[test]
fn what_chance_decides_has_no_cause() {
    let mut text = String::new();
    for (at, shows) in [0, 1, 1, 0, 1, 0, 0, 1, 1, 0, 1, 0, 0, 0, 1, 1]
        .iter()
        .enumerate()
    {
        text += &switched(at % 4, at / 4, ["Page", "Login"][*shows]);
    }
    assert_eq!(found(&text, "Home", "open"), (false, 1));
}

#[test]
fn back_leads_to_where_the_screen_was_entered_from() {
    let lines = "Home -page-> Page .. -back-> Home
                 Home -list-> List -page-> Page .. -back-> List
                 Home -page-> Page -back-> Home -list-> List -page-> Page .. -back-> List\n";
    let text = varied(lines, " -more-> Page", 0..6);
    assert_eq!(found(&text, "Page", "back"), (true, 2));
    assert_eq!(found(&text, "Home", "list"), (false, 1));
}

#[test]
fn nothing_is_kept_apart_where_a_register_does_not_matter() {
    let lines = "Home -form-> Form .. -fill-> Form -done-> Thanks -home-> Home
                 Home -form-> Form .. -done-> Form -back-> Home
                 Home -form-> Form -fill-> Form -back-> Home -form-> Form .. -done-> Form\n";
    let text = varied(lines, " -more-> Form", (0..8).map(|at| at % 3));
    assert_eq!(found(&text, "Form", "done"), (true, 2));
    assert_eq!(found(&text, "Home", "form"), (false, 1));
}

#[test]
fn what_was_found_is_looked_for_again_once_it_does_not_hold() {
    let lines: Vec<String> = (0..16)
        .map(|at| {
            let times = at % 2;
            switched(times, at / 2, ["Login", "Page"][times])
        })
        .collect();
    // Twice on is off: it was not whether the switch was touched.
    let more: String = (0..5).map(|at| switched(2, at, "Login")).collect();
    let (suite, _) = parse_suite(&(lines.concat() + &more)).expect("the notation is right");
    let mut evidence = Evidence::new(&suite);
    let mut memory = Memory::default();
    let traces: Vec<_> = suite.traces().map(|(trace, _)| trace).collect();
    let (first, rest) = traces.split_at(lines.len());
    let mut registers = Vec::new();
    for traces in [first, rest] {
        for &trace in traces {
            evidence.record_trace(trace);
        }
        causes_of(&evidence, &mut memory);
        registers.extend(memory.0.values().map(|found| found.register.clone()));
    }
    let turns: Vec<_> = registers
        .iter()
        .flatten()
        .map(|register| match register {
            Register::Count { turn, .. } => *turn,
            Register::Last(_) => 0,
        })
        .collect();
    assert_eq!(turns, [1, 2]);
}

#[test]
fn signatures_are_the_same_by_step_and_by_node() {
    let text: String = (0..24)
        .map(|at| switched(at % 4, at / 4, ["Login", "Page"][at % 2]))
        .collect();
    let (suite, _): (_, Names) = parse_suite(&text).expect("the notation is right");
    let evidence = recorded(&suite);
    let causes = causes_of(&evidence, &mut Memory::default());
    assert_eq!(causes.registers.len(), 1);
    let signatures = causes.signatures(&evidence);
    for node in 0..evidence.len() {
        if let Some((before, _)) = evidence.prefix(node as Node).step {
            let step = step_to(&evidence, node as Node).unwrap();
            assert_eq!(
                signatures[node],
                causes.after(signatures[before as usize], step)
            );
        }
    }
}

#[test]
fn nothing_is_looked_for_where_most_actions_are_contested() {
    let lines = "Home .. -open-> Login -next-> Login2 -last-> Login3
                 Home .. -switch-> Home -open-> Page -next-> Page2 -last-> Page3\n";
    let text = varied(lines, " -more-> Home", 0..8);
    assert_eq!(found(&text, "Home", "open"), (true, 2));
    // The same with two more actions that the switch decides.
    let text = ["-open-", "-show-", "-see-"].map(|action| text.replace("-open-", action));
    let text = text.concat();
    assert_eq!(found(&text, "Home", "open"), (false, 1));
}

#[test]
fn counting_all_steps_at_once_is_counting_each_by_itself() {
    let text: String = (0..24)
        .map(|at| switched(at % 5, at / 5, ["Login", "Page"][at % 2]))
        .collect();
    let (suite, mut names) = parse_suite(&text).expect("the notation is right");
    let evidence = recorded(&suite);
    let history = History::new(&evidence);
    let covers = cover_numbers(&evidence);
    let all = history.contested(&covers, &contested(&evidence, &covers));
    let resets = ["Home", "Settings"].map(|name| Some(names.screen(name)));
    for reset in [None].into_iter().chain(resets) {
        let counted = counted(&all[0].seen, reset, &history);
        assert!(!counted.is_empty());
        for (step, tables) in counted {
            let step = history.steps[step as usize];
            for (turn, table) in TURNS.into_iter().zip(tables) {
                let register = Register::Count { step, turn, reset };
                assert_eq!(
                    table,
                    cells(&register, &all[0].seen, &history),
                    "{register:?}"
                );
            }
        }
    }
}
