//! Where `JaCoCo` puts the probes of a method, and which lines a reached probe proves.
//!
//! There is a probe at every return and throw, on every jump to a place that several ways lead to,
//! and in front of such places and of lines with calls where control comes from the line before.
//! A reached probe proves all instructions from the probe before it. Code that older compilers
//! wrote with subroutines (`jsr`) is refused, as `JaCoCo` refuses it.

use std::collections::{BTreeMap, BTreeSet};

use noak::reader::attributes::RawInstruction;

/// More work than any real class asks for.
const MOST_STEPS: usize = 4_000_000;

/// An instruction as far as control goes.
#[derive(Debug, Clone)]
pub(super) struct Instruction {
    at: u32,
    control: Control,
    calls: bool,
}

#[derive(Debug, Clone)]
enum Control {
    Next,
    Jump {
        to: u32,
        always: bool,
    },
    /// The default and then the cases, each place once.
    Switch(Vec<u32>),
    End,
}

impl Instruction {
    pub(super) fn new(at: u32, raw: &RawInstruction) -> Result<Self, String> {
        use RawInstruction as Raw;
        let place = |offset: i32| {
            at.checked_add_signed(offset)
                .ok_or("a jump to before the beginning")
        };
        let when = |offset: i16| {
            let to = place(offset.into())?;
            Ok::<_, String>(Control::Jump { to, always: false })
        };
        let always = |offset: i32| {
            let to = place(offset)?;
            Ok::<_, String>(Control::Jump { to, always: true })
        };
        let control = match raw {
            Raw::Goto { offset } => always((*offset).into())?,
            Raw::GotoW { offset } => always(*offset)?,
            Raw::IfACmpEq { offset }
            | Raw::IfACmpNe { offset }
            | Raw::IfICmpEq { offset }
            | Raw::IfICmpNe { offset }
            | Raw::IfICmpLt { offset }
            | Raw::IfICmpGe { offset }
            | Raw::IfICmpGt { offset }
            | Raw::IfICmpLe { offset }
            | Raw::IfEq { offset }
            | Raw::IfNe { offset }
            | Raw::IfLt { offset }
            | Raw::IfGe { offset }
            | Raw::IfGt { offset }
            | Raw::IfLe { offset }
            | Raw::IfNonNull { offset }
            | Raw::IfNull { offset } => when(*offset)?,
            Raw::JSr { .. } | Raw::JSrW { .. } | Raw::Ret { .. } | Raw::RetW { .. } => {
                return Err("it has subroutines, which JaCoCo does not measure".to_owned());
            }
            Raw::TableSwitch(switch) => {
                if switch.high() == i32::MAX {
                    return Err("a switch without end".to_owned());
                }
                let cases = switch.pairs().map(|pair| place(pair.offset()));
                switched(place(switch.default_offset())?, cases)?
            }
            Raw::LookupSwitch(switch) => {
                let cases = switch.pairs().map(|pair| place(pair.offset()));
                switched(place(switch.default_offset())?, cases)?
            }
            Raw::AReturn
            | Raw::DReturn
            | Raw::FReturn
            | Raw::IReturn
            | Raw::LReturn
            | Raw::Return
            | Raw::AThrow => Control::End,
            _ => Control::Next,
        };
        let calls = matches!(
            raw,
            Raw::InvokeDynamic { .. }
                | Raw::InvokeInterface { .. }
                | Raw::InvokeSpecial { .. }
                | Raw::InvokeStatic { .. }
                | Raw::InvokeVirtual { .. }
        );
        Ok(Self { at, control, calls })
    }
}

fn switched(
    default: u32,
    cases: impl Iterator<Item = Result<u32, &'static str>>,
) -> Result<Control, String> {
    let mut seen = BTreeSet::from([default]);
    let mut places = vec![default];
    for case in cases {
        let case = case?;
        if seen.insert(case) {
            places.push(case);
        }
    }
    Ok(Control::Switch(places))
}

/// What is known of a place that something refers to.
#[derive(Debug, Clone, Copy, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each of them is found at another time"
)]
struct Label {
    is_target: bool,
    has_many_ways: bool,
    is_fallen_into: bool,
    begins_line_with_call: bool,
}

impl Label {
    fn target(&mut self) {
        if self.is_target || self.is_fallen_into {
            self.has_many_ways = true;
        } else {
            self.is_target = true;
        }
    }

    fn needs_probe(self) -> bool {
        self.is_fallen_into && (self.has_many_ways || self.begins_line_with_call)
    }
}

/// For each probe of a method, in order, the lines that it proves; `guarded` has the beginnings of
/// guarded stretches and their handlers.
pub(super) fn probes(
    instructions: &[Instruction],
    guarded: &[u32],
    lines: &BTreeMap<u32, u16>,
) -> Result<Vec<Vec<u16>>, String> {
    let labels = labels(instructions, guarded, lines);
    let mut walk = Walk::default();
    let mut line = None;
    for instruction in instructions {
        let label = labels.get(&instruction.at).copied();
        if let Some(label) = label {
            if label.needs_probe() {
                walk.probe();
            }
            if label.needs_probe() || !label.is_fallen_into {
                walk.current = None;
            }
        }
        line = lines.get(&instruction.at).copied().or(line);
        walk.instruction(instruction.at, line);
        let has_many_ways = |place: &u32| labels.get(place).is_some_and(|l| l.has_many_ways);
        match &instruction.control {
            Control::Next => {}
            Control::End => walk.probe(),
            Control::Jump { to, .. } if has_many_ways(to) => walk.probe(),
            Control::Jump { to, .. } => walk.jump(*to),
            Control::Switch(places) => {
                for place in places {
                    if has_many_ways(place) {
                        walk.probe();
                    } else {
                        walk.jump(*place);
                    }
                }
            }
        }
    }
    walk.proven()
}

fn labels(
    instructions: &[Instruction],
    guarded: &[u32],
    lines: &BTreeMap<u32, u16>,
) -> BTreeMap<u32, Label> {
    let mut labels: BTreeMap<u32, Label> = BTreeMap::new();
    for &at in lines.keys() {
        labels.entry(at).or_default();
    }
    for instruction in instructions {
        match &instruction.control {
            Control::Jump { to, .. } => _ = labels.entry(*to).or_default(),
            Control::Switch(places) => {
                for &place in places {
                    labels.entry(place).or_default();
                }
            }
            Control::Next | Control::End => {}
        }
    }
    for &at in guarded {
        labels.entry(at).or_default().target();
    }
    let (mut falls, mut line_start) = (false, None);
    for (i, instruction) in instructions.iter().enumerate() {
        if let Some(label) = labels.get_mut(&instruction.at) {
            if i == 0 {
                label.target();
            }
            if falls {
                label.is_fallen_into = true;
                label.has_many_ways |= label.is_target;
            }
        }
        if lines.contains_key(&instruction.at) {
            line_start = Some(instruction.at);
        }
        if let Some(label) = line_start.filter(|_| instruction.calls) {
            labels.entry(label).or_default().begins_line_with_call = true;
        }
        falls = match &instruction.control {
            Control::Next => true,
            Control::End => false,
            Control::Jump { to, always } => {
                labels.entry(*to).or_default().target();
                !always
            }
            Control::Switch(places) => {
                for &place in places {
                    labels.entry(place).or_default().target();
                }
                false
            }
        };
    }
    labels
}

/// The instructions so far, each with the one before it on the only way that leads to it.
#[derive(Default)]
struct Walk {
    lines: Vec<Option<u16>>,
    before: Vec<Option<usize>>,
    at: BTreeMap<u32, usize>,
    jumps: Vec<(usize, u32)>,
    /// The instruction that control falls from.
    current: Option<usize>,
    /// The instruction that each probe comes right after.
    probes: Vec<Option<usize>>,
}

impl Walk {
    fn instruction(&mut self, at: u32, line: Option<u16>) {
        let index = self.lines.len();
        self.lines.push(line);
        self.before.push(self.current);
        self.at.insert(at, index);
        self.current = Some(index);
    }

    fn probe(&mut self) {
        self.probes.push(self.current);
    }

    fn jump(&mut self, to: u32) {
        self.jumps.extend(self.current.map(|current| (current, to)));
    }

    fn proven(mut self) -> Result<Vec<Vec<u16>>, String> {
        for (from, to) in std::mem::take(&mut self.jumps) {
            if let Some(&to) = self.at.get(&to) {
                self.before[to] = Some(from);
            }
        }
        let mut steps = 0;
        let proven = self.probes.iter().map(|&last| {
            let mut lines = BTreeSet::new();
            let mut index = last;
            while let Some(i) = index {
                lines.extend(self.lines[i]);
                index = self.before[i];
                steps += 1;
                if steps > MOST_STEPS {
                    return Err("its control flow is too tangled".to_owned());
                }
            }
            Ok(lines.into_iter().collect())
        });
        proven.collect()
    }
}
