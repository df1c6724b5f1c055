//! Class files: what each probe of a class stands for.
//!
//! Classes are found by the id that a dump names, which is a checksum of the class file. So the
//! files must be those of the very build that was measured, before any instrumentation.

use std::collections::BTreeMap;

use noak::reader::Class;
use noak::reader::attributes::{AttributeContent, Code};
use noak::reader::cpool::{ConstantPool, Index, Utf8};

use super::flow::{self, Instruction};

/// The classes of a build.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    by_id: BTreeMap<u64, ProbeNames>,
}

/// What the probes of one class stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeNames {
    /// The class, `com/app/Main`.
    pub class: String,
    /// Its source file with the package in front, `com/app/Main.java`, if it tells.
    source: Option<String>,
    methods: Vec<String>,
    /// For each probe its method and the lines that were gone through if it was reached.
    probes: Vec<(u32, Vec<u16>)>,
}

impl Classes {
    /// Adds a class file; the reason if it is none.
    pub fn add(&mut self, bytes: &[u8]) -> Result<(), String> {
        let names = ProbeNames::read(bytes)?;
        self.by_id.insert(class_id(bytes), names);
        Ok(())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// The class of an id, if it has so many probes.
    #[must_use]
    pub fn get(&self, id: u64, n_probes: usize) -> Option<&ProbeNames> {
        let names = self.by_id.get(&id)?;
        (names.probes.len() == n_probes).then_some(names)
    }
}

impl ProbeNames {
    fn read(bytes: &[u8]) -> Result<Self, String> {
        let unreadable = |error| format!("no class file: {error}");
        let class = Class::new(bytes).map_err(unreadable)?;
        let pool = class.pool();
        let name = pool.retrieve(class.this_class()).map_err(unreadable)?;
        let name = name.name.display().to_string();
        let mut names = Self {
            source: source_file(&class, &name),
            class: name,
            methods: Vec::new(),
            probes: Vec::new(),
        };
        for method in class.methods() {
            let method = method.map_err(unreadable)?;
            let attributes = method.attributes().into_iter().flatten();
            let mut contents = attributes.filter_map(|attribute| attribute.read_content(pool).ok());
            let code = contents.find_map(|content| match content {
                AttributeContent::Code(code) => Some(code),
                _ => None,
            });
            let Some(code) = code else { continue };
            let text = |index: Index<Utf8>| {
                let text = pool.retrieve(index).map_err(unreadable)?;
                Ok::<_, String>(text.display().to_string())
            };
            let (name, descriptor) = (text(method.name())?, text(method.descriptor())?);
            let probes = probes(pool, &code)?;
            let number = names.methods.len() as u32;
            let class = &names.class;
            names
                .methods
                .push(format!("method:{class}.{name}{descriptor}"));
            let probes = probes.into_iter();
            names.probes.extend(probes.map(|lines| (number, lines)));
        }
        Ok(names)
    }

    /// The methods and lines behind a probe, as elements of a suite.
    pub(super) fn elements(&self, probe: usize) -> impl Iterator<Item = String> {
        let known = self.probes.get(probe).into_iter();
        known.flat_map(|(method, lines)| {
            let method = self.methods.get(*method as usize).cloned();
            let lines = self.source.iter().flat_map(move |source| {
                lines
                    .iter()
                    .map(move |line| format!("line:{source}:{line}"))
            });
            method.into_iter().chain(lines)
        })
    }

    /// How many probes it has.
    #[must_use]
    pub fn n_probes(&self) -> usize {
        self.probes.len()
    }
}

fn source_file(class: &Class, name: &str) -> Option<String> {
    let pool = class.pool();
    let attributes = class.attributes().into_iter().flatten();
    let mut contents = attributes.filter_map(|attribute| attribute.read_content(pool).ok());
    contents.find_map(|content| match content {
        AttributeContent::SourceFile(file) => {
            let file = pool
                .retrieve(file.source_file())
                .ok()?
                .display()
                .to_string();
            Some(match name.rsplit_once('/') {
                Some((package, _)) => format!("{package}/{file}"),
                None => file,
            })
        }
        _ => None,
    })
}

/// The lines behind each probe of a method.
fn probes(pool: &ConstantPool, code: &Code) -> Result<Vec<Vec<u16>>, String> {
    let mut lines = BTreeMap::new();
    for attribute in code.attributes().into_iter().flatten() {
        let name = pool.retrieve(attribute.name());
        if name.is_ok_and(|name| name.as_bytes() == b"LineNumberTable") {
            lines.extend(line_numbers(attribute.content()));
        }
    }
    let mut instructions = Vec::new();
    for instruction in code.raw_instructions() {
        let (at, raw) = instruction.map_err(|error| format!("bad code: {error}"))?;
        instructions.push(Instruction::new(at.as_u32(), &raw)?);
    }
    let guarded: Vec<u32> = code
        .exception_handlers()
        .flat_map(|handler| [handler.start().as_u32(), handler.handler().as_u32()])
        .collect();
    flow::probes(&instructions, &guarded, &lines)
}

/// Where lines begin: behind their number, two bytes each for the place and for the line.
fn line_numbers(table: &[u8]) -> impl Iterator<Item = (u32, u16)> {
    let pairs = table.get(2..).unwrap_or_default().chunks_exact(4);
    pairs.map(|pair| {
        let place = u16::from_be_bytes([pair[0], pair[1]]);
        (place.into(), u16::from_be_bytes([pair[2], pair[3]]))
    })
}

/// The id that `JaCoCo` gives to a class file: a checksum of its bytes.
fn class_id(bytes: &[u8]) -> u64 {
    // Versions for Java 8 wrote the number of Java 9's class files as their own.
    let is_java_9 = bytes.get(6..8) == Some(&[0x00, 0x35]);
    let mut sum = 0_u64;
    for (i, &byte) in bytes.iter().enumerate() {
        let byte = if is_java_9 && i == 7 { 0x34 } else { byte };
        sum ^= u64::from(byte);
        for _ in 0..8 {
            let carry = if sum & 1 == 1 {
                0xD800_0000_0000_0000
            } else {
                0
            };
            sum = (sum >> 1) ^ carry;
        }
    }
    sum
}
