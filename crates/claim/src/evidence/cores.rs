//! Cores: few layouts that no plan survives together.

use serde::{Deserialize, Serialize};
use setrograde_cards::Hand;

use crate::claims::{ClaimError, Claims};
use crate::double_dummy;
use crate::knowledge::Knowledge;

/// Layouts such that every plan fails in at least one of them.
///
/// One layout is enough where double dummy fails. Two are typical of a guess: the card that wins in
/// one loses in the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Core {
    /// The number of tricks claimed.
    pub tricks: u8,
    /// The cards of the two [hidden hands](Knowledge::hidden) in each layout.
    pub layouts: Vec<[Hand; 2]>,
}

/// Maximum number of layouts examined one by one.
const MOST_LAYOUTS: u64 = 600;
/// Maximum number of layouts for trying all pairs.
const MOST_FOR_PAIRS: usize = 80;

impl Claims {
    /// Few layouts that no plan for `need` tricks survives together; `None` if none is among those
    /// examined.
    ///
    /// Returns one layout if double dummy fails in an examined layout, otherwise two if two
    /// suffice, otherwise a set from which none can be left out. Up to 600 layouts are all
    /// examined.
    ///
    /// # Errors
    ///
    /// As [`is_sure`](Self::is_sure).
    pub fn core(&mut self, knowledge: &Knowledge, need: u8) -> Result<Option<Core>, ClaimError> {
        if usize::from(need) > knowledge.tricks_left() {
            return Ok(None);
        }
        let made = |layouts: &[[u64; 2]]| {
            Some(Core {
                tricks: need,
                layouts: layouts
                    .iter()
                    .map(|hands| hands.map(Hand::from_bits))
                    .collect(),
            })
        };
        self.renew();
        if let Some(layout) = self.refuting(knowledge, need)? {
            return Ok(made(&[layout]));
        }
        let mut layouts = double_dummy::all_or_bad(knowledge, MOST_LAYOUTS);
        let fails = |claims: &mut Claims, layouts: &[[u64; 2]]| {
            let only = knowledge.only(layouts.iter().copied());
            claims.search_for(&only, need).map(|sure| !sure)
        };
        for &layout in &layouts {
            if fails(self, &[layout])? {
                return Ok(made(&[layout]));
            }
        }
        if !fails(self, &layouts)? {
            return Ok(None);
        }
        if layouts.len() <= MOST_FOR_PAIRS {
            for (n, &first) in layouts.iter().enumerate() {
                for &second in &layouts[..n] {
                    if fails(self, &[second, first])? {
                        return Ok(made(&[second, first]));
                    }
                }
            }
        }
        // Leave out halves, then quarters, and so on, as long as the rest fails.
        let mut piece = layouts.len().div_ceil(2);
        loop {
            let mut start = 0;
            while start < layouts.len() {
                let end = (start + piece).min(layouts.len());
                let mut rest = layouts.clone();
                rest.drain(start..end);
                if !rest.is_empty() && fails(self, &rest)? {
                    layouts = rest;
                } else {
                    start = end;
                }
            }
            if piece == 1 {
                return Ok(made(&layouts));
            }
            piece = piece.div_ceil(2);
        }
    }
}
