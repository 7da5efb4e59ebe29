//! The heaviest set of worlds that can be won together.
//!
//! Every such set leaves out a world of each core. So as much weight as it takes
//! to hit all cores that are known is lost at least, and what remains is the
//! answer if it can be won together; if not, it has cores that are new. (Davies
//! and Bacchus, "Solving MAXSAT by solving a sequence of simpler SAT instances",
//! CP 2011, with positions in place of clauses.)

use super::hitting::lightest;
use super::together::{Search, Together};
use crate::worlds::{At, Cores, Stop, Worlds};
use setrograde_games::Game;

impl<G: Game> Search<'_, G> {
    /// A heaviest set of the worlds alive that the side can win together.
    pub fn heaviest(&mut self, at: &At) -> Result<Worlds, Stop> {
        let mut cores = Cores::default();
        let mut best = Worlds::NONE;
        loop {
            let spared = best.weight(&self.weights);
            let limit = at.alive.weight(&self.weights) - spared;
            let Some(lost) = lightest(cores.sets(), &self.weights, limit, &mut self.visits)? else {
                return Ok(best);
            };
            let hoped = at.alive.without(lost);
            let found = self.largest_within(at, hoped, &mut cores)?;
            if found == hoped {
                return Ok(hoped);
            }
            if found.weight(&self.weights) > spared {
                best = found;
            }
        }
    }

    /// A set that can be won together: what remains of `hoped` without the cores
    /// in it, and then every world alive that can be added. The cores that are met
    /// join `cores`.
    fn largest_within(
        &mut self,
        at: &At,
        hoped: Worlds,
        cores: &mut Cores,
    ) -> Result<Worlds, Stop> {
        let mut alive = hoped;
        while let Together::Lost(core) = self.together(&At { alive, ..*at })? {
            let core = self.least_core(at, core)?;
            alive = alive.without(core);
            cores.add(core);
        }
        if alive == hoped {
            return Ok(alive);
        }
        for one in at.alive.without(alive).iter() {
            let more = alive | Worlds::one(one);
            match self.together(&At { alive: more, ..*at })? {
                Together::Won => alive = more,
                Together::Lost(core) => {
                    let core = self.least_core(at, core)?;
                    cores.add(core);
                }
            }
        }
        Ok(alive)
    }
}
