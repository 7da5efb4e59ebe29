//! Single dummy: in how many layouts a side can be sure of its target, against
//! opponents who see everything.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde_json::json;
use setrograde_cards::{Card, Hand, Seat};
use setrograde_games::{Strengths, View, Whist};
use setrograde_single_dummy::{Options, single_dummy};

use crate::Answer;
use crate::chances::in_condition;
use crate::position::{Play, names};

/// The positions that are looked at before it gives up.
const MOST_VISITS: u64 = 3_000_000;

/// The target; the two seats whose hands are seen, as `NS`; a condition on the hidden
/// cards that are left, or `-`; and a play as for `cards`, divided by tabs.
pub(crate) fn single(text: &str) -> Answer {
    let mut fields = text.splitn(4, '\t');
    let mut field = |what: &str| fields.next().ok_or_else(|| format!("{what} is missing"));
    let target: u8 = field("the target")?.parse()?;
    let seen = field("the seats that are seen")?.to_owned();
    let condition = field("the condition")?.to_owned();
    let play = Play::read(field("the position")?)?;
    let view = view(&play, &seen, &condition)?;
    let beliefs = view.beliefs(&Strengths::NONE)?;
    let options = Options {
        database: None,
        most_visits: MOST_VISITS,
        plan: false,
        cancel: Arc::new(AtomicBool::new(false)),
    };
    let found = single_dummy(&view, &beliefs, target, &options)?;
    let card =
        |&(card, layouts): &(Card, usize)| json!({ "card": card.to_string(), "layouts": layouts });
    Ok(json!({
        "target": target,
        "layouts": found.layouts,
        "cards": found.cards.iter().map(card).collect::<Vec<_>>(),
    }))
}

/// The view of a play, as a question about hidden cards says it.
fn view(
    play: &Play,
    seen: &str,
    condition: &str,
) -> Result<View<Whist>, Box<dyn std::error::Error>> {
    if !play.start.is_trick_boundary() {
        return Err("the play must begin with a trick".into());
    }
    let deal = play.start.deal();
    let is_seen = |seat: Seat| seen.contains(seat.letter());
    let hands = Seat::ALL.map(|seat| match is_seen(seat) {
        true => deal.hand(seat).to_string(),
        false => "?".to_owned(),
    });
    let hidden = Seat::ALL.into_iter().filter(|&seat| !is_seen(seat));
    let out: Hand = hidden.flat_map(|seat| deal.hand(seat).cards()).collect();
    let (strain, leader, hands) = (play.start.strain(), play.start.leader(), hands.join(" "));
    let cards = names(play.cards.iter().copied()).join(" ");
    let condition = match crate::chances::condition(condition)? {
        None => String::new(),
        Some(read) => {
            // Checked here, so that an error names the condition's own column.
            let hidden: Vec<Seat> = Seat::ALL.into_iter().filter(|&s| !is_seen(s)).collect();
            let unseen = hidden.iter().map(|&seat| play.end.deal().hand(seat));
            let unseen = unseen.flat_map(|hand| hand.cards()).collect();
            read.limits(&hidden, unseen)
                .map_err(|(column, error)| in_condition(column, error))?;
            format!(" if={condition}")
        }
    };
    let text = format!("{strain} {leader} N:{hands} out={out} {cards}{condition}");
    Ok(View::of_bridge(&text.parse()?)?)
}
