//! αμ as a player: plans that hold in many layouts at once.

use fastrand::Rng;
use setrograde_beliefs::Layout;

use super::pimc::{Pimc, tricks};
use super::{CardWorth, Choice, Player, PlayerError, forced, sort_worth};
use crate::alpha_mu::AlphaMu;
use crate::fronts::Worlds;
use crate::games::Game;
use crate::state::State;
use crate::view::View;

/// αμ over sampled layouts for a declarer with a contract to make; `pimc` for
/// defenders, and once the contract is made or lost.
///
/// With one move (m=1) each layout is valued right after the card, so that the
/// card is one with the greatest share of layouts in which the contract is made
/// double dummy: what `pimc` does with that goal.
pub struct AlphaMuPlayer {
    pimc: Pimc,
    /// How many of its own moves it looks ahead.
    moves: u8,
    most_visits: u64,
}

impl AlphaMuPlayer {
    pub(super) fn new(pimc: Pimc, moves: u8, most_visits: u64) -> AlphaMuPlayer {
        AlphaMuPlayer {
            pimc,
            moves,
            most_visits,
        }
    }
}

impl<G: Game> Player<G> for AlphaMuPlayer {
    fn new_board(&mut self) {
        Player::<G>::new_board(&mut self.pimc);
    }

    fn choose(&mut self, view: &View<G>, rng: &mut Rng) -> Result<Choice, PlayerError> {
        if let Some(choice) = forced(view)? {
            return Ok(choice);
        }
        let party = view.game().party(view.to_play());
        let won = view.tally().tricks[party];
        let target = view.game().tricks_wanted(view.to_play());
        let (Some(target), Some(strain)) = (target, view.game().strain()) else {
            return self.pimc.choose(view, rng);
        };
        if view.dummy().is_none() || won >= target {
            return self.pimc.choose(view, rng);
        }
        let beliefs = view.beliefs(self.pimc.rules())?;
        self.pimc.renew(view, &beliefs, rng);
        let kept = self.pimc.kept();
        let count = kept.len().min(Worlds::MOST);
        let layouts: Vec<Layout> = kept[..count].iter().map(|world| world.layout).collect();
        let weights: Vec<f64> = kept[..count].iter().map(|world| world.weight).collect();
        let game = *view.game();
        let mut value = |world: usize, state: &State| -> Result<bool, PlayerError> {
            let first = tricks(&mut kept[world].solver, state, strain, &game)?;
            let more = match party {
                0 => first,
                _ => state.tricks_left() as u8 - first,
            };
            Ok(state.tally().tricks[party] + more >= target)
        };
        let mut search = AlphaMu::new(
            view,
            target - won,
            &layouts,
            Some(&mut value),
            self.most_visits,
        );
        let fronts = search.cards(self.moves)?.unwrap_or_default();
        let total: f64 = weights.iter().sum();
        let mut worth: Vec<CardWorth> = fronts
            .iter()
            .map(|(card, front)| CardWorth {
                card: *card,
                value: front.best(&weights) / total,
                visits: count,
            })
            .collect();
        sort_worth(&mut worth, |of| (of.value * 1e9).round());
        match worth.first() {
            Some(best) if best.value > 0.0 => Ok(Choice {
                card: best.card,
                worlds: count,
                worth,
            }),
            // Nothing can be made sure of, or the search gave up.
            _ => self.pimc.choose(view, rng),
        }
    }
}
