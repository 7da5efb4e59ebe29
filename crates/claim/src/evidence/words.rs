//! Plans and cores in words.

use std::collections::HashMap;

use setrograde_beliefs::{counted, joined, listed};
use setrograde_cards::{Card, Hand, Seat, Suit};

use crate::evidence::cores::Core;
use crate::evidence::plan::{Plan, Step};
use crate::knowledge::Knowledge;

/// Maximum width of a line: a terminal has 80 columns, and a plan or a ruling may be indented.
pub(crate) const WIDTH: usize = 78;

/// Minimum width of text at any depth.
const LEAST: usize = 30;

/// The indent of a branch.
const INDENT: &str = "  ";

/// A plan in English, one step on each line, with indented branches.
///
/// An automatic squeeze (figure 3.17 of the paper): West has king and queen of diamonds and at
/// least three hearts.
///
/// ```
/// use setrograde_claim::{Claims, Knowledge, Options, in_words};
///
/// let line = "NT S S:2.A32.2. ? .K54.AJ. ? out=.QJT87.KQT98. if=W+DK,W+DQ,W.H>=3";
/// let knowledge: Knowledge = line.parse()?;
/// let mut claims = Claims::new(Options::default());
/// let words = in_words(&knowledge, &claims.plan(&knowledge, 5)?);
/// let mut lines = words.lines();
/// assert_eq!(lines.next(), Some("Cash the deuce of spades from South."));
/// assert!(words.contains("Discard the four of hearts from North."));
///
/// // A discovery play (figure 2.8): the ace of hearts first, and the finesse
/// // through North if he shows the diamond that he is known to hold.
/// let line = "NT W W:KJT.A.. ? A98.2.. ? out=Q76.KQJT.2. if=N+D2";
/// let knowledge: Knowledge = line.parse()?;
/// let words = in_words(&knowledge, &claims.plan(&knowledge, 4)?);
/// assert!(words.starts_with("Cash the ace of hearts from West.\n"));
///
/// // A throw-in: North wins the heart, and must lead a diamond into the tenace
/// // or a heart that East ruffs while West throws the queen.
/// let line = "S W W:2.3.AQ. ? 3.2.32. ? out=.AK.KJT987.";
/// let knowledge: Knowledge = format!("{line} if=N.H=2").parse()?;
/// assert_eq!(claims.sure(&knowledge)?, 3);
///
/// // A finesse either way, until East has shown out: then it is marked.
/// let line = "NT S S:AJ2... ? KT3... ? out=Q9876.2..";
/// let knowledge: Knowledge = line.parse()?;
/// assert_eq!(claims.sure(&knowledge)?, 2);
/// let knowledge: Knowledge = format!("{line} if=W+SQ").parse()?;
/// assert_eq!(claims.sure(&knowledge)?, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use setrograde_claim::{Claims, Knowledge, Options, in_words};
///
/// let knowledge: Knowledge = "NT W W:AKQ.2.. ? 432.A.. ? out=JT98.KQJT..".parse()?;
/// let mut claims = Claims::new(Options::default());
/// let plan = claims.plan(&knowledge, 4)?;
/// assert_eq!(
///     in_words(&knowledge, &plan),
///     "Play in this order, whatever falls: ♥2 ♥A, ♠4 ♠A, ♠K ♠3, ♠Q ♠2.\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Plays that no fixed order makes:
///
/// ```
/// use setrograde_claim::{Claims, Knowledge, Options, in_words};
///
/// let words = |question: &str, tricks: u8| -> Result<String, Box<dyn std::error::Error>> {
///     let knowledge: Knowledge = question.parse()?;
///     let plan = Claims::new(Options::default()).plan(&knowledge, tricks)?;
///     Ok(in_words(&knowledge, &plan))
/// };
///
/// // A two-way finesse, marked since East has shown out.
/// assert_eq!(
///     words("NT S N:KJ2... ? AT3... ? out=Q54.2.2.2 if=E.S=0", 3)?,
///     "Lead the three of spades from South.\n\
///      If West plays the queen of spades:\n\
///     \x20 Play the king of spades from North.\n\
///     \x20 Play in this order, whatever falls: ♠J ♠T, ♠2 ♠A.\n\
///      If West plays ♠5 or ♠4:\n\
///     \x20 Play the jack of spades from North.\n\
///     \x20 Play in this order, whatever falls: ♠K ♠T, ♠2 ♠A.\n"
/// );
///
/// // An automatic squeeze: either opponent guards both majors.
/// let guards = "if=W+HK,W+SK,W+SQ|E+HK,E+SK,E+SQ";
/// let squeeze = words(&format!("NT S N:AJ...2 ? 2.Q.A. ? out=KQ.K.32.3 {guards}"), 3)?;
/// assert!(squeeze.starts_with(
///     "Cash the ace of diamonds from South.\n\
///      If West plays ♠K or ♠Q:\n\
///     \x20 Discard the deuce of clubs from North.\n\
///     \x20 Play in this order, whatever falls: ♠2 ♠A, ♠J ♥Q.\n\
///      If West plays the king of hearts:\n\
///     \x20 Discard the deuce of clubs from North.\n\
///     \x20 Play in this order, whatever falls: ♥Q ♠J, ♠2 ♠A.\n"
/// ));
///
/// // An elimination: the defender who wins the diamond must lead a spade, which
/// // finds the queen, or give a ruff and a discard.
/// let elimination = words("H S N:AJ2.5.3. ? KT4.6.2. ? out=Q98765..AKQJ.", 4)?;
/// assert!(elimination.starts_with("Lead the deuce of diamonds from South.\n"));
/// assert!(elimination.contains("Discard the deuce of spades from North.\n"));
///
/// // Figure 2.8 of the paper: the ace of hearts reveals who is short of spades.
/// let guess = words("NT W W:KJT.A.. ? A98.2.. ? out=Q76.KQJT.2. if=N+D2", 4)?;
/// assert!(guess.starts_with("Cash the ace of hearts from West.\n"));
///
/// // Section 3.6: a finesse after a show-out, and the choice in the middle of a
/// // suit.
/// let shown = "NT W W:A54.2.. ? KJT.3.. ? out=Q876.K4.A4. SA S6 ST H4 S4 S7";
/// assert!(words(shown, 2)?.starts_with("Play the jack of spades from East.\n"));
/// let either = words("NT W W:AK982... ? QT54.2.. ? out=J763.AK.AK.AK", 5)?;
/// assert!(either.starts_with("Cash the king of spades from West.\n"));
///
/// // Figure 4.3, a discovery play: a trump and a heart first, then as they fall.
/// let discovery = words(
///     "S W W:AKJT94.K.J7.QJ ? Q32.AJ876543.. ? out=8765.QT92.KT9865.KT987432 \
///      if=S=2-2,H=3-1|S=3-1,H=2-2",
///     11,
/// )?;
/// assert!(discovery.starts_with(
///     "Cash the king of spades from West.\n\
///      Play the deuce of spades from East.\n\
///      Cash the king of hearts from West.\n"
/// ));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn in_words(knowledge: &Knowledge, plan: &Plan) -> String {
    let mut words = ProofWords {
        steps: &plan.steps,
        text: String::new(),
        printed: HashMap::new(),
    };
    words.describe(&plan.knowledge(knowledge), plan.root, plan.tricks, 0);
    words.text
}

struct ProofWords<'a> {
    steps: &'a [Step],
    text: String,
    /// The line on which a step was printed.
    printed: HashMap<(usize, Seat, usize), usize>,
}

/// The cards of a rule that the hand of `seat` holds.
fn from_hand(seat: Seat, hand: Hand, cards: &[Card]) -> String {
    let held = cards.iter().filter(|&&card| hand.contains(card));
    let held = joined(held.map(|card| format!("{card:#}")), " ");
    format!("{held} from {}", seat.name())
}

impl ProofWords<'_> {
    /// Writes a line, and wraps the rest below with an indent.
    fn line(&mut self, depth: usize, text: &str) {
        let [first, rest] = [depth, depth + 2].map(|depth| INDENT.repeat(depth));
        let width = WIDTH.max(first.len() + LEAST);
        for line in wrapped(text, [&first, &rest], width) {
            self.text += &line;
            self.text.push('\n');
        }
    }

    fn describe(&mut self, knowledge: &Knowledge, step: usize, need: u8, depth: usize) {
        if need == 0 {
            return self.line(depth, "The tricks are made.");
        }
        let Some(what) = self.steps.get(step) else {
            return;
        };
        match what {
            Step::Done => self.line(depth, "The tricks are made."),
            Step::Order(pairs) => {
                let pairs: Vec<String> =
                    pairs.iter().map(|(a, b)| format!("{a:#} {b:#}")).collect();
                let text = match pairs.len() {
                    1 => format!("Play {}.", pairs[0]),
                    _ => format!("Play in this order, whatever falls: {}.", pairs.join(", ")),
                };
                self.line(depth, &text);
            }
            Step::Rule(cards) => {
                let hands = knowledge.own_hands();
                let lists = hands.map(|(seat, hand)| from_hand(seat, hand, cards));
                let lists = joined(lists, " and ");
                let text = format!(
                    "From here on win as cheaply as you can; else play, in this order, {lists}."
                );
                self.line(depth, &text);
            }
            Step::Play { card, then } => {
                let text = own_card(knowledge, *card);
                self.line(depth, &text);
                if let Ok(after) = knowledge.play(*card) {
                    self.describe(&after, *then, knowledge.still_needed(&after, need), depth);
                }
            }
            Step::Watch { seen, otherwise } => {
                let seat = knowledge.to_play();
                let lines = self.text.lines().count();
                let here = (step, seat, knowledge.trick().cards().len());
                if let Some(line) = self.printed.get(&here).filter(|_| !seen.is_empty()) {
                    let text = format!("Continue as after line {line}.");
                    return self.line(depth, &text);
                }
                self.printed.insert(here, lines);
                let all = knowledge.playable();
                let mut rest = all;
                for &(cards, then) in seen {
                    self.branch(knowledge, (cards & all, true), then, need, depth);
                    rest -= cards;
                }
                let is_named = rest != all;
                self.branch(knowledge, (rest, is_named), *otherwise, need, depth);
            }
        }
    }

    /// Describes the steps from `then` on, after any of some cards of the hand to play; below a line
    /// that names them, if they are to be named.
    fn branch(
        &mut self,
        knowledge: &Knowledge,
        (cards, is_named): (Hand, bool),
        then: usize,
        need: u8,
        depth: usize,
    ) {
        let Some(first) = cards.cards().next() else {
            return;
        };
        if is_named {
            let seat = knowledge.to_play().name();
            self.line(depth, &format!("If {seat} {}:", doing(knowledge, cards)));
        }
        if let Ok(after) = knowledge.play(first) {
            let (need, depth) = (
                knowledge.still_needed(&after, need),
                depth + usize::from(is_named),
            );
            self.describe(&after, then, need, depth);
        }
    }
}

/// The claimer's card as a sentence.
fn own_card(knowledge: &Knowledge, card: Card) -> String {
    let higher = knowledge.unseen().holding(card.suit).highest();
    let verb = match knowledge.trick().led_suit() {
        None if higher.is_none_or(|higher| higher < card.rank) => "Cash",
        None => "Lead",
        Some(led) if card.suit == led => "Play",
        Some(_) if Some(card.suit) != knowledge.strain().trump() => "Discard",
        Some(_) if knowledge.wins(card) => "Ruff with",
        Some(_) => "Underruff with",
    };
    let seat = knowledge.to_play().name();
    format!("{verb} the {} from {seat}.", card.in_words())
}

/// The action of a hand that plays one of `cards`, as a verb and its object.
fn doing(knowledge: &Knowledge, cards: Hand) -> String {
    let all = knowledge.playable();
    let led = knowledge.trick().led_suit();
    let verb = if led.is_none() { "leads" } else { "plays" };
    if let Some(led) = led {
        let (here, there) = (cards.suit(led).len(), all.suit(led).len());
        if here == cards.len() && here == there && there < all.len() {
            return "follows".to_owned();
        }
        if here == 0 && cards.len() == all.len() - there {
            return match knowledge.strain().trump() {
                Some(trump) if trump != led && !cards.holding(trump).is_empty() => {
                    "does not follow".to_owned()
                }
                _ => "discards".to_owned(),
            };
        }
    }
    for suit in Suit::ALL {
        let whole = cards.holding(suit);
        if whole.len() == cards.len() && whole == all.holding(suit) && whole.len() > 2 {
            return format!("{verb} a {}", suit.name().trim_end_matches('s'));
        }
    }
    let named: Vec<String> = match cards.len() {
        1 => cards
            .cards()
            .map(|card| format!("the {}", card.in_words()))
            .collect(),
        _ => cards.cards().map(|card| format!("{card:#}")).collect(),
    };
    format!("{verb} {}", listed(&named, "or"))
}

/// Wraps a text at spaces into lines of at most `width`, unless one word is wider; the first line
/// begins with the indent `first`, the remaining lines with `rest`.
pub fn wrapped(text: &str, [first, rest]: [&str; 2], width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut is_empty) = (first.to_owned(), true);
    for word in text.split(' ') {
        if !is_empty && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(std::mem::replace(&mut line, rest.to_owned()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    lines.push(line);
    lines
}

/// A number of tricks in English: `1 trick`, `2 tricks`.
pub fn tricks(count: u8) -> String {
    counted(count.into(), "trick")
}

/// A core in English: the layouts that no plan survives together.
pub fn core_in_words(knowledge: &Knowledge, core: &Core) -> String {
    let [first, second] = knowledge.hidden();
    let layouts: Vec<String> = core
        .layouts
        .iter()
        .map(|hands| {
            format!(
                "{} {} and {} {}",
                first.name(),
                hands[0],
                second.name(),
                hands[1]
            )
        })
        .collect();
    let tricks = tricks(core.tricks);
    match layouts.as_slice() {
        [one] => {
            format!("{tricks} cannot be made even with all cards seen in this layout:\n  {one}\n")
        }
        several => format!(
            "No one plan takes {tricks} in all of these layouts:\n  {}\n",
            several.join("\n  ")
        ),
    }
}
