//! Statements about sets of endings in Kleene's three-valued logic.
//!
//! The statement is "the leader's side takes at least t tricks". Of a set it is
//! true if it is true of every ending in it, false if it is false of every one,
//! and otherwise unknown. Over one trick it is a formula: an "or" over the
//! moves of the leader's side, an "and" over the other side's, and at the end
//! of the trick a statement about the level below, where the diagrams give the
//! exact answer. With false < unknown < true, "and" is the minimum and "or"
//! the maximum, so the formula is a minimax over three values, and alpha-beta
//! finds its value.
//!
//! A trick in which several hands play an x and no known card beats those has
//! more than one possible winner; the statement about it is known only if it
//! is known for each of them and the same for all.
//!
//! A result of true or false is certain. "Unknown" may mean only that the formula cannot see it,
//! never on a single ending, which has no x's.

use setrograde_endgame::diagram::{Diagram, Edge, Node};
use setrograde_endgame::partition::{Partition, Shape, SuitOrder};
use setrograde_endgame::suit_lengths::SuitLengths;
use setrograde_lookup::{Error, Level};

use setrograde_parallel::Stop;

use crate::error::VerifyError;
use crate::path_set::{CardNumber, PathSet, X, suit_bits};
use crate::survey::{BOTH, ENOUGH, LESS, MOST_NODES, Survey};

/// Nodes between two checks of the caller's flag: a fraction of a millisecond.
const NODES_A_LOOK: u32 = 1 << 16;

/// A truth value of Kleene's logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Truth {
    /// For no ending of the set.
    False,
    /// Possibly for some endings and not for others.
    Unknown,
    /// For every ending of the set.
    True,
}

use Truth::{False, True, Unknown};

/// The truth values that a search distinguishes: those between these. Of others it only learns that
/// they are outside.
#[derive(Clone, Copy)]
struct Window {
    /// Values up to this are as good as this.
    floor: Truth,
    /// Values from this on are as good as this.
    ceiling: Truth,
}

const EXACT: Window = Window {
    floor: False,
    ceiling: True,
};

/// An error of the level below, or a cancelled verification; boxed, since it
/// travels up through the inner loop.
type Evaluated = Result<Truth, Box<VerifyError>>;

/// Evaluates statements about sets of one partition at a time.
pub(crate) struct Evaluator<'a> {
    below: Option<&'a Level>,
    level: u8,
    lengths: [SuitLengths; 4],
    trump: bool,
    /// The partitions after a trick, by the four suits played and the winner.
    following: Vec<Option<NextTrick<'a>>>,
    /// The tricks in the statement.
    tricks: u8,
    /// A suit whose next card made a statement unknown.
    learn: Option<usize>,
    /// By hand and suit led, the card that last decided: it is tried first.
    decided: [[CardNumber; 4]; 4],
    stop: &'a Stop,
    /// Nodes visited since the last look at `stop`.
    nodes: u32,
}

/// The diagram in which the play continues.
struct NextTrick<'a> {
    order: SuitOrder,
    packed: Diagram<'a>,
    /// Its nodes unpacked, once it has been walked often enough for that to pay.
    plain: Option<(Vec<Node>, Edge)>,
    /// The nodes that walks went through.
    walked: u32,
}

impl NextTrick<'_> {
    fn diagram(&mut self) -> Diagram<'_> {
        if self.walked >= UNPACK_AFTER && self.plain.is_none() {
            self.plain = Some(self.packed.own_nodes());
        }
        match &self.plain {
            Some((nodes, root)) => Diagram::new(nodes, *root),
            None => self.packed,
        }
    }
}

/// Walks through this many nodes of a diagram take as long as unpacking it.
const UNPACK_AFTER: u32 = 1 << 10;

/// A trick under way.
#[derive(Clone, Copy)]
struct OpenTrick {
    /// The known cards that were not played.
    left: u64,
    /// The suits played, two bits per hand.
    suits: u8,
    best: CardNumber,
    /// The hands that may have played the best card: several if it is an x.
    winners: u8,
}

impl<'a> Evaluator<'a> {
    /// An evaluator over the level below `level`; there is none below 1. Once
    /// `stop` is due, it ends soon with [`VerifyError::Cancelled`].
    pub(crate) fn new(level: &Level, below: Option<&'a Level>, stop: &'a Stop) -> Evaluator<'a> {
        Evaluator {
            below,
            level: level.level() as u8,
            lengths: [SuitLengths::EMPTY; 4],
            trump: false,
            following: std::iter::repeat_with(|| None).take(1 << 10).collect(),
            tricks: 0,
            learn: None,
            decided: [[0; 4]; 4],
            stop,
            nodes: 0,
        }
    }

    /// Turns to another partition.
    pub(crate) fn enter(&mut self, partition: Partition) {
        self.lengths = partition.shape.lengths;
        self.trump = partition.trump;
        self.following.fill_with(|| None);
    }

    /// Returns whether "at least `tricks` tricks", 1 or more, is true of all
    /// endings of the set (`hoped`) or false of all of them (`!hoped`), as far as
    /// one formula can decide.
    pub(crate) fn holds(
        &mut self,
        set: &PathSet,
        tricks: u8,
        hoped: bool,
    ) -> Result<bool, Box<VerifyError>> {
        let (floor, ceiling, wanted) = if hoped {
            (Unknown, True, True)
        } else {
            (False, Unknown, False)
        };
        let window = Window { floor, ceiling };
        Ok(self.evaluate(set, tricks, window)? == wanted)
    }

    /// The truth value of "at least `tricks` tricks" for the set, and, if it is
    /// unknown, a suit whose next card would decide more.
    pub(crate) fn truth(
        &mut self,
        set: &PathSet,
        tricks: u8,
    ) -> Result<(Truth, Option<usize>), Box<VerifyError>> {
        self.learn = None;
        let truth = self.evaluate(set, tricks, EXACT)?;
        Ok((truth, self.learn))
    }

    fn evaluate(&mut self, set: &PathSet, tricks: u8, window: Window) -> Evaluated {
        self.tricks = tricks;
        let moves = [0, 1, 2, 3].map(|hand| set.moves(hand));
        let start = OpenTrick {
            left: set.cards(),
            suits: 0,
            best: 0,
            winners: 0,
        };
        self.extreme(set, &moves, &start, 0, moves[0], window)
    }

    /// The truth value when `hand` has these choices: the greatest over them
    /// for the leader's side, the least for the other.
    fn extreme(
        &mut self,
        set: &PathSet,
        moves: &[u64; 4],
        trick: &OpenTrick,
        hand: usize,
        mut choices: u64,
        mut window: Window,
    ) -> Evaluated {
        let leaders = hand & 1 == 0;
        let mut value = if leaders { False } else { True };
        let led = usize::from(trick.suits & 3);
        let first = self.decided[hand][led];
        while choices != 0 {
            let card = match choices >> first & 1 {
                1 => first,
                _ => choices.trailing_zeros() as CardNumber,
            };
            choices &= !(1 << card);
            let next = trick.play(hand, card, self.trump);
            let found = if hand == 3 {
                self.after_trick(set, &next, window)?
            } else {
                let led = suit_bits(usize::from(next.suits & 3));
                let following = moves[hand + 1] & led;
                let choices = if following == 0 {
                    moves[hand + 1]
                } else {
                    following
                };
                self.extreme(set, moves, &next, hand + 1, choices, window)?
            };
            if leaders {
                value = value.max(found);
                window.floor = window.floor.max(found);
            } else {
                value = value.min(found);
                window.ceiling = window.ceiling.min(found);
            }
            if window.floor >= window.ceiling {
                self.decided[hand][led] = card;
                break;
            }
        }
        Ok(value)
    }

    fn after_trick(&mut self, set: &PathSet, trick: &OpenTrick, window: Window) -> Evaluated {
        let mut winners = trick.winners;
        let winner = winners.trailing_zeros() as u8;
        let value = self.below(set, trick, winner, window)?;
        winners &= winners - 1;
        while winners != 0 && value != Unknown {
            let winner = winners.trailing_zeros() as u8;
            if self.below(set, trick, winner, window)? != value {
                self.learn.get_or_insert(usize::from(trick.best >> 4));
                return Ok(Unknown);
            }
            winners &= winners - 1;
        }
        Ok(value)
    }

    /// The truth value when `winner` has won the trick.
    fn below(&mut self, set: &PathSet, trick: &OpenTrick, winner: u8, window: Window) -> Evaluated {
        let at = usize::from(trick.suits) << 2 | usize::from(winner);
        if self.following[at].is_none() {
            self.following[at] = Some(self.find_following(trick.suits, winner)?);
        }
        let Some(following) = &mut self.following[at] else {
            return Err(self.damaged("a diagram is not there"));
        };
        let order = following.order;
        let diagram = following.diagram();
        // Below, values count the tricks of the winner's side. The other side
        // takes at least t of all if the winner's does not take at least
        // level - t of the rest.
        let (least, yes, no) = if winner & 1 == 0 {
            (self.tricks - 1, ENOUGH, LESS)
        } else {
            (self.level - self.tricks, LESS, ENOUGH)
        };
        let stop = if window.floor == Unknown {
            no
        } else if window.ceiling == Unknown {
            yes
        } else {
            BOTH
        };
        let mut survey = Survey {
            diagram,
            order,
            leader: usize::from(winner),
            owners: set.owners(),
            least,
            stop: if stop == BOTH { 0 } else { stop },
            met: 0,
            learn: None,
            nodes: 0,
        };
        survey.visit(diagram.root(), trick.left);
        let Survey {
            met, learn, nodes, ..
        } = survey;
        following.walked = following.walked.saturating_add(nodes);
        self.nodes += nodes + 1;
        if nodes == MOST_NODES {
            Err(self.damaged("a diagram asks for far more cards than one needs"))
        } else if self.nodes >= NODES_A_LOOK && self.is_stopped() {
            Err(Box::new(VerifyError::Cancelled))
        } else if met == BOTH {
            self.learn = self.learn.or(learn);
            Ok(Unknown)
        } else if met == 0 {
            Err(self.damaged("a diagram does not cover an ending"))
        } else if met == yes {
            Ok(if stop == yes { Unknown } else { True })
        } else {
            Ok(if stop == no { Unknown } else { False })
        }
    }

    #[cold]
    fn find_following(&self, suits: u8, winner: u8) -> Result<NextTrick<'a>, Box<VerifyError>> {
        let mut lengths = self.lengths;
        for hand in 0..4 {
            let suit = usize::from(suits >> (2 * hand) & 3);
            lengths[suit] = lengths[suit].without_one(hand);
        }
        let lengths = lengths.map(|suit_lengths| suit_lengths.seen_from(usize::from(winner)));
        let canonical = Shape { lengths }.canonical(self.trump.then_some(0));
        let diagram = match self.below {
            Some(level) => level
                .diagram(canonical.partition)
                .map_err(|error| Box::new(error.into()))?,
            // After the last trick there is nothing left to win.
            None => Diagram::constant(0),
        };
        Ok(NextTrick {
            order: canonical.order,
            packed: diagram,
            plain: None,
            walked: 0,
        })
    }

    fn is_stopped(&mut self) -> bool {
        self.nodes = 0;
        self.stop.is_due()
    }

    /// Happens only where the level below was not verified first.
    #[cold]
    pub(crate) fn damaged(&self, problem: &str) -> Box<VerifyError> {
        let path = self.below.map(|level| level.path().to_owned());
        let shape = Shape {
            lengths: self.lengths,
        };
        let error = Error::Damaged {
            path: path.unwrap_or_default(),
            part: format!("below the partition {shape:?}"),
            cause: problem.into(),
        };
        Box::new(error.into())
    }
}

impl OpenTrick {
    /// The trick with one more card, played by `hand`.
    #[inline]
    fn play(&self, hand: usize, card: CardNumber, trump: bool) -> OpenTrick {
        let mut next = *self;
        // Nothing is noted of an x: its bit is not among the known cards'.
        next.left &= !(1 << card);
        next.suits |= (card >> 4) << (2 * hand);
        // Trumps have the lowest numbers, so "beats" is "is less" throughout.
        let follows = card >> 4 == self.best >> 4;
        if hand == 0 || (follows || trump && card >> 4 == 0) && card < self.best {
            next.best = card;
            next.winners = 1 << hand;
        } else if card == self.best {
            debug_assert!(card & 15 == X);
            next.winners |= 1 << hand;
        }
        next
    }
}

#[cfg(test)]
impl Evaluator<'_> {
    /// The nodes visited since the last look at `stop`.
    pub(crate) fn nodes(&self) -> u32 {
        self.nodes
    }
}
