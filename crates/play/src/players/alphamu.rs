//! αμ as a player: plans that hold in many layouts at once.

use fastrand::Rng;
use setrograde_beliefs::Layout;
use setrograde_cards::Card;
use setrograde_claim::{Claims, Options};

use super::choice::{effective, forced};
use super::clock::Running;
use super::pimc::{Pimc, sampled};
use super::worlds::{KeptWorlds, World};
use crate::alpha_mu::AlphaMu;
use crate::best_defence::BestDefence;
use crate::double_dummy::reaches;
use crate::games::Game;
use crate::player::{CardWorth, Choice, Player, PlayerError};
use crate::state::State;
use crate::view::View;
use crate::worlds::Worlds;

/// With at most this many tricks left, and as many layouts as two hidden hands of
/// them have, a search without a limit is tried.
const EXACT_TRICKS: usize = 5;
const EXACT_LAYOUTS: usize = 252;

/// αμ over sampled layouts for a declarer with a contract to make; `pimc` for
/// defenders, and once the contract is made or lost.
///
/// With one move (m=1) each layout is valued right after the card, so that the
/// card is one with the greatest share of layouts in which the contract is made
/// double dummy: what `pimc` does with that goal. Equally good cards are ordered
/// as by `pimc`.
pub struct AlphaMuPlayer {
    pimc: Pimc,
    /// For endings that are searched to their end.
    exact: Option<Exact>,
    /// How many of its own moves it looks ahead.
    moves: u8,
    most_visits: u64,
}

/// What a search of an ending keeps: all layouts, and claims.
struct Exact {
    worlds: KeptWorlds,
    claims: Claims,
}

impl AlphaMuPlayer {
    pub(super) fn new(pimc: Pimc, moves: u8, most_visits: u64) -> AlphaMuPlayer {
        AlphaMuPlayer {
            pimc,
            exact: None,
            moves,
            most_visits,
        }
    }

    /// The same player, which searches endings of few tricks to their end, with
    /// all layouts.
    pub(super) fn with_exact_endings(mut self) -> AlphaMuPlayer {
        self.exact = Some(Exact {
            worlds: self.pimc.all_worlds(EXACT_LAYOUTS),
            claims: Claims::new(Options {
                memory: 1 << 20,
                cancel: Some(self.pimc.clock().cancel.clone()),
                ..Options::default()
            }),
        });
        self
    }
}

impl<G: Game> Player<G> for AlphaMuPlayer {
    fn new_board(&mut self) {
        Player::<G>::new_board(&mut self.pimc);
        if let Some(exact) = &mut self.exact {
            exact.worlds.clear();
        }
    }

    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let party = view.game().party(view.to_play());
        let won = view.tally().tricks[party];
        let Some(target) = view.game().tricks_wanted(view.to_play()) else {
            return self.pimc.choose(view, rng);
        };
        if view.dummy().is_none() || won >= target {
            return self.pimc.choose(view, rng);
        }
        let beliefs = self.pimc.beliefs(view)?;
        let few = view.tricks_left() <= EXACT_TRICKS && beliefs.count() <= EXACT_LAYOUTS as u128;
        if let Some(Exact { worlds, claims }) = self.exact.as_mut().filter(|_| few) {
            let clock = self.pimc.clock().start();
            let worlds = worlds.renew(view, &beliefs, &clock, rng)?;
            let how = How::Exact(claims);
            let found = best(view, target, worlds, how, self.most_visits, &clock)?;
            if let Some(choice) = found {
                return Ok(choice);
            }
        }
        let clock = self.pimc.clock().clone();
        let clock = clock.start();
        let worlds = self.pimc.worlds().renew(view, &beliefs, &clock, rng)?;
        let count = worlds.len().min(Worlds::MOST);
        let (how, worlds) = (How::Moves(self.moves), &mut worlds[..count]);
        match best(view, target, worlds, how, self.most_visits, &clock)? {
            Some(choice) => Ok(choice),
            // Nothing can be made sure of, or the search gave up.
            None => self.pimc.choose(view, rng),
        }
    }
}

/// How far to search: to the end, or a number of moves of the player's side.
enum How<'a> {
    Exact(&'a mut Claims),
    Moves(u8),
}

/// The card that makes sure of the contract in the most worlds; `None` if there
/// are none, or the search gives up.
fn best<G: Game>(
    view: &View<G>,
    target: u8,
    worlds: &mut [World],
    how: How<'_>,
    most_visits: u64,
    clock: &Running<'_>,
) -> Result<Option<Choice>, PlayerError> {
    let game = *view.game();
    let Some(strain) = game.strain() else {
        return Ok(None);
    };
    let party = game.party(view.to_play());
    let preferred = sampled(view, worlds, 0, clock)?.choice()?;
    let order: Vec<_> = preferred.worth.iter().map(|of| of.card).collect();
    let layouts: Vec<Layout> = worlds.iter().map(|world| world.layout).collect();
    let weights: Vec<f64> = worlds.iter().map(|world| world.weight).collect();
    let mut value = |world: usize, state: &State| {
        let solver = &mut worlds[world].solver;
        reaches(solver, state, strain, &game, (party, target))
    };
    let more = target - view.tally().tricks[party];
    let known = (&layouts[..], &weights[..]);
    let found = match how {
        How::Exact(claims) => {
            let mut search = BestDefence::new(view, more, known, Some(&mut value), most_visits)
                .with_claims(claims);
            search.cards()?.map(|found| {
                let weight = |&(card, sure): &(Card, Worlds)| (card, sure.weight(&weights));
                let mut cards: Vec<_> = found.iter().map(weight).collect();
                let place = |card: Card| order.iter().position(|of| *of == card);
                cards.sort_by(|a, b| b.1.total_cmp(&a.1).then(place(a.0).cmp(&place(b.0))));
                cards
            })
        }
        How::Moves(moves) => {
            let mut search = AlphaMu::new(view, more, known, Some(&mut value), most_visits);
            search.best(moves, &order)?.map(|found| found.cards)
        }
    };
    let total: f64 = weights.iter().sum();
    let found = found.filter(|cards| cards.first().is_some_and(|best| best.1 > 0.0));
    Ok(found.map(|cards| Choice {
        card: cards[0].0,
        worth: cards
            .iter()
            .map(|&(card, weight)| CardWorth {
                card,
                value: weight / total,
                visits: layouts.len(),
            })
            .collect(),
        worlds: layouts.len(),
        effective: effective(&weights),
    }))
}
