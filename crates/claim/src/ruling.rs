//! Contested claims, adjudicated after Law 70 of the Laws of Duplicate Bridge (2017).

use std::fmt::Write;

use serde::Serialize;
use setrograde_beliefs::listed;
use setrograde_cards::{Card, Hand, Position, Seat, Suit, Trick};

use crate::answer::known;
use crate::claims::{ClaimError, Claims};
use crate::double_dummy;
use crate::evidence::words::{WIDTH, wrapped};
use crate::knowledge::Knowledge;
use crate::line::Line;
use crate::worst::{Care, Worst, WorstQuestion};

/// Maximum number of trumps that a claimer may have forgotten: a player who has drawn a round and
/// sees three more has counted them.
const FORGETTABLE: usize = 2;

/// Maximum number of points of the play for a reading in a footnote, regardless of the limit.
const FOOTNOTE: u64 = 100_000;

/// The adjudication of a contested claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adjudication {
    /// The tricks claimed.
    pub claimed: u8,
    /// The tricks that were sure with the claimer's knowledge.
    pub sure: u8,
    /// The double-dummy tricks.
    pub double_dummy: u8,
    /// The tricks to award: those claimed, unless a normal play takes fewer.
    pub awarded: u8,
    /// The reason.
    pub why: String,
    /// The normal play that takes the fewest tricks as the cards lie; if none takes fewer than
    /// were claimed, one of them.
    pub worst: Worst,
    /// The first card of the claimer's side in that play that costs a trick in the actual layout.
    pub inferior: Option<Inferior>,
    /// Other readings of the law that award another number.
    pub readings: Vec<Reading>,
    /// Readings that might award another number, undecided within the limit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub undecided: Vec<ReadingOf>,
}

/// A card that costs a trick as the cards lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Inferior {
    /// The seat that plays it.
    pub seat: Seat,
    /// The card.
    pub card: Card,
    /// The index of the card in the play, from 0.
    pub at: usize,
    /// The cards that cost nothing.
    pub right: Vec<Card>,
}

/// A reading of the law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ReadingOf {
    /// The claimer knew of the trumps that are out.
    #[serde(rename = "trumps known")]
    TrumpsKnown,
    /// Suits may be played in any order, which may lose entries.
    #[serde(rename = "any order")]
    AnyOrder,
}

/// Another reading of the law, and its award.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reading {
    /// The reading.
    pub reading: ReadingOf,
    /// The tricks to award.
    pub awarded: u8,
    /// The reason.
    pub why: String,
    /// The play that decides.
    pub worst: Worst,
}

impl Claims {
    /// Adjudicates a claim of `claimed` tricks with a stated line. `layout` holds the cards
    /// of the two [hidden hands](Knowledge::hidden).
    ///
    /// The award is the result of the worst normal play: careless about everything that only the
    /// lie of the cards decides, but not careless enough to lose a sure trick. If the claim does
    /// not mention one or two trumps that are out, they count as forgotten.
    /// [`readings`](Adjudication::readings) has the awards of other readings of the law.
    ///
    /// # Errors
    ///
    /// As [`line`](Self::line), and [`ClaimError::NotALayout`].
    pub fn adjudicate(
        &mut self,
        knowledge: &Knowledge,
        layout: [Hand; 2],
        claimed: u8,
        line: &Line,
    ) -> Result<Adjudication, ClaimError> {
        line.check(knowledge)?;
        let double_dummy = self.double_dummy_of(knowledge, layout)?;
        let sure = self.sure(knowledge)?;
        let left = knowledge.tricks_left() as u8;
        let asked = |care, below| WorstQuestion {
            known: knowledge,
            layout: Some(layout),
            line,
            care,
            concedes: left - claimed.min(left),
            below,
        };
        let award = |worst: &Worst| claimed.min(worst.tricks);
        self.renew();
        let mut worst = self.worst(&asked(Care::KeepsSure, claimed))?;
        let trumps = Trumps::forgotten(knowledge, layout, claimed, line);
        let mut readings = Vec::new();
        let mut missed = None;
        if let Some(trumps) = trumps {
            self.renew();
            let lapse = self.worst(&asked(Care::ForgetsTrumps, award(&worst)))?;
            if award(&lapse) < award(&worst) {
                readings.push(Reading {
                    reading: ReadingOf::TrumpsKnown,
                    awarded: award(&worst),
                    why: trumps.known(),
                    worst: std::mem::replace(&mut worst, lapse),
                });
                missed = Some(trumps);
            }
        }
        self.allow(FOOTNOTE);
        let any = self.worst(&asked(Care::None, award(&worst)));
        let mut undecided = Vec::new();
        match known(any)? {
            Some(any) if award(&any) < award(&worst) => readings.push(Reading {
                reading: ReadingOf::AnyOrder,
                awarded: award(&any),
                why: "Where a claimer may be taken to play suits in any order, and to lose \
                      entries, the worst order counts."
                    .to_owned(),
                worst: any,
            }),
            Some(_) => {}
            None => undecided.push(ReadingOf::AnyOrder),
        }
        let awarded = award(&worst);
        let claimer = knowledge.claimer().name();
        let mut why = match missed {
            Some(trumps) => trumps.missed(),
            _ if awarded == claimed && sure >= claimed => {
                format!("The tricks claimed are sure from what {claimer} sees.")
            }
            _ if awarded == claimed => "As the cards lie, no normal play takes fewer.".to_owned(),
            _ if awarded == double_dummy => "As the cards lie, no play takes more.".to_owned(),
            _ => "The worst normal play takes no more, and a doubtful point goes against the \
                  claimer (Law 70A)."
                .to_owned(),
        };
        if let Some(unmade) = line.unmade(knowledge, &worst.play) {
            why = format!("{why} {unmade}");
        }
        let inferior = self.inferior(knowledge, layout, &worst, double_dummy)?;
        Ok(Adjudication {
            claimed,
            sure,
            double_dummy,
            awarded,
            why,
            worst,
            inferior,
            readings,
            undecided,
        })
    }

    /// The first card of the claimer's side after which double dummy takes fewer tricks.
    fn inferior(
        &mut self,
        knowledge: &Knowledge,
        layout: [Hand; 2],
        worst: &Worst,
        double_dummy: u8,
    ) -> Result<Option<Inferior>, ClaimError> {
        let Some(mut at) = double_dummy::open(knowledge, layout.map(Hand::bits)) else {
            return Ok(None);
        };
        let side = knowledge.claimer().side();
        let (mut won, mut best) = (0, double_dummy);
        for (nth, &card) in worst.play.iter().enumerate() {
            let seat = at.to_play();
            let mut tricks = |card: Card| -> Result<(u8, Position, u8), ClaimError> {
                let after = at.play(card).expect("the play is one of this layout");
                let ended = after.played().is_empty() && after.leader().side() == side;
                let won = won + u8::from(ended);
                let rest = self.double_dummy(knowledge, &after)?;
                Ok((won + rest, after, won))
            };
            let (after, next, now) = tricks(card)?;
            if seat.side() == side && after < best {
                let mut right = Vec::new();
                for other in at.legal_cards() {
                    if tricks(other)?.0 == best {
                        right.push(other);
                    }
                }
                return Ok(Some(Inferior {
                    seat,
                    card,
                    at: nth,
                    right,
                }));
            }
            (best, at, won) = (after, next, now);
        }
        Ok(None)
    }
}

/// One or two trumps in the hands of the other side that the claim does not mention, and that the
/// claimer is likely to have missed (Law 70C).
struct Trumps {
    suit: Suit,
    out: usize,
    claimer: Seat,
}

impl Trumps {
    /// The trumps that count as forgotten. They do not if there are more of them, if no trump has
    /// been played yet, or if a trick is conceded to the highest of them.
    fn forgotten(
        knowledge: &Knowledge,
        layout: [Hand; 2],
        claimed: u8,
        line: &Line,
    ) -> Option<Trumps> {
        let suit = knowledge.strain().trump()?;
        let side = knowledge.claimer().side();
        let hidden = knowledge.hidden().into_iter().zip(layout);
        let theirs = hidden.filter(|(seat, _)| seat.side() != side);
        let out: Hand = theirs.map(|(_, hand)| hand.suit(suit)).collect();
        let [mine, other] = knowledge.visible_hands();
        let held = mine | other | knowledge.unseen();
        let table: Hand = knowledge.trick().cards().iter().copied().collect();
        let concedes = usize::from(claimed) < knowledge.tricks_left();
        let highest = held.holding(suit).highest();
        let counted = out.len() > FORGETTABLE
            || (held | table).holding(suit).len() == 13
            || concedes && out.holding(suit).highest() == highest;
        (!out.is_empty() && !counted && !line.mentions_trumps(knowledge)).then(|| Trumps {
            suit,
            out: out.len(),
            claimer: knowledge.claimer(),
        })
    }

    fn missed(&self) -> String {
        let (suit, claimer) = (self.suit.name(), self.claimer.name());
        match self.out {
            1 => format!(
                "A trump ({suit}) is out that the claim did not mention, and {claimer} is likely \
                 to have missed it (Law 70C)."
            ),
            out => format!(
                "{out} trumps ({suit}) are out that the claim did not mention, and {claimer} is \
                 likely to have missed them (Law 70C)."
            ),
        }
    }

    fn known(&self) -> String {
        let claimer = self.claimer.name();
        match self.out {
            1 => format!("If {claimer} knew of the trump that is out, it costs nothing."),
            _ => format!("If {claimer} knew of the trumps that are out, they cost nothing."),
        }
    }
}

impl Adjudication {
    /// A sentence on outstanding trumps, if the award depends on whether the claim mentioned them.
    pub fn on_trumps(&self) -> String {
        let mut text = String::new();
        if self.reading(ReadingOf::TrumpsKnown).is_some() {
            let awarded = self.awarded;
            let award = format!(
                "If the claim did not mention the trumps that are out, Law 70C awards {awarded}."
            );
            add(&mut text, &award);
        }
        text
    }

    /// Another reading of the law, if it awards another number.
    pub fn reading(&self, reading: ReadingOf) -> Option<&Reading> {
        self.readings.iter().find(|other| other.reading == reading)
    }
}

/// A ruling in words, lines of at most 78 columns: the award and its reason, the play trick by
/// trick, its first inferior card, and the awards of other readings.
pub fn ruling_in_words(knowledge: &Knowledge, ruling: &Adjudication) -> String {
    let mut text = String::new();
    let Adjudication {
        claimed, awarded, ..
    } = ruling;
    let verdict = if awarded == claimed {
        "; the claim stands".to_owned()
    } else {
        format!(" of the {claimed} claimed")
    };
    add(
        &mut text,
        &format!("Awarded: {awarded}{verdict}. {}", ruling.why),
    );
    text += &tricks_in_words(knowledge, &ruling.worst.play);
    if let Some(Inferior {
        seat, card, right, ..
    }) = &ruling.inferior
    {
        let right: Vec<String> = right.iter().map(|card| format!("{card:#}")).collect();
        let (seat, right) = (seat.name(), listed(&right, "or"));
        let first =
            format!("The first inferior card is {card:#} by {seat}; {right} would cost nothing.");
        add(&mut text, &first);
    }
    for reading in &ruling.readings {
        let (awarded, why) = (reading.awarded, &reading.why);
        add(
            &mut text,
            &format!("Another reading awards {awarded}. {why}"),
        );
    }
    text
}

/// The complete tricks of a play, each with the seat that wins it.
pub fn tricks_of(knowledge: &Knowledge, play: &[Card]) -> Vec<(Trick, Seat)> {
    let mut trick = *knowledge.trick();
    let mut tricks = Vec::new();
    for &card in play {
        let Some(after) = trick.with(card) else { break };
        trick = after;
        if let Some(winner) = trick
            .winner(knowledge.strain())
            .filter(|_| trick.cards().len() == 4)
        {
            tricks.push((trick, winner));
            trick = Trick::new(winner);
        }
    }
    tricks
}

/// The tricks of a play, one per line: the cards in order, and the side that wins.
pub fn tricks_in_words(knowledge: &Knowledge, play: &[Card]) -> String {
    let mut text = String::new();
    for (number, (trick, winner)) in tricks_of(knowledge, play).into_iter().enumerate() {
        let _ = write!(text, "{:4} ", number + 1);
        for (seat, card) in trick.plays() {
            let _ = write!(text, " {:5} {card:#}", seat.name());
        }
        text += if winner.side() == knowledge.claimer().side() {
            "  won\n"
        } else {
            "  lost\n"
        };
    }
    text
}

/// Adds a sentence, and indents its further lines.
fn add(text: &mut String, sentence: &str) {
    for line in wrapped(sentence, ["", "  "], WIDTH) {
        *text += &line;
        text.push('\n');
    }
}
