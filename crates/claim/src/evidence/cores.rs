//! Cores: few layouts that no plan survives together.

use setrograde_cards::Hand;

use crate::claim_error::ClaimError;
use crate::double_dummy::bad_layouts;
use crate::knowledge::Knowledge;
use crate::search::engine::Engine;

/// Layouts among which every plan fails in one at least.
///
/// One layout is enough where double dummy fails. Two are typical of a guess:
/// what wins in one loses in the other.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Core {
    /// The number of tricks claimed.
    pub tricks: u8,
    /// The cards of the two [hidden hands](Knowledge::hidden) in each layout.
    pub layouts: Vec<[Hand; 2]>,
}

/// The most layouts that are looked at one by one.
const MOST_LAYOUTS: u64 = 600;
/// Up to how many layouts all pairs are tried.
const MOST_FOR_PAIRS: usize = 80;

/// A core of a claim that is not sure: of one layout if there is one, of two if
/// two were found, else one from which no layout can be left out.
///
/// Where there are very many layouts only some are looked at, so that a smaller
/// core may exist; `None` if those are no core.
pub(crate) fn core(
    engine: &mut Engine,
    knowledge: &Knowledge,
    need: u8,
) -> Result<Option<Core>, ClaimError> {
    let made = |layouts: &[[u64; 2]]| {
        Some(Core {
            tricks: need,
            layouts: layouts
                .iter()
                .map(|hands| hands.map(Hand::from_bits))
                .collect(),
        })
    };
    if let Some(layout) = engine.refuting(knowledge, need)? {
        return Ok(made(&[layout]));
    }
    let (mut layouts, _) = bad_layouts::all_or_bad(knowledge, MOST_LAYOUTS);
    let fails = |engine: &mut Engine, layouts: &[[u64; 2]]| {
        let only = knowledge.only(layouts);
        engine.is_sure(&only, need).map(|sure| !sure)
    };
    for &layout in &layouts {
        if fails(engine, &[layout])? {
            return Ok(made(&[layout]));
        }
    }
    if !fails(engine, &layouts)? {
        return Ok(None);
    }
    if layouts.len() <= MOST_FOR_PAIRS {
        for (n, &first) in layouts.iter().enumerate() {
            for &second in &layouts[..n] {
                if fails(engine, &[second, first])? {
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
            if !rest.is_empty() && fails(engine, &rest)? {
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
