//! The worst normal play against all plays, one by one: no relative ranks, no cases, no table. A
//! second implementation of normal play, after `docs/claim.md`.

use crate::positions::{layouts, leads_of, random_line};
use setrograde_beliefs::Question;
use setrograde_cards::{Card, Hand, Seat, Suit};
use setrograde_claim::{ClaimError, Claims, Knowledge, Line, Options, ReadingOf};

use crate::positions;

fn legal(hand: Hand, led: Option<Suit>) -> Hand {
    match led {
        Some(led) if !hand.suit(led).is_empty() => hand.suit(led),
        _ => hand,
    }
}

/// The cards that a hidden seat may play in one of `layouts`.
fn may_play(known: &Knowledge, layouts: &[[Hand; 2]], seat: Seat) -> Hand {
    let index = usize::from(known.hidden()[1] == seat);
    let led = known.trick().led_suit();
    let hands = layouts
        .iter()
        .flat_map(|hands| legal(hands[index], led).cards());
    hands.collect()
}

/// The plays of the claimer that count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Care {
    None,
    KeepsSure,
    ForgetsTrumps,
}

/// A point of the play besides the cards.
#[derive(Clone, Copy)]
struct At {
    /// The plays of the line that are made.
    done: usize,
    concedes: u8,
    forgets: bool,
    /// The tricks that were sure before a card to this trick was played as if no trump were out.
    risked: Option<u8>,
    /// True if one layout is ruled on, so that a defender's partner plays normally.
    ruled: bool,
}

/// The table as one hand of the claimer's side sees it.
struct Sight<'a> {
    known: &'a Knowledge,
    seat: Seat,
    hand: Hand,
    /// Its partner's cards if it sees them.
    partner: Hand,
    /// The cards against it.
    out: Hand,
    /// The maximum length of an opponent's holding in each suit.
    longest: [usize; 4],
    /// The opponents' cards that may still come to the trick.
    later: Hand,
    stated: Hand,
    concedes: u8,
    forgetting: bool,
}

impl<'a> Sight<'a> {
    fn of_claimer(known: &'a Knowledge, seat: Seat) -> Sight<'a> {
        let all = layouts(known);
        let ours = known.claimer().side();
        let mut sight = Sight {
            known,
            seat,
            hand: known.hand(seat).expect("visible"),
            partner: Hand::EMPTY,
            out: known.unseen(),
            longest: [0; 4],
            later: Hand::EMPTY,
            stated: Hand::EMPTY,
            concedes: 0,
            forgetting: false,
        };
        let later: Vec<Seat> = (1..4 - known.trick().cards().len())
            .map(|n| seat.plus(n))
            .collect();
        for other in Seat::ALL.into_iter().filter(|&other| other != seat) {
            match known.hand(other) {
                Some(hand) if known.plays_for(other) => sight.partner = hand,
                Some(hand) => {
                    sight.out |= hand;
                    if later.contains(&other) {
                        sight.later |= legal(hand, known.trick().led_suit());
                    }
                    sight.note_lengths(hand);
                }
                None => {
                    if later.contains(&other) && other.side() != ours {
                        sight.later |= may_play(known, &all, other);
                    }
                }
            }
        }
        for hands in all {
            hands.into_iter().for_each(|hand| sight.note_lengths(hand));
        }
        sight
    }

    /// Of a defender's partner who sees its own cards, where `layout` is the true one.
    fn of_partner(known: &'a Knowledge, seat: Seat, layout: [Hand; 2]) -> Sight<'a> {
        let hand = |of: Seat| match known.hidden().iter().position(|&hidden| hidden == of) {
            Some(index) => layout[index],
            None => known.hand(of).expect("visible"),
        };
        let mut sight = Sight {
            known,
            seat,
            hand: hand(seat),
            partner: Hand::EMPTY,
            out: Hand::EMPTY,
            longest: [0; 4],
            later: Hand::EMPTY,
            stated: Hand::EMPTY,
            concedes: 0,
            forgetting: false,
        };
        for n in [1, 3] {
            let cards = hand(seat.plus(n));
            sight.out |= cards;
            sight.note_lengths(cards);
            if n < 4 - known.trick().cards().len() {
                sight.later |= legal(cards, known.trick().led_suit());
            }
        }
        sight
    }

    fn note_lengths(&mut self, hand: Hand) {
        for suit in Suit::ALL {
            let longest = &mut self.longest[suit];
            *longest = (*longest).max(hand.suit(suit).len());
        }
    }

    fn is_trump(&self, card: Card) -> bool {
        Some(card.suit) == self.known.strain().trump()
    }

    /// The cards against the hand that count.
    fn counted(&self) -> Vec<Card> {
        let counts = |&card: &Card| !(self.forgetting && self.is_trump(card));
        self.out.cards().filter(counts).collect()
    }

    /// The highest of a suit first.
    fn suit(&self, suit: Suit) -> Vec<Card> {
        self.hand.suit(suit).cards().collect()
    }

    fn leads(&self, draws: bool) -> Vec<Card> {
        let own: Vec<Card> = self.hand.cards().collect();
        let out = self.out.cards().any(|card| self.is_trump(card));
        let from: Vec<Card> = if self.forgetting {
            own
        } else if out && draws && own.iter().any(|&card| self.is_trump(card)) {
            own.into_iter()
                .filter(|&card| self.is_trump(card))
                .collect()
        } else if !out && own.iter().any(|&card| !self.is_trump(card)) {
            own.into_iter()
                .filter(|&card| !self.is_trump(card))
                .collect()
        } else {
            own
        };
        let first = |suit| from.iter().copied().find(|card| card.suit == suit);
        let tops: Vec<Card> = Suit::ALL.into_iter().filter_map(first).collect();
        let higher = |top: &Card, against: &[Card]| {
            let best = (self.hand | self.partner)
                .suit(top.suit)
                .cards()
                .next()
                .expect("a card");
            against
                .iter()
                .filter(|card| card.suit == top.suit && card.rank > best.rank)
                .count()
        };
        if self.forgetting {
            let against = self.counted();
            return tops
                .into_iter()
                .filter(|top| higher(top, &against) == 0)
                .collect();
        }
        let against: Vec<Card> = self.out.cards().collect();
        let most = usize::from(self.concedes).max(1);
        let good: Vec<Card> = tops
            .iter()
            .copied()
            .filter(|top| higher(top, &against) <= most)
            .collect();
        if good.is_empty() { tops } else { good }
    }

    /// Returns true if an opponent may still beat a card that wins so far.
    fn threatened(&self, card: Card) -> bool {
        self.later.cards().any(|other| {
            let beats = if other.suit == card.suit {
                other.rank > card.rank
            } else {
                self.is_trump(other)
            };
            beats && !(self.forgetting && self.is_trump(other))
        })
    }

    fn lowest(&self, cards: &[Card]) -> Card {
        let free = cards
            .iter()
            .rev()
            .find(|&&card| !self.stated.contains(card));
        *free.or(cards.last()).expect("a card")
    }

    fn discards(&self) -> Vec<Card> {
        let side = self.hand.cards().any(|card| !self.is_trump(card));
        let mut lows = Vec::new();
        let mut losers = Vec::new();
        for suit in Suit::ALL {
            let cards = self.suit(suit);
            if cards.is_empty() || side && self.is_trump(cards[0]) {
                continue;
            }
            let against = self.counted();
            let high = |card: &&Card| {
                against
                    .iter()
                    .all(|other| other.suit != suit || other.rank < card.rank)
            };
            let winners = cards.iter().filter(high).count();
            let low = self.lowest(&cards);
            lows.push(low);
            let runs = winners == cards.len() || winners >= self.longest[suit];
            if !runs && !self.stated.contains(low) {
                losers.push(low);
            }
        }
        if losers.is_empty() { lows } else { losers }
    }

    fn follows(&self) -> Vec<Card> {
        let (known, trick) = (self.known, self.known.trick());
        let led = trick.led_suit().expect("a lead");
        let winning = |card: Card| {
            let after = trick.with(card).expect("room for a card");
            after.winner(known.strain()) == Some(self.seat)
        };
        let best = trick
            .plays()
            .find(|&(seat, _)| Some(seat) == trick.winner(known.strain()));
        let (winner, card) = best.expect("a lead");
        let holds = winner.side() == self.seat.side() && !self.threatened(card);
        let follow = self.suit(led);
        let mut found = Vec::new();
        let mut add = |card: Card| {
            if !found.contains(&card) {
                found.push(card);
            }
        };
        if !follow.is_empty() {
            let beats: Vec<Card> = follow
                .iter()
                .copied()
                .filter(|&card| winning(card))
                .collect();
            let safe = beats.iter().rev().find(|&&card| !self.threatened(card));
            let out = |card: &&Card| {
                !self
                    .later
                    .cards()
                    .any(|other| other.suit == led && other.rank > card.rank)
            };
            let high = beats.iter().rev().find(out);
            match (safe, high) {
                _ if holds || beats.is_empty() => add(self.lowest(&follow)),
                (Some(&card), _) => add(card),
                (None, Some(&card)) => {
                    add(card);
                    add(self.lowest(&follow));
                }
                (None, None) => {
                    add(beats[0]);
                    add(*beats.last().expect("one"));
                    add(self.lowest(&follow));
                }
            }
            return found;
        }
        let ruffs: Vec<Card> = self
            .hand
            .cards()
            .filter(|&card| self.is_trump(card) && winning(card))
            .collect();
        if holds || ruffs.is_empty() {
            return self.discards();
        }
        match ruffs.iter().rev().find(|&&card| !self.threatened(card)) {
            Some(&card) => add(card),
            None => {
                add(ruffs[0]);
                add(*ruffs.last().expect("one"));
            }
        }
        if self.concedes > 0 && self.hand.cards().any(|card| !self.is_trump(card)) {
            self.discards().into_iter().for_each(add);
        }
        found
    }
}

/// The play that the line states, if it can be made and is not pointless.
fn stated(known: &Knowledge, line: &Line, at: At, seat: Seat) -> Option<Card> {
    let trick = known.trick();
    let playable = legal(known.hand(seat).expect("visible"), trick.led_suit());
    let Some(&led) = trick.cards().first() else {
        let &(lead, _) = leads_of(line).get(at.done)?;
        return playable.contains(lead).then_some(lead);
    };
    let (lead, follow) = leads_of(line)[at.done.checked_sub(1)?];
    let follow = follow.filter(|&follow| lead == led && playable.contains(follow))?;
    let wins = |card: Card| {
        trick
            .with(card)
            .expect("room for a card")
            .winner(known.strain())
            == Some(seat)
    };
    let ours = trick.winner(known.strain()).expect("a lead").side() == seat.side();
    (ours || wins(follow) || !playable.cards().any(wins)).then_some(follow)
}

/// The plays of the claimer that count, and of lapses the tricks that are sure without them.
fn plays(claims: &mut Claims, known: &Knowledge, line: &Line, at: At, care: Care) -> Vec<Tried> {
    let seat = known.to_play();
    let complete = at.done == leads_of(line).len();
    if !(complete && known.trick().cards().is_empty())
        && let Some(card) = stated(known, line, at, seat)
    {
        return vec![plain(card)];
    }
    let trump = known.strain().trump();
    let draws = line.draws_trumps
        || leads_of(line)
            .iter()
            .any(|(lead, _)| Some(lead.suit) == trump);
    let normal = |forgetting| {
        let mut sight = Sight::of_claimer(known, seat);
        sight.concedes = at.concedes;
        sight.forgetting = forgetting && (trump.is_none() || known.trick().led_suit() != trump);
        for &(lead, follow) in &leads_of(line)[at.done..] {
            sight.stated.insert(lead);
            follow.map(|follow| sight.stated.insert(follow));
        }
        if known.trick().cards().is_empty() {
            sight.leads(draws)
        } else {
            sight.follows()
        }
    };
    let cards = normal(false);
    if care == Care::None {
        return cards.into_iter().map(plain).collect();
    }
    let mut sure_after = |card: Card| {
        let after = known.play(card).expect("a legal card");
        let ended = after.trick().cards().is_empty();
        let won = ended && after.trick().leader().side() == known.claimer().side();
        let rest = match after.tricks_left() {
            0 => 0,
            _ => claims.sure(&after).expect("no limit"),
        };
        u8::from(won) + rest
    };
    let all = legal(known.hand(seat).expect("visible"), known.trick().led_suit());
    let level = all.cards().map(&mut sure_after).max().expect("a card");
    let mut kept: Vec<Card> = cards
        .into_iter()
        .filter(|&card| sure_after(card) == level)
        .collect();
    if kept.is_empty() {
        kept = all
            .cards()
            .filter(|&card| sure_after(card) == level)
            .collect();
    }
    let careless = if at.forgets { normal(true) } else { Vec::new() };
    let follows = !known.trick().cards().is_empty();
    let fears = |card| at.forgets && follows && wins(known, card) && !careless.contains(&card);
    let feared = kept.iter().any(|&card| fears(card));
    let mut tried = Vec::new();
    for &card in &careless {
        if at.risked.is_none() && !kept.contains(&card) && (feared || wins(known, card)) {
            let lapse = Some(level);
            tried.push(Tried {
                lapse,
                ..plain(card)
            });
        }
    }
    for &card in &kept {
        let fears = fears(card);
        tried.push(Tried {
            fears,
            ..plain(card)
        });
    }
    tried
}

/// A card of the claimer's side to try.
#[derive(Clone, Copy)]
struct Tried {
    card: Card,
    /// The tricks that are sure without it, if it is played as if no trump were out.
    lapse: Option<u8>,
    /// True if it is played for fear of a trump.
    fears: bool,
}

fn plain(card: Card) -> Tried {
    let (lapse, fears) = (None, false);
    Tried { card, lapse, fears }
}

/// Returns true if a card is led, or wins the trick so far.
fn wins(known: &Knowledge, card: Card) -> bool {
    let cards = known.trick().cards().iter().chain([&card]).copied();
    let strength = |of: Card| {
        let trump = Some(of.suit) == known.strain().trump();
        let led = known.trick().led_suit().is_none_or(|led| led == of.suit);
        (trump, led, of.rank)
    };
    cards.max_by_key(|&of| strength(of)) == Some(card)
}

/// The fewest tricks of the claimer's side, where `truth` has the layouts that are possible.
fn fewest(
    claims: &mut Claims,
    known: &Knowledge,
    truth: &[[Hand; 2]],
    line: &Line,
    at: At,
    care: Care,
) -> u8 {
    if known.tricks_left() == 0 {
        return 0;
    }
    let seat = known.to_play();
    let ours = known.claimer().side();
    let cards: Vec<Tried> = if known.plays_for(seat) {
        plays(claims, known, line, at, care)
    } else {
        let led = known.trick().led_suit();
        let cards: Vec<Card> = match known.hand(seat) {
            Some(hand) => legal(hand, led).cards().collect(),
            None if seat.side() == ours && at.ruled => {
                let sight = Sight::of_partner(known, seat, truth[0]);
                match led {
                    None => sight.leads(false),
                    Some(_) => sight.follows(),
                }
            }
            None => may_play(known, truth, seat).cards().collect(),
        };
        cards.into_iter().map(plain).collect()
    };
    let lead = known.trick().cards().is_empty();
    let tricks = cards.into_iter().map(|Tried { card, lapse, fears }| {
        let after = known.play(card).expect("a legal card");
        let is_trump = Some(card.suit) == known.strain().trump();
        let mut next = at;
        next.done += usize::from(
            lead && leads_of(line)
                .get(at.done)
                .is_some_and(|&(of, _)| of == card),
        );
        next.forgets &= !(fears || is_trump && seat.side() != ours);
        next.risked = at.risked.or(lapse);
        // The remaining layouts in which the card could be played.
        let led = known.trick().led_suit();
        let index = known.hidden().iter().position(|&hidden| hidden == seat);
        let rest = truth.iter().filter_map(|hands| {
            let mut hands = *hands;
            if let Some(index) = index {
                if !legal(hands[index], led).contains(card) {
                    return None;
                }
                hands[index].remove(card);
            }
            Some(hands)
        });
        let ended = after.trick().cards().is_empty();
        let won = ended && after.trick().leader().side() == ours;
        if ended {
            let held = |of: Card| {
                let mut own = Seat::ALL.into_iter().filter(|&seat| after.plays_for(seat));
                own.any(|seat| after.hand(seat).is_some_and(|hand| hand.contains(of)))
            };
            while leads_of(line)
                .get(next.done)
                .is_some_and(|&(lead, _)| !held(lead))
            {
                next.done += 1;
            }
            if !won {
                next.concedes = next.concedes.saturating_sub(1);
            }
            if let Some(sure) = next.risked.take() {
                let rest = match after.tricks_left() {
                    0 => 0,
                    _ => claims.sure(&after).expect("no limit"),
                };
                next.forgets &= u8::from(won) + rest >= sure;
            }
        }
        let rest: Vec<[Hand; 2]> = rest.collect();
        u8::from(won) + fewest(claims, &after, &rest, line, next, care)
    });
    tricks.min().expect("a card")
}

/// The start, where `concedes` tricks are conceded.
fn start(concedes: u8, care: Care) -> At {
    At {
        done: 0,
        concedes,
        forgets: care == Care::ForgetsTrumps,
        risked: None,
        ruled: true,
    }
}

/// The worst result of a line is the same for any order of suits.
fn of_line(known: &Knowledge, truth: &[[Hand; 2]], line: &Line) -> u8 {
    let mut claims = Claims::new(Options::default());
    let mut at = start(known.tricks_left() as u8, Care::None);
    at.ruled = false;
    fewest(&mut claims, known, truth, line, at, Care::None)
}

/// Returns true if trumps that are out count as forgotten.
fn forgets_trumps(known: &Knowledge, layout: [Hand; 2], claimed: u8, line: &Line) -> bool {
    let Some(trump) = known.strain().trump() else {
        return false;
    };
    let theirs = (0..2).filter(|&index| known.hidden()[index].side() != known.claimer().side());
    let out: Vec<Card> = theirs
        .flat_map(|index| layout[index].suit(trump).cards())
        .collect();
    let mut all: Vec<Card> = known.unseen().suit(trump).cards().collect();
    for seat in known.visible() {
        all.extend(known.hand(seat).expect("visible").suit(trump).cards());
    }
    let highest = all.iter().map(|card| card.rank).max();
    let concedes = usize::from(claimed) < known.tricks_left();
    let said = line.draws_trumps || leads_of(line).iter().any(|(lead, _)| lead.suit == trump);
    (1..=2).contains(&out.len())
        && !said
        && !(concedes && out.iter().any(|card| Some(card.rank) == highest))
}

/// Checks that a play takes this number of tricks.
fn check_play(known: &Knowledge, play: &[Card], tricks: u8) {
    let (mut at, mut won) = (known.clone(), 0);
    for &card in play {
        at = at.play(card).expect("a legal card");
        let ended = at.trick().cards().is_empty();
        won += u8::from(ended && at.trick().leader().side() == known.claimer().side());
    }
    assert_eq!((at.tricks_left(), won), (0, tricks));
}

/// Compares rulings on random claims with brute force.
fn compare_rulings(seed: u64, number: usize, left: usize) -> [usize; 4] {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut claims = Claims::new(Options::default());
    let mut seen = [0; 4];
    for _ in 0..number {
        let known = positions::random(&mut rng, left);
        let line = random_line(&mut rng, &known);
        let all = layouts(&known);
        let one = all[rng.usize(0..all.len())];
        let left = known.tricks_left() as u8;
        let claimed = rng.u8(0..=left);
        let found = claims
            .adjudicate(&known, one, claimed, &line)
            .expect("an answer");
        let mut award = |care| {
            let at = start(left - claimed, care);
            claimed.min(fewest(&mut claims, &known, &[one], &line, at, care))
        };
        let kept = award(Care::KeepsSure);
        let awarded = if forgets_trumps(&known, one, claimed, &line) {
            award(Care::ForgetsTrumps)
        } else {
            kept
        };
        let any = award(Care::None);
        let case = format!("{known:#?} {one:?} {line} {claimed} {found:#?}");
        assert_eq!(found.awarded, awarded, "{case}");
        let other = |reading| found.reading(reading).map(|other| other.awarded);
        let expected = (awarded < kept).then_some(kept);
        assert_eq!(other(ReadingOf::TrumpsKnown), expected, "{case}");
        let expected = (any < awarded).then_some(any);
        assert_eq!(other(ReadingOf::AnyOrder), expected, "{case}");
        check_play(&known, &found.worst.play, found.worst.tricks);
        assert_eq!(found.worst.tricks.min(claimed), awarded);
        for other in &found.readings {
            check_play(&known, &other.worst.play, other.worst.tricks);
        }
        seen[0] += usize::from(awarded < claimed);
        seen[1] += usize::from(awarded < kept);
        seen[2] += usize::from(any < awarded);
        seen[3] += usize::from(found.inferior.is_some());
    }
    seen
}

#[test]
fn rulings_are_those_of_brute_force() {
    let seen = compare_rulings(72, 2_000, 3);
    assert!(seen.iter().all(|&seen| seen > 5), "{seen:?}");
}

/// The same, for longer.
#[test]
#[ignore = "takes minutes"]
fn many_rulings_are_those_of_brute_force() {
    for seed in 0..20 {
        compare_rulings(1_000 + seed, 500, 3);
        compare_rulings(2_000 + seed, 20, 4);
    }
}

#[test]
fn worst_plays_are_those_of_brute_force() {
    let mut rng = fastrand::Rng::with_seed(70);
    let mut claims = Claims::new(Options::default());
    let mut seen = [0; 4];
    for _ in 0..400 {
        let known = positions::random(&mut rng, 3);
        let line = random_line(&mut rng, &known);
        let all = layouts(&known);
        let found = claims.line(&known, &line).expect("an answer");
        let expected = of_line(&known, &all, &line);
        assert_eq!(found.tricks, expected, "{known:#?} {line}");
        seen[usize::from(found.tricks)] += 1;
        check_play(&known, &found.play, found.tricks);
    }
    assert!(seen.iter().all(|&seen| seen > 10), "{seen:?}");
}

#[test]
fn the_limit_bounds_a_line() {
    let mut rng = fastrand::Rng::with_seed(71);
    let options = Options {
        limit: Some(20),
        ..Options::default()
    };
    let mut claims = Claims::new(options);
    let mut reached = 0;
    for _ in 0..20 {
        let known = positions::random(&mut rng, 6);
        let found = claims.line(&known, &Line::default());
        reached += usize::from(matches!(found, Err(ClaimError::LimitReached { limit: 20 })));
    }
    // A change that claims not to change the work leaves this unchanged.
    assert_eq!(reached, 15);
}

/// No search is needed if a hand has only high cards in each suit, or as many of them as the
/// opponents can follow.
#[test]
fn winners_are_counted_at_sight() {
    for question in [
        "NT S N:AKQJ.AKQJ.. ? 5432.5432.. ? out=..AKQJT987.AKQJT987 by=S",
        "NT S N:AKQ2.AKQ2.. ? ..AKQJ.AKQJ ? out=JT9.JT9.T9876.T9876 by=S",
        "S S N:AKQJ.AKQ2.. ? 5432..AKQJ. ? out=.JT9.T9876.AKQJT987 by=S",
    ] {
        let question: Question = question.parse().expect("a question");
        let knowledge = Knowledge::of(&question).expect("a claim");
        let mut claims = Claims::new(Options {
            limit: Some(1),
            ..Options::default()
        });
        let worst = claims.line(&knowledge, &Line::default());
        assert_eq!(worst.expect("no search").tricks, 8);
    }
}

/// A bound equal to the target is not the exact number.
#[test]
fn bounds_are_not_taken_for_results() {
    let question = "D W W:? .T.J8. ? Q.Q.7.8 out=J8.5.A.AT5 played=S6,HK";
    let known: Knowledge = question.parse().expect("a question");
    let line = Line::default();
    let found = Claims::new(Options::default()).line(&known, &line);
    let brute = of_line(&known, &layouts(&known), &line);
    assert_eq!((found.expect("an answer").tricks, brute), (2, 2));
}

/// A line states cards of the claimer's side, each once.
#[test]
fn a_stated_card_is_held_and_stated_once() {
    let known: Knowledge = "NT N N:A2... ? K.3.. ? out=QJ.KQ.."
        .parse()
        .expect("a question");
    let layout = layouts(&known)[0];
    let mut claims = Claims::new(Options::default());
    for (line, error) in [
        ("SQ", "the line: SQ is in no hand of the claimer's side"),
        ("SA S2-SA", "the line: SA is stated twice"),
    ] {
        let line: Line = line.parse().expect("a line");
        let found = claims.line(&known, &line).unwrap_err();
        assert_eq!(found.to_string(), error);
        let found = claims.adjudicate(&known, layout, 1, &line).unwrap_err();
        assert_eq!(found.to_string(), error);
    }
}

#[test]
fn errors_name_the_column_of_a_card() {
    for (line, column) in [("SA SX", 5), ("SA H2-HX", 8), ("rest SA", 6)] {
        let error = line.parse::<Line>().expect_err(line).to_string();
        assert!(error.starts_with(&format!("column {column}:")), "{error}");
    }
}

#[test]
fn statements_are_words_as_players_say_them() {
    for (said, line) in [
        ("drawing trumps", "T rest"),
        ("Draw trumps.", "T rest"),
        ("trumps", "T rest"),
        ("all", "rest"),
        ("the rest", "rest"),
        ("All the rest are mine", "rest"),
        ("spades from the top", "spades from the top, rest"),
        ("\u{2660} from the top", "spades from the top, rest"),
        (
            "pulling trumps, then running the diamonds",
            "T diamonds from the top, rest",
        ),
        (
            "SA, then hearts from the top down",
            "SA hearts from the top, rest",
        ),
        ("SA SK H2-HQ and the rest", "SA SK H2-HQ rest"),
        (
            "K of hearts, then A of hearts",
            "the king of hearts, the ace of hearts, rest",
        ),
        ("two of hearts", "the deuce of hearts, rest"),
        (
            "ruff two hearts, concede a club",
            "ruff 2 hearts, concede a club, rest",
        ),
        ("T, ruff a heart, then trumps", "T ruff a heart, T rest"),
        (
            "SAKQ",
            "the ace of spades, the king of spades, the queen of spades, rest",
        ),
    ] {
        let read: Line = said.parse().expect(said);
        assert_eq!(read.to_string(), line, "{said}");
        assert_eq!(line.parse(), Ok(read), "{said}");
    }
    for (said, error) in [
        ("cross-ruff", "column 1: \"ruff\": which cards are ruffed"),
        (
            "T somehow",
            "column 3: \"somehow\": expected cards such as SA",
        ),
        ("the queen", "column 5: of which suit?"),
        (
            "ruff a heart high",
            "column 14: \"high\": with which trump?",
        ),
        ("the heart finesse", "column 5: to which card?"),
        ("cross to dummy", "column 1: with which suit?"),
        (
            "the hearts after trumps",
            "column 12: \"after\": say the steps in the order",
        ),
        ("rest SA", "column 6: \"SA\" is left over"),
    ] {
        let found = said.parse::<Line>().expect_err(said).to_string();
        assert!(found.starts_with(error), "{said}: {found}");
    }
}

/// A suit that is run is its cards from the top, from whichever hand has them.
#[test]
fn a_suit_that_is_run_is_its_cards() {
    let question = "NT S N:AJ4..2. ? KQ3..3. ? out=T987.A2.AK.";
    let known: Knowledge = question.parse().expect("a question");
    let mut claims = Claims::new(Options::default());
    let mut tricks = |line: &str| {
        let line: Line = line.parse().expect("a line");
        claims.line(&known, &line).expect("an answer").tricks
    };
    let named = tricks("S3-SA S4-SK SQ");
    assert_eq!((tricks("spades from the top"), named), (3, 3));
    assert_eq!(tricks("D3-D2"), 0);
}

/// A line that draws trumps leads them first, as long as some are out.
#[test]
fn trumps_are_drawn_if_that_is_stated() {
    let question = "S S N:..32. ? A.A.. ? out=2.2.98.";
    let known: Knowledge = question.parse().expect("a question");
    for (line, tricks) in [("T", 2), ("", 1)] {
        let line: Line = line.parse().expect("a line");
        let found = Claims::new(Options::default()).line(&known, &line);
        assert_eq!(found.expect("an answer").tricks, tricks, "{line}");
        assert_eq!(of_line(&known, &layouts(&known), &line), tricks);
    }
}

#[test]
fn a_stated_low_lead_is_no_lead_from_the_top() {
    let question = "NT S N:..AKQJ. ? AK2.A.. ? out=QJ.KQ.T987.";
    let known: Knowledge = question.parse().expect("a question");
    let all = layouts(&known);
    let mut claims = Claims::new(Options::default());
    let mut tricks = |line: &str| {
        let line: Line = line.parse().expect("a line");
        let found = claims.line(&known, &line).expect("an answer").tricks;
        assert_eq!(found, of_line(&known, &all, &line), "{line}");
        found
    };
    assert_eq!(tricks("HA"), 4);
    assert!(tricks("HA S2") < 4);
}
