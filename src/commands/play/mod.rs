//! `setrograde play`: a deal at the terminal, or by a script of cards.

mod judging;

use std::fmt::Display;
use std::io::{self, BufRead, IsTerminal, Read, Write};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Condition, Facts, Limits, Reason};
use setrograde_cards::{Card, Contract, Deal, Hand, PartialContract, Seat, Strain, Vulnerability};
use setrograde_games::{
    Bridge, Game, Goal, Hearts, Jass, Mode, Strengths, Table, View, Whist, deal,
};
use setrograde_play::players::{Player, PlayerError, Roster, Spec};
use setrograde_play::tournament::{generator, par_contract};
use setrograde_review::grouped;
use setrograde_review::{cards_by_suit, shown};

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::players::{GameArguments, GameName, PlayerArguments};
use crate::arguments::shared::sides;
use crate::output::say;
use crate::output::view::{compass, marginals};

/// Play a deal: a person or a program in each seat.
#[derive(Args)]
#[command(after_help = include_str!("../../help/play.txt"))]
pub struct PlayArguments {
    #[command(flatten)]
    game: GameArguments,
    /// The hands, in PBN. [default: drawn from the seed]
    #[arg(long, value_name = "DEAL")]
    deal: Option<Deal>,
    /// The declarer, unless the contract names one. [default: S]
    #[arg(long, value_name = "SEAT")]
    declarer: Option<Seat>,
    /// The vulnerable sides at bridge: none, NS, EW or both. [default: none]
    #[arg(long, value_name = "SIDES", value_parser = sides)]
    vulnerable: Option<Vulnerability>,
    /// The opening leader, except at bridge. [default: N]
    #[arg(long, value_name = "SEAT")]
    leader: Option<Seat>,
    #[command(flatten)]
    condition: ConditionArgument,
    /// The player of North: `human`, or a player as in `tournament`. [default of the four
    /// seats: you are South, or North where that declares]
    #[arg(long, value_name = "PLAYER")]
    north: Option<String>,
    /// The player of East.
    #[arg(long, value_name = "PLAYER")]
    east: Option<String>,
    /// The player of South.
    #[arg(long, value_name = "PLAYER")]
    south: Option<String>,
    /// The player of West.
    #[arg(long, value_name = "PLAYER")]
    west: Option<String>,
    /// The player that answers `?`, and takes the other seats. [default: pimc; ismcts at
    /// hearts]
    #[arg(long, value_name = "PLAYER")]
    engine: Option<String>,
    #[command(flatten)]
    shared: PlayerArguments,
}

pub fn run(arguments: &PlayArguments) -> anyhow::Result<Outcome> {
    let game = &arguments.game;
    let bridge = game.game == GameName::Bridge;
    game.check(&[
        ("--declarer", arguments.declarer.is_some(), bridge),
        ("--vulnerable", arguments.vulnerable.is_some(), bridge),
        ("--leader", arguments.leader.is_some(), !bridge),
    ])?;
    let leader = arguments.leader.unwrap_or(Seat::North);
    let cards = match &arguments.deal {
        None => None,
        Some(deal) => match deal.cards_per_hand() {
            Some(cards) if cards > 0 => Some(cards),
            _ => bail!("--deal: all hands must have the same number of cards, and some"),
        },
    };
    match game.game {
        GameName::Bridge => {
            if let Some(cards) = cards.filter(|&cards| cards < 13) {
                bail!("--deal: {cards} cards a hand; a contract is played with 13");
            }
            if game.contract.is_none() && arguments.declarer.is_some() {
                bail!("--declarer needs --contract, as --contract 4S");
            }
            let given = match &game.contract {
                Some(text) => Some(arguments.contract(text)?),
                None => None,
            };
            let vulnerable = arguments.vulnerable.unwrap_or(Vulnerability::None);
            let rules = |contract| Bridge::new(contract, vulnerable, game.goal());
            play(arguments, |seed| {
                // All contracts are played with the same pack.
                let any = "1NTS".parse().expect("a contract");
                let (hands, limits) = arguments.deal(&rules(given.unwrap_or(any)), seed)?;
                let contract = match given {
                    Some(contract) => contract,
                    None => par_contract(&Deal::new(hands)?, vulnerable, Seat::North)?
                        .context("everybody would pass with these cards; name a --contract")?,
                };
                let table = Table::new(rules(contract), hands, limits)?;
                Ok((table, Some(contract)))
            })
        }
        GameName::Whist => {
            let strain = game.trump()?.unwrap_or(Strain::NoTrump);
            let dealer = leader.plus(3);
            let whist = Whist::new(strain, dealer, cards.unwrap_or(13));
            play(arguments, |seed| arguments.board(whist, seed))
        }
        GameName::Jass => {
            let mode = game.trump()?.unwrap_or(Mode::ObeAbe);
            let jass = Jass::new(mode, leader, cards.unwrap_or(9));
            play(arguments, |seed| arguments.board(jass, seed))
        }
        GameName::Hearts => play(arguments, |seed| arguments.board(Hearts { leader }, seed)),
    }
}

/// A board that is laid out, and its contract where the game has one.
type Board<G> = (Table<G>, Option<Contract>);

impl PlayArguments {
    /// The board of a seed in a game without contracts.
    fn board<G: Game>(&self, game: G, seed: u64) -> anyhow::Result<Board<G>> {
        let (hands, limits) = self.deal(&game, seed)?;
        Ok((Table::new(game, hands, limits)?, None))
    }

    /// The hands that are given, or else those of a seed, and the limits that the conditions
    /// set them.
    fn deal<G: Game>(&self, game: &G, seed: u64) -> anyhow::Result<([Hand; 4], [Limits; 4])> {
        let limits = limits(game, &self.condition)?;
        let Some(deal) = &self.deal else {
            let hands = drawn(game, limits, &mut generator(&[seed]))?;
            return Ok((hands, limits));
        };
        let mut cards = deal.hands().iter().flat_map(|hand| hand.iter());
        let of_jass = |card: &Card| card.rank.value() >= 6;
        if self.game.game == GameName::Jass
            && let Some(card) = cards.find(|card| !of_jass(card))
        {
            bail!("--deal: {card} is not a card of jass");
        }
        for (seat, limits) in Seat::ALL.into_iter().zip(limits) {
            if !limits.allow(deal.hand(seat)) {
                let wanted = Condition::of_limits(seat, &limits);
                bail!("--if: {}'s hand in this deal is not {wanted}", seat.name());
            }
        }
        Ok((*deal.hands(), limits))
    }

    /// The contract in `text`, which may leave the declarer to `--declarer`.
    fn contract(&self, text: &str) -> anyhow::Result<Contract> {
        let contract = text.parse::<PartialContract>();
        let contract = contract.with_context(|| format!("--contract {text}"))?;
        if self.declarer.is_some() && contract.declarer.is_some() {
            bail!("--contract {text}: it names the declarer; leave out --declarer");
        }
        Ok(contract.or_by(self.declarer.unwrap_or(Seat::South)))
    }

    /// The names of the players, by seat. Unless one is named, a person plays South, or
    /// North if that declares.
    fn named(&self, contract: Option<Contract>, engine: &str) -> [String; 4] {
        let named = [&self.north, &self.east, &self.south, &self.west];
        let mut names = named.map(|name| name.as_deref().unwrap_or(engine).to_owned());
        if named.iter().all(|name| name.is_none()) {
            let declares = contract.is_some_and(|contract| contract.declarer == Seat::North);
            let seat = if declares { Seat::North } else { Seat::South };
            names[seat.index()] = "human".to_owned();
        }
        names
    }
}

/// Bytes in a line that a person types.
const LONGEST_LINE: u64 = 1 << 10;

enum Seated<G> {
    Human,
    Program(Box<dyn Player<G>>),
}

fn seated<G: Game>(roster: &Roster, name: &str) -> anyhow::Result<Seated<G>> {
    Ok(match name {
        "human" => Seated::Human,
        name => Seated::Program(roster.player(&name.parse::<Spec>()?)?),
    })
}

/// Plays the board of the seed, and then others for as long as that is wanted.
fn play<G: Game>(
    arguments: &PlayArguments,
    board: impl Fn(u64) -> anyhow::Result<Board<G>>,
) -> anyhow::Result<Outcome> {
    let roster = arguments.shared.roster()?;
    let engine = arguments
        .engine
        .as_deref()
        .unwrap_or(if G::PARTNERS { "pimc" } else { "ismcts" });
    let seed = match arguments.game.seed {
        None if io::stdin().is_terminal() => fastrand::u64(1..1_000_000),
        _ => arguments.game.seed(),
    };
    let (table, contract) = board(seed)?;
    let mut at = At {
        table,
        contract,
        named: arguments.named(contract, engine),
        seats: Vec::new(),
        roster,
        engine: engine.parse()?,
        unit: unit::<G>(arguments.game.goal()),
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
        at.named = arguments.named(at.contract, engine);
    }
}

/// Hands within `limits`.
fn drawn<G: Game>(game: &G, limits: [Limits; 4], rng: &mut Rng) -> anyhow::Result<[Hand; 4]> {
    if limits == [Limits::default(); 4] {
        return Ok(deal(game, rng));
    }
    let cards = game.pack();
    let mut facts = Facts::new(cards, [(cards.len() / 4) as u8; 4]);
    for (seat, limits) in Seat::ALL.into_iter().zip(limits) {
        facts.limit(seat, limits, Reason::Limits(limits));
    }
    let deals = Beliefs::new(&facts).context("--if")?;
    Ok(deals.sample(rng))
}

/// The unit of what a player makes as large as it can.
fn unit<G: Game>(goal: Goal) -> &'static str {
    match G::NAME {
        Bridge::NAME => match goal {
            Goal::Tricks => "tricks",
            Goal::Contract => "chance to make or beat the contract",
            Goal::Score => "score",
            Goal::Imps => "IMPs",
        },
        Whist::NAME => "tricks",
        _ => "points",
    }
}

/// The conditions on the hands as limits on each.
fn limits<G: Game>(game: &G, condition: &ConditionArgument) -> anyhow::Result<[Limits; 4]> {
    let mut all = [Limits::default(); 4];
    for condition in condition.read()? {
        let limits = condition.limits(&Seat::ALL, game.pack());
        let limits = limits.map_err(|(column, error)| anyhow!("--if: column {column}: {error}"))?;
        all = [0, 1, 2, 3].map(|seat: usize| all[seat].and(&limits[seat]));
    }
    Ok(all)
}

/// The commands of a person at the table, as `help` prints them.
const HELP: &str = "\
A card, as SA, plays it. Besides:
  ?         what the engine would play, and what each card is worth to it
  chances   how likely each unseen card is in each hand
  tricks    the tricks played so far
  undo      take back your last card, and all that followed
  claim N   claim N of the tricks left, or all; it stands if the tricks are sure
  q         leave
";

/// A table with people at it.
struct At<G> {
    table: Table<G>,
    contract: Option<Contract>,
    /// The names of the players, by seat.
    named: [String; 4],
    seats: Vec<Seated<G>>,
    roster: Roster,
    engine: Spec,
    unit: &'static str,
    seed: u64,
    lines: Box<dyn BufRead>,
    /// The number of lines read.
    line: u64,
    /// Whether a line of a script was wrong.
    mistyped: bool,
}

/// The wish of a person.
enum Wish {
    Card(Card),
    Undo,
    Claim(Option<u8>),
    Leave,
}

impl<G: Game> At<G> {
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

    /// The names of the parties.
    fn parties() -> &'static [(&'static str, usize)] {
        match G::PARTNERS {
            true => &[("North and South", 0), ("East and West", 1)],
            false => &[("North", 0), ("East", 1), ("South", 2), ("West", 3)],
        }
    }

    /// The tricks of the parties so far.
    fn score(&self) -> String {
        let tricks = self.table.state().tally().tricks;
        let of = Self::parties()
            .iter()
            .map(|&(name, party)| format!("{name} {}", tricks[party]));
        of.collect::<Vec<_>>().join(", ")
    }

    /// Whether a person at the table wants to play another board.
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

    /// Programs that know nothing of what was played.
    fn seat_anew(&mut self) -> anyhow::Result<()> {
        let seats = self.named.iter().map(|name| seated(&self.roster, name));
        self.seats = seats.collect::<anyhow::Result<_>>()?;
        Ok(())
    }

    /// Takes back the last card that a person played, and all that followed.
    fn undo(&mut self) -> anyhow::Result<()> {
        let (game, hands) = (*self.table.game(), *self.table.dealt());
        let limits = *self.table.limits();
        let played = self.table.history().to_vec();
        let mut before = None;
        let mut table = Table::new(game, hands, limits)?;
        for (count, &card) in played.iter().enumerate() {
            let chooser = game.chooser(table.state().to_play());
            if matches!(self.seats[chooser.index()], Seated::Human) {
                before = Some((count, table.clone()));
            }
            table.play(card)?;
        }
        let Some((count, before)) = before else {
            return self.complain("there is no card of yours to take back");
        };
        self.table = before;
        self.seat_anew()?;
        let taken = cards_in_words(&played[count..]);
        Ok(writeln!(io::stdout(), "Taken back: {taken}")?)
    }

    /// Says what is wrong with a line: to a person, or with its number about a script.
    fn complain(&mut self, problem: impl Display) -> anyhow::Result<()> {
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

    /// The next line that says something, without blanks around it; `None` at the end.
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
            writeln!(out, "\n{}", compass(view))?;
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
                match terminal {
                    true => return Ok(Wish::Leave),
                    false => bail!("the input ends before {name} has played"),
                }
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
                        self.complain(format_args!("{text:?}: {error}"))?
                    }
                    Err(_) => self.complain(format_args!(
                        "{text:?} is neither a card, as SA, nor a command; `help` lists them"
                    ))?,
                },
            }
        }
    }

    /// The tricks so far, a line each.
    fn tricks(&self) -> anyhow::Result<String> {
        let game = *self.table.game();
        let mut table = Table::new(game, *self.table.dealt(), *self.table.limits())?;
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
        writeln!(out, "{}", marginals(&beliefs))?;
        Ok(())
    }
}

/// Cards in the order of play.
fn cards_in_words(cards: &[Card]) -> String {
    let cards = cards.iter().map(|&card| shown(card));
    cards.collect::<Vec<_>>().join(" ")
}

fn rng_of<G: Game>(seed: u64, view: &View<G>) -> Rng {
    let (seat, card) = (view.observer().index(), view.history().len());
    generator(&[seed, 1, seat as u64, card as u64])
}
