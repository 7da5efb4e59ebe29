//! Questions as text, to show where the libraries differ.

use std::ffi::c_int;

use dds::abi::*;

use crate::text::{as_text, letters};

/// A part of a question as text.
pub trait Shown {
    fn shown(&self) -> String;
}

macro_rules! as_numbers {
    ($($type:ty),*) => {$(
        impl Shown for $type {
            fn shown(&self) -> String {
                format!("{self:?}")
            }
        }
    )*};
}

as_numbers!(
    c_int,
    [c_int; 2],
    [c_int; 4],
    [c_int; 5],
    TableResults,
    ParResultsMaster,
    [ParResultsMaster; 2]
);

impl Shown for Holdings {
    fn shown(&self) -> String {
        let holding = |bits: u32| match bits & !0x7ffc {
            0 => letters(bits),
            strange => format!("{}<{strange:x}>", letters(bits)),
        };
        self.map(|hand| hand.map(holding).join(".")).join(" ")
    }
}

impl Shown for PbnText {
    fn shown(&self) -> String {
        format!("{:?}", as_text(self))
    }
}

impl Shown for Deal {
    fn shown(&self) -> String {
        let Deal {
            trump,
            first,
            trick_suit,
            trick_rank,
            cards,
        } = self;
        let cards = cards.shown();
        format!("trump {trump} first {first} trick {trick_suit:?} {trick_rank:?} {cards}")
    }
}

impl Shown for DealPbn {
    fn shown(&self) -> String {
        let DealPbn {
            trump,
            first,
            trick_suit,
            trick_rank,
            cards,
        } = self;
        let cards = cards.shown();
        format!("trump {trump} first {first} trick {trick_suit:?} {trick_rank:?} {cards}")
    }
}

impl Shown for TableDeal {
    fn shown(&self) -> String {
        self.cards.shown()
    }
}

impl Shown for TableDealPbn {
    fn shown(&self) -> String {
        self.cards.shown()
    }
}

impl<D: Shown> Shown for TableDeals<D> {
    fn shown(&self) -> String {
        format!("{} deals, first {}", self.count, self.deals[0].shown())
    }
}

/// The parts of as many elements as questions make of their own.
fn listed(count: c_int, part: impl Fn(usize) -> String) -> String {
    let shown = usize::try_from(count).unwrap_or(0).min(13);
    let parts: Vec<String> = (0..shown).map(part).collect();
    format!("{count}: {}", parts.join(" | "))
}

impl<D: Shown> Shown for Boards<D> {
    fn shown(&self) -> String {
        let part = |n: usize| {
            let numbers = [self.target[n], self.solutions[n], self.mode[n]];
            format!("{} {numbers:?}", self.deals[n].shown())
        };
        format!("boards {}", listed(self.count, part))
    }
}

impl Shown for PlayTrace {
    fn shown(&self) -> String {
        let shown = usize::try_from(self.number).unwrap_or(0).min(52);
        let cards = self.suit[..shown].iter().zip(&self.rank[..shown]);
        format!("play of {} {:?}", self.number, cards.collect::<Vec<_>>())
    }
}

impl Shown for PlayTracePbn {
    fn shown(&self) -> String {
        format!("play of {} {:?}", self.number, as_text(&self.cards))
    }
}

impl<P: Shown> Shown for PlayTraces<P> {
    fn shown(&self) -> String {
        format!("plays {}", listed(self.count, |n| self.plays[n].shown()))
    }
}
