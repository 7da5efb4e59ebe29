//! A deal at the terminal: people and programs in its seats, card by card.

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Read, Write};

use anyhow::{Context, bail};
use fastrand::Rng;
use setrograde::cards::{Card, Contract};
use setrograde::{cards_by_suit, compass, grouped, marginals, shown, suit_lines};
use setrograde_beliefs::{Game, Strengths, View, joined};
use setrograde_play::Table;
use setrograde_play::players::{Player, PlayerError, Roster, Spec};
use setrograde_play::tournament::generator;

use super::{HUMAN, LaidBoard, PlayArguments};
use crate::Outcome;
use crate::arguments::players::unit;
use crate::output::say;

/// Plays the board of the seed, and then others for as long as that is wanted.
pub fn play<G: Game>(
    arguments: &PlayArguments,
    board: impl Fn(u64) -> anyhow::Result<LaidBoard<G>>,
) -> anyhow::Result<Outcome> {
    let roster = arguments.shared.roster()?;
    let seed = match arguments.game.seed {
        None if io::stdin().is_terminal() => fastrand::u64(1..1_000_000),
        _ => arguments.game.seed(),
    };
    let (table, contract) = board(seed)?;
    let mut at = LiveTable {
        table,
        contract,
        named: arguments.named(contract),
        seats: Vec::new(),
        roster,
        engine: arguments.engine().parse()?,
        unit: unit(G::NAME, arguments.game.goal()),
        seed,
        lines: Box::new(io::stdin().lock()),
        line: 0,
        mistyped: false,
    };
    loop {
        at.seat_anew()?;
        let outcome = at.run()?;
        let more = outcome == Outcome::Done && arguments.deal.is_none();
        if !more || !at.wants_another()? {
            return Ok(match outcome {
                Outcome::Done if at.mistyped => Outcome::SomeUnanswered,
                outcome => outcome,
            });
        }
        at.seed = at.seed.wrapping_add(1);
        (at.table, at.contract) = board(at.seed)?;
        at.named = arguments.named(at.contract);
    }
}

/// Bytes in a line that a person types.
const LONGEST_LINE: u64 = 1 << 10;

/// The commands of a person at the table, as `help` prints them.
const HELP: &str = "\
A card, as SA, plays it. Other commands:
  ?         the engine's card, and the tricks of each card
  chances   how likely each unseen card is in each hand
  tricks    the tricks played so far
  undo      take back your last card, and all that followed
  claim N   claim N of the tricks left, or all; accepted if they are sure
  q         leave
";

/// A table with people at it.
pub struct LiveTable<G> {
    pub table: Table<G>,
    pub contract: Option<Contract>,
    /// The names of the players, by seat.
    named: [String; 4],
    seats: Vec<Seated<G>>,
    pub roster: Roster,
    engine: Spec,
    unit: &'static str,
    seed: u64,
    lines: Box<dyn BufRead>,
    /// Number of lines read.
    line: u64,
    /// True if a line of a script was wrong.
    mistyped: bool,
}

/// The command of a person.
enum Wish {
    Card(Card),
    Undo,
    Claim(Option<u8>),
    Leave,
}

impl<G: Game> LiveTable<G> {
    fn run(&mut self) -> anyhow::Result<Outcome> {
        let mut out = io::stdout();
        let headline = self.table.game().headline();
        writeln!(out, "{}: {headline}, seed {}", G::NAME, self.seed)?;
        let mut claimed = None;
        while !self.table.state().is_over() {
            let view = self.table.view();
            let chooser = view.observer().index();
            let card = match &mut self.seats[chooser] {
                Seated::Human => match self.ask(&view)? {
                    Wish::Card(card) => card,
                    Wish::Undo => {
                        self.undo()?;
                        continue;
                    }
                    Wish::Claim(tricks) => match self.claim(&view, tricks)? {
                        Some(tally) => {
                            claimed = Some(tally);
                            break;
                        }
                        None => continue,
                    },
                    Wish::Leave => return Ok(Outcome::Interrupted),
                },
                Seated::Program(player) => {
                    let mut rng = rng_of(self.seed, &view);
                    match player.choose(&view, &mut rng) {
                        Ok(choice) => choice.card,
                        Err(PlayerError::Cancelled) => return Ok(Outcome::Interrupted),
                        Err(error) => return Err(error.into()),
                    }
                }
            };
            let seat = view.to_play();
            if let Err(error) = self.table.play(card) {
                match &self.seats[chooser] {
                    Seated::Human => self.complain(error)?,
                    Seated::Program(_) => return Err(error.into()),
                }
                continue;
            }
            writeln!(out, "{} plays {}", seat.name(), shown(card))?;
            if self.table.state().trick().is_empty() {
                let winner = self.table.state().to_play().name();
                writeln!(out, "{winner} takes the trick ({})", self.score())?;
            }
        }
        let tally = claimed.unwrap_or(*self.table.state().tally());
        self.review(&tally)?;
        Ok(Outcome::Done)
    }

    /// The tricks of the parties so far.
    fn score(&self) -> String {
        let tricks = self.table.state().tally().tricks;
        format!("North and South {}, East and West {}", tricks[0], tricks[1])
    }

    /// Returns whether a person at the table wants to play another board.
    fn wants_another(&mut self) -> anyhow::Result<bool> {
        if !self.seats.iter().any(|seat| matches!(seat, Seated::Human)) {
            return Ok(false);
        }
        loop {
            if io::stdin().is_terminal() {
                write!(io::stdout(), "\nAnother board (yes or no)? ")?;
                io::stdout().flush()?;
            }
            match self.next_line()?.as_deref() {
                Some("y" | "yes") => return Ok(true),
                None | Some("n" | "no" | "q") => return Ok(false),
                Some(text) => self.complain(format_args!("{text:?}: expected yes or no"))?,
            }
        }
    }

    /// Programs without knowledge of the play.
    fn seat_anew(&mut self) -> anyhow::Result<()> {
        let seated = |name: &String| {
            Ok(match name.as_str() {
                HUMAN => Seated::Human,
                name => Seated::Program(self.roster.player(&name.parse::<Spec>()?)?),
            })
        };
        self.seats = self
            .named
            .iter()
            .map(seated)
            .collect::<anyhow::Result<_>>()?;
        Ok(())
    }

    /// Takes back the last card that a person played, and all that followed.
    fn undo(&mut self) -> anyhow::Result<()> {
        let mut before = None;
        let mut table = self.table.at_start();
        for (count, &card) in self.table.history().iter().enumerate() {
            let chooser = table.game().chooser(table.state().to_play());
            if matches!(self.seats[chooser.index()], Seated::Human) {
                before = Some((count, table.clone()));
            }
            table.play(card)?;
        }
        let Some((count, before)) = before else {
            return self.complain("there is no card of yours to take back");
        };
        let taken = self.table.history()[count..].iter();
        let taken = joined(taken.map(|&card| shown(card)), " ");
        self.table = before;
        self.seat_anew()?;
        Ok(writeln!(io::stdout(), "Taken back: {taken}")?)
    }

    /// Reports an error in a line: to a person, or with its number in a script.
    pub fn complain(&mut self, problem: impl Display) -> anyhow::Result<()> {
        if io::stdin().is_terminal() {
            writeln!(io::stdout(), "{problem}")?;
        } else {
            self.mistyped = true;
            say(format_args!(
                "setrograde: standard input, line {}: {problem}",
                self.line
            ));
        }
        Ok(())
    }

    /// The next line that is not empty, without spaces around it; `None` at the end.
    fn next_line(&mut self) -> anyhow::Result<Option<String>> {
        let mut line = String::new();
        loop {
            line.clear();
            let mut limited = self.lines.by_ref().take(LONGEST_LINE + 1);
            let length = limited
                .read_line(&mut line)
                .context("standard input: cannot read")?;
            if length as u64 > LONGEST_LINE {
                bail!("standard input: a line is longer than {LONGEST_LINE} bytes");
            }
            if length == 0 {
                return Ok(None);
            }
            self.line += 1;
            match line.trim() {
                "" => {}
                text if text.starts_with('#') => {}
                text => return Ok(Some(text.to_owned())),
            }
        }
    }

    /// The card or the command of a person, whose questions are answered meanwhile.
    fn ask(&mut self, view: &View<G>) -> anyhow::Result<Wish> {
        let mut out = io::stdout();
        let terminal = io::stdin().is_terminal();
        let name = view.to_play().name();
        if terminal {
            writeln!(out, "\n{}", compass_of_view(view))?;
        }
        loop {
            if terminal {
                let trick = self.table.history().len() / 4 + 1;
                let legal: Vec<Card> = view.legal().cards().collect();
                let legal = cards_by_suit(&legal);
                let score = self.score();
                writeln!(
                    out,
                    "Trick {trick} ({score}). `help` shows what you can say."
                )?;
                write!(out, "{name} to play ({legal}): ")?;
                out.flush()?;
            }
            let Some(text) = self.next_line()? else {
                if terminal {
                    return Ok(Wish::Leave);
                }
                bail!("the input ends before {name} has played")
            };
            let typed = text.to_lowercase();
            let words: Vec<&str> = typed.split_whitespace().collect();
            match words[..] {
                ["q" | "quit"] => return Ok(Wish::Leave),
                ["?" | "hint"] => self.hint(view)?,
                ["chances"] => self.chances(view)?,
                ["h" | "help"] => write!(out, "{HELP}")?,
                ["tricks"] => write!(out, "{}", self.tricks()?)?,
                ["undo"] => return Ok(Wish::Undo),
                ["claim"] | ["claim", "all"] => return Ok(Wish::Claim(None)),
                ["claim", tricks] => match tricks.parse() {
                    Ok(tricks) => return Ok(Wish::Claim(Some(tricks))),
                    Err(_) => self.complain("expected a number after `claim`, or nothing")?,
                },
                _ => match text.parse() {
                    Ok(card) => return Ok(Wish::Card(card)),
                    Err(error) if text.chars().count() <= 3 => {
                        self.complain(format_args!("{text:?}: {error}"))?;
                    }
                    Err(_) => self.complain(format_args!(
                        "{text:?} is neither a card, as SA, nor a command; `help` lists them"
                    ))?,
                },
            }
        }
    }

    /// Returns the tricks so far, one per line.
    fn tricks(&self) -> anyhow::Result<String> {
        let mut table = self.table.at_start();
        let mut text = String::new();
        for (trick, cards) in (1..).zip(self.table.history().chunks(4)) {
            text += &format!("{trick:3}");
            for &card in cards {
                text += &format!("  {} {}", table.state().to_play().letter(), shown(card));
                table.play(card)?;
            }
            match cards.len() {
                4 => text += &format!("  {}\n", table.state().to_play().name()),
                _ => text.push('\n'),
            }
        }
        Ok(text)
    }

    fn hint(&mut self, view: &View<G>) -> anyhow::Result<()> {
        let mut out = io::stdout();
        let mut engine = self.roster.player::<G>(&self.engine)?;
        let choice = engine.choose(view, &mut rng_of(self.seed, view))?;
        let (card, layouts) = (shown(choice.card), choice.layouts);
        if view.legal().len() == 1 {
            return Ok(writeln!(
                out,
                "{card} is the only card that may be played."
            )?);
        }
        writeln!(
            out,
            "{} would play {card}; it looked at {layouts} layouts.",
            self.engine
        )?;
        if !choice.worth.is_empty() {
            writeln!(out, "  card  mean, in {}", self.unit)?;
        }
        for of in &choice.worth {
            writeln!(out, "  {:4}  {:.2}", shown(of.card), of.value)?;
        }
        Ok(())
    }

    fn chances(&mut self, view: &View<G>) -> anyhow::Result<()> {
        let mut out = io::stdout();
        let beliefs = view.beliefs(&Strengths::NONE)?;
        let layouts = grouped(beliefs.count());
        writeln!(out, "{layouts} layouts fit. Chances in per cent:")?;
        let shares = beliefs.marginals();
        let chance = |seat, card| shares.probability(seat, card);
        writeln!(
            out,
            "{}",
            marginals(beliefs.sizes(), beliefs.unseen(), chance)
        )?;
        Ok(())
    }
}

/// The view as a compass: the visible hands, and the number of cards of each hidden one; then the
/// trick on the table.
fn compass_of_view<G: Game>(view: &View<G>) -> String {
    let mut text = compass(|seat| {
        let mut lines = vec![seat.name().to_owned()];
        match view.hand(seat) {
            Some(hand) => lines.extend(suit_lines(hand)),
            None => {
                lines.push(format!("{} hidden", view.sizes()[seat]));
                lines.resize(5, String::new());
            }
        }
        lines
    });
    if !view.trick().is_empty() {
        let plays = view.trick().plays();
        let plays = plays.map(|(seat, card)| format!("{seat} {}", shown(card)));
        text += &format!("On the table: {}\n", joined(plays, ", "));
    }
    text
}

fn rng_of<G: Game>(seed: u64, view: &View<G>) -> Rng {
    let (seat, card) = (view.observer().index(), view.history().len());
    generator(&[seed, 1, seat as u64, card as u64])
}

enum Seated<G> {
    Human,
    Program(Box<dyn Player<G>>),
}
