//! Chances in words: tricks over layouts of hidden hands, leads, contracts, and sure tricks.

use serde::Serialize;
use setrograde_beliefs::joined;
use setrograde_claim::{Knowledge, Plan, in_words};
use setrograde_single_dummy::{
    CardOdds, Chances, Comparison, ContractOdds, Leads, Odds, SureTarget, interval, mean_half_width,
};

use crate::heading::by_declarer;
use crate::words::{Interval, Percent, about, answer_of, side_name};
use crate::{QuestionKind, Report, Words, cards_by_suit, layouts, shown};

/// A column of chances or means: over drawn layouts each has its interval, over all it is exact.
#[derive(Clone, Copy)]
enum ChanceColumn {
    Drawn,
    Exact,
}

impl ChanceColumn {
    const fn of(drawn: bool) -> ChanceColumn {
        if drawn {
            ChanceColumn::Drawn
        } else {
            ChanceColumn::Exact
        }
    }

    /// The head of the column: a name, and that of its interval.
    fn head(self, name: &str) -> String {
        match self {
            ChanceColumn::Drawn => format!("{name}  in 95 of 100"),
            ChanceColumn::Exact => name.to_owned(),
        }
    }

    fn chance(self, chance: f64, layouts: u128) -> String {
        let percent = Percent(chance);
        match self {
            ChanceColumn::Drawn => {
                let interval = Interval::percent(interval(chance, layouts));
                format!("{percent:>7}  {interval:>13}")
            }
            ChanceColumn::Exact => format!("{percent:>7}"),
        }
    }

    fn mean(self, odds: &Odds) -> String {
        let (mean, half) = (odds.mean(), mean_half_width(odds));
        match self {
            ChanceColumn::Drawn => {
                let interval = Interval([mean - half, mean + half], 2);
                format!("{mean:5.2}  {interval:>14}")
            }
            ChanceColumn::Exact => format!("{mean:5.2}"),
        }
    }
}

/// Describes the sample: `100 layouts drawn of 10,400,600, seed 1; intervals of 95 %`.
fn head(drawn: u128, of: u128, exact: bool, seed: u64) -> String {
    let (drawn, all) = (layouts(drawn), about(of, exact));
    format!("  {drawn} drawn of {all}, seed {seed}; intervals of 95 %")
}

/// Says that no layouts are missing: `all 20 layouts`.
fn all_layouts(count: u128) -> String {
    match count {
        1 => "  the only layout".to_owned(),
        count => format!("  all {}", layouts(count)),
    }
}

/// The heads of a row of chances.
fn heads(left: usize) -> String {
    joined((0..=left).map(|tricks| format!("{tricks:>7}")), " ")
}

/// The mean, and the chance of each number of tricks.
fn row(odds: &Odds) -> String {
    let chances = odds.chances[..=odds.left].iter();
    let chances = chances.map(|&chance| format!("{:>7}", Percent(chance)));
    format!("{:4.2}  {}", odds.mean(), joined(chances, " "))
}

/// The numbers of tricks that occur in some layouts.
fn possible(odds: &Odds) -> impl Iterator<Item = usize> + '_ {
    (0..=odds.left).filter(|&tricks| odds.counts[tricks] > 0)
}

/// The chances of each number of tricks, and the mean, over drawn layouts.
fn drawn_tricks(all: &Odds, to: &mut Words) {
    to.line("  tricks  exactly   in 95 of 100   at least  in 95 of 100");
    for tricks in possible(all) {
        let of = |chance| ChanceColumn::Drawn.chance(chance, all.layouts);
        let (exactly, at_least) = (of(all.chances[tricks]), of(all.at_least(tricks)));
        to.line(format_args!("  {tricks:6}  {exactly}    {at_least}"));
    }
    let mean = ChanceColumn::Drawn.mean(all);
    to.line(format_args!("  mean    {}", mean.trim_start()));
}

/// The number of layouts with each number of tricks, the chances, and the mean, over all layouts.
fn counted_tricks(all: &Odds, to: &mut Words) {
    to.line("  tricks  layouts  exactly  at least");
    for tricks in possible(all) {
        let (exactly, at_least) = (Percent(all.chances[tricks]), Percent(all.at_least(tricks)));
        let count = all.counts[tricks];
        to.line(format_args!(
            "  {tricks:6}  {count:7}  {exactly:>7}   {at_least:>7}"
        ));
    }
    to.line(format_args!("  mean    {:.3}", all.mean()));
}

answer_of! {
    /// The tricks over layouts of hidden hands.
    OddsAnswer(Chances)
}

impl Report for OddsAnswer {
    fn words(&self, to: &mut Words) {
        let found = &self.0;
        let (all, side) = (&found.all, found.side);
        let drawn = found.drawn.as_ref();
        if to.asked() == QuestionKind::Line {
            let counts = joined(&all.counts[..=all.left], ",");
            let of = drawn.map_or(String::new(), |drawn| format!(" of={}", drawn.of.0));
            let (count, mean) = (all.layouts, all.mean());
            let makes = found.makes.map(|makes| format!(" makes={makes:.4}"));
            let makes = makes.unwrap_or_default();
            to.beside(format_args!(
                "side={side} layouts={count}{of} counts={counts} mean={mean:.4}{makes}"
            ));
            return;
        }
        let name = side_name(side);
        if let Some(drawn) = drawn {
            to.line(head(all.layouts, drawn.of.0, drawn.exact, drawn.seed));
            to.line(format_args!("  Tricks of {name}, all hands seen"));
            drawn_tricks(all, to);
            makes(found, to);
            cards(
                found,
                " mean  in 95 of 100",
                |of| ChanceColumn::Drawn.mean(of),
                to,
            );
            return;
        }
        let count = layouts(all.layouts);
        to.line(format_args!(
            "  Tricks of {name}, all hands seen, in {count}"
        ));
        counted_tricks(all, to);
        makes(found, to);
        cards(found, &format!("mean  {}", heads(all.left)), row, to);
        splits(found, to);
    }
}

/// The chance that the contract makes.
fn makes(of: &Chances, to: &mut Words) {
    let (Some(contract), Some(makes)) = (of.contract, of.makes) else {
        return;
    };
    let column = ChanceColumn::of(of.drawn.is_some());
    let (name, chance) = (by_declarer(contract), column.chance(makes, of.all.layouts));
    to.line(format_args!("  {name} makes  {}", chance.trim_start()));
}

/// A row for each playable card.
fn cards(of: &Chances, heads: &str, row: impl Fn(&Odds) -> String, to: &mut Words) {
    let Some(cards) = &of.cards else { return };
    let player = of.to_play;
    let (side, name) = (side_name(player.side()), player.name());
    let over = if of.hidden.contains(&player) {
        ", over the layouts in which it may be played"
    } else {
        ""
    };
    to.line(format_args!("\n  Tricks of {side} by {name}'s card{over}"));
    to.line(format_args!("  card  layouts  {heads}"));
    for CardOdds { card, odds, .. } in cards {
        let (card, count) = (shown(*card), odds.layouts);
        to.line(format_args!("  {card:4}  {count:7}  {}", row(odds)));
    }
}

/// A row for each way to split a suit.
fn splits(of: &Chances, to: &mut Words) {
    let splits = of.splits.iter().flatten();
    let splits: Vec<_> = splits.filter(|(_, splits)| splits.len() > 1).collect();
    if splits.is_empty() {
        return;
    }
    let names = joined(of.hidden.iter().map(|seat| seat.name()), "-");
    to.line(format_args!("\n  By the split {names}"));
    to.line(format_args!(
        "  split    layouts  mean  {}",
        heads(of.all.left)
    ));
    for (suit, splits) in splits {
        for split in splits {
            let lengths = of.hidden.iter().map(|&seat| split.lengths[seat]);
            let (suit, lengths) = (suit.symbol(), joined(lengths, "-"));
            let (count, row) = (split.odds.layouts, row(&split.odds));
            to.line(format_args!("  {suit} {lengths:5}  {count:7}  {row}"));
        }
    }
}

answer_of! {
    /// The opening leads against a contract.
    LeadsAnswer(Leads)
}

impl Report for LeadsAnswer {
    fn words(&self, to: &mut Words) {
        let Leads {
            contract,
            cards,
            best,
        } = &self.0;
        let column = ChanceColumn::of(best.drawn.is_some());
        let solved = best.all.layouts;
        to.line(match &best.drawn {
            Some(drawn) => head(solved, drawn.of.0, drawn.exact, drawn.seed),
            None => all_layouts(solved),
        });
        let (leader, side) = (best.to_play.name(), side_name(best.side));
        to.line(format_args!(
            "  {leader} leads against {contract}: tricks of {side}"
        ));
        let (tricks, defeats) = (column.head("tricks"), column.head("defeats"));
        to.line(format_args!("  lead   {tricks}   {defeats}"));
        for lead in cards {
            let CardOdds { card, odds, .. } = &lead.card;
            let (mean, defeats) = (column.mean(odds), column.chance(lead.defeats, odds.layouts));
            to.line(format_args!("  {:4}   {mean}   {defeats}", shown(*card)));
        }
        to.line("\n  With the best lead in each layout");
        match column {
            ChanceColumn::Drawn => drawn_tricks(&best.all, to),
            ChanceColumn::Exact => counted_tricks(&best.all, to),
        }
    }
}

answer_of! {
    /// Contracts by their scores.
    CompareAnswer(Comparison)
}

impl Report for CompareAnswer {
    fn words(&self, to: &mut Words) {
        let found = &self.0;
        let (solved, all) = (found.solved(), found.layouts.0);
        let column = ChanceColumn::of(solved != all);
        to.line(match column {
            ChanceColumn::Drawn => head(solved, all, found.exact, found.seed),
            ChanceColumn::Exact => all_layouts(solved),
        });
        let side = side_name(found.side);
        let (makes, score) = (column.head("makes"), column.head("score"));
        let named = |of: &ContractOdds| by_declarer(of.contract);
        let names = found.contracts.iter().map(|of| named(of).chars().count());
        let width = names.max().unwrap_or(0).max(8);
        let mut heads = format!("  {:width$}    {makes}  {score}", "contract");
        let compared = found.contracts.len() > 1;
        to.line(if compared {
            format!("  Scores, matchpoints and IMPs of {side}")
        } else {
            format!("  Scores of {side}; nothing to compare with")
        });
        if compared {
            heads += "  matchpoints   IMPs";
        }
        to.line(heads);
        for of in &found.contracts {
            let makes = column.chance(of.makes, solved);
            let (contract, score) = (named(of), of.score);
            let mut row = format!("  {contract:width$}  {makes}  {score:5.0}");
            if let ChanceColumn::Drawn = column {
                let half = of.score_half_width;
                let interval = Interval([score - half, score + half], 0);
                row += &format!("  {interval:>12}");
            }
            if let Some((points, imps)) = of.matchpoints.zip(of.imps) {
                row += &format!("  {:>11}  {imps:5.2}", Percent(points));
            }
            to.line(row);
        }
    }
}

/// A share of layouts: `3 of 6 (50.0 %)`.
fn share(part: usize, all: usize) -> String {
    format!("{part} of {all} ({})", Percent(part as f64 / all as f64))
}

/// The layouts in which tricks are sure against best defence.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SureTricks {
    /// The number of all layouts.
    pub of: usize,
    /// The tricks.
    #[serde(flatten)]
    pub target: SureTarget,
    /// A plan that is sure in the maximum number of layouts, on request.
    pub plan: Option<Plan>,
    /// The question, which the words of the plan need.
    #[serde(skip)]
    pub knowledge: Option<Knowledge>,
}

impl Report for SureTricks {
    fn words(&self, to: &mut Words) {
        let (target, of) = (&self.target, self.of);
        to.beside(share(target.layouts, of));
        for card in &target.cards {
            let mut line = format!("  {} {}", shown(card.card), share(card.layouts, of));
            if let Some(seen) = card.double_dummy {
                line += &format!(", double dummy {}", share(seen.0 as usize, of));
            }
            to.line(line);
        }
        if let Some((plan, knowledge)) = self.plan.as_ref().zip(self.knowledge.as_ref()) {
            to.line(in_words(knowledge, plan));
        }
    }
}

/// The same for each number of tricks.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SureTargets {
    /// The number of all layouts.
    pub of: usize,
    /// The numbers of tricks, up to the first that is sure in none.
    pub targets: Vec<SureTarget>,
}

impl Report for SureTargets {
    fn words(&self, to: &mut Words) {
        let of = self.of;
        to.line("  tricks  sure in               double dummy  best");
        for target in &self.targets {
            let cards = target.cards.iter();
            let seen = cards.clone().filter_map(|card| card.double_dummy).max();
            let seen = seen.map(|seen| Percent(seen.0 as f64 / of as f64).to_string());
            let best = cards.filter(|card| card.layouts == target.layouts);
            let best = match target.layouts {
                0 => "–".to_owned(),
                _ => cards_by_suit(best.map(|of| of.card)),
            };
            let (tricks, sure) = (target.tricks, share(target.layouts, of));
            let seen = seen.unwrap_or_default();
            to.line(format_args!("  {tricks:6}  {sure:20}  {seen:>12}  {best}"));
        }
    }
}
