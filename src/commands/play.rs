//! `setrograde play`: a deal at the terminal, or by a script of cards.

use std::io::{self, BufRead, IsTerminal, Read, Write};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Condition, Facts, Limits, Reason};
use setrograde_cards::{Card, Contract, Deal, Seat, Strain, TextError, Vulnerability};
use setrograde_games::{Bridge, Game, Hearts, Jass, Mode, Strengths, Table, View, Whist, deal};
use setrograde_play::players::{Player, PlayerError, Roster, Spec};
use setrograde_play::tournament::generator;

use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::players::{GameArguments, GameName, PlayerArguments};
use crate::output::view::{compass, marginals};

/// Play a deal: a person or a program in each seat.
#[derive(Args)]
#[command(after_help = include_str!("../help/play.txt"))]
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
    #[arg(long, value_name = "SIDES")]
    vulnerable: Option<Vulnerability>,
    /// The opening leader, except at bridge. [default: N]
    #[arg(long, value_name = "SEAT")]
    leader: Option<Seat>,
    #[command(flatten)]
    condition: ConditionArgument,
    /// The player of North: `human`, or a player as in `tournament`.
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
    /// The player that answers `?`, and takes the seats without a player. [default:
    /// pimc; ismcts at hearts]
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
            let Some(text) = &game.contract else {
                bail!("bridge needs --contract, as --contract 4S --declarer S");
            };
            if let Some(cards) = cards.filter(|&cards| cards < 13) {
                bail!("--deal: {cards} cards a hand; a contract is played with 13");
            }
            let contract = contract(text, arguments.declarer);
            let contract = contract.with_context(|| format!("--contract {text}"))?;
            let vulnerable = arguments.vulnerable.unwrap_or(Vulnerability::None);
            play(arguments, Bridge::new(contract, vulnerable, game.goal()))
        }
        GameName::Whist => {
            let strain = game.trump()?.unwrap_or(Strain::NoTrump);
            let dealer = leader.plus(3);
            play(arguments, Whist::new(strain, dealer, cards.unwrap_or(13)))
        }
        GameName::Jass => {
            let mode = game.trump()?.unwrap_or(Mode::ObeAbe);
            play(arguments, Jass::new(mode, leader, cards.unwrap_or(9)))
        }
        GameName::Hearts => play(arguments, Hearts { leader }),
    }
}

/// A contract with its declarer, or without.
fn contract(text: &str, declarer: Option<Seat>) -> Result<Contract, TextError> {
    let bid = text.trim_end_matches(['X', 'x']);
    match (bid.parse(), declarer) {
        (Ok(bid_only), _) => {
            let doubling = text[bid.len()..].parse()?;
            Ok(Contract::new(
                bid_only,
                doubling,
                declarer.unwrap_or(Seat::South),
            ))
        }
        (Err(_), None) => text.parse(),
        (Err(error), Some(_)) => Err(error),
    }
}

/// Bytes in a line that a person types.
const LONGEST_LINE: u64 = 1 << 10;

enum Seated<G> {
    Human,
    Program(Box<dyn Player<G>>),
}

fn play<G: Game>(arguments: &PlayArguments, game: G) -> anyhow::Result<Outcome> {
    let roster = arguments.shared.roster()?;
    let named = [
        &arguments.north,
        &arguments.east,
        &arguments.south,
        &arguments.west,
    ];
    let engine = arguments
        .engine
        .as_deref()
        .unwrap_or(if G::PARTNERS { "pimc" } else { "ismcts" });
    let mut seats = Vec::new();
    for name in named {
        let name = name.as_deref().unwrap_or(engine);
        seats.push(match name {
            "human" => Seated::Human,
            name => Seated::Program(roster.player(&name.parse::<Spec>()?)?),
        });
    }
    let limits = limits(&game, &arguments.condition)?;
    let mut rng = generator(&[arguments.game.seed]);
    let hands = match &arguments.deal {
        Some(deal) => *deal.hands(),
        None if limits == [Limits::default(); 4] => deal(&game, &mut rng),
        None => {
            let cards = game.pack();
            let mut facts = Facts::new(cards, [(cards.len() / 4) as u8; 4]);
            for (seat, limits) in Seat::ALL.into_iter().zip(limits) {
                facts.limit(seat, limits, Reason::Limits(limits));
            }
            let deals = Beliefs::new(&facts).context("--if")?;
            deals.sample(&mut rng)
        }
    };
    if let Some(card) = hands
        .iter()
        .flat_map(|hand| hand.iter())
        .find(|&card| arguments.game.game == GameName::Jass && card.rank.value() < 6)
    {
        bail!("--deal: {card} is no card of jass");
    }
    for (seat, limits) in Seat::ALL.into_iter().zip(limits) {
        if !limits.allow(hands[seat.index()]) {
            let wanted = Condition::of_limits(seat, &limits);
            bail!("--if: {}'s hand in this deal is not {wanted}", seat.name());
        }
    }
    let mut game = At {
        table: Table::new(game, hands, limits)?,
        seats,
        roster,
        engine: engine.parse()?,
        seed: arguments.game.seed,
        lines: Box::new(io::stdin().lock()),
    };
    let outcome = game.run()?;
    Ok(outcome)
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

/// A table with people at it.
struct At<G> {
    table: Table<G>,
    seats: Vec<Seated<G>>,
    roster: Roster,
    engine: Spec,
    seed: u64,
    lines: Box<dyn BufRead>,
}

impl<G: Game> At<G> {
    fn run(&mut self) -> anyhow::Result<Outcome> {
        let mut out = io::stdout();
        writeln!(out, "{}: {}", G::NAME, self.table.game().headline())?;
        while !self.table.state().is_over() {
            let view = self.table.view();
            let chooser = view.observer().index();
            let card = match &mut self.seats[chooser] {
                Seated::Human => match self.ask(&view)? {
                    Some(card) => card,
                    None => return Ok(Outcome::Interrupted),
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
                if matches!(self.seats[chooser], Seated::Human) && io::stdin().is_terminal() {
                    writeln!(out, "{error}")?;
                    continue;
                }
                return Err(error.into());
            }
            writeln!(out, "{} plays {card}", seat.name())?;
            if self.table.state().trick().is_empty() {
                writeln!(
                    out,
                    "{} takes the trick",
                    self.table.state().to_play().name()
                )?;
            }
        }
        let (game, tally) = (self.table.game(), self.table.state().tally());
        let parties: &[(&str, usize)] = match G::PARTNERS {
            true => &[("North and South", 0), ("East and West", 1)],
            false => &[("North", 0), ("East", 1), ("South", 2), ("West", 3)],
        };
        for &(name, party) in parties {
            let (tricks, result) = (tally.tricks[party], game.result(tally, party));
            writeln!(out, "{name}: {tricks} tricks, result {result}")?;
        }
        Ok(Outcome::Done)
    }

    /// The card that a person names; `None` if they leave.
    fn ask(&mut self, view: &View<G>) -> anyhow::Result<Option<Card>> {
        let mut out = io::stdout();
        let terminal = io::stdin().is_terminal();
        if terminal {
            writeln!(out, "\n{}", compass(view))?;
        }
        let mut line = String::new();
        loop {
            if terminal {
                let legal: Vec<String> = view.legal().iter().map(|card| card.to_string()).collect();
                write!(
                    out,
                    "{} to play ({}): ",
                    view.to_play().name(),
                    legal.join(" ")
                )?;
                out.flush()?;
            }
            line.clear();
            let mut limited = self.lines.by_ref().take(LONGEST_LINE + 1);
            let length = limited
                .read_line(&mut line)
                .context("standard input: cannot read")?;
            if length as u64 > LONGEST_LINE {
                bail!("standard input: a line is longer than {LONGEST_LINE} bytes");
            }
            if length == 0 {
                if terminal {
                    return Ok(None);
                }
                bail!("the input ends before {} has played", view.to_play().name());
            }
            match line.trim() {
                "" => {}
                text if text.starts_with('#') => {}
                "q" => return Ok(None),
                "?" => self.hint(view)?,
                text => match text.parse() {
                    Ok(card) => return Ok(Some(card)),
                    Err(error) if terminal => writeln!(out, "{error}")?,
                    Err(error) => return Err(error).context(format!("{text:?}")),
                },
            }
        }
    }

    fn hint(&mut self, view: &View<G>) -> anyhow::Result<()> {
        let mut out = io::stdout();
        let beliefs = view.beliefs(&Strengths::NONE)?;
        writeln!(out, "{}", compass(view))?;
        writeln!(out, "{} layouts fit. Chances in per cent:", beliefs.count())?;
        writeln!(out, "{}", marginals(&beliefs))?;
        let mut engine = self.roster.player::<G>(&self.engine)?;
        let choice = engine.choose(view, &mut rng_of(self.seed, view))?;
        writeln!(
            out,
            "{} plays {} ({} layouts, worth {:.1} equal ones)",
            self.engine, choice.card, choice.layouts, choice.effective
        )?;
        for of in &choice.worth {
            writeln!(out, "  {} {:.3}", of.card, of.value)?;
        }
        Ok(())
    }
}

fn rng_of<G: Game>(seed: u64, view: &View<G>) -> Rng {
    let (seat, card) = (view.observer().index(), view.history().len());
    generator(&[seed, 1, seat as u64, card as u64])
}
