//! The search against brute force over explicit layouts, which shares no code
//! with it: no cases, no relative ranks, no equal cards, no table.

use setrograde_beliefs::{Condition, Measure, Term};
use setrograde_cards::{Card, Hand, Rank, Seat, Strain, Suit, Trick};
use setrograde_claim::{Claims, Knowledge, KnowledgeError, Options};

/// Four hands, a bit a card: `13 * suit + rank`.
type Layout = [u64; 4];

fn number(card: Card) -> usize {
    13 * card.suit.index() + card.rank.index()
}

fn card(number: usize) -> Card {
    let rank = Rank::new((number % 13) as u8 + 2).unwrap();
    Card::new(Suit::from_index(number / 13), rank)
}

fn hand(cards: u64) -> Hand {
    each(cards).map(card).collect()
}

fn suit_mask(suit: usize) -> u64 {
    0x1fff << (13 * suit)
}

/// The numbers of cards.
fn each(cards: u64) -> impl Iterator<Item = usize> {
    (0..52).filter(move |n| cards >> n & 1 != 0)
}

/// The cards that a hand may play to a trick.
fn legal(hand: u64, trick: &[usize]) -> u64 {
    match trick.first() {
        Some(&led) if hand & suit_mask(led / 13) != 0 => hand & suit_mask(led / 13),
        _ => hand,
    }
}

/// Each card that a seat may play in some layout, with the layouts after it.
fn plays(layouts: &[Layout], seat: usize, trick: &[usize]) -> Vec<(usize, Vec<Layout>)> {
    let all = layouts
        .iter()
        .fold(0, |all, layout| all | legal(layout[seat], trick));
    let after = |n: usize| {
        let able = layouts
            .iter()
            .filter(move |layout| legal(layout[seat], trick) >> n & 1 != 0);
        let rest = able.map(move |layout| {
            let mut layout = *layout;
            layout[seat] &= !(1 << n);
            layout
        });
        rest.collect()
    };
    each(all).map(|n| (n, after(n))).collect()
}

#[derive(Clone)]
struct Table {
    trump: Option<usize>,
    /// Seats whose cards the claimer chooses.
    chooses: [bool; 4],
    side: usize,
}

fn winner(trick: &[usize], leader: usize, trump: Option<usize>) -> usize {
    let strength = |card: usize| {
        let suit = card / 13;
        let class = if Some(suit) == trump {
            2
        } else {
            usize::from(suit == trick[0] / 13)
        };
        100 * class + card % 13
    };
    let best = (0..trick.len())
        .max_by_key(|&n| strength(trick[n]))
        .unwrap();
    (leader + best) % 4
}

/// The tricks of the claimer's side that are sure, within `low` to `high`.
fn sure(
    table: &Table,
    layouts: &[Layout],
    leader: usize,
    trick: &[usize],
    mut low: i32,
    mut high: i32,
) -> i32 {
    if trick.len() == 4 {
        let next = winner(trick, leader, table.trump);
        let won = i32::from(next % 2 == table.side);
        return won + sure(table, layouts, next, &[], low - won, high - won);
    }
    let seat = (leader + trick.len()) % 4;
    let left = layouts[0][seat].count_ones() as i32;
    if left == 0 {
        return 0;
    }
    let mut best = if table.chooses[seat] { 0 } else { left };
    for (n, rest) in plays(layouts, seat, trick) {
        let trick = [trick, &[n]].concat();
        let tricks = sure(table, &rest, leader, &trick, low, high);
        if table.chooses[seat] {
            best = best.max(tricks);
            low = low.max(best);
        } else {
            best = best.min(tricks);
            high = high.min(best);
        }
        if low >= high {
            break;
        }
    }
    best
}

struct Sample {
    knowledge: Knowledge,
    table: Table,
    layouts: Vec<Layout>,
    leader: usize,
    trick: Vec<usize>,
}

fn subsets(cards: &[usize], len: usize) -> Vec<u64> {
    if len == 0 {
        return vec![0];
    }
    if cards.len() < len {
        return Vec::new();
    }
    let mut found = subsets(&cards[1..], len);
    found.extend(
        subsets(&cards[1..], len - 1)
            .iter()
            .map(|rest| rest | 1 << cards[0]),
    );
    found
}

fn agrees(term: &Term, layout: &Layout, hidden: [usize; 2]) -> bool {
    let length =
        |seat: usize, suit: Suit| (layout[seat] & suit_mask(suit.index())).count_ones() as u8;
    match *term {
        Term::Linear(linear) => {
            let number = |seat: usize, of: Measure| match of {
                Measure::Length(suit) => length(seat, suit),
                Measure::Points => {
                    let held = each(layout[seat]);
                    held.map(|n| (n as u8 % 13).saturating_sub(8)).sum()
                }
                other => panic!("{other}, which the test does not know"),
            };
            let (least, most) = linear.bounds();
            let fits = |seat, of| (least..=most).contains(&number(seat, of).into());
            match linear.parts().collect::<Vec<_>>()[..] {
                [(Some(seat), of, 1)] => fits(seat.index(), of),
                [(None, of, 1)] => hidden.iter().all(|&seat| fits(seat, of)),
                _ => panic!("a sum that the test does not know"),
            }
        }
        Term::Split {
            suit,
            first,
            second,
        } => {
            let found = hidden.map(|seat| length(seat, suit));
            found == [first, second] || found == [second, first]
        }
        Term::Holds { seat, card } => layout[seat] >> number(card) & 1 != 0,
        Term::Shape { .. } => panic!("a term that the test does not know"),
    }
}

fn term(rng: &mut fastrand::Rng, unseen: u64, hidden: [usize; 2]) -> Term {
    let seat = Seat::from_index(hidden[rng.usize(0..2)]);
    let suit = Suit::from_index(rng.usize(0..4));
    let all = (unseen & suit_mask(suit.index())).count_ones() as u8;
    let (a, b) = (rng.u8(0..=all), rng.u8(0..=all));
    match rng.u8(0..5) {
        // Now and then more than there are.
        0 => {
            let least = a.min(b) + u8::from(rng.u8(0..8) == 0);
            Term::range(Some(seat), Measure::Length(suit), (least, a.max(b) + 1))
        }
        4 => {
            let (a, b) = (rng.u8(0..8), rng.u8(0..20));
            let seat = [Some(seat), None][rng.usize(0..2)];
            Term::range(seat, Measure::Points, (a.min(b), a.max(b)))
        }
        1 => Term::range(None, Measure::Length(suit), (0, a.max(all.div_ceil(2)))),
        2 => Term::Split {
            suit,
            first: a,
            second: all - a,
        },
        _ => {
            let cards: Vec<usize> = each(unseen).collect();
            let card = card(cards[rng.usize(0..cards.len())]);
            Term::Holds { seat, card }
        }
    }
}

/// A random position of `left` tricks; `None` if it came out impossible.
fn sample(rng: &mut fastrand::Rng, left: usize) -> Option<Sample> {
    let strain = Strain::ALL[rng.usize(0..5)];
    // Few suits and ranks make cards that matter to each other.
    let suits = rng.usize(2..=4);
    let ranks = rng.usize((4 * left).div_ceil(suits)..=13);
    let mut pack: Vec<usize> = (0..suits)
        .flat_map(|suit| (13 - ranks..13).map(move |rank| 13 * suit + rank))
        .collect();
    rng.shuffle(&mut pack);
    let mut hands = [0_u64; 4];
    for (n, card) in pack[..4 * left].iter().enumerate() {
        hands[n % 4] |= 1 << card;
    }
    let leader = rng.usize(0..4);
    let defender = rng.u8(0..3) == 0;
    let claimer = rng.usize(0..4);
    let dummy = if defender {
        (claimer + if rng.bool() { 1 } else { 3 }) % 4
    } else {
        (claimer + 2) % 4
    };
    let mut hidden = (0..4).filter(|&seat| seat != claimer && seat != dummy);
    let hidden = [hidden.next()?, hidden.next()?];

    // Some cards on the table, legal for the hands as dealt.
    let mut trick: Vec<usize> = Vec::new();
    if rng.bool() {
        for n in 0..rng.usize(0..4) {
            let seat = (leader + n) % 4;
            let cards: Vec<usize> = each(legal(hands[seat], &trick)).collect();
            let card = cards[rng.usize(0..cards.len())];
            hands[seat] &= !(1 << card);
            trick.push(card);
        }
    }
    let unseen = hands[hidden[0]] | hands[hidden[1]];
    let on_table = Trick::new(Seat::from_index(leader));
    let on_table = trick.iter().fold(on_table, |trick, &n| {
        trick.with(card(n)).expect("at most three")
    });
    let visible = [claimer, dummy].map(|seat| (Seat::from_index(seat), hand(hands[seat])));
    let claims = Some(Seat::from_index(claimer));
    let mut knowledge = Knowledge::new(strain, on_table, visible, hand(unseen), claims).unwrap();

    let cards: Vec<usize> = each(unseen).collect();
    let mut layouts: Vec<Layout> = subsets(&cards, hands[hidden[0]].count_ones() as usize)
        .into_iter()
        .map(|first| {
            let mut layout = hands;
            layout[hidden[0]] = first;
            layout[hidden[1]] = unseen & !first;
            layout
        })
        .collect();
    // A seat that has not followed suit is void in it.
    if let Some(led) = trick.first().map(|led| led / 13) {
        for (n, card) in trick.iter().enumerate() {
            let seat = (leader + n) % 4;
            if card / 13 != led && hidden.contains(&seat) {
                layouts.retain(|layout| layout[seat] & suit_mask(led) == 0);
            }
        }
    }
    // Conditions, occasionally with alternatives.
    if unseen != 0 && rng.bool() {
        let alternatives: Vec<Vec<Term>> = (0..rng.usize(1..=3))
            .map(|_| {
                (0..rng.usize(1..=2))
                    .map(|_| term(rng, unseen, hidden))
                    .collect()
            })
            .collect();
        layouts.retain(|layout| {
            alternatives
                .iter()
                .any(|terms| terms.iter().all(|term| agrees(term, layout, hidden)))
        });
        let texts: Vec<String> = alternatives
            .iter()
            .map(|terms| Condition::any([terms.clone()]).to_string())
            .collect();
        let condition: Condition = texts.join("|").parse().unwrap();
        match knowledge.given(&condition) {
            Ok(given) => knowledge = given,
            Err(error) => {
                let many = matches!(error, KnowledgeError::TooManyCases { .. });
                assert!(many || layouts.is_empty(), "{condition}: {error}");
                return None;
            }
        }
    }
    assert_eq!(knowledge.layouts(), layouts.len() as u64);
    let partners = (claimer + 2) % 4 == dummy;
    let mut chooses = [false; 4];
    chooses[claimer] = true;
    chooses[dummy] = partners;
    Some(Sample {
        knowledge,
        table: Table {
            trump: strain.trump().map(Suit::index),
            chooses,
            side: claimer % 2,
        },
        layouts,
        leader,
        trick,
    })
}

fn check(seed: u64, samples: usize, left: usize) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut claims = Claims::new(Options::default());
    let mut done = 0;
    while done < samples {
        let Some(sample) = sample(&mut rng, left) else {
            continue;
        };
        done += 1;
        let Sample {
            knowledge,
            table,
            layouts,
            leader,
            trick,
        } = sample;
        let seat = (leader + trick.len()) % 4;
        assert_eq!(seat, knowledge.to_play().index());
        let left = knowledge.tricks_left() as i32;
        let expected = sure(&table, &layouts, leader, &trick, 0, left);
        let found = claims.sure(&knowledge).unwrap();
        assert_eq!(i32::from(found), expected, "{done}: {knowledge:#?}");

        let values = plays(&layouts, seat, &trick).into_iter().map(|(n, rest)| {
            let next = [&trick[..], &[n]].concat();
            (card(n), sure(&table, &rest, leader, &next, 0, left) as u8)
        });
        let mut values: Vec<(Card, u8)> = values.collect();
        values.sort_by_key(|(card, _)| (card.suit, std::cmp::Reverse(card.rank)));
        let found: Vec<_> = claims.cards(&knowledge).unwrap();
        let found: Vec<_> = found.iter().map(|card| (card.card, card.sure)).collect();
        assert_eq!(found, values, "{done}: {knowledge:#?}");
    }
}

#[test]
fn one_trick() {
    check(1, 3_000, 1);
}

#[test]
fn two_tricks() {
    check(2, 10_000, 2);
}

#[test]
fn three_tricks() {
    check(3, 7_000, 3);
}

#[test]
fn four_tricks() {
    check(4, 250, 4);
}

/// The first of two defenders needs both ends of a run: with a card for each
/// run this comes out one trick too many.
#[test]
fn equal_cards_of_the_first_defender() {
    let knowledge: Knowledge = "D N S:KQ.5.. ? 65.A.. ? out=32..K.542".parse().unwrap();
    let sure = Claims::new(Options::default()).sure(&knowledge).unwrap();
    assert_eq!(sure, 0);
}
