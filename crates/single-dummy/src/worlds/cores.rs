//! Cores: sets of worlds that cannot be won together.

use super::set::Worlds;

/// Cores, none of which is part of another.
#[derive(Default)]
pub(crate) struct Cores(Vec<Worlds>);

impl Cores {
    /// The cores.
    pub fn sets(&self) -> &[Worlds] {
        &self.0
    }

    /// One that is part of these worlds, if there is one.
    pub fn within(&self, worlds: Worlds) -> Option<Worlds> {
        self.0.iter().copied().find(|core| core.is_subset(worlds))
    }

    /// Adds a core, unless part of it is known; those that it is part of go.
    pub fn add(&mut self, core: Worlds) {
        if self.within(core).is_none() {
            self.0.retain(|&known| !core.is_subset(known));
            self.0.push(core);
        }
    }
}
