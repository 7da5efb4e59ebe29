//! Random positions, plain minimax and all layouts. Tests of several crates include this file.
#![allow(dead_code)]

use setrograde_cards::{Deal, Hand, Position, Seat, Side, Strain};

/// A random position at the start of a trick, with this number of cards in each hand.
pub(crate) fn random_position(random: &mut fastrand::Rng, cards: usize) -> Position {
    let deal = Deal::random_ending(cards, |n| random.usize(..n));
    let strain = Strain::ALL[random.usize(..5)];
    let leader = Seat::from_index(random.usize(..4));
    Position::new(strain, leader, deal, &[]).expect("a position")
}

/// The tricks that a side still takes, by trying all cards.
pub(crate) fn minimax(position: &Position, side: Side) -> u8 {
    let values = position.legal_cards().map(|card| {
        let next = position.play(card).expect("a legal card");
        let won = next.is_trick_boundary() && next.leader().side() == side;
        u8::from(won) + minimax(&next, side)
    });
    let best = if position.to_play().side() == side {
        values.max()
    } else {
        values.min()
    };
    best.unwrap_or(0)
}

/// All ways to share out the cards, by trying every seat for every card.
pub(crate) fn all(unseen: Hand, sizes: [u8; 4]) -> Vec<[Hand; 4]> {
    let mut layouts = vec![[Hand::EMPTY; 4]];
    for card in unseen {
        let with = |layout: &[Hand; 4], seat: usize| {
            let mut layout = *layout;
            layout[seat].insert(card);
            (layout[seat].len() <= usize::from(sizes[seat])).then_some(layout)
        };
        let each = layouts.iter();
        let next = each.flat_map(|layout| (0..4).filter_map(move |seat| with(layout, seat)));
        layouts = next.collect();
    }
    layouts
}
