//! The tables that turn strings into dense ids and back.

use fixedbitset::FixedBitSet;

use super::lists::Distinct;
use super::{ActionId, ElementId, Kind, ScreenId, canonical, screen_element};

/// Interned actions, screens and elements; ids count up in order of first sight.
#[derive(Debug, Default, Clone)]
pub struct Names {
    actions: Table,
    screens: Table,
    elements: Table,
    kinds: Vec<Kind>,
    screen_elements: Vec<ElementId>,
    integers: FixedBitSet,
    /// The elements of small numbers, so that most numbers are never spelt out; zero where there
    /// is none yet, and one more than its index otherwise.
    by_number: Vec<u32>,
}

/// How far `by_number` goes at first, and how many times the number of elements later.
const FIRST_NUMBERS: usize = 1 << 12;
const NUMBERS_PER_ELEMENT: usize = 4;

impl Names {
    /// Id of the action with this canonical text.
    pub fn action(&mut self, text: &str) -> ActionId {
        ActionId::new(self.actions.insert(text))
    }

    /// Id of the screen of this name; its element is interned along with it.
    pub fn screen(&mut self, name: &str) -> ScreenId {
        let index = self.screens.insert(name);
        if index == self.screen_elements.len() {
            let element = self.element_of(Kind::Screen, &screen_element(name));
            self.screen_elements.push(element);
        }
        ScreenId::new(index)
    }

    /// Id of an element as `covers` spells it.
    pub fn element(&mut self, raw: &str) -> ElementId {
        if let Some(index) = self.elements.find(raw)
            && self.kinds[index] != Kind::Screen
        {
            return ElementId::new(index);
        }
        let (kind, spelling) = canonical(raw);
        self.element_of(kind, &spelling)
    }

    /// Id of an element that `covers` gives as a number: a branch.
    pub fn numbered_element(&mut self, number: u64) -> ElementId {
        let at = usize::try_from(number).unwrap_or(usize::MAX);
        if let Some(known) = self.by_number.get(at).and_then(|n| n.checked_sub(1)) {
            return ElementId::new(known as usize);
        }
        let id = self.integer_element(&number.to_string());
        let most = FIRST_NUMBERS.max(NUMBERS_PER_ELEMENT * self.n_elements());
        if at < most {
            if at >= self.by_number.len() {
                self.by_number.resize(most, 0);
            }
            self.by_number[at] = id.index() as u32 + 1;
        }
        id
    }

    /// Id of an element that `covers` gives as the digits of an integer: a branch.
    pub fn integer_element(&mut self, digits: &str) -> ElementId {
        let before = self.kinds.len();
        let id = self.element(digits);
        if id.index() == before {
            self.integers.grow_and_insert(before);
        }
        id
    }

    /// Id of the element that raising `signature` covers.
    pub fn fault(&mut self, signature: &str) -> ElementId {
        self.element_of(Kind::Fault, &format!("fault:{signature}"))
    }

    fn element_of(&mut self, kind: Kind, spelling: &str) -> ElementId {
        let index = self.elements.insert(spelling);
        if index == self.kinds.len() {
            self.kinds.push(kind);
        }
        ElementId::new(index)
    }

    /// The action's canonical text: a plain string, or an object's canonical JSON.
    #[must_use]
    pub fn action_text(&self, id: ActionId) -> &str {
        self.actions.text(id.index())
    }

    /// The screen's name.
    #[must_use]
    pub fn screen_name(&self, id: ScreenId) -> &str {
        self.screens.text(id.index())
    }

    /// The screen of this name, if it was ever seen.
    #[must_use]
    pub fn find_screen(&self, name: &str) -> Option<ScreenId> {
        self.screens.find(name).map(ScreenId::new)
    }

    /// The element that showing this screen covers.
    #[must_use]
    pub fn screen_element(&self, id: ScreenId) -> ElementId {
        self.screen_elements[id.index()]
    }

    /// The element's canonical spelling.
    #[must_use]
    pub fn element_name(&self, id: ElementId) -> &str {
        self.elements.text(id.index())
    }

    /// The element's kind.
    #[must_use]
    pub fn kind(&self, id: ElementId) -> Kind {
        self.kinds[id.index()]
    }

    /// Whether the element was first written as an integer, and so is written back as one.
    #[must_use]
    pub fn is_integer(&self, id: ElementId) -> bool {
        self.integers.contains(id.index())
    }

    /// Whether both know the same number of names, which only ever grow.
    #[must_use]
    pub fn is_as_long_as(&self, other: &Self) -> bool {
        let lengths = |names: &Self| {
            let tables = [&names.actions, &names.screens, &names.elements];
            tables.map(Table::len)
        };
        lengths(self) == lengths(other)
    }

    /// How many elements are known.
    #[must_use]
    pub fn n_elements(&self) -> usize {
        self.kinds.len()
    }

    /// How many screens are known.
    #[must_use]
    pub fn n_screens(&self) -> usize {
        self.screen_elements.len()
    }
}

/// Strings by dense index.
#[derive(Debug, Default, Clone)]
struct Table(Distinct<u8>);

impl Table {
    fn find(&self, text: &str) -> Option<usize> {
        self.0.find(text.as_bytes())
    }

    fn insert(&mut self, text: &str) -> usize {
        self.0.insert(text.as_bytes())
    }

    fn text(&self, index: usize) -> &str {
        self.0.lists().text(index)
    }

    fn len(&self) -> usize {
        self.0.lists().len()
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Names};

    #[test]
    fn a_screen_and_a_branch_of_the_same_spelling_stay_apart() {
        let mut names = Names::default();
        let screen = names.screen("Home");
        let branch = names.element("screen:Home");
        assert_ne!(names.screen_element(screen), branch);
        assert_eq!(names.kind(branch), Kind::Branch);
        assert_eq!(names.element_name(branch), "branch:screen:Home");
    }

    #[test]
    fn integers_and_their_digits_name_one_element() {
        let mut names = Names::default();
        let integer = names.integer_element("17");
        assert_eq!(names.element("17"), integer);
        assert!(names.is_integer(integer));
    }
}
