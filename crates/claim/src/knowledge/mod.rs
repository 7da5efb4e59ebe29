//! The claimer's knowledge: two hands, the unseen cards, and their possible distributions.

use setrograde_cards::{Card, Hand, Position, Seat, Sorting, Strain, Suit, Trick};

use crate::knowledge::case::{Case, Hidden};
use crate::knowledge::error::KnowledgeError;
use crate::knowledge::state::{Cases, Role, Seating, State, keep_widest};
use crate::lanes::{self, bit};

pub(crate) mod case;
pub(crate) mod counts;
pub(crate) mod error;
mod given;
pub(crate) mod layouts;
pub(crate) mod state;

/// The claimer's knowledge at some point of the play.
///
/// Two hands are visible. The cards of the two hidden hands and their lengths are known, but not
/// which hand has which card. A [`Condition`](setrograde_beliefs::Condition) and the play add to
/// the knowledge: a hidden hand that does not follow suit is void in it. All such knowledge is a
/// list of cases, each with the cards pinned to a hand and a range of lengths for each suit.
///
/// ```
/// use setrograde_claim::Knowledge;
///
/// // South leads towards the queen; the king is anywhere.
/// let knowledge: Knowledge = "NT S N:AQ... ? 32... ? out=KJT9...".parse()?;
/// assert_eq!(knowledge.layouts(), 6);
/// let knowledge = knowledge.play("S2".parse()?)?.play("S9".parse()?)?;
/// assert_eq!(knowledge.layouts(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Knowledge {
    strain: Strain,
    trick: Trick,
    /// The visible seats, clockwise from the claimer.
    visible: [Seat; 2],
    /// The hidden seats, clockwise from North.
    hidden: [Seat; 2],
    claimer: Seat,
    /// The current trick, with cards as bits.
    state: State,
}

/// Maximum number of cases that knowledge may have.
pub(crate) const MOST_CASES: usize = 256;

/// Maximum number of cases before those within others are dropped, which takes time for each pair.
const MOST_FOUND: usize = 1024;

impl Knowledge {
    /// Makes the knowledge that follows only from two visible hands and the unseen cards.
    ///
    /// `trick` is the current trick, with 0 to 3 cards on the table. Without a `claimer` the two
    /// visible hands must be partners.
    ///
    /// # Errors
    ///
    /// A [`KnowledgeError`] if a card occurs twice, the numbers of cards do not fit, a visible hand
    /// has revoked, or no visible seat claims.
    pub fn new(
        strain: Strain,
        trick: Trick,
        mut visible: [(Seat, Hand); 2],
        unseen: Hand,
        claimer: Option<Seat>,
    ) -> Result<Knowledge, KnowledgeError> {
        let [first, second] = visible.map(|(seat, _)| seat);
        if first == second {
            return Err(KnowledgeError::SameSeat { seat: first });
        }
        let claimer = match claimer {
            Some(seat) if seat != first && seat != second => {
                return Err(KnowledgeError::HiddenClaimer { seat });
            }
            Some(seat) => seat,
            None if first.partner() == second => first,
            None => return Err(KnowledgeError::NoClaimer { first, second }),
        };
        if claimer == second {
            visible.swap(0, 1);
        }
        let mut hidden = Seat::ALL
            .into_iter()
            .filter(|seat| !visible.iter().any(|(shown, _)| shown == seat));
        // Two seats of four are not visible.
        let hidden = [hidden.next(), hidden.next()].map(|seat| seat.unwrap_or(claimer));
        let hands = visible.map(|(_, hand)| hand.bits());
        let unseen = unseen.bits();
        let on_table = lanes::union(trick.cards().iter().copied().map(bit));
        let mut all = on_table;
        for cards in [hands[0], hands[1], unseen] {
            if let Some(twice) = lanes::each(all & cards).next() {
                let card = lanes::card(twice);
                return Err(KnowledgeError::Twice { card });
            }
            all |= cards;
        }

        let seats = visible.map(|(seat, _)| seat);
        let counts = lengths(&trick, seats, hands)?;
        let cards = hidden.map(|seat| counts[seat]);
        let expected = usize::from(cards[0] + cards[1]);
        let found = unseen.count_ones() as usize;
        if found != expected {
            return Err(KnowledgeError::UnfitUnseen {
                cards: found,
                expected,
            });
        }
        let mut knowledge = Knowledge {
            strain,
            trick,
            visible: seats,
            hidden,
            claimer,
            state: State {
                visible: hands,
                unseen,
                cards: cards[0],
                cases: Cases::from_iter(Case::open(unseen).normal(unseen, cards[0])),
            },
        };
        if let Some(led) = trick.led_suit() {
            for (seat, card) in trick.plays().filter(|(_, card)| card.suit != led) {
                let Some(hand) = knowledge.hidden_place(seat) else {
                    if knowledge
                        .hand(seat)
                        .is_some_and(|hand| !hand.suit(led).is_empty())
                    {
                        return Err(KnowledgeError::Revoke { seat, card });
                    }
                    continue;
                };
                // It has no card of the suit.
                let open = Case::open(unseen);
                let first = match hand {
                    Hidden::First => 0,
                    Hidden::Second => open.lengths.hi[led],
                };
                let void = open.with_lengths(led.index(), (first, first));
                knowledge = knowledge.with_cases(&[void])?;
            }
        }
        Ok(knowledge)
    }

    /// The knowledge of `claimer` in a position, which sees its own hand and that of `dummy`.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn from_position(
        position: &Position,
        claimer: Seat,
        dummy: Seat,
    ) -> Result<Knowledge, KnowledgeError> {
        let deal = position.deal();
        let unseen = Seat::ALL
            .into_iter()
            .filter(|&seat| seat != claimer && seat != dummy)
            .flat_map(|seat| deal.hand(seat).cards())
            .collect();
        Knowledge::new(
            position.strain(),
            *position.trick(),
            [claimer, dummy].map(|seat| (seat, deal.hand(seat))),
            unseen,
            Some(claimer),
        )
    }

    /// Adds the knowledge that one of `cases` holds.
    pub(crate) fn with_cases(&self, cases: &[Case]) -> Result<Knowledge, KnowledgeError> {
        let State { unseen, cards, .. } = self.state;
        let mut found = Cases::new();
        for old in &self.state.cases {
            let both = cases.iter().map(|new| old.and(new));
            found.extend(both.filter_map(|case| case.normal(unseen, cards)));
        }
        found.in_any_order_by(Ord::cmp);
        found.dedup();
        if found.len() <= MOST_FOUND {
            keep_widest(&mut found);
        }
        match found.len() {
            0 => Err(KnowledgeError::Impossible),
            1..=MOST_CASES => {
                let mut knowledge = self.clone();
                knowledge.state.cases = found;
                Ok(knowledge)
            }
            _ => Err(KnowledgeError::TooManyCases { limit: MOST_CASES }),
        }
    }

    /// The knowledge after the seat to play has played `card`.
    ///
    /// # Errors
    ///
    /// [`KnowledgeError::Unplayable`] if it does not hold the card in any
    /// layout, or must follow suit with another.
    pub fn play(&self, card: Card) -> Result<Knowledge, KnowledgeError> {
        let seat = self.to_play();
        if !self.playable().contains(card) {
            return Err(KnowledgeError::Unplayable { seat, card });
        }
        let led = self.trick.led_suit().map(Suit::index);
        let mut after = self.clone();
        after.state = self.state.after(self.seating().roles[seat], bit(card), led);
        after.trick = self.trick.with(card).expect("a trick under way has room");
        if let Some(winner) = after.trick.winner(self.strain)
            && after.trick.cards().len() == 4
        {
            after.trick = Trick::new(winner);
        }
        Ok(after)
    }

    /// The cards that the seat to play may play: in some layout, for a hidden
    /// hand.
    pub fn playable(&self) -> Hand {
        let seat = self.to_play();
        let led = self.trick.led_suit().map(Suit::index);
        Hand::from_bits(match self.seating().roles[seat] {
            Role::Ours(who) | Role::Theirs(who) => lanes::following(self.state.visible[who], led),
            Role::Hidden(hand) => self.state.playable(hand, led),
        })
    }

    /// Returns true if `card` of the seat to play would win the trick so far.
    pub(crate) fn wins(&self, card: Card) -> bool {
        let with = self.trick.with(card);
        with.and_then(|trick| trick.winner(self.strain)) == Some(self.to_play())
    }

    /// The strain.
    pub fn strain(&self) -> Strain {
        self.strain
    }

    /// The current trick: who led or leads, and the cards on the table.
    pub fn trick(&self) -> &Trick {
        &self.trick
    }

    /// The seat to play.
    pub fn to_play(&self) -> Seat {
        self.trick.to_play()
    }

    /// The seat that claims.
    pub fn claimer(&self) -> Seat {
        self.claimer
    }

    /// The two seats whose hands are visible, the claimer first.
    pub fn visible(&self) -> [Seat; 2] {
        self.visible
    }

    /// The two seats whose hands are hidden, clockwise from North.
    pub fn hidden(&self) -> [Seat; 2] {
        self.hidden
    }

    /// The cards of a visible hand; `None` if it is hidden.
    pub fn hand(&self, seat: Seat) -> Option<Hand> {
        let who = self.visible.iter().position(|&shown| shown == seat)?;
        Some(Hand::from_bits(self.state.visible[who]))
    }

    /// The cards of the two [visible](Self::visible) hands.
    pub(crate) fn visible_hands(&self) -> [Hand; 2] {
        self.state.visible.map(Hand::from_bits)
    }

    /// The cards of the hidden hands together.
    pub fn unseen(&self) -> Hand {
        Hand::from_bits(self.state.unseen)
    }

    /// The number of cards of `seat`.
    pub fn cards(&self, seat: Seat) -> usize {
        match self.hidden_place(seat) {
            Some(Hidden::First) => usize::from(self.state.cards),
            Some(Hidden::Second) => {
                self.state.unseen.count_ones() as usize - usize::from(self.state.cards)
            }
            None => self.hand(seat).expect("it is not hidden").len(),
        }
    }

    /// The number of remaining tricks, including the current one.
    pub fn tricks_left(&self) -> usize {
        self.cards(self.to_play())
    }

    /// Returns true if the claimer chooses the cards of `seat`: its own, and those of
    /// its partner where that hand is visible too.
    pub fn plays_for(&self, seat: Seat) -> bool {
        matches!(self.seating().roles[seat], Role::Ours(_))
    }

    /// The hands from which the claimer chooses cards, each with its seat: its own first.
    pub(crate) fn own_hands(&self) -> impl Iterator<Item = (Seat, Hand)> + '_ {
        let seats = self.visible.into_iter().zip(self.visible_hands());
        seats.filter(|&(seat, _)| self.plays_for(seat))
    }

    /// The tricks still needed `after` a card, whether or not it ended a trick.
    pub(crate) fn still_needed(&self, after: &Knowledge, need: u8) -> u8 {
        let ended = after.trick.cards().is_empty();
        let ours = after.trick.leader().side() == self.claimer.side();
        need.saturating_sub(u8::from(ended && ours))
    }

    /// The hidden hand of a seat.
    pub(crate) fn hidden_place(&self, seat: Seat) -> Option<Hidden> {
        let mut hands = Hidden::BOTH.into_iter();
        hands.find(|hand| self.hidden[hand.index()] == seat)
    }

    pub(crate) fn state(&self) -> &State {
        &self.state
    }

    /// The seats and trumps, for the search.
    pub(crate) fn seating(&self) -> Seating {
        let mut roles = [Role::Hidden(Hidden::First); 4];
        roles[self.hidden[1]] = Role::Hidden(Hidden::Second);
        roles[self.visible[0]] = Role::Ours(0);
        roles[self.visible[1]] = if self.visible[0].partner() == self.visible[1] {
            Role::Ours(1)
        } else {
            Role::Theirs(1)
        };
        Seating {
            trump: self.strain.trump().map(Suit::index),
            roles,
            hidden: self.hidden.map(Seat::index),
            side: self.claimer.index() % 2,
        }
    }
}

/// The number of cards of each seat.
fn lengths(trick: &Trick, visible: [Seat; 2], hands: [u64; 2]) -> Result<[u8; 4], KnowledgeError> {
    let has_played = |seat: Seat| seat.distance_from(trick.leader()) < trick.cards().len();
    let len = hands.map(|hand| hand.count_ones() as usize);
    let left = len[0] + usize::from(has_played(visible[0]));
    let unfit = |who: usize, expected| {
        let (seat, cards) = (visible[who], len[who]);
        Err(KnowledgeError::UnfitHand {
            seat,
            cards,
            expected,
        })
    };
    if left == 0 || left > 13 {
        return unfit(0, left.clamp(1, 13));
    }
    let expected = |seat: Seat| left - usize::from(has_played(seat));
    match expected(visible[1]) {
        second if second != len[1] => unfit(1, second),
        _ => Ok(Seat::ALL.map(|seat| expected(seat) as u8)),
    }
}
