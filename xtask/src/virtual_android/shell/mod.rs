//! The shell of the virtual device: it runs scripts on the phone's tools and logs every command.

mod parse;

use std::collections::BTreeMap;

use parse::{Command, Piece, Redirect, When, Word, parse};

use super::{Shared, tool};

/// How deep substitutions may be nested.
const DEEPEST: usize = 16;

/// What came of a command.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Done {
    pub(super) status: u8,
    pub(super) out: Vec<u8>,
    pub(super) err: Vec<u8>,
}

impl Done {
    /// It went well and said this.
    pub(super) fn says(text: impl Into<Vec<u8>>) -> Self {
        Self {
            out: text.into(),
            ..Self::default()
        }
    }

    /// It did not go well, for this reason.
    pub(super) fn fails(status: u8, text: impl Into<String>) -> Self {
        Self {
            status,
            err: (text.into() + "\n").into_bytes(),
            ..Self::default()
        }
    }
}

/// A command with everything around it.
pub(super) struct Call<'a> {
    pub(super) shared: &'a Shared,
    pub(super) words: &'a [String],
    pub(super) input: &'a [u8],
}

impl Call<'_> {
    /// An argument, empty if there is none.
    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    /// What stands behind a flag.
    pub(super) fn option(&self, flag: &str) -> Option<&str> {
        let at = self.words.iter().position(|word| word == flag)?;
        self.words.get(at + 1).map(String::as_str)
    }
}

/// Runs a script.
pub(super) fn run(shared: &Shared, script: &str) -> Done {
    let mut shell = Shell {
        shared,
        variables: BTreeMap::new(),
        status: 0,
        depth: 0,
        has_exited: false,
    };
    shell.script(script, &[])
}

struct Shell<'a> {
    shared: &'a Shared,
    variables: BTreeMap<String, String>,
    status: u8,
    depth: usize,
    has_exited: bool,
}

impl Shell<'_> {
    fn script(&mut self, text: &str, input: &[u8]) -> Done {
        let script = match parse(text) {
            Ok(script) if self.depth < DEEPEST => script,
            Ok(_) => return Done::fails(2, "sh: nested too deep"),
            Err(reason) => return Done::fails(2, format!("sh: {reason}")),
        };
        let mut all = Done::default();
        for (when, commands) in &script.0 {
            let runs = match when {
                When::Always => true,
                When::After => self.status == 0,
                When::Otherwise => self.status != 0,
            };
            if runs && !self.has_exited {
                let done = self.pipeline(commands, input);
                all.out.extend(done.out);
                all.err.extend(done.err);
                self.status = done.status;
            }
        }
        all.status = self.status;
        all
    }

    fn pipeline(&mut self, commands: &[Command], input: &[u8]) -> Done {
        let mut last = Done::default();
        let mut err = Vec::new();
        for (position, command) in commands.iter().enumerate() {
            let before = std::mem::take(&mut last.out);
            let input = if position == 0 { input } else { &before };
            last = self.command(command, input);
            err.append(&mut last.err);
        }
        last.err = err;
        last
    }

    fn command(&mut self, command: &Command, input: &[u8]) -> Done {
        let mut words: Vec<String> = Vec::new();
        for word in &command.words {
            words.extend(self.expand(word));
        }
        let mut given = None;
        for (redirect, target) in &command.redirects {
            if *redirect == Redirect::In {
                let path = self.expand(target).concat();
                match self.shared.phone().file(&path) {
                    Some(bytes) => given = Some(bytes),
                    None => return Done::fails(1, format!("sh: can't open {path}")),
                }
            }
        }
        while let Some((name, value)) = words.first().and_then(|word| assignment(word)) {
            self.variables.insert(name, value);
            words.remove(0);
        }
        let done = self.call(&words, given.as_deref().unwrap_or(input));
        self.redirected(command, done)
    }

    fn call(&mut self, words: &[String], input: &[u8]) -> Done {
        let Some((name, arguments)) = words.split_first() else {
            return Done::default();
        };
        self.shared.phone().ran(words);
        match name.as_str() {
            "export" => {
                let set = arguments.iter().filter_map(|word| assignment(word));
                self.variables.extend(set);
                Done::default()
            }
            "exec" => self.call(arguments, input),
            "exit" => {
                self.has_exited = true;
                Done {
                    status: arguments.first().and_then(|n| n.parse().ok()).unwrap_or(0),
                    ..Done::default()
                }
            }
            "sh" if arguments.first().is_some_and(|word| word == "-c") => {
                let script = arguments.get(1).cloned().unwrap_or_default();
                self.nested(&script, input)
            }
            "sh" => {
                let script = String::from_utf8_lossy(input).into_owned();
                self.nested(&script, &[])
            }
            _ => {
                let path = name.strip_prefix("/system/bin/").unwrap_or(name);
                let call = Call {
                    shared: self.shared,
                    words: arguments,
                    input,
                };
                match tool::all().iter().find(|(known, _)| *known == path) {
                    Some((_, tool)) => tool(&call),
                    None => Done::fails(
                        127,
                        format!("/system/bin/sh: {name}: inaccessible or not found"),
                    ),
                }
            }
        }
    }

    fn nested(&mut self, script: &str, input: &[u8]) -> Done {
        let mut inner = Shell {
            shared: self.shared,
            variables: self.variables.clone(),
            status: 0,
            depth: self.depth + 1,
            has_exited: false,
        };
        inner.script(script, input)
    }

    fn redirected(&mut self, command: &Command, mut done: Done) -> Done {
        for (redirect, target) in &command.redirects {
            let path = self.expand(target).concat();
            let (bytes, append) = match redirect {
                Redirect::In => continue,
                Redirect::ErrorsToOut => {
                    done.out.append(&mut done.err);
                    continue;
                }
                Redirect::OutToErrors => {
                    done.err.append(&mut done.out);
                    continue;
                }
                Redirect::Errors => (std::mem::take(&mut done.err), false),
                Redirect::Out => (std::mem::take(&mut done.out), false),
                Redirect::Append => (std::mem::take(&mut done.out), true),
            };
            if path == "/dev/null" {
                continue;
            }
            let mut phone = self.shared.phone();
            let mut content = Vec::new();
            if append {
                content = phone.file(&path).unwrap_or_default();
            }
            content.extend(bytes);
            if let Err(reason) = phone.write(&path, content) {
                return Done::fails(1, format!("sh: can't create {path}: {reason}"));
            }
        }
        done
    }

    /// The fields that a word stands for: none, one or several.
    fn expand(&mut self, word: &Word) -> Vec<String> {
        let mut fields = Vec::new();
        let mut current: Option<String> = None;
        for piece in word {
            let (value, quoted) = match piece {
                Piece::Text(text) => (text.clone(), true),
                Piece::Variable { name, quoted } => {
                    let value = match name.as_str() {
                        "?" => self.status.to_string(),
                        name => self.variables.get(name).cloned().unwrap_or_default(),
                    };
                    (value, *quoted)
                }
                Piece::Output { script, quoted } => {
                    let done = self.nested(script, &[]);
                    let text = String::from_utf8_lossy(&done.out).into_owned();
                    (text.trim_end_matches('\n').to_owned(), *quoted)
                }
            };
            if quoted {
                current.get_or_insert_default().push_str(&value);
                continue;
            }
            let mut parts = value.split_whitespace();
            if let Some(first) = parts.next() {
                current.get_or_insert_default().push_str(first);
            }
            for part in parts {
                fields.extend(current.replace(part.to_owned()));
            }
        }
        fields.extend(current);
        fields
    }
}

fn assignment(word: &str) -> Option<(String, String)> {
    let (name, value) = word.split_once('=')?;
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    is_name.then(|| (name.to_owned(), value.to_owned()))
}
