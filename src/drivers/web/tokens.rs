//! The tokens of a script, as far as blocks need them.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Kind {
    /// A name or a keyword.
    Word,
    /// Brackets and operators.
    #[default]
    Sign,
    /// A number, a string, a template or a pattern.
    Literal,
}

/// A token and where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) start: u32,
    pub(super) end: u32,
    /// Whether it is the first of its line.
    pub(super) after_line: bool,
    /// Whether something of value may end with it.
    value: bool,
}

impl Token {
    /// Whether something of value may end with it.
    pub(super) fn is_value(self) -> bool {
        self.value
    }
}

/// Operators of several characters that must not be taken apart.
const SIGNS: [&str; 10] = ["=>", "&&", "||", "??", "?.", "++", "--", "...", "==", "!="];

/// Words after which something of value is still to come.
const PREFIXES: [&str; 16] = [
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "throw",
    "new",
    "else",
    "do",
    "instanceof",
    "yield",
    "await",
    "default",
    "extends",
];

/// Reads tokens one by one.
pub(super) struct Tokens<'a> {
    text: &'a [u16],
    at: usize,
    /// For each bracket that is open whether it is that of a template.
    brackets: Vec<bool>,
    value: bool,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a [u16]) -> Self {
        Self {
            text,
            at: 0,
            brackets: Vec::new(),
            value: false,
        }
    }

    /// What a token says; literals say nothing of interest.
    pub(super) fn text(&self, token: Token) -> String {
        if token.kind == Kind::Literal {
            return String::new();
        }
        let text = &self.text[token.start as usize..token.end as usize];
        String::from_utf16_lossy(text)
    }

    fn peek(&self, ahead: usize) -> char {
        let unit = self.text.get(self.at + ahead).copied().unwrap_or(0);
        char::from_u32(u32::from(unit)).unwrap_or('\u{fffd}')
    }

    /// Skips white space and comments; whether a line ended.
    fn skip(&mut self) -> bool {
        let mut line = false;
        while self.at < self.text.len() {
            let (c, next) = (self.peek(0), self.peek(1));
            if c.is_whitespace() || c == '\u{feff}' {
                line |= matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}');
                self.at += 1;
            } else if c == '/' && next == '/' {
                while self.at < self.text.len() && self.peek(0) != '\n' {
                    self.at += 1;
                }
            } else if c == '/' && next == '*' {
                self.at += 2;
                while self.at < self.text.len() && !(self.peek(0) == '*' && self.peek(1) == '/') {
                    line |= self.peek(0) == '\n';
                    self.at += 1;
                }
                self.at += 2;
            } else {
                break;
            }
        }
        self.at = self.at.min(self.text.len());
        line
    }

    /// Skips to the end of a string or pattern.
    fn skip_to(&mut self, end: char) {
        let mut in_class = false;
        while self.at < self.text.len() {
            let c = self.peek(0);
            self.at += 1;
            match c {
                '\\' => self.at += 1,
                '[' if end == '/' => in_class = true,
                ']' if end == '/' => in_class = false,
                '\n' => break,
                c if c == end && !in_class => break,
                _ => {}
            }
        }
    }

    /// Skips the text of a template; true at an expression within it.
    fn skip_template(&mut self) -> bool {
        while self.at < self.text.len() {
            match self.peek(0) {
                '\\' => self.at += 2,
                '`' => {
                    self.at += 1;
                    return false;
                }
                '$' if self.peek(1) == '{' => return true,
                _ => self.at += 1,
            }
        }
        false
    }

    fn sign(&mut self, c: char) -> bool {
        match c {
            '(' | '[' | '{' => self.brackets.push(false),
            ')' | ']' | '}' => {
                self.brackets.pop();
            }
            _ => {}
        }
        let known = SIGNS.iter().find(|sign| {
            let mut chars = sign.chars().zip(0..);
            chars.all(|(c, ahead)| self.peek(ahead) == c)
        });
        let is_number = known == Some(&"?.") && self.peek(2).is_ascii_digit();
        self.at += known.filter(|_| !is_number).map_or(1, |sign| sign.len());
        matches!(c, ')' | ']' | '}') || matches!(known, Some(&("++" | "--")))
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let after_line = self.skip();
        if self.at >= self.text.len() {
            return None;
        }
        let start = self.at;
        let c = self.peek(0);
        let ends_template = c == '}' && self.brackets.last() == Some(&true);
        let (kind, value) = if c.is_alphanumeric()
            || matches!(c, '_' | '$' | '#' | '@' | '\\') && !(c == '$' && self.peek(1) == '{')
            || c == '\u{fffd}'
        {
            while self.at < self.text.len()
                && (self.peek(0).is_alphanumeric()
                    || matches!(self.peek(0), '_' | '$' | '#' | '@' | '\\' | '\u{fffd}'))
            {
                self.at += 1;
            }
            let word = String::from_utf16_lossy(&self.text[start..self.at]);
            let kind = if c.is_ascii_digit() {
                Kind::Literal
            } else {
                Kind::Word
            };
            (kind, !PREFIXES.contains(&&*word))
        } else if c == '"' || c == '\'' {
            self.at += 1;
            self.skip_to(c);
            (Kind::Literal, true)
        } else if c == '/' && !self.value {
            self.at += 1;
            self.skip_to('/');
            (Kind::Literal, true)
        } else if c == '`' {
            self.at += 1;
            let more = self.skip_template();
            self.value = true;
            if more {
                // The expression opens with the next token.
                self.brackets.push(true);
            }
            (Kind::Literal, true)
        } else if c == '$' {
            self.at += 2;
            (Kind::Sign, false)
        } else if ends_template {
            self.brackets.pop();
            self.at += 1;
            let end = self.at;
            if self.skip_template() {
                self.brackets.push(true);
            }
            self.value = true;
            return Some(Token {
                kind: Kind::Sign,
                start: start as u32,
                end: end as u32,
                after_line,
                value: true,
            });
        } else {
            let value = self.sign(c);
            (Kind::Sign, value)
        };
        self.at = self.at.min(self.text.len());
        self.value = value;
        Some(Token {
            kind,
            start: start as u32,
            end: self.at as u32,
            after_line,
            value,
        })
    }
}
