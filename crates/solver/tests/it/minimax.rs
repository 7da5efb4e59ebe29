//! Random positions, mostly in the middle of a trick, against plain minimax.

use setrograde_cards::{Card, Deal, Hand, Position, Seat, Side, Strain};
use setrograde_solver::{CardTricks, Options, Solver, Target, Wanted, choices};

/// A source of random positions.
struct Random(fastrand::Rng);

impl Random {
    /// A position with `cards` cards in each hand, or after up to three plays
    /// from such a position. The cards come from few ranks where `dense`.
    fn position(&mut self, cards: usize, dense: bool) -> Position {
        let deal = if dense {
            self.dense(cards)
        } else {
            Deal::random_ending(cards, |n| self.0.usize(..n))
        };
        let strain = Strain::ALL[self.0.usize(..5)];
        let leader = Seat::from_index(self.0.usize(..4));
        let mut position = Position::new(strain, leader, deal, &[]).unwrap();
        for _ in 0..self.0.usize(..4) {
            position = self.play(&position);
        }
        position
    }

    /// A deal of the highest `cards` ranks.
    fn dense(&mut self, cards: usize) -> Deal {
        let ranks = 13 - cards..13;
        let mut pack: Vec<Card> = Card::pack().collect();
        pack.retain(|card| ranks.contains(&card.rank.index()));
        self.0.shuffle(&mut pack);
        let mut hands = [Hand::EMPTY; 4];
        for (at, &card) in pack.iter().enumerate() {
            hands[at % 4].insert(card);
        }
        Deal::new(hands).unwrap()
    }

    fn play(&mut self, position: &Position) -> Position {
        let cards: Vec<Card> = position.legal_cards().collect();
        position.play(cards[self.0.usize(..cards.len())]).unwrap()
    }
}

/// The position after a card, and the tricks that North and South take from the one before.
fn after(position: &Position, card: Card) -> (Position, i32) {
    let next = position.play(card).unwrap();
    let won = next.is_trick_boundary() && next.leader().side() == Side::NorthSouth;
    (next, i32::from(won) + minimax(&next))
}

/// The tricks that North and South still take.
fn minimax(position: &Position) -> i32 {
    let values = position.legal_cards().map(|card| after(position, card).1);
    let best = match position.to_play().side() {
        Side::NorthSouth => values.max(),
        Side::EastWest => values.min(),
    };
    best.unwrap_or(0)
}

fn for_side(seat: Seat, tricks: i32, left: usize) -> u8 {
    if seat.side() == Side::NorthSouth {
        tricks as u8
    } else {
        left as u8 - tricks as u8
    }
}

#[test]
fn random_positions() {
    let mut random = Random(fastrand::Rng::with_seed(1));
    let mut solver = Solver::new(Options::default());
    let mut within_a_trick = 0;
    for n in 0..1_400 {
        let cards = if n % 4 == 0 { 4 } else { 3 };
        let position = random.position(cards, n % 2 == 0);
        within_a_trick += usize::from(!position.is_trick_boundary());
        let value = minimax(&position);
        let left = position.tricks_left();
        let seat = position.to_play();
        let expected = for_side(position.leader(), value, left);
        assert_eq!(solver.tricks(&position).unwrap(), expected, "{position}");

        // Every card by its own.
        let mut solve = |target, wanted| solver.solve(&position, target, wanted).unwrap().cards;
        let all = solve(Target::Most, Wanted::All);
        let mut seen = 0;
        for found in &all {
            for card in found.equal_cards().chain([found.card]) {
                seen += 1;
                let expected = for_side(seat, after(&position, card).1, left);
                assert_eq!(found.tricks, expected, "{position} {card}");
            }
        }
        assert_eq!(seen, position.legal_cards().count(), "{position}");

        let best = all[0].tricks;
        assert_eq!(best, for_side(seat, value, left));
        let mut expected = all.clone();
        expected.retain(|found| found.tricks == best);
        let most = solve(Target::Most, Wanted::AllBest);
        assert_eq!(most, expected, "{position}");
        for target in 0..=left as u8 {
            let mut expected = all.clone();
            expected.retain(|found| found.tricks >= target);
            let mut found = solve(Target::AtLeast(target), Wanted::AllBest);
            assert!(found.iter().all(|found| found.tricks == target));
            let one = solve(Target::AtLeast(target), Wanted::One);
            assert_eq!(one.len(), usize::from(!found.is_empty()));
            for cards in [&mut expected, &mut found] {
                cards.sort_by_key(|found| found.card);
            }
            let cards = |found: &[CardTricks]| found.iter().map(|of| of.card).collect::<Vec<_>>();
            assert_eq!(
                cards(&found),
                cards(&expected),
                "{position} target {target}"
            );
        }

        // The first of any order.
        let mut order: Vec<Card> = choices(&position).iter().map(|of| of.card).collect();
        assert_eq!(order.len(), all.len(), "{position}");
        random.0.shuffle(&mut order);
        let worth = |card: &Card| *all.iter().find(|found| found.card == *card).unwrap();
        let first = |target| order.iter().map(worth).find(|found| found.tricks >= target);
        let found = solver.first_of(&position, Target::Most, &order).unwrap();
        assert_eq!(found, first(best), "{position} {order:?}");
        for target in 0..=left as u8 {
            let asked = Target::AtLeast(target);
            let found = solver.first_of(&position, asked, &order).unwrap();
            let [found, expected] =
                [found, first(target)].map(|of| of.map(|of| (of.card, of.equals)));
            assert_eq!(found, expected, "{position} {order:?} target {target}");
        }
    }
    assert!(within_a_trick > 1_000);
}

#[test]
fn random_plays() {
    let mut random = Random(fastrand::Rng::with_seed(2));
    let mut solver = Solver::new(Options::default());
    for _ in 0..60 {
        let start = random.position(4, false);
        let mut position = start;
        let (mut cards, mut won) = (Vec::new(), 0);
        let mut expected = vec![minimax(&start)];
        while position.tricks_left() > 0 {
            let legal: Vec<Card> = position.legal_cards().collect();
            let card = legal[random.0.usize(..legal.len())];
            let (next, value) = after(&position, card);
            expected.push(won + value);
            won += value - minimax(&next);
            cards.push(card);
            position = next;
        }
        let analysis = solver.analyse(&start, &cards).unwrap();
        for seat in Seat::ALL {
            let of_seat = |&tricks: &i32| for_side(seat, tricks, start.tricks_left());
            let expected: Vec<u8> = expected.iter().map(of_seat).collect();
            let found: Vec<u8> = analysis.tricks(seat).collect();
            assert_eq!(found, expected, "{start}");
        }
    }
}

/// A table that keeps only a few patterns still gives right answers.
#[test]
fn little_memory() {
    let mut random = Random(fastrand::Rng::with_seed(3));
    let mut small = Solver::new(Options {
        memory: 20_000,
        ..Options::default()
    });
    let mut large = Solver::new(Options::default());
    for _ in 0..40 {
        let position = random.position(8, false);
        assert_eq!(
            small.tricks(&position).unwrap(),
            large.tricks(&position).unwrap()
        );
    }
}

/// A solver asked about other layouts of two hands, in several strains, agrees with minimax.
#[test]
fn layouts_of_two_hands() {
    let mut random = Random(fastrand::Rng::with_seed(4));
    let mut solver = Solver::new(Options::default());
    for _ in 0..60 {
        let (deal, leader) = (random.dense(4), Seat::from_index(random.0.usize(..4)));
        let hidden = [leader.plus(1), leader.plus(3)];
        let mut cards: Vec<Card> = hidden
            .iter()
            .flat_map(|&seat| deal.hand(seat).cards())
            .collect();
        for _ in 0..20 {
            random.0.shuffle(&mut cards);
            let mut hands = *deal.hands();
            for (seat, cards) in hidden.into_iter().zip(cards.chunks(4)) {
                hands[seat] = cards.iter().copied().collect();
            }
            let strain = Strain::ALL[random.0.usize(..5) * random.0.usize(..2)];
            let layout = Deal::new(hands).unwrap();
            let position = Position::new(strain, leader, layout, &[]).unwrap();
            let expected = for_side(leader, minimax(&position), 4);
            assert_eq!(solver.tricks(&position).unwrap(), expected, "{position}");
            let best = solver.solve(&position, Target::Most, Wanted::All).unwrap();
            assert_eq!(best.cards[0].tricks, expected, "{position}");
        }
    }
}
