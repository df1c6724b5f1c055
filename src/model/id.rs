//! Dense ids: four bytes each, so that a million steps stay small.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The id of the `index`-th thing; tables that issue ids hold fewer than 2^32.
            #[must_use]
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("tables hold fewer than 2^32 entries"))
            }

            /// Position in the table that issued this id.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// Index of a trace in the [`Suite`](super::Suite) that issued it.
    TraceIdx
);
id!(
    /// Index of an abstract screen in [`Names`](super::Names).
    ScreenId
);
id!(
    /// Index of an action in [`Names`](super::Names).
    ActionId
);
id!(
    /// Index of a coverage element (branch, method, screen, fault, …) in [`Names`](super::Names).
    ElementId
);
id!(
    /// Index of a list of elements in the [`Suite`](super::Suite) that issued it.
    CoverId
);
