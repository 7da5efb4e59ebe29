//! A question about hidden cards, as the commands answer it: its command, a line feed, and the text
//! of the command line. Answers must be consistent: counts that add up, chances from 0 to 1,
//! layouts that meet the conditions.

use std::sync::atomic::Ordering;

use setrograde_beliefs::{Beliefs, Layout, Question, Strengths, View, Whist};
use setrograde_cards::{Bid, Contract, Hand, Seat, Vulnerability};
use setrograde_claim::{ClaimError, Claims, Knowledge, Line, in_words};
use setrograde_single_dummy::{
    Compared, Odds, Options, Sampling, SearchError, SuitHolding, card_odds, drawn, interval, odds,
    sampled, sampled_contracts, sampled_leads, single_dummy,
};
use setrograde_solver::Stop;

use super::ANSWERED;
use crate::golden::DATABASE;

/// More layouts than these are not looked at one by one: an input has its time.
const MOST_LAYOUTS: u128 = 2_000;

/// Positions with more tricks than these are not solved, but for a layout or two.
const MOST_TRICKS: usize = 5;

pub fn seeds() -> Vec<Vec<u8>> {
    [
        "odds\nNT S N:AQ... ? 32... ? out=KJT9...",
        "odds\nS N N:AQ... ? 3.A.. ? out=KJ.98.. if=W+SK|E.S=0",
        "odds\nNT S N:AQ... ? 3... ? out=KJT... played=S2,S9 if=hcp<=4",
        "odds\nC W N:? .AJ.. ? ? out=.KQ.A.Q if=hcp<=5",
        "odds\nNT S N:AQ... ? 32... ? out=KJT9... if=(W+SK|W-SJ),W.S.top3>=1 S2 S9",
        "drawn 7\nNT S N:AQ4... ? 532... ? out=KJT987... if=E.losers<=2",
        "drawn 2\nNT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ? if=W.balanced",
        "drawn 1\nS N N:AKQ2.K43.QJ5.T98 ? ? ? if=E.(S>=3|H=5),W.hcp=8-11",
        "leads 3NT\nNT W W:AQ732.K5.J83.T92 ? ? ? if=N.hcp=15-17",
        "contracts 3NTN,4SXE\nNT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?",
        "suit 13 13\nAJT98 432",
        "suit 6 10\nAKJ32 T98 Q",
        "suit 13 13\nKT86 97",
        "suit 13 13\nAxxxx Qx",
        "single 2\nNT S N:AQT... ? J.Q9.. ? out=K9.AKJT..",
        "single 1\nNT W W:KJT.A.. ? A98.2.. ? out=Q32.KQ54.2. if=N.D=1",
        "claim 2 SA-S2 rest\nNT S N:AQ... ? 32... ? out=KJT9...",
        "claim 4\nNT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98",
        "claim 1 HT\nD S N:KQ.5.. ? 65.A.. ? out=32..K.542 by=S if=W-DK",
        "layouts 3\nNT W N:AQ4... ? 532... ? out=KJT987... SK",
        "layouts 2\nS N N:AKQ2.K43.QJ5.T98 ? ? ? if=E.S>=3,E.hcp=9-12|W.5-4-3-1,W.controls>=3",
        "layouts 1\nH N N:♠AKQ2♥K43♦QJ5♣1098 ? ? ? if=balanced",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (command, text) = text.split_once('\n').unwrap_or((&text, ""));
    let (command, options) = command.split_once(' ').unwrap_or((command, ""));
    let answered = match command {
        "suit" => suit(options, text),
        "claim" => claim(options, text),
        _ => hidden(command, options, text),
    };
    if answered.is_some() {
        ANSWERED.fetch_add(1, Ordering::Relaxed);
    }
}

/// True if an input about a full deal is solved: one in 32 is, because these take long.
fn is_solved(view: &View<Whist>, text: &str) -> bool {
    let sum = text.bytes().fold(0_u32, |sum, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    view.tricks_left() <= MOST_TRICKS || sum % 32 == 0
}

/// An answer, or nothing where there is none.
fn hidden(command: &str, options: &str, text: &str) -> Option<()> {
    let question: Question = text.parse().ok()?;
    let view = View::of_bridge(&question).ok()?;
    let beliefs = view.beliefs(&Strengths::NONE).ok()?;
    assert!(beliefs.count() > 0, "{text}");
    match command {
        "odds" => counted(&view, &beliefs),
        "drawn" | "leads" | "contracts" if !is_solved(&view, text) => {
            let layout = layout_of(&beliefs, 1, 1);
            assert!(beliefs.log_probability(&layout).is_finite(), "{text}");
        }
        "drawn" => {
            let layouts = options.parse::<u8>().ok()?.into();
            let few = sampling(&view, layouts);
            let found = sampled(&view, &beliefs, few, &Default::default()).ok()?;
            let solved = if found.exact {
                beliefs.count()
            } else {
                few.layouts as u128
            };
            let all = &found.found.all;
            assert_eq!(all.layouts, solved, "{text}");
            is_odds(all);
            found.cards.iter().for_each(|(_, of)| is_odds(of));
        }
        "leads" => {
            let bid: Bid = options.parse().ok()?;
            let found = sampled_leads(
                &view,
                &beliefs,
                bid,
                sampling(&view, 1),
                &Default::default(),
            );
            let found = found.ok()?;
            assert!(
                !found.cards.is_empty() && view.history().is_empty(),
                "{text}"
            );
        }
        "contracts" => {
            let contracts = options.split(',').take(3).map(str::parse);
            let contracts: Vec<Contract> = contracts.collect::<Result<_, _>>().ok()?;
            let compared = Compared {
                side: contracts.first()?.declarer.side(),
                contracts: &contracts,
                vulnerability: Vulnerability::None,
            };
            let few = sampling(&view, 1);
            let found = sampled_contracts(&view, &beliefs, compared, few, &Default::default());
            let found = found.ok()?;
            assert_eq!(found.len(), contracts.len());
            assert_eq!(found[0].imps, (contracts.len() > 1).then_some(0.0));
        }
        "single" => single(&view, &beliefs, options.parse().ok()?)?,
        _ => {
            let (seed, mut rng) = (7, fastrand::Rng::with_seed(1));
            for number in 0..options.parse::<u64>().ok()?.min(4) {
                assert!(
                    beliefs
                        .log_probability(&layout_of(&beliefs, seed, number))
                        .is_finite()
                );
            }
            let marginals = beliefs.marginals();
            for card in beliefs.unseen().iter() {
                let each = Seat::ALL.map(|seat| marginals.probability(seat, card));
                assert!(
                    (each.iter().sum::<f64>() - 1.0).abs() < 1e-6,
                    "{text} {card}"
                );
            }
            if beliefs.is_exact() && beliefs.count_looked_at() <= MOST_LAYOUTS {
                assert_eq!(beliefs.layouts().count() as u128, beliefs.count(), "{text}");
            }
            assert!(
                beliefs
                    .log_probability(&beliefs.sample(&mut rng))
                    .is_finite()
            );
        }
    }
    Some(())
}

/// A small sample: one layout of full deals, several of endings.
fn sampling(view: &View<Whist>, layouts: usize) -> Sampling {
    Sampling {
        layouts: layouts.min(if view.tricks_left() > MOST_TRICKS {
            1
        } else {
            8
        }),
        until: None,
        seed: 3,
        threads: 1,
        by_card: view.tricks_left() <= MOST_TRICKS,
    }
}

fn is_odds(of: &Odds) {
    assert_eq!(of.counts.iter().sum::<u128>(), of.layouts);
    assert!((of.chances.iter().sum::<f64>() - 1.0).abs() < 1e-9 && of.mean().is_finite());
    for tricks in 0..=13 {
        let share = of.at_least(tricks).min(1.0);
        let [low, high] = interval(share, of.layouts);
        assert!(0.0 <= low && low <= share + 1e-9 && share <= high + 1e-9 && high <= 1.0);
    }
}

fn counted(view: &View<Whist>, beliefs: &Beliefs) {
    if view.tricks_left() > DATABASE.max_tricks() || beliefs.count_looked_at() > MOST_LAYOUTS {
        return;
    }
    let stop = Default::default();
    match odds(view, beliefs, &DATABASE, &stop) {
        Ok(found) => {
            is_odds(&found.all);
            assert_eq!(found.all.layouts, beliefs.count());
            for splits in &found.splits {
                let layouts = splits.values().map(|of| of.layouts);
                assert_eq!(layouts.sum::<u128>(), beliefs.count());
                splits.values().for_each(is_odds);
            }
            let cards = card_odds(view, beliefs, &DATABASE, &stop).expect("as all");
            assert!(!cards.is_empty());
            cards.iter().for_each(|(_, of)| is_odds(of));
        }
        Err(SearchError::Ending(_) | SearchError::Finished) => {}
        Err(error) => assert_eq!(view.tricks_left(), 0, "{error}"),
    }
}

fn single(view: &View<Whist>, beliefs: &Beliefs, tricks: u8) -> Option<()> {
    if view.tricks_left() > MOST_TRICKS {
        return None;
    }
    let options = Options {
        database: Some(&DATABASE),
        most_visits: 2_000,
        plan: true,
        stop: Default::default(),
    };
    let found = single_dummy(view, beliefs, tricks, &options).ok()?;
    assert!(found.sure() <= found.layouts);
    assert_eq!(found.layouts as u128, beliefs.count());
    Some(())
}

fn suit(options: &str, text: &str) -> Option<()> {
    let mut vacant = options
        .split(' ')
        .map(|text| text.parse::<usize>().unwrap_or(13));
    let vacant = [(); 2].map(|()| vacant.next().unwrap_or(13));
    let mut words = text.split_whitespace();
    let [north, south, gone] = [(); 3].map(|()| words.next().unwrap_or("-"));
    let suit = SuitHolding::read([north, south], gone, vacant).ok()?;
    let (mut before, mut likely) = (1.0, 0);
    for tricks in 0..=suit.most() {
        let chance = suit.line(tricks).expect("nothing ends it").chance;
        assert!((0.0..=before).contains(&chance), "{text}: {tricks}");
        before = chance;
        likely += usize::from(tricks > 0 && chance >= 0.5);
    }
    let line = suit.line(likely).expect("nothing ends it");
    let all: f64 = line.splits.iter().map(|split| split.chance).sum();
    assert!((all - 1.0).abs() < 1e-9 && !line.to_string().is_empty());
    let found = suit.averages();
    if let Some((mean, best)) = found.and_then(|found| Some((found.mean, found.matchpoints?))) {
        assert!(mean.mean >= best.mean - 1e-9, "{text}");
        let share = best.matchpoints.expect("all lines were compared");
        assert!((0.0..=1.0).contains(&share), "{text}");
    }
    Some(())
}

/// A claim of some tricks, with a line: whether it is good, how, and a ruling with the hidden
/// cards as they are drawn.
fn claim(options: &str, text: &str) -> Option<()> {
    let (tricks, line) = options.split_once(' ').unwrap_or((options, ""));
    let line: Line = line.parse().ok()?;
    let question: Question = text.parse().ok()?;
    let knowledge = Knowledge::of(&question).ok()?;
    let mut claims = Claims::new(setrograde_claim::Options {
        memory: 1 << 20,
        limit: Some(2_000),
        ..Default::default()
    });
    let left = knowledge.tricks_left() as u8;
    let claimed = tricks.parse::<u8>().ok()?.min(left);
    if let Ok(plan) = claims.plan(&knowledge, claimed) {
        assert!(!in_words(&knowledge, &plan).is_empty() || claimed == 0);
    }
    let _ = claims.decide(&knowledge, claimed);
    if left as usize > MOST_TRICKS {
        return None;
    }
    let view = View::of_bridge(&question).ok()?;
    let beliefs = view.beliefs(&Strengths::NONE).ok()?;
    let layout = layout_of(&beliefs, 1, 1);
    let layout: [Hand; 2] = knowledge.hidden().map(|seat| layout[seat.index()]);
    match claims.adjudicate(&knowledge, layout, claimed, &line) {
        Ok(ruling) => assert!(ruling.awarded <= left && ruling.sure <= ruling.double_dummy),
        Err(ClaimError::Cancelled) => unreachable!("nobody cancels"),
        Err(_) => {}
    }
    Some(())
}

/// The layout of this number.
fn layout_of(beliefs: &Beliefs, seed: u64, number: u64) -> Layout {
    drawn(beliefs, seed, number, &Stop::default()).expect("it is not stopped")
}
