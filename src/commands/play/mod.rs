//! `setrograde play`: a deal at the terminal, or by a script of cards.

mod at;
mod judging;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use fastrand::Rng;
use setrograde_beliefs::{Beliefs, Condition, Facts, Limits, Reason};
use setrograde_cards::{Card, Contract, Deal, Hand, PartialContract, Seat, Strain, Vulnerability};
use setrograde_play::tournament::{generator, par_contract};
use setrograde_rules::{Bridge, Game, Goal, Jass, Mode, Table, Whist, deal};

use self::at::play;
use crate::Outcome;
use crate::arguments::condition::ConditionArgument;
use crate::arguments::players::{GameArguments, GameName, PlayerArguments};
use crate::arguments::shared::sides;

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
    /// The player of North: `human`, or a player as in `tournament`. [default of the four seats:
    /// you are South, or North if North declares]
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
    /// The player that answers `?` and takes the remaining seats. [default: pimc]
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
    }
}

/// A board that is laid out, and its contract where the game has one.
type LaidBoard<G> = (Table<G>, Option<Contract>);

impl PlayArguments {
    /// The board of a seed in a game without contracts.
    fn board<G: Game>(&self, game: G, seed: u64) -> anyhow::Result<LaidBoard<G>> {
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
            names[seat] = "human".to_owned();
        }
        names
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
