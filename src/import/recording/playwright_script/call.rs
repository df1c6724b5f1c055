//! The little of JavaScript that recorded tests are made of: calls in a chain, with texts and
//! plain objects as arguments.

/// Something that a script says.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Statement {
    /// A test begins.
    Test {
        /// Where.
        line: usize,
        /// What it is called.
        name: String,
    },
    /// `page.a(…).b.c(…)`.
    Chain {
        /// Where.
        line: usize,
        /// Its links; one without brackets has no arguments.
        calls: Vec<Call>,
    },
}

/// One link of a chain.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) arguments: Vec<Argument>,
}

/// An argument.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Argument {
    /// A text.
    Text(String),
    /// A text in an object, with its key: `{ name: 'Save' }`.
    Option(String, String),
    /// Anything else, as it is written.
    Code(String),
}

impl Call {
    /// An argument that is a text.
    pub(super) fn text(&self, place: usize) -> Option<&str> {
        match self.arguments.get(place) {
            Some(Argument::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// An argument that is no text, as it is written.
    pub(super) fn raw(&self, place: usize) -> Option<&str> {
        match self.arguments.get(place) {
            Some(Argument::Code(code)) => Some(code),
            _ => None,
        }
    }

    /// A text in an object among the arguments.
    pub(super) fn option(&self, key: &str) -> Option<&str> {
        self.arguments.iter().find_map(|argument| match argument {
            Argument::Option(name, text) if name == key => Some(&**text),
            _ => None,
        })
    }
}

impl Call {
    /// A whole number in an object among the arguments.
    pub(super) fn number(&self, key: &str) -> Option<u64> {
        self.arguments.iter().find_map(|argument| match argument {
            Argument::Code(code) => code.strip_prefix(key)?.strip_prefix(':')?.parse().ok(),
            _ => None,
        })
    }
}

/// The text at the beginning of a piece of code.
pub(super) fn leading_string(code: &str) -> Option<String> {
    Scanner::new(code).string()
}

/// What a script says, in order.
pub(super) fn statements(script: &str) -> Vec<Statement> {
    let mut scanner = Scanner::new(script);
    let mut found = Vec::new();
    while let Some(c) = scanner.peek() {
        if scanner.skip_blank() {
            continue;
        }
        let line = scanner.line;
        if matches!(c, '\'' | '"' | '`') {
            if scanner.string().is_none() {
                scanner.bump();
            }
        } else if is_word(c) {
            match &*scanner.word() {
                "test" | "it" => found.extend(scanner.test(line)),
                "page" => {
                    let calls = scanner.chain();
                    if !calls.is_empty() {
                        found.push(Statement::Chain { line, calls });
                    }
                }
                _ => {}
            }
        } else {
            scanner.bump();
        }
    }
    found
}

struct Scanner<'a> {
    rest: std::str::Chars<'a>,
    line: usize,
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

impl<'a> Scanner<'a> {
    fn new(script: &'a str) -> Self {
        Self {
            rest: script.chars(),
            line: 1,
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.clone().next()
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.rest.next();
        self.line += usize::from(c == Some('\n'));
        c
    }

    fn take(&mut self, c: char) -> bool {
        let is_there = self.peek() == Some(c);
        if is_there {
            self.bump();
        }
        is_there
    }

    /// Skips white space and comments; true if there was any.
    fn skip_blank(&mut self) -> bool {
        let mut skipped = false;
        loop {
            let rest = self.rest.as_str();
            if rest.starts_with("//") {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.bump();
                }
            } else if rest.starts_with("/*") {
                let end = rest.find("*/").map_or(rest.len(), |end| end + 2);
                let n_chars = rest[..end].chars().count();
                for _ in 0..n_chars {
                    self.bump();
                }
            } else if self.peek().is_some_and(char::is_whitespace) {
                self.bump();
            } else {
                return skipped;
            }
            skipped = true;
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek().filter(|&c| is_word(c)) {
            word.push(c);
            self.bump();
        }
        word
    }

    /// A text in quotation marks; none, and nothing taken, if there is no plain one.
    fn string(&mut self) -> Option<String> {
        let (start, line) = (self.rest.clone(), self.line);
        let text = self.try_string();
        if text.is_none() {
            (self.rest, self.line) = (start, line);
        }
        text
    }

    fn try_string(&mut self) -> Option<String> {
        let quote = self.bump().filter(|c| matches!(c, '\'' | '"' | '`'))?;
        let mut text = String::new();
        loop {
            match self.bump()? {
                c if c == quote => return Some(text),
                '$' if quote == '`' && self.peek() == Some('{') => return None,
                '\n' if quote != '`' => return None,
                '\\' => match self.bump()? {
                    'n' => text.push('\n'),
                    't' => text.push('\t'),
                    'r' => text.push('\r'),
                    'b' => text.push('\u{8}'),
                    'f' => text.push('\u{c}'),
                    'v' => text.push('\u{b}'),
                    '0' => text.push('\0'),
                    '\n' => {}
                    'x' => text.push(self.code_unit(2)?),
                    'u' => text.push(self.unicode()?),
                    c => text.push(c),
                },
                c => text.push(c),
            }
        }
    }

    fn code_unit(&mut self, digits: usize) -> Option<char> {
        char::from_u32(self.hex(digits)?)
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        (0..digits).try_fold(0, |code: u32, _| {
            Some(code * 16 + self.bump()?.to_digit(16)?)
        })
    }

    /// `\u{1f600}`, `\u0041` or a pair of surrogates.
    fn unicode(&mut self) -> Option<char> {
        if self.take('{') {
            let mut code = 0_u32;
            while !self.take('}') {
                let digit = self.bump()?.to_digit(16)?;
                code = code.checked_mul(16)?.checked_add(digit)?;
            }
            return char::from_u32(code);
        }
        let high = self.hex(4)?;
        if !(0xd800..0xdc00).contains(&high) {
            return char::from_u32(high);
        }
        let pair = self.take('\\') && self.take('u');
        let low = self
            .hex(4)
            .filter(|low| pair && (0xdc00..0xe000).contains(low))?;
        char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
    }

    /// The name of a test behind `test`.
    fn test(&mut self, line: usize) -> Option<Statement> {
        while self.take('.') {
            // `test.only(…)` is a test, `test.describe(…)` and `test.use(…)` are none.
            if !matches!(&*self.word(), "only" | "skip" | "fixme" | "slow" | "fail") {
                return None;
            }
        }
        if !self.take('(') {
            return None;
        }
        self.skip_blank();
        let name = self.string()?;
        Some(Statement::Test { line, name })
    }

    /// The links behind a word.
    fn chain(&mut self) -> Vec<Call> {
        let mut calls = Vec::new();
        loop {
            let (start, line) = (self.rest.clone(), self.line);
            self.skip_blank();
            if !self.take('.') {
                (self.rest, self.line) = (start, line);
                return calls;
            }
            self.skip_blank();
            let name = self.word();
            let arguments = if self.peek() == Some('(') {
                self.bump();
                self.arguments()
            } else {
                Vec::new()
            };
            calls.push(Call { name, arguments });
        }
    }

    /// Arguments up to the closing bracket; an object gives an argument for each text in it.
    fn arguments(&mut self) -> Vec<Argument> {
        let mut arguments = Vec::new();
        loop {
            self.skip_blank();
            match self.peek() {
                None | Some(')') => {
                    self.bump();
                    return arguments;
                }
                Some(',') => {
                    self.bump();
                }
                Some('\'' | '"' | '`') => match self.string() {
                    // `'a' + b` is no plain text.
                    Some(text) if self.ends_here() => arguments.push(Argument::Text(text)),
                    _ => arguments.push(Argument::Code(self.code())),
                },
                Some('{') => {
                    self.bump();
                    self.object(&mut arguments);
                }
                Some(_) => arguments.push(Argument::Code(self.code())),
            }
        }
    }

    fn ends_here(&mut self) -> bool {
        self.skip_blank();
        matches!(self.peek(), None | Some(')' | ',' | '}'))
    }

    fn object(&mut self, arguments: &mut Vec<Argument>) {
        loop {
            self.skip_blank();
            match self.peek() {
                None => return,
                Some('}') => {
                    self.bump();
                    return;
                }
                Some(c) if is_word(c) => {
                    let key = self.word();
                    self.skip_blank();
                    if !self.take(':') {
                        continue;
                    }
                    self.skip_blank();
                    match self.string() {
                        Some(text) if self.ends_here() => {
                            arguments.push(Argument::Option(key, text));
                        }
                        _ => {
                            let code = self.code();
                            arguments.push(Argument::Code(format!("{key}:{code}")));
                        }
                    }
                }
                Some(_) => {
                    self.bump();
                }
            }
        }
    }

    /// Anything up to the next comma or closing bracket that is not inside others.
    fn code(&mut self) -> String {
        let mut code = String::new();
        let mut open = 0_usize;
        while let Some(c) = self.peek() {
            match c {
                ',' | ')' | '}' | ']' if open == 0 => break,
                '(' | '[' | '{' => open += 1,
                ')' | ']' | '}' => open -= 1,
                '\'' | '"' | '`' => {
                    if let Some(text) = self.string() {
                        code.push_str(&serde_json::Value::from(text).to_string());
                        continue;
                    }
                }
                _ => {}
            }
            code.push(c);
            self.bump();
        }
        // A closing bracket of another kind would never be taken by the caller.
        if self.peek().is_some_and(|c| matches!(c, '}' | ']')) && code.is_empty() {
            self.bump();
        }
        code.trim().to_owned()
    }
}
