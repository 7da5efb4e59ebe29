//! Arrays with an element for each seat, side, suit or strain are indexed by it.

use std::ops::{Index, IndexMut};

use crate::{Seat, Side, Strain, Suit};

macro_rules! indexed_by {
    ($($by:ty, $count:literal;)*) => {$(
        impl<T> Index<$by> for [T; $count] {
            type Output = T;

            #[inline]
            fn index(&self, by: $by) -> &T {
                &self[by.index()]
            }
        }

        impl<T> IndexMut<$by> for [T; $count] {
            #[inline]
            fn index_mut(&mut self, by: $by) -> &mut T {
                &mut self[by.index()]
            }
        }
    )*};
}

indexed_by! {
    Seat, 4;
    Side, 2;
    Suit, 4;
    Strain, 5;
}
