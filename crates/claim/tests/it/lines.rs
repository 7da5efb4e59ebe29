//! The worst normal play against all plays, one by one: no relative ranks, no cases, no table. A
//! second implementation of normal play, after `docs/claim.md`.

use crate::positions::{known, layouts, leads_of, random_line, won};
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
    fn new(known: &'a Knowledge, seat: Seat, hand: Hand) -> Sight<'a> {
        Sight {
            known,
            seat,
            hand,
            partner: Hand::EMPTY,
            out: Hand::EMPTY,
            longest: [0; 4],
            later: Hand::EMPTY,
            stated: Hand::EMPTY,
            concedes: 0,
            forgetting: false,
        }
    }

    fn of_claimer(known: &'a Knowledge, seat: Seat) -> Sight<'a> {
        let all = layouts(known);
        let ours = known.claimer().side();
        let mut sight = Sight::new(known, seat, known.hand(seat).expect("visible"));
        sight.out = known.unseen();
        for n in 1..4 {
            let other = seat.plus(n);
            let is_later = n < 4 - known.trick().cards().len();
            match known.hand(other) {
                Some(hand) if known.plays_for(other) => sight.partner = hand,
                Some(hand) => {
                    sight.out |= hand;
                    if is_later {
                        sight.later |= legal(hand, known.trick().led_suit());
                    }
                    sight.note_lengths(hand);
                }
                None if is_later && other.side() != ours => {
                    sight.later |= may_play(known, &all, other);
                }
                None => {}
            }
        }
        for hand in all.into_iter().flatten() {
            sight.note_lengths(hand);
        }
        sight
    }

    /// Of a defender's partner who sees its own cards, where `layout` is the true one.
    fn of_partner(known: &'a Knowledge, seat: Seat, layout: [Hand; 2]) -> Sight<'a> {
        let hand = |of: Seat| match known.hidden().iter().position(|&hidden| hidden == of) {
            Some(index) => layout[index],
            None => known.hand(of).expect("visible"),
        };
        let mut sight = Sight::new(known, seat, hand(seat));
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

    fn trumps(&self, cards: Hand) -> Hand {
        let trump = self.known.strain().trump();
        trump.map_or(Hand::EMPTY, |trump| cards.suit(trump))
    }

    /// The cards against the hand that count.
    fn counted(&self, cards: Hand) -> Hand {
        if self.forgetting {
            cards - self.trumps(cards)
        } else {
            cards
        }
    }

    fn leads(&self, draws: bool) -> Hand {
        let trumps = self.trumps(self.hand);
        let out = !self.trumps(self.out).is_empty();
        let from = if self.forgetting {
            self.hand
        } else if out && draws && !trumps.is_empty() {
            trumps
        } else if !out && trumps != self.hand {
            self.hand - trumps
        } else {
            self.hand
        };
        let top = |of: Hand, suit: Suit| of.suit(suit).cards().next();
        let tops: Hand = (Suit::ALL.into_iter().filter_map(|suit| top(from, suit))).collect();
        let most = if self.forgetting {
            0
        } else {
            usize::from(self.concedes).max(1)
        };
        let is_good = |card: &Card| {
            let best = top(self.hand | self.partner, card.suit).expect("a card");
            let against = self.counted(self.out).suit(card.suit).cards();
            against.filter(|card| card.rank > best.rank).count() <= most
        };
        let good: Hand = tops.cards().filter(is_good).collect();
        if good.is_empty() && !self.forgetting {
            tops
        } else {
            good
        }
    }

    /// Returns true if an opponent may still beat a card that wins so far.
    fn threatened(&self, card: Card) -> bool {
        let later = self.counted(self.later);
        let trumps = self.trumps(later);
        let higher = |other: Card| other.rank > card.rank;
        later.suit(card.suit).cards().any(higher) || !(trumps - trumps.suit(card.suit)).is_empty()
    }

    fn lowest(&self, cards: Hand) -> Card {
        let free = (cards - self.stated).cards().last();
        free.or(cards.cards().last()).expect("a card")
    }

    fn discards(&self) -> Hand {
        let trumps = self.trumps(self.hand);
        let from = if trumps == self.hand {
            trumps
        } else {
            self.hand - trumps
        };
        let (mut lows, mut losers) = (Hand::EMPTY, Hand::EMPTY);
        for suit in Suit::ALL {
            let cards = from.suit(suit);
            if cards.is_empty() {
                continue;
            }
            let against = self.counted(self.out).suit(suit);
            let is_high = |card: &Card| against.cards().all(|other| other.rank < card.rank);
            let winners = cards.cards().filter(is_high).count();
            let low = self.lowest(cards);
            lows.insert(low);
            let runs = winners == cards.len() || winners >= self.longest[suit];
            if !runs && !self.stated.contains(low) {
                losers.insert(low);
            }
        }
        if losers.is_empty() { lows } else { losers }
    }

    fn follows(&self) -> Hand {
        let (known, trick) = (self.known, self.known.trick());
        let led = trick.led_suit().expect("a lead");
        let best = trick
            .plays()
            .find(|&(seat, _)| Some(seat) == trick.winner(known.strain()));
        let (winner, card) = best.expect("a lead");
        let holds = winner.side() == self.seat.side() && !self.threatened(card);
        let (follow, trumps) = (self.hand.suit(led), self.trumps(self.hand));
        let from = if follow.is_empty() { trumps } else { follow };
        let beats: Vec<Card> = from.cards().filter(|&card| wins(known, card)).collect();
        let (Some(&highest), Some(&lowest), false) = (beats.first(), beats.last(), holds) else {
            return if follow.is_empty() {
                self.discards()
            } else {
                self.lowest(follow).into()
            };
        };
        let mut rising = beats.iter().rev().copied();
        let safe = rising.clone().find(|&card| !self.threatened(card));
        let mut found = match safe {
            Some(card) => card.into(),
            None => Hand::of(highest) | lowest.into(),
        };
        if follow.is_empty() {
            if self.concedes > 0 && trumps != self.hand {
                found |= self.discards();
            }
        } else if safe.is_none() {
            let mut later = self.later.suit(led).cards();
            let most = later.next().map(|card| card.rank);
            if let Some(card) = rising.find(|card| Some(card.rank) > most) {
                found = card.into();
            }
            found.insert(self.lowest(follow));
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
    let ours = trick.winner(known.strain()).expect("a lead").side() == seat.side();
    let wins = |card: Card| wins(known, card);
    (ours || wins(follow) || !playable.cards().any(wins)).then_some(follow)
}

/// The plays of the claimer that count, and of lapses the tricks that are sure without them.
fn plays(claims: &mut Claims, known: &Knowledge, line: &Line, at: At, care: Care) -> Vec<Tried> {
    let seat = known.to_play();
    let leads = known.trick().cards().is_empty();
    let complete = at.done == leads_of(line).len();
    if !(complete && leads)
        && let Some(card) = stated(known, line, at, seat)
    {
        return vec![plain(card)];
    }
    let trump = known.strain().trump();
    let mut stated = leads_of(line).into_iter();
    let draws = line.draws_trumps || stated.any(|(lead, _)| Some(lead.suit) == trump);
    let normal = |forgetting| {
        let mut sight = Sight::of_claimer(known, seat);
        sight.concedes = at.concedes;
        sight.forgetting = forgetting && (trump.is_none() || known.trick().led_suit() != trump);
        for &(lead, follow) in &leads_of(line)[at.done..] {
            sight.stated.insert(lead);
            follow.map(|follow| sight.stated.insert(follow));
        }
        if leads {
            sight.leads(draws)
        } else {
            sight.follows()
        }
    };
    let cards = normal(false);
    if care == Care::None {
        return cards.cards().map(plain).collect();
    }
    let mut sure_after = |card: Card| {
        let after = known.play(card).expect("a legal card");
        won(&after) + claims.sure(&after).expect("no limit")
    };
    let all = legal(known.hand(seat).expect("visible"), known.trick().led_suit());
    let level = all.cards().map(&mut sure_after).max().expect("a card");
    let mut keeping = |of: Hand| -> Hand {
        let kept = of.cards().filter(|&card| sure_after(card) == level);
        kept.collect()
    };
    let mut kept = keeping(cards);
    if kept.is_empty() {
        kept = keeping(all);
    }
    let careless = if at.forgets {
        normal(true)
    } else {
        Hand::EMPTY
    };
    let fears = |card| at.forgets && !leads && wins(known, card) && !careless.contains(card);
    let feared = kept.cards().any(fears);
    let mut tried = Vec::new();
    for card in careless - kept {
        if at.risked.is_none() && (feared || wins(known, card)) {
            let lapse = Some(level);
            tried.push(Tried {
                lapse,
                ..plain(card)
            });
        }
    }
    tried.extend(kept.cards().map(|card| Tried {
        fears: fears(card),
        ..plain(card)
    }));
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
        let cards = match known.hand(seat) {
            Some(hand) => legal(hand, led),
            None if seat.side() == ours && at.ruled => {
                let sight = Sight::of_partner(known, seat, truth[0]);
                match led {
                    None => sight.leads(false),
                    Some(_) => sight.follows(),
                }
            }
            None => may_play(known, truth, seat),
        };
        cards.cards().map(plain).collect()
    };
    let lead = known.trick().cards().is_empty();
    let tricks = cards.into_iter().map(|Tried { card, lapse, fears }| {
        let after = known.play(card).expect("a legal card");
        let is_trump = Some(card.suit) == known.strain().trump();
        let mut next = at;
        let stated = leads_of(line);
        let is_next = stated.get(at.done).is_some_and(|&(of, _)| of == card);
        next.done += usize::from(lead && is_next);
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
        let won = won(&after);
        if after.trick().cards().is_empty() {
            let held = |of: Card| {
                let mut own = Seat::ALL.into_iter().filter(|&seat| after.plays_for(seat));
                own.any(|seat| after.hand(seat).is_some_and(|hand| hand.contains(of)))
            };
            let gone = stated[next.done..].iter().take_while(|step| !held(step.0));
            next.done += gone.count();
            next.concedes = next.concedes.saturating_sub(1 - won);
            if let Some(sure) = next.risked.take() {
                next.forgets &= won + claims.sure(&after).expect("no limit") >= sure;
            }
        }
        let rest: Vec<[Hand; 2]> = rest.collect();
        won + fewest(claims, &after, &rest, line, next, care)
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
    let (mut at, mut all) = (known.clone(), 0);
    for &card in play {
        at = at.play(card).expect("a legal card");
        all += won(&at);
    }
    assert_eq!((at.tricks_left(), all), (0, tricks));
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
        let mut claims = Claims::new(Options {
            limit: Some(1),
            ..Options::default()
        });
        let worst = claims.line(&known(question), &Line::default());
        assert_eq!(worst.expect("no search").tricks, 8);
    }
}

#[test]
fn statements_are_words_as_players_say_them() {
    const UNDERSTOOD: &str = "\
drawing trumps | T rest
Draw trumps. | T rest
trumps | T rest
all | rest
the rest | rest
All the rest are mine | rest
spades from the top | spades from the top, rest
♠ from the top | spades from the top, rest
pulling trumps, then running the diamonds | T diamonds from the top, rest
SA, then hearts from the top down | SA hearts from the top, rest
SA SK H2-HQ and the rest | SA SK H2-HQ rest
K of hearts, then A of hearts | the king of hearts, the ace of hearts, rest
two of hearts | the deuce of hearts, rest
ruff two hearts, concede a club | ruff 2 hearts, concede a club, rest
T, ruff a heart, then trumps | T ruff a heart, T rest
SAKQ | the ace of spades, the king of spades, the queen of spades, rest";
    const REFUSED: &str = "\
cross-ruff | column 1: \"ruff\": which cards are ruffed
T somehow | column 3: \"somehow\": expected cards such as SA
the queen | column 5: of which suit?
ruff a heart high | column 14: \"high\": with which trump?
the heart finesse | column 5: to which card?
cross to dummy | column 1: with which suit?
the hearts after trumps | column 12: \"after\": say the steps in the order
rest SA | column 6: \"SA\" is left over
SA SX | column 5:
SA H2-HX | column 8:";
    let rows = |text: &'static str| text.lines().map(|row| row.split_once(" | ").expect(row));
    for (said, line) in rows(UNDERSTOOD) {
        let read: Line = said.parse().expect(said);
        assert_eq!(read.to_string(), line, "{said}");
        assert_eq!(line.parse(), Ok(read), "{said}");
    }
    for (said, error) in rows(REFUSED) {
        let found = said.parse::<Line>().expect_err(said).to_string();
        assert!(found.starts_with(error), "{said}: {found}");
    }
}

/// The tricks of stated lines; by brute force, too, if they are cards.
#[test]
fn stated_lines_take_their_tricks() {
    let run = "NT S N:AJ4..2. ? KQ3..3. ? out=T987.A2.AK.";
    let trumps = "S S N:..32. ? A.A.. ? out=2.2.98.";
    let low = "NT S N:..AKQJ. ? AK2.A.. ? out=QJ.KQ.T987.";
    for (question, line, tricks) in [
        // A suit that is run is its cards from the top, from whichever hand has them.
        (run, "spades from the top", 3),
        (run, "S3-SA S4-SK SQ", 3),
        (run, "D3-D2", 0),
        // A line that draws trumps leads them first, as long as some are out.
        (trumps, "T", 2),
        (trumps, "", 1),
        // A stated low lead is no lead from the top.
        (low, "HA", 4),
        (low, "HA S2", 2),
        // A bound equal to the target is not the exact number.
        (
            "D W W:? .T.J8. ? Q.Q.7.8 out=J8.5.A.AT5 played=S6,HK",
            "",
            2,
        ),
    ] {
        let known = known(question);
        let line: Line = line.parse().expect("a line");
        let found = Claims::new(Options::default()).line(&known, &line);
        assert_eq!(found.expect("an answer").tricks, tricks, "{line}");
        if !line.to_string().contains("from the top") {
            assert_eq!(of_line(&known, &layouts(&known), &line), tricks, "{line}");
        }
    }
}
