//! One line of JSON, written field by field.

/// A line under construction.
#[derive(Default)]
pub(super) struct Line(Vec<u8>);

impl Line {
    /// The bytes so far, with the end of the line.
    pub(super) fn finish(mut self) -> Vec<u8> {
        self.0.push(b'\n');
        self.0
    }

    pub(super) fn raw(&mut self, json: &str) {
        self.0.extend_from_slice(json.as_bytes());
    }

    pub(super) fn string(&mut self, text: &str) {
        serde_json::to_writer(&mut self.0, text).expect("memory can be written");
    }

    /// The name of a field, with a comma in front unless it is the first.
    pub(super) fn key(&mut self, name: &str) {
        if !self.0.ends_with(b"{") {
            self.raw(",");
        }
        self.string(name);
        self.raw(":");
    }

    /// Fields that are known by their JSON only.
    pub(super) fn fields(&mut self, fields: &[(Box<str>, Box<str>)]) {
        for (name, json) in fields {
            self.key(name);
            self.raw(json);
        }
    }

    /// A list, each item written by `write`.
    pub(super) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T),
    ) {
        self.raw("[");
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                self.raw(",");
            }
            write(self, item);
        }
        self.raw("]");
    }
}
