//! Commands of a shell taken apart: quotes, substitutions, pipes, lists and redirections.
//!
//! Small but honest: what is not quoted has its meaning. A text that reaches this shell
//! unquoted runs, and the log of commands shows it.

/// A list of pipelines, each with what decides whether it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Script(pub(crate) Vec<(When, Vec<Command>)>);

/// When a pipeline runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// Whatever came of the one before.
    Always,
    /// When the one before went well.
    After,
    /// When the one before did not.
    Otherwise,
}

/// One command of a pipeline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Command {
    pub(crate) words: Vec<Word>,
    pub(crate) redirects: Vec<(Redirect, Word)>,
}

/// Where output goes or input comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Redirect {
    /// `>`
    Out,
    /// `>>`
    Append,
    /// `2>`
    Errors,
    /// `2>&1`
    ErrorsToOut,
    /// `>&2`
    OutToErrors,
    /// `<`
    In,
}

/// A word: pieces side by side.
pub(crate) type Word = Vec<Piece>;

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Text as it is.
    Text(String),
    /// The value of a variable; unquoted it is split at blanks.
    Variable { name: String, quoted: bool },
    /// The output of a script; unquoted it is split at blanks.
    Output { script: String, quoted: bool },
}

/// Takes a script apart; the reason if that cannot be done.
pub(crate) fn parse(text: &str) -> Result<Script, String> {
    let mut parser = Parser {
        text: text.chars().collect(),
        at: 0,
    };
    parser.script()
}

struct Parser {
    text: Vec<char>,
    at: usize,
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at).copied()
    }

    fn take(&mut self, wanted: &str) -> bool {
        let found = wanted
            .chars()
            .enumerate()
            .all(|(i, c)| self.text.get(self.at + i) == Some(&c));
        if found {
            self.at += wanted.chars().count();
        }
        found
    }

    fn script(&mut self) -> Result<Script, String> {
        let mut pipelines = Vec::new();
        let mut when = When::Always;
        loop {
            let pipeline = self.pipeline()?;
            if !pipeline.is_empty() {
                pipelines.push((when, pipeline));
            }
            when = if self.take("&&") {
                When::After
            } else if self.take("||") {
                When::Otherwise
            } else if self.take(";") || self.take("\n") || self.take("&") {
                When::Always
            } else if self.peek().is_none() {
                return Ok(Script(pipelines));
            } else {
                return Err(format!("syntax error: unexpected '{}'", self.text[self.at]));
            };
        }
    }

    fn pipeline(&mut self) -> Result<Vec<Command>, String> {
        let mut commands = Vec::new();
        loop {
            let command = self.command()?;
            let is_empty = command.words.is_empty() && command.redirects.is_empty();
            let ahead = (self.peek(), self.text.get(self.at + 1));
            let pipes_on = ahead.0 == Some('|') && ahead.1 != Some(&'|');
            if is_empty && (pipes_on || !commands.is_empty()) {
                return Err("syntax error: a command is missing".to_owned());
            }
            if !is_empty {
                commands.push(command);
            }
            if !pipes_on {
                return Ok(commands);
            }
            self.at += 1;
        }
    }

    fn command(&mut self) -> Result<Command, String> {
        let mut command = Command::default();
        loop {
            while matches!(self.peek(), Some(' ' | '\t')) {
                self.at += 1;
            }
            if self.peek() == Some('#') {
                while !matches!(self.peek(), None | Some('\n')) {
                    self.at += 1;
                }
            }
            match self.peek() {
                None | Some(';' | '\n' | '&' | '|') => return Ok(command),
                Some('(' | ')') => return Err("syntax error: unexpected bracket".to_owned()),
                _ => {}
            }
            if let Some(redirect) = self.redirect() {
                let target = match redirect {
                    Redirect::ErrorsToOut | Redirect::OutToErrors => Word::new(),
                    _ => self.target()?,
                };
                command.redirects.push((redirect, target));
            } else {
                let word = self.word()?;
                command.words.push(word);
            }
        }
    }

    fn redirect(&mut self) -> Option<Redirect> {
        for (text, redirect) in [
            ("2>&1", Redirect::ErrorsToOut),
            ("1>&2", Redirect::OutToErrors),
            (">&2", Redirect::OutToErrors),
            ("2>", Redirect::Errors),
            (">>", Redirect::Append),
            (">", Redirect::Out),
            ("<", Redirect::In),
        ] {
            if self.take(text) {
                return Some(redirect);
            }
        }
        None
    }

    fn target(&mut self) -> Result<Word, String> {
        while matches!(self.peek(), Some(' ' | '\t')) {
            self.at += 1;
        }
        let word = self.word()?;
        if word.is_empty() {
            return Err("syntax error: a file name is missing".to_owned());
        }
        Ok(word)
    }

    fn word(&mut self) -> Result<Word, String> {
        let mut word = Word::new();
        let mut text = String::new();
        let mut quoted = false;
        while let Some(c) = self.peek() {
            match c {
                ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\\' => {
                    self.at += 1;
                    text.extend(self.peek());
                    quoted = true;
                    self.at += 1;
                    continue;
                }
                '\'' => {
                    self.at += 1;
                    text += &self.until('\'')?;
                    quoted = true;
                    continue;
                }
                '"' => {
                    self.at += 1;
                    quoted = true;
                    self.double_quoted(&mut word, &mut text)?;
                    continue;
                }
                '$' | '`' => {
                    self.substitution(false, &mut word, &mut text)?;
                    continue;
                }
                _ => text.push(c),
            }
            self.at += 1;
        }
        if !text.is_empty() || (quoted && word.is_empty()) {
            word.push(Piece::Text(text));
        }
        Ok(word)
    }

    fn until(&mut self, end: char) -> Result<String, String> {
        let start = self.at;
        while let Some(c) = self.peek() {
            self.at += 1;
            if c == end {
                return Ok(self.text[start..self.at - 1].iter().collect());
            }
        }
        Err(format!("syntax error: no closing {end}"))
    }

    fn double_quoted(&mut self, word: &mut Word, text: &mut String) -> Result<(), String> {
        loop {
            match self.peek() {
                None => return Err("syntax error: no closing \"".to_owned()),
                Some('"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => {
                    let next = self.text.get(self.at + 1).copied();
                    match next {
                        Some(c @ ('"' | '\\' | '$' | '`')) => text.push(c),
                        Some('\n') => {}
                        Some(c) => text.extend(['\\', c]),
                        None => return Err("syntax error: no closing \"".to_owned()),
                    }
                    self.at += 2;
                }
                Some('$' | '`') => self.substitution(true, word, text)?,
                Some(c) => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
    }

    fn substitution(
        &mut self,
        quoted: bool,
        word: &mut Word,
        text: &mut String,
    ) -> Result<(), String> {
        let piece = if self.take("`") {
            let script = self.until('`')?;
            Piece::Output { script, quoted }
        } else if self.take("$(") {
            let script = self.bracketed()?;
            Piece::Output { script, quoted }
        } else {
            self.at += 1;
            let Some(name) = self.name()? else {
                text.push('$');
                return Ok(());
            };
            Piece::Variable { name, quoted }
        };
        if !text.is_empty() {
            word.push(Piece::Text(std::mem::take(text)));
        }
        word.push(piece);
        Ok(())
    }

    /// The script up to the bracket that closes it.
    fn bracketed(&mut self) -> Result<String, String> {
        let start = self.at;
        let mut depth = 1;
        while let Some(c) = self.peek() {
            self.at += 1;
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                '\'' => {
                    self.until('\'')?;
                }
                '\\' => self.at += 1,
                _ => {}
            }
            if depth == 0 {
                return Ok(self.text[start..self.at - 1].iter().collect());
            }
        }
        Err("syntax error: no closing )".to_owned())
    }

    fn name(&mut self) -> Result<Option<String>, String> {
        if self.take("?") {
            return Ok(Some("?".to_owned()));
        }
        if self.take("{") {
            return self.until('}').map(Some);
        }
        let start = self.at;
        while self
            .peek()
            .is_some_and(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            self.at += 1;
        }
        let name: String = self.text[start..self.at].iter().collect();
        Ok((!name.is_empty()).then_some(name))
    }
}

#[cfg(test)]
mod tests;
