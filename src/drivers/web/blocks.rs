//! Where the blocks of a script are: the parts that may be entered or not once their function was.
//!
//! V8 leaves out ranges that were entered as often as what is around them, so the ranges it names
//! depend on the run. The blocks here depend on the text alone: bodies of branches and loops,
//! cases, arms of conditional and logical expressions, and what comes after something that may
//! have left. No more than brackets and a few words are understood; what is not leaves a function
//! without blocks, which still counts as a whole. Places count UTF-16 units, as V8 does.

use super::tokens::{Kind, Token, Tokens};

/// A part of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Block {
    /// Where it starts: entered if this place is.
    pub(super) start: u32,
    pub(super) end: u32,
    /// The function it belongs to; none for the script itself.
    owner: Option<u32>,
}

/// The blocks of a script.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    list: Vec<Block>,
    /// Where the bodies of functions start and end.
    bodies: Vec<(u32, u32)>,
    /// The length of the script.
    len: u32,
}

impl Blocks {
    /// Finds the blocks of a script.
    pub(super) fn of(text: &str) -> Self {
        let text: Vec<u16> = text.encode_utf16().collect();
        let mut blocks = Reader::new(&text).read();
        blocks.len = text.len() as u32;
        blocks
    }

    /// The blocks of the function that V8 places here, or of the script itself.
    pub(super) fn within(&self, start: u32, end: u32) -> impl Iterator<Item = Block> {
        let bodies = self.bodies.iter().zip(0u32..);
        let ours = bodies.filter(|((from, to), _)| *to == end && *from > start);
        let ours = ours
            .min_by_key(|((from, _), _)| *from)
            .map(|(_, index)| index);
        let is_script = start == 0 && end == self.len;
        let ours = ours.filter(|_| !is_script);
        let known = is_script || ours.is_some();
        let blocks = self.list.iter().copied();
        blocks.filter(move |block| known && block.owner == ours)
    }
}

/// What a bracket that is open is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Statements of a branch, a loop or the like.
    Block,
    /// Statements of a function.
    Body,
    /// Cases.
    Switch,
    /// Members of a class, entries of an object or a list, arguments, the inside of a template.
    Other,
    /// What stands behind `if`, `for`, `while`, `switch`, `with` or `catch`.
    Head { switch: bool },
}

/// A part that ends where the expression or statement does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Arm {
    Then,
    Else,
    Logical,
    /// A body without brackets.
    Single,
    /// The body of an arrow function without brackets.
    Arrow,
    Case,
    Rest,
}

#[derive(Debug)]
struct Open {
    around: Around,
    start: u32,
    arms: Vec<(Arm, u32)>,
    /// Whether something inside may leave.
    leaves: bool,
    /// Whether a class is about to open.
    class: bool,
    /// Whether the colon of a case is still to come.
    case: bool,
}

/// A part that starts with the next token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Next(Arm);

struct Reader<'a> {
    tokens: Tokens<'a>,
    open: Vec<Open>,
    owners: Vec<u32>,
    found: Blocks,
    next: Option<Next>,
    /// What the last closed pair of parentheses was there for.
    closed: Around,
    last: Token,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u16]) -> Self {
        Self {
            tokens: Tokens::new(text),
            open: vec![Open::new(Around::Block, 0)],
            owners: Vec::new(),
            found: Blocks::default(),
            next: None,
            closed: Around::Other,
            last: Token::default(),
        }
    }

    fn read(mut self) -> Blocks {
        while let Some(token) = self.tokens.next() {
            self.take(token);
            self.last = token;
        }
        while self.open.len() > 1 {
            self.close(self.last.end);
        }
        self.end_arms(|_| true);
        self.found.list.sort_unstable();
        self.found.list.dedup();
        self.found
    }

    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("the script itself stays open")
    }

    fn take(&mut self, token: Token) {
        let is_statement = matches!(
            self.top().around,
            Around::Block | Around::Body | Around::Switch
        );
        if token.after_line && is_statement && self.last.is_value() && token.kind == Kind::Word {
            self.end_statement();
        }
        let text = self.tokens.text(token);
        self.begin_next(token, &text);
        match (token.kind, &*text) {
            (Kind::Word, "class") => self.top().class = true,
            (Kind::Word, "case" | "default") if self.top().around == Around::Switch => {
                self.end_arms(|_| true);
                self.top().case = true;
            }
            (Kind::Word, "return" | "throw" | "break" | "continue") => self.leave(),
            (Kind::Word, "else" | "do") if is_statement => self.next = Some(Next(Arm::Single)),
            (Kind::Sign, "=>") => self.next = Some(Next(Arm::Arrow)),
            (Kind::Sign, "&&" | "||" | "??") => {
                self.end_arms(|arm| arm == Arm::Logical);
                self.next = Some(Next(Arm::Logical));
            }
            (Kind::Sign, "?") => {
                self.end_arms(|arm| arm == Arm::Logical);
                self.next = Some(Next(Arm::Then));
            }
            (Kind::Sign, ":") => self.colon(),
            (Kind::Sign, ";") => self.end_statement(),
            (Kind::Sign, ",") => {
                self.end_arms(|arm| !matches!(arm, Arm::Single | Arm::Case | Arm::Rest));
            }
            (Kind::Sign, "(" | "[" | "{" | "${") => self.enter(token, &text),
            (Kind::Sign, ")" | "]" | "}") => self.close(token.end),
            _ => {}
        }
    }

    /// Starts the part that was announced, if this token starts one.
    fn begin_next(&mut self, token: Token, text: &str) {
        let Some(Next(arm)) = self.next.take() else {
            return;
        };
        let is_bracket = text == "{" && matches!(arm, Arm::Single | Arm::Arrow);
        let is_over = matches!(text, "}" | ";")
            || arm == Arm::Rest && matches!(text, "else" | "catch" | "finally");
        if is_over && arm == Arm::Rest && text != "}" && text != ";" {
            // What follows belongs to the same statement, and the rest comes behind it.
            self.top().leaves = true;
        }
        if is_bracket || is_over {
            return;
        }
        if arm == Arm::Arrow {
            self.begin_function(token.start);
        }
        self.top().arms.push((arm, token.start));
    }

    fn begin_function(&mut self, start: u32) {
        self.owners.push(self.found.bodies.len() as u32);
        self.found.bodies.push((start, start));
    }

    fn end_function(&mut self, end: u32) {
        if let Some(owner) = self.owners.pop() {
            self.found.bodies[owner as usize].1 = end;
        }
    }

    /// Something may leave everything around it, up to its function.
    fn leave(&mut self) {
        for open in self.open.iter_mut().rev() {
            open.leaves = true;
            let in_arrow = open.arms.iter().any(|(arm, _)| *arm == Arm::Arrow);
            if open.around == Around::Body || in_arrow {
                break;
            }
        }
    }

    fn colon(&mut self) {
        let top = self.top();
        if top.arms.iter().any(|(arm, _)| *arm == Arm::Then) {
            self.end_arms_through(Arm::Then);
            self.next = Some(Next(Arm::Else));
        } else if top.case {
            top.case = false;
            self.next = Some(Next(Arm::Case));
        }
    }

    fn enter(&mut self, token: Token, text: &str) {
        let before = self.tokens.text(self.last);
        let top = self.open.last().expect("the script itself stays open");
        let is_statement = matches!(top.around, Around::Block | Around::Body | Around::Switch);
        let around = match (text, &*before) {
            ("(", "if" | "for" | "while" | "with" | "catch" | "await")
                if self.last.kind == Kind::Word =>
            {
                Around::Head { switch: false }
            }
            ("(", "switch") if self.last.kind == Kind::Word => Around::Head { switch: true },
            ("{", _) if top.class => Around::Other,
            ("{", "=>") => Around::Body,
            ("{", ")") => match self.closed {
                Around::Head { switch: true } => Around::Switch,
                Around::Head { switch: false } => Around::Block,
                _ => Around::Body,
            },
            ("{", "else" | "do" | "try" | "finally" | "catch") => Around::Block,
            ("{", "" | ";" | "{" | "}" | ":") if is_statement => Around::Block,
            _ => Around::Other,
        };
        if text == "{" {
            self.top().class = false;
        }
        if around == Around::Body {
            self.begin_function(token.start);
        }
        self.open.push(Open::new(around, token.start));
    }

    fn close(&mut self, end: u32) {
        self.end_arms(|_| true);
        if self.open.len() < 2 {
            return;
        }
        let Some(open) = self.open.pop() else { return };
        self.closed = open.around;
        match open.around {
            Around::Body => self.end_function(end),
            Around::Block => self.add(open.start, end),
            Around::Head { .. } => self.next = Some(Next(Arm::Single)),
            Around::Switch | Around::Other => {}
        }
        if matches!(open.around, Around::Block | Around::Switch) {
            // A single statement has ended with its bracket.
            self.end_arms(|arm| !matches!(arm, Arm::Case | Arm::Rest));
            if open.leaves {
                self.next = Some(Next(Arm::Rest));
            }
        }
    }

    fn end_statement(&mut self) {
        let singles = self.top().arms.iter().any(|(arm, _)| *arm == Arm::Single);
        self.end_arms(|arm| !matches!(arm, Arm::Case | Arm::Rest));
        if singles && self.top().leaves {
            self.next = Some(Next(Arm::Rest));
        }
    }

    /// Ends the innermost parts of the present bracket while they are of some kind.
    fn end_arms(&mut self, ends: impl Fn(Arm) -> bool) {
        while let Some((arm, start)) = self.top().arms.last().copied() {
            if !ends(arm) {
                break;
            }
            self.end_arm(arm, start);
        }
    }

    /// Ends the innermost parts through the first of some kind.
    fn end_arms_through(&mut self, last: Arm) {
        while let Some((arm, start)) = self.top().arms.last().copied() {
            self.end_arm(arm, start);
            if arm == last {
                break;
            }
        }
    }

    fn end_arm(&mut self, arm: Arm, start: u32) {
        self.top().arms.pop();
        let end = self.last.end;
        if arm == Arm::Arrow {
            self.end_function(end);
        } else if end > start {
            self.add(start, end);
        }
    }

    fn add(&mut self, start: u32, end: u32) {
        let owner = self.owners.last().copied();
        self.found.list.push(Block { start, end, owner });
    }
}

impl Open {
    fn new(around: Around, start: u32) -> Self {
        Self {
            around,
            start,
            arms: Vec::new(),
            leaves: false,
            class: false,
            case: false,
        }
    }
}
