//! `setrograde play`: a deal at the terminal, or by a script of cards.

mod at;
mod judging;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use fastrand::Rng;
use setrograde::cards::{Card, Contract, Deal, Hand, PartialContract, Seat, Strain, Vulnerability};
use setrograde_beliefs::{Beliefs, Condition, Facts, Game, Jass, Limits, Mode, Reason, Whist};
use setrograde_play::tournament::{generator, par_contract};
use setrograde_play::{Bridge, Table, deal};

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
    /// The vulnerable sides at bridge: none, NS, EW or both. [default: none]
    #[arg(long, value_name = "SIDES", value_parser = sides)]
    vulnerable: Option<Vulnerability>,
    #[command(flatten)]
    condition: ConditionArgument,
    /// The players of North, East, South and West: `human`, or a player as in `tournament`. A
    /// single one plays all seats but yours, and answers `?`: you are South, or North if North
    /// declares. [default: pimc]
    #[arg(long, value_name = "PLAYER", num_args = 1..=4)]
    players: Vec<String>,
    #[command(flatten)]
    shared: PlayerArguments,
    /// The hands, in PBN; before --players. [default: drawn from the seed]
    deal: Option<Deal>,
}

pub fn run(arguments: &PlayArguments) -> anyhow::Result<Outcome> {
    let game = &arguments.game;
    let bridge = game.game == GameName::Bridge;
    game.check(&[("--vulnerable", arguments.vulnerable.is_some(), bridge)])?;
    if !matches!(arguments.players.len(), 0 | 1 | 4) {
        bail!("--players: expected one player, or those of North, East, South and West");
    }
    let cards = match &arguments.deal {
        None => None,
        Some(deal) => match deal.cards_per_hand() {
            Some(cards) if cards > 0 => Some(cards),
            _ => bail!("the deal: all hands must have the same number of cards, and some"),
        },
    };
    match game.game {
        GameName::Bridge => {
            if let Some(cards) = cards.filter(|&cards| cards < 13) {
                bail!("the deal: {cards} cards a hand; a contract is played with 13");
            }
            // South declares unless another is named.
            let given = game.contract::<PartialContract>()?;
            let given = given.map(|contract| contract.or_by(Seat::South));
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
            let whist = Whist::new(strain, Seat::West, cards.unwrap_or(13));
            play(arguments, |seed| arguments.board(whist, seed))
        }
        GameName::Jass => {
            let mode = game.trump()?.unwrap_or(Mode::ObeAbe);
            let jass = Jass::new(mode, Seat::North, cards.unwrap_or(9));
            play(arguments, |seed| arguments.board(jass, seed))
        }
    }
}

/// A dealt board, and its contract if the game has one.
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
            bail!("the deal: {card} is not a card of jass");
        }
        for (seat, limits) in Seat::ALL.into_iter().zip(limits) {
            if !limits.allow(deal.hand(seat)) {
                let wanted = Condition::of_limits(seat, &limits);
                bail!("--if: {}'s hand in this deal is not {wanted}", seat.name());
            }
        }
        Ok((*deal.hands(), limits))
    }

    /// The player that answers `?`, and plays the seats that have no other.
    fn engine(&self) -> &str {
        match &self.players[..] {
            [engine] => engine,
            _ => "pimc",
        }
    }

    /// The names of the players, by seat. Unless all are named, a person plays South, or North if
    /// that declares.
    fn named(&self, contract: Option<Contract>) -> [String; 4] {
        if let Ok(names) = self.players.clone().try_into() {
            return names;
        }
        let mut names = [(); 4].map(|()| self.engine().to_owned());
        let declares = contract.is_some_and(|contract| contract.declarer == Seat::North);
        let seat = if declares { Seat::North } else { Seat::South };
        HUMAN.clone_into(&mut names[seat]);
        names
    }
}

/// The name of a person among players.
const HUMAN: &str = "human";

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

/// The conditions on the hands as limits on each.
fn limits<G: Game>(game: &G, condition: &ConditionArgument) -> anyhow::Result<[Limits; 4]> {
    let mut all = [Limits::default(); 4];
    for condition in condition.read()? {
        let limits = condition
            .limits(&Seat::ALL, game.pack())
            .map_err(|(column, error)| anyhow!("--if: column {column}: {error}"))?;
        all = [0, 1, 2, 3].map(|seat: usize| all[seat].and(&limits[seat]));
    }
    Ok(all)
}
