//! The position after a play.

use serde::{Deserialize, Serialize};
use setrograde_cards::{Card, Hand, Seat, Strain};

use crate::{Ask, Board, Desk, Example, Play, Refusal, Report, Words, cards_by_suit};

/// The position after a play: the hands, the trick under way, the tricks won and the cards that may
/// be played. Nothing is solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Positioned {}

/// A position in the play.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayPoint {
    /// The strain.
    pub strain: Strain,
    /// The seat that leads, or led, to the trick.
    pub leader: Seat,
    /// The seat to play.
    pub to_play: Seat,
    /// The tricks left, the trick under way included.
    pub tricks_left: usize,
    /// The tricks won by North and South, and by East and West, since the start.
    pub won: [u8; 2],
    /// The hands now, from North.
    pub hands: [Hand; 4],
    /// The cards of the trick under way, each with its seat.
    pub on_table: Vec<(Seat, Card)>,
    /// The last trick that was finished.
    pub last_trick: Vec<(Seat, Card)>,
    /// The cards that may be played.
    pub legal: Vec<Card>,
}

impl Ask for Positioned {
    const NAME: &'static str = "position";
    const EXAMPLE: Example = Example {
        json: r#"{"question": "NT S N:AQ... 76... 54... K3... S4 S3"}"#,
        command: "",
    };
    type Subject = Play;
    type Answer = PlayPoint;

    fn answer(&self, _: &mut Desk, play: &Play, _: Option<&Board>) -> Result<PlayPoint, Refusal> {
        let (mut won, mut last_trick, mut trick) = ([0; 2], Vec::new(), Vec::new());
        let position = play.each(&mut |before, card, after| {
            trick = before.trick().plays().collect();
            trick.push((before.to_play(), card));
            if after.is_trick_boundary() {
                last_trick = std::mem::take(&mut trick);
                won[after.leader().side()] += 1;
            }
        })?;
        Ok(PlayPoint {
            strain: position.strain(),
            leader: position.leader(),
            to_play: position.to_play(),
            tricks_left: position.tricks_left(),
            won,
            hands: *position.deal().hands(),
            on_table: position.trick().plays().collect(),
            last_trick,
            legal: position.legal_cards().collect(),
        })
    }
}

impl Report for PlayPoint {
    fn words(&self, to: &mut Words) {
        let (left, cards) = (self.tricks_left, cards_by_suit(&self.legal));
        let left = setrograde_claim::tricks(left as u8);
        to.beside(match left {
            _ if self.legal.is_empty() => "all cards have been played".to_owned(),
            left => format!("{} plays one of {cards}, {left} left", self.to_play.name()),
        });
    }
}
