//! Standings, as a table or JSON.

use serde_json::{Value, json};
use setrograde_beliefs::Game;
use setrograde_play::tournament::{Decisions, Standing};
use setrograde_play::{Bridge, Goal};

use crate::arguments::players::unit;
use crate::output::tables::{headed, right};

/// The report at the end.
pub struct TournamentReport<'a> {
    pub game: &'a str,
    pub names: &'a [String],
    pub pairs: &'a [(usize, usize)],
    pub standings: &'a [Standing],
    /// By player: the decisions as declarer, and the others.
    pub decisions: &'a [[Decisions; 2]],
}

/// Milliseconds, layouts and effective layouts a decision.
fn per_decision(of: &Decisions) -> [f64; 3] {
    let count = of.count.max(1) as f64;
    [
        of.time.as_secs_f64() * 1e3 / count,
        of.layouts as f64 / count,
        of.effective / count,
    ]
}

impl TournamentReport<'_> {
    fn rows(&self) -> impl Iterator<Item = (&str, &str, &Standing)> {
        let pairs = self.pairs.iter().zip(self.standings);
        pairs.map(|(&(a, b), of)| (self.names[a].as_str(), self.names[b].as_str(), of))
    }

    /// Each player's decisions, by role where there are roles.
    fn roles(&self) -> impl Iterator<Item = (&str, &'static str, &Decisions)> {
        let bridge = self.game == Bridge::NAME;
        let players = self.names.iter().zip(self.decisions);
        players
            .flat_map(move |(name, of)| {
                let roles = if bridge {
                    ["declares", "defends"]
                } else {
                    ["", "plays"]
                };
                roles
                    .into_iter()
                    .zip(of)
                    .map(|(role, of)| (name.as_str(), role, of))
            })
            .filter(move |(_, role, of)| bridge || !role.is_empty() || of.count > 0)
    }

    pub fn table(&self) -> String {
        let bridge = self.game == Bridge::NAME;
        let mut header = vec!["A", "B", "boards", "gain of A", "±", "sd"];
        header.extend(["won", "tied", "lost"]);
        if bridge {
            header.extend(["IMPs", "±"]);
        }
        let mut table = headed(header);
        for (a, b, of) in self.rows() {
            let mut row = vec![right(a), right(b), right(of.boards.to_string())];
            for number in [of.mean(), of.half_width(), of.deviation()] {
                row.push(right(format!("{number:.3}")));
            }
            row.extend([of.won, of.tied, of.lost].map(|count| right(count.to_string())));
            if bridge {
                let (imps, half_width) = of.imps();
                row.extend([imps, half_width].map(|number| right(format!("{number:.3}"))));
            }
            table.add_row(row);
        }
        let mut players = headed([
            "player",
            "",
            "decisions",
            "ms each",
            "layouts looked at each",
            "as good as",
        ]);
        for (name, role, of) in self.roles() {
            let mut row = vec![right(name), right(role), right(of.count.to_string())];
            let [milliseconds, layouts, effective] = per_decision(of);
            row.push(right(format!("{milliseconds:.2}")));
            row.extend([layouts, effective].map(|number| right(format!("{number:.1}"))));
            players.add_row(row);
        }
        let unit = unit(self.game, Goal::Score);
        format!(
            "Gain of A over B a board, in {unit}; ± is half the width of its 95 % interval, sd its \
             standard deviation.\n{table}\n\n{}{players}",
            self.contracts()
        )
    }

    /// The contracts made by each player, at bridge.
    fn contracts(&self) -> String {
        let lines = self.rows().filter_map(|(a, b, of)| {
            let (ahead, half_width) = of.contracts_ahead()?;
            let [both, first, second, neither] = of.contracts;
            let (ahead, half_width) = (100.0 * ahead, 100.0 * half_width);
            let p = of.contracts_p_value();
            Some(format!(
                "contracts made as declarer by {a} and {b}: both {both}, {a} alone {first}, {b} \
                 alone {second}, neither {neither}; {a} is ahead by {ahead:.2} ± {half_width:.2} \
                 per cent (McNemar: p = {p:.4})\n"
            ))
        });
        let text: String = lines.collect();
        if text.is_empty() { text } else { text + "\n" }
    }

    pub fn json(&self) -> Value {
        let pairs = self.rows().map(|(a, b, of)| {
            let (imps, imps_half_width) = of.imps();
            let mut pair = json!({
                "a": a,
                "b": b,
                "boards": of.boards,
                "gain": of.mean(),
                "half_width": of.half_width(),
                "deviation": of.deviation(),
                "won": of.won,
                "tied": of.tied,
                "lost": of.lost,
                "imps": imps,
                "imps_half_width": imps_half_width,
            });
            if let Some((ahead, half_width)) = of.contracts_ahead() {
                let [both, a, b, neither] = of.contracts;
                pair["contracts"] = json!({
                    "both": both,
                    "a": a,
                    "b": b,
                    "neither": neither,
                    "ahead": ahead,
                    "half_width": half_width,
                    "p": of.contracts_p_value(),
                });
            }
            pair
        });
        let players = self.roles().map(|(player, role, of)| {
            let [milliseconds, layouts, effective] = per_decision(of);
            json!({
                "player": player,
                "role": role,
                "decisions": of.count,
                "milliseconds": milliseconds,
                "layouts": layouts,
                "effective": effective,
            })
        });
        json!({
            "game": self.game,
            "pairs": pairs.collect::<Vec<_>>(),
            "players": players.collect::<Vec<_>>(),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn decisions_have_their_averages() {
        let of = Decisions {
            count: 4,
            time: Duration::from_secs(2),
            layouts: 8,
            effective: 6.0,
        };
        assert_eq!(per_decision(&of), [500.0, 2.0, 1.5]);
        assert_eq!(per_decision(&Decisions::default()), [0.0; 3]);
    }
}
