//! Questions and conditions as knowledge.

use std::str::FromStr;

use setrograde_beliefs::{
    Condition, Limits, Linear, Measure, Placed, Question, QuestionError, Steps,
};
use setrograde_cards::{Card, Hand, Seat, Sorting, Suit, Trick};

use crate::knowledge::case::{Case, Hidden, Lengths};
use crate::knowledge::error::KnowledgeError;
use crate::knowledge::{Knowledge, MOST_CASES};
use crate::lanes::count;

/// Maximum number of ways to distribute honours and lengths that the terms of all conditions have
/// together.
const MOST_WAYS: usize = 1 << 20;

impl Knowledge {
    /// The knowledge at the end of a question, which must have two hidden hands.
    ///
    /// # Errors
    ///
    /// A [`QuestionError`] with the column of the contradiction.
    pub fn of(question: &Question) -> Result<Knowledge, QuestionError> {
        let hidden = question.hidden();
        let mut shown = Seat::ALL.into_iter().filter(|seat| !hidden.contains(seat));
        let (Some(first), Some(second)) = (shown.next(), shown.next()) else {
            let column = hidden.iter().map(|&seat| question.column(seat));
            let problem = "three hands are hidden; a claim needs two hands that are visible";
            return Err(QuestionError::new(column.min().unwrap_or(1), problem));
        };
        let visible =
            [first, second].map(|seat| (seat, question.hand(seat).expect("it is not hidden")));
        let mut trick = Trick::new(question.leader());
        for &(column, card) in question.table() {
            let too_many = || QuestionError::new(column, "the trick is complete");
            trick = trick.with(card).ok_or_else(too_many)?;
        }
        let (strain, by) = (*question.trump(), question.by());
        let knowledge = Knowledge::new(strain, trick, visible, question.unseen(), by);
        let knowledge = knowledge.map_err(|error| {
            let mut table = question.table().iter();
            let column = match error {
                KnowledgeError::Revoke { card, .. } => table.find(|played| played.1 == card),
                _ => None,
            };
            let of_hands = question.column(first).min(question.column(second));
            QuestionError::new(column.map_or(of_hands, |played| played.0), error)
        })?;
        let mut ways = MOST_WAYS;
        question.replay(
            knowledge,
            |knowledge, card| knowledge.play(card),
            |knowledge, condition| {
                let checked = condition.check(&knowledge.hidden, knowledge.unseen());
                checked.map_err(|(column, error)| (column, error.into()))?;
                let given = knowledge.given_within(condition, &mut ways);
                given.map_err(|error| (1, error))
            },
        )
    }

    /// Returns the knowledge with an additional `condition`, at this point of the play.
    ///
    /// # Errors
    ///
    /// A [`KnowledgeError`] if it is about visible hands or cards, contradicts the number of cards,
    /// has too many cases, or matches no layout.
    pub fn given(&self, condition: &Condition) -> Result<Knowledge, KnowledgeError> {
        condition
            .check(&self.hidden, self.unseen())
            .map_err(|(_, error)| error)?;
        self.given_within(condition, &mut { MOST_WAYS })
    }

    /// Adds a condition, which was checked, looking at no more than this number of `ways` to
    /// distribute honours and lengths, from which those are subtracted that were looked at.
    fn given_within(
        &self,
        condition: &Condition,
        ways: &mut usize,
    ) -> Result<Knowledge, KnowledgeError> {
        self.with_cases(&self.cases(condition, ways)?)
    }

    /// A condition as cases of the open cards; not normal. Terms must have been checked.
    fn cases(&self, condition: &Condition, ways: &mut usize) -> Result<Vec<Case>, KnowledgeError> {
        let too_many = Err(KnowledgeError::TooManyCases { limit: MOST_CASES });
        let of_suits = |of: Measure| of.counted(self.unseen()).is_none();
        let mut terms = condition.terms();
        if terms.any(|placed| placed.term.measures().any(of_suits)) {
            return Err(KnowledgeError::Losers);
        }
        let mut found = Vec::new();
        for terms in condition.alternatives() {
            let mut cases = vec![Case::open(self.state.unseen)];
            for placed in terms {
                let Some(options) = self.cases_of(placed, ways) else {
                    return too_many;
                };
                cases = cases
                    .iter()
                    .flat_map(|case| options.iter().map(|option| case.and(option)))
                    .collect();
                if cases.len() > MOST_CASES {
                    return too_many;
                }
            }
            found.extend(cases);
        }
        if found.len() > MOST_CASES {
            return too_many;
        }
        Ok(found)
    }

    /// A term, or its negation, as alternative cases: an empty list if it is impossible; `None` if
    /// there are too many.
    fn cases_of(&self, placed: &Placed, ways: &mut usize) -> Option<Vec<Case>> {
        let of_honours = |of: Measure| !matches!(of, Measure::Length(_));
        if let Some(linear) = placed.term.linear()
            && placed.term.measures().any(of_honours)
        {
            return self.cases_of_honours(linear, placed.holds, ways);
        }
        let condition = Condition::any([[*placed]]);
        let fitted = condition.fit(&self.hidden, self.unseen(), &mut Steps::default());
        let limits = match fitted {
            Ok(fitted) => fitted.cases?,
            // No layout fits.
            Err(_) => Vec::new(),
        };
        let cases = limits.iter().filter_map(|limits| self.within(limits));
        Some(cases.collect())
    }

    /// The same for a sum of measures that distinguishes honours.
    fn cases_of_honours(
        &self,
        linear: &Linear,
        holds: bool,
        ways: &mut usize,
    ) -> Option<Vec<Case>> {
        let unseen = self.state.unseen;
        // The relevant cards, those that count most first, with each length of the relevant suits.
        let mut honours = Hand::EMPTY;
        let mut lengths = vec![Case::open(unseen)];
        for (_, of, _) in linear.parts() {
            match of {
                Measure::Length(suit) => {
                    let suit = suit.index();
                    let each = |&case: &Case| {
                        let Lengths { lo, hi } = case.lengths;
                        (lo[suit]..=hi[suit]).map(move |n| case.with_lengths(suit, (n, n)))
                    };
                    lengths = lengths.iter().flat_map(each).collect();
                }
                of => honours |= of.counted(self.unseen())?,
            }
        }
        let mut honours: Vec<Card> = honours.cards().collect();
        honours.in_order_by_key(|card| std::cmp::Reverse(card.rank));
        *ways = ways.checked_sub(lengths.len().checked_shl(honours.len() as u32)?)?;
        let held = |set: u32| -> Hand {
            let cards = honours.iter().enumerate();
            let held = cards.filter(|(n, _)| set >> n & 1 == 1);
            held.map(|(_, &card)| card).collect()
        };
        let mut cases = Vec::new();
        for case in lengths {
            let fits = |set: u32| {
                let hands = [held(set), held(!set)];
                let value = |seat: Seat, of: Measure| {
                    let hand = Hidden::BOTH[usize::from(seat != self.hidden[0])];
                    match of {
                        Measure::Length(suit) => case.least(hand, suit.index(), unseen),
                        of => of.of(hands[hand.index()]),
                    }
                };
                linear.holds(&self.hidden, value) == holds
            };
            let fixed = cubes(honours.len(), 0, 0, &fits).into_iter();
            cases.extend(fixed.filter_map(|(fixed, set)| {
                let pinned = [fixed & set, fixed & !set].map(|set| held(set).bits());
                Case { pinned, ..case }.normal(unseen, self.state.cards)
            }));
            if cases.len() > MOST_CASES {
                break;
            }
        }
        Some(cases)
    }

    /// Limits on lengths and cards of each hand as a normal case, if any hands are within them.
    fn within(&self, limits: &[Limits; 4]) -> Option<Case> {
        let unseen = self.state.unseen;
        let [first, second] = self.hidden.map(|seat| &limits[seat]);
        let mut case = Case::open(unseen);
        case.pinned = [
            (first.cards | second.lacks).bits(),
            (second.cards | first.lacks).bits(),
        ];
        for suit in Suit::ALL {
            let all = count(unseen, suit.index());
            let ((least, most), (fewest, largest)) = (first.lengths[suit], second.lengths[suit]);
            case.lengths.lo[suit] = least.max(all.saturating_sub(largest));
            case.lengths.hi[suit] = most.min(all.checked_sub(fewest)?);
        }
        case.normal(unseen, self.state.cards)
    }
}

/// The sets of the cards numbered `at` and up to `count` for which `fits`, together with `set` of
/// those before: each as the cards that it fixes, and the set.
fn cubes(count: usize, at: usize, set: u32, fits: &dyn Fn(u32) -> bool) -> Vec<(u32, u32)> {
    if at == count {
        return Vec::from_iter(fits(set).then_some((0, 0)));
    }
    let card = 1 << at;
    let without = cubes(count, at + 1, set, fits);
    let with = cubes(count, at + 1, set | card, fits);
    if without == with {
        // The card makes no difference.
        return without;
    }
    let without = without.into_iter().map(|(fixed, set)| (fixed | card, set));
    let with = with
        .into_iter()
        .map(|(fixed, set)| (fixed | card, set | card));
    without.chain(with).collect()
}

/// Reads a complete [`Question`].
impl FromStr for Knowledge {
    type Err = QuestionError;

    fn from_str(line: &str) -> Result<Knowledge, QuestionError> {
        Knowledge::of(&line.parse()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(line: &str) -> Knowledge {
        line.parse().unwrap()
    }

    #[test]
    fn questions() {
        let knowledge = known("D N S:KQ.5.. ? 65.A.. ? out=32..K.542");
        assert_eq!(knowledge.tricks_left(), 3);
        assert_eq!(knowledge.layouts(), 20);
        assert_eq!(knowledge.to_play(), Seat::North);
        let knowledge = known("NT S N:AQ... ? 32... ? out=KJT9... if=W+SK S2 S9");
        assert_eq!(knowledge.layouts(), 1);
        let knowledge = known("NT S N:AQ... ? 2... ? out=JT9... played=S3,SK");
        assert_eq!(knowledge.to_play(), Seat::North);
        // A complete deal needs no list of unseen cards.
        let knowledge = known("NT W N:AKQJ.AKQ.AKQ.AKQ ? T987.JT9.JT9.JT9 ?");
        assert_eq!(knowledge.layouts(), 10_400_600);
        assert_eq!(knowledge.unseen().len(), 26);
        // A defender claims, with dummy on the left.
        let knowledge = known("NT W N:A... ? ? K... out=Q2... by=W");
        assert_eq!(knowledge.hidden(), [Seat::East, Seat::South]);
    }

    #[test]
    fn conditions() {
        let layouts = |condition: &str| {
            let question = format!("NT S N:AQ... ? 32... ? out=KJT9... if={condition}");
            let knowledge = question.parse::<Knowledge>();
            knowledge
                .map_err(|error| error.to_string())
                .map(|known| known.layouts())
        };
        let wrong = "column 39: no layout of the unseen cards agrees with that";
        for (condition, expected) in [
            ("W+SK", Ok(3)),
            ("W.hcp=3", Ok(2)),
            ("W.hcp>=3,W.hcp<=3|E+SK,E+SJ", Ok(3)),
            ("hcp<=3", Ok(4)),
            // An alternative that asks for more hearts than there are allows no layout, and the
            // other remains.
            ("W+SK|E.H=1", Ok(3)),
            ("E.H=1|W+SK", Ok(3)),
            ("E.H=1|W.H=1", Err(wrong.to_owned())),
        ] {
            assert_eq!(layouts(condition), expected, "{condition}");
        }
        let question = "NT S N:AQ... ? 32... ? out=KJT9..."
            .parse::<Question>()
            .unwrap();
        let question = question.assuming(["W+SK|N+SA".parse().unwrap()]);
        let error = Knowledge::of(&question).unwrap_err();
        assert!(error.in_condition());
        assert_eq!(error.column(), 6);
    }

    /// Only honours that make a difference are distinguished.
    #[test]
    fn so_many_cases_may_be() {
        let layouts = |unseen: &str, condition: &str| {
            let question = format!("NT S N:65432.2.. ? T987.43.. ? out={unseen} if={condition}");
            question.parse::<Knowledge>().map(|known| known.layouts())
        };
        let eight = "AKQJ.AKT9.KJ87.";
        assert_eq!(layouts(eight, "W.hcp<=40"), Ok(924));
        assert_eq!(layouts(eight, "W.hcp=5-10"), Ok(449));
        let twelve = "AKQJ.AKQJ.AKQ.A";
        assert_eq!(layouts(twelve, "W.hcp<=40"), Ok(924));
        let error = layouts(twelve, "W.hcp=15-17").unwrap_err().to_string();
        let problem = "the condition has more than 256 cases";
        assert!(error.contains(problem), "{error}");
    }

    /// Sums, comparisons and `not` against every layout, one by one.
    #[test]
    fn conditions_have_the_layouts_that_fit() {
        let question = "NT S N:5432.5.. ? QT76.4.. ? out=AKJ98.KQT96.."
            .parse::<Question>()
            .unwrap();
        let hidden = [Seat::East, Seat::West];
        let unseen: Vec<Card> = question.unseen().cards().collect();
        let mut counts = Vec::new();
        for text in [
            "E.S>E.H",
            "E.S>=W.S",
            "E.S+W.H>=7",
            "E.hcp>W.hcp",
            "E.hcp+W.S=4-6",
            "E.S.top3+E.H.top3=2",
            "not S=3-2",
            "not S<=3",
            "not (E+SK,W.H=1)",
            "not E.hcp=3-5,E.S>=2",
            "not (E.S>E.H|E.controls=1)",
            "not E.S=2-3",
        ] {
            let condition: Condition = text.parse().unwrap();
            let asked = question.clone().assuming([condition.clone()]);
            let layouts = Knowledge::of(&asked).unwrap().layouts();
            let fits = (0_u32..1 << unseen.len()).filter(|set| {
                let first = |n: &usize| set >> n & 1 == 1;
                let east = (0..unseen.len()).filter(first).map(|n| unseen[n]).collect();
                let mut hands = [Hand::EMPTY; 4];
                hands[Seat::East] = east;
                hands[Seat::West] = question.unseen() - east;
                east.len() == 5 && condition.allows(&hidden, &hands)
            });
            assert_eq!(layouts, fits.count() as u64, "{text}");
            counts.push(layouts);
        }
        assert!(
            counts.iter().all(|&count| count > 0 && count < 252),
            "{counts:?}"
        );
    }

    #[test]
    fn conditions_hold_where_they_stand() {
        for (steps, layouts) in [
            ("if=W.S=2 S2 S9", Some(3)),
            ("S2 S9 if=W.S=1", Some(3)),
            ("S2 S9 if=W.S=1,W+SK", Some(1)),
            ("S2 S9 if=W.S=2", None),
        ] {
            let line = format!("NT S N:AQ... ? 32... ? out=KJT9... {steps}");
            let known = line.parse::<Knowledge>().ok();
            assert_eq!(known.map(|known| known.layouts()), layouts, "{steps}");
        }
    }

    #[test]
    fn errors_name_their_column() {
        const ERRORS: &str = "\
NT S N:A... ? ? ? out=KQJ... | column 13: three hands are hidden
NT S N:A... ? ? K... out=Q2... | column 8: North and West are opponents
NT S N:A... ? K... ? out=Q2... SQ | column 32: South cannot play the SQ
NT S N:A... ? K... ? out=Q2... if=E.S=2 | column 35: no layout
NT S N:A... ? K... ? out=Q2... if=E+SQ,N+SA | column 40: North is visible
NT S N:A... ? K... ? out=Q2... if=E+SA | column 35: the SA is not one
NT S N:A... ? K... ? out=Q2... if=S=3-0 | column 35: 2 spades are unseen
NT W N:A... ? K.3.. ? out=JT.4.. played=SQ,H5 | column 44: North revoked";
        for row in ERRORS.lines() {
            let (line, start) = row.split_once(" | ").expect(row);
            let found = line.parse::<Knowledge>().unwrap_err().to_string();
            assert!(found.starts_with(start), "{line}\n{found}");
        }
    }
}
