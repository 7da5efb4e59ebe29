//! Statements of claims, as directors hear them.

use std::fmt;
use std::str::FromStr;

use setrograde_beliefs::QuestionError;
use setrograde_cards::{Card, Rank, Suit, quote};

use crate::line::{How, Line, LineStep};

/// Words that say nothing of the order of the tricks.
const FILLERS: &str = "all also am an are as at be being both can claim claiming down each end everything \
     established for from go going good hand hands have high i i'll i'm in into is it its just last left \
     long master masters mine more my next only myself needed now off of on other others our out outstanding \
     over own possible pull remaining remainder set she shall should simply small some still that \
     the their them there they this those tops total up us we we'll will winner winners winning you \
     your declarer declarer's he his her low top order was were which play playing run running cards \
     card suit suits game slam making make makes here";

/// What a statement may say, for refusals.
const UNDERSTOOD: &str = "expected cards such as SA or H2-HQ, `drawing trumps`, `spades from the \
     top`, `cash two diamonds`, `a heart to the queen`, `cross with a club`, `ruff a spade`, \
     `concede a heart` or `the rest`";

/// What is done, from a verb.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Verb {
    Play,
    Draw,
    Cross,
    Ruff,
    Concede,
}

impl Verb {
    /// Reads a verb in any of its forms.
    fn of(word: &str) -> Option<Verb> {
        Some(match word {
            "play" | "playing" | "cash" | "cashing" | "run" | "running" | "take" | "taking"
            | "lead" | "leading" | "win" | "winning" | "finesse" | "finessing" | "hook"
            | "finesses" => Verb::Play,
            "draw" | "drawing" | "draws" | "pull" | "pulling" | "extract" | "drawn" => Verb::Draw,
            "cross" | "crossing" | "enter" | "entering" | "reach" | "return" | "returning"
            | "back" => Verb::Cross,
            "concede" | "conceding" | "drive" | "driving" | "knock" | "knocking" | "give"
            | "giving" | "lose" | "losing" | "get" | "gets" => Verb::Concede,
            _ if word.contains("ruff") => Verb::Ruff,
            _ => return None,
        })
    }
}

/// A part of a statement.
#[derive(Default)]
struct Clause {
    /// The column of its first word that counts.
    column: usize,
    verb: Option<Verb>,
    /// True if the verb is that of the clause before.
    inherited: bool,
    /// A number.
    count: Option<u8>,
    /// True if the number counts rounds, tricks or cards.
    counts: bool,
    ranks: Vec<Rank>,
    /// The suit; `Some(None)` is the trump suit.
    suit: Option<Option<Suit>>,
    /// True if the suit was named in the singular.
    single: bool,
    /// True after *to*.
    towards: bool,
    /// True if dummy or the claimer's hand is where it goes.
    place: bool,
}

impl FromStr for Line {
    type Err = QuestionError;

    fn from_str(text: &str) -> Result<Line, QuestionError> {
        let mut reader = StatementReader::default();
        let mut column = 1;
        for word in text.split(char::is_whitespace) {
            reader.word(word, column)?;
            column += word.chars().count() + 1;
        }
        reader.end()?;
        Ok(reader.line)
    }
}

#[derive(Default)]
struct StatementReader {
    line: Line,
    clause: Clause,
    /// The suit of the ranks that were named last.
    ranked: Option<Option<Suit>>,
    /// True after *the rest*.
    ended: bool,
}

fn error<T>(column: usize, problem: impl fmt::Display) -> Result<T, QuestionError> {
    Err(QuestionError::new(column, problem))
}

impl StatementReader {
    /// Reads a word that begins in a column.
    fn word(&mut self, said: &str, column: usize) -> Result<(), QuestionError> {
        let word = said.trim_matches([',', '.', ';', ':', '!', '"', '\u{201c}', '\u{201d}']);
        let column = column + said.chars().take_while(|&c| !word.starts_with(c)).count();
        let lower = word.to_lowercase().replace('\u{2019}', "'");
        self.part(word, &lower, column)?;
        if said.ends_with([',', '.', ';', ':', '!']) {
            self.boundary()?;
        }
        Ok(())
    }

    /// Reads a word without its punctuation.
    fn part(&mut self, word: &str, lower: &str, column: usize) -> Result<(), QuestionError> {
        let clause = &mut self.clause;
        let bare = lower.strip_suffix("'s").unwrap_or(lower);
        match bare {
            "" => return Ok(()),
            "then" | "and" | "followed" | "by" | "after" | "&" => {
                if bare == "after" && !(self.line.steps.is_empty() && clause.is_empty()) {
                    return error(column, format_args!("\"after\": {ORDER}"));
                }
                return self.boundary();
            }
            "high" if clause.verb == Some(Verb::Ruff) => {
                return error(
                    column,
                    "\"high\": with which trump? name the lead and the ruff, as H2-SQ",
                );
            }
            "first" if self.line.steps.is_empty() => return Ok(()),
            "before" | "first" => {
                return error(column, format_args!("{:?}: {ORDER}", quote(word)));
            }
            "to" | "towards" | "toward" | "with" => {
                // *To dummy with a club* crosses, and *a heart to the queen* leads to it.
                clause.towards |= bare != "with" && clause.suit.is_some();
                return Ok(());
            }
            "dummy" | "table" | "board" => {
                clause.place = true;
                return Ok(());
            }
            "hand" if clause.towards || clause.verb == Some(Verb::Cross) => {
                clause.place = true;
                return Ok(());
            }
            "round" | "rounds" | "trick" | "tricks" => {
                clause.counts = true;
                return Ok(());
            }
            "of" => return self.of(),
            "rest" => {
                self.boundary()?;
                self.ended = true;
                return Ok(());
            }
            _ => {}
        }
        if let Some(verb) = Verb::of(bare) {
            // *A heart ruff* and *the heart finesse* name the suit first.
            let finesses = matches!(bare, "finesse" | "finessing" | "hook");
            let is_noun = clause.single && clause.suit != Some(None) && clause.ranks.is_empty();
            if !clause.is_empty() && !(is_noun && (finesses || verb == Verb::Ruff)) {
                self.with_suit();
                self.boundary()?;
                if !self.clause.ranks.is_empty() {
                    self.clause.steps()?;
                }
            }
            let clause = &mut self.clause;
            clause.begin(column);
            clause.towards |= finesses;
            clause.inherited = false;
            clause.verb = Some(verb);
            return Ok(());
        }
        if let Some(rank) = number(bare).and_then(Rank::new)
            && clause.towards
        {
            clause.ranks.push(rank);
            return Ok(());
        }
        if bare == "a" || number(bare).is_some() {
            self.flush_complete()?;
            let clause = &mut self.clause;
            clause.begin(column);
            // Of *the last two* or *a last*, the number counts.
            clause.count = number(bare).or(clause.count).or(Some(1));
            return Ok(());
        }
        if FILLERS.split_whitespace().any(|filler| filler == bare) {
            return Ok(());
        }
        self.object(word, bare, column)
    }

    /// After *two of*, a number is a rank, unless it counts something; so is *a*, the ace's letter.
    fn of(&mut self) -> Result<(), QuestionError> {
        let clause = &mut self.clause;
        if !clause.counts
            && clause.suit.is_none()
            && let Some(count) = clause.count.take()
            && let Some(rank) = Rank::new(if count == 1 { 14 } else { count })
        {
            clause.ranks.push(rank);
        }
        Ok(())
    }

    /// Reads a suit, a rank or cards.
    fn object(&mut self, word: &str, lower: &str, column: usize) -> Result<(), QuestionError> {
        if self.ended {
            return error(column, format_args!("{:?} is left over", quote(word)));
        }
        let suit = match lower {
            "t" | "trump" | "trumps" => Some(None),
            _ => word.parse::<Suit>().ok().map(Some),
        };
        if let Some(suit) = suit {
            if self.clause.suit.is_some() {
                self.boundary()?;
            }
            let clause = &mut self.clause;
            clause.begin(column);
            if clause.inherited && suit.is_none() {
                clause.verb = None;
            }
            clause.suit = Some(suit);
            clause.single = lower.len() > 1 && !lower.ends_with('s') && word.is_ascii();
            return Ok(());
        }
        if let Some(ranks) = ranks(lower, word) {
            let clause = &mut self.clause;
            clause.begin(column);
            clause.ranks.extend(ranks);
            return Ok(());
        }
        self.flush_complete()?;
        if word.chars().filter(|c| c.is_lowercase()).count() > 2 {
            return error(column, format_args!("{:?}: {UNDERSTOOD}", quote(word)));
        }
        self.clause = Clause::default();
        for step in cards(word, column)? {
            self.line.steps.push(step);
        }
        Ok(())
    }

    /// Takes ranks without a suit, as in *the ace of spades and the king*, for those of the suit
    /// before.
    fn with_suit(&mut self) {
        let clause = &mut self.clause;
        if !clause.ranks.is_empty() {
            clause.suit = clause.suit.or(self.ranked);
        }
    }

    /// Ends a clause that has an object.
    fn flush_complete(&mut self) -> Result<(), QuestionError> {
        let clause = &self.clause;
        let complete = clause.suit.is_some() && !clause.towards;
        if complete { self.boundary() } else { Ok(()) }
    }

    /// Ends a clause at a comma or *then*; one without an object goes on, with its verb.
    fn boundary(&mut self) -> Result<(), QuestionError> {
        let clause = &self.clause;
        let needs_suit = matches!(clause.verb, Some(Verb::Draw | Verb::Cross | Verb::Ruff));
        if clause.suit.is_none() && (needs_suit || !clause.ranks.is_empty()) {
            return Ok(());
        }
        let clause = std::mem::take(&mut self.clause);
        if !clause.ranks.is_empty() {
            self.ranked = clause.suit;
        }
        let steps = clause.steps()?;
        if self.ended && !steps.is_empty() {
            return error(clause.column, "this is left over after \"the rest\"");
        }
        self.say(steps);
        // *Ruff two diamonds and a heart*: the verb goes on.
        let goes_on = |verb: &Verb| matches!(verb, Verb::Ruff | Verb::Concede);
        self.clause.verb = clause.verb.filter(goes_on);
        self.clause.inherited = self.clause.verb.is_some();
        Ok(())
    }

    fn say(&mut self, steps: Vec<LineStep>) {
        self.line.draws_trumps |= steps.contains(&LineStep::Suit(How::Draw, None));
        self.line.steps.extend(steps);
    }

    fn end(&mut self) -> Result<(), QuestionError> {
        self.with_suit();
        // Without a word that counts it only inherited its verb.
        if self.clause.column > 0 {
            let steps = self.clause.steps()?;
            self.say(steps);
        }
        Ok(())
    }
}

/// The refusal of steps in another order.
const ORDER: &str = "say the steps in the order of play, each after the one before it";

impl Clause {
    fn is_empty(&self) -> bool {
        self.verb.is_none() && self.suit.is_none() && self.ranks.is_empty() && self.count.is_none()
    }

    fn begin(&mut self, column: usize) {
        if self.column == 0 {
            self.column = column;
        }
    }

    /// The steps that it says.
    fn steps(&self) -> Result<Vec<LineStep>, QuestionError> {
        let column = self.column.max(1);
        let Some(suit) = self.suit else {
            return match self.verb {
                _ if !self.ranks.is_empty() => error(column, "of which suit? name the card, as SA"),
                Some(Verb::Ruff) => error(
                    column,
                    "\"ruff\": which cards are ruffed, and in which order? say `ruff a spade`, or \
                     name each lead, as H2-S3",
                ),
                Some(Verb::Cross) => error(column, "with which suit? say `cross with a club`"),
                Some(Verb::Draw) => Ok(vec![LineStep::Suit(How::Draw, None)]),
                _ => Ok(Vec::new()),
            };
        };
        let one = |how| LineStep::Suit(how, suit);
        let times = usize::from(self.count.unwrap_or(1));
        let crosses = self.verb == Some(Verb::Cross) || self.towards && self.place;
        Ok(match self.verb {
            // *Conceding the ace of hearts* names a card of the opponents.
            Some(Verb::Concede) => vec![one(How::Concede); times],
            _ if !self.ranks.is_empty() => {
                let ranks = self.ranks.iter();
                let to = self.towards || crosses;
                ranks
                    .map(|&rank| one(if to { How::To(rank) } else { How::Cash(rank) }))
                    .collect()
            }
            _ if crosses => vec![one(How::Cross)],
            _ if self.towards => {
                return error(column, "to which card? say `a heart to the queen`");
            }
            Some(Verb::Ruff) => vec![one(How::Ruff); times],
            Some(Verb::Draw) if self.count.is_none() || !self.counts => {
                vec![one(if suit.is_none() { How::Draw } else { How::Run })]
            }
            _ if self.count.is_some() || self.counts => vec![one(How::Round); times],
            // *Trumps* alone, and *the last trump*, are to be drawn.
            _ if suit.is_none() => vec![one(How::Draw)],
            _ if self.single => vec![one(How::Round)],
            _ => vec![one(How::Run)],
        })
    }
}

/// A number from 1 to 13 in words or digits.
fn number(word: &str) -> Option<u8> {
    const NUMBERS: &str = "one two three four five six seven eight nine ten eleven twelve thirteen";
    let nth = NUMBERS.split(' ').position(|number| number == word);
    let number = nth.map_or_else(|| word.parse().ok(), |nth| Some(nth as u8 + 1));
    number.filter(|number| (1..=13).contains(number))
}

/// The ranks of a word: a name, or several letters such as AKQ.
fn ranks(lower: &str, word: &str) -> Option<Vec<Rank>> {
    let one = lower.strip_suffix('s').unwrap_or(lower);
    if let Some(rank) = Rank::all().find(|rank| rank.name() == one || rank.name() == lower) {
        return Some(vec![rank]);
    }
    let letters = word.chars().all(|c| "AKQJT98765432".contains(c));
    (letters && !word.is_empty()).then(|| word.chars().filter_map(Rank::from_letter).collect())
}

/// The cards of a word that begins in a column: a lead, and that of the other hand; or several of a
/// suit.
fn cards(word: &str, column: usize) -> Result<Vec<LineStep>, QuestionError> {
    let mut letters = word.chars();
    let suit = letters
        .next()
        .and_then(|c| c.to_string().parse::<Suit>().ok());
    let rest = letters.as_str();
    if let (Some(suit), Some(ranks)) = (suit, ranks("", rest))
        && ranks.len() > 1
        && rest != "10"
    {
        let cash = |rank| LineStep::Suit(How::Cash(rank), Some(suit));
        return Ok(ranks.into_iter().map(cash).collect());
    }
    let (lead, follow) = match word.split_once('-') {
        Some((lead, follow)) => (lead, Some(follow)),
        None => (word, None),
    };
    let read = |card: &str, by: usize| {
        let card = card.parse::<Card>();
        card.map_err(|error| QuestionError::from(error).shifted(column - 1 + by))
    };
    let follow = follow.map(|card| read(card, lead.chars().count() + 1));
    Ok(vec![LineStep::Play(read(lead, 0)?, follow.transpose()?)])
}
