//! A board as a seat sees it.

use setrograde::{compass, shown, suit_lines};
use setrograde_beliefs::{Game, View};

/// The view as a compass: the visible hands, and the number of cards of each hidden one; then the
/// trick on the table.
pub fn compass_of_view<G: Game>(view: &View<G>) -> String {
    let mut text = compass(|seat| {
        let mut lines = vec![seat.name().to_owned()];
        match view.hand(seat) {
            Some(hand) => lines.extend(suit_lines(hand)),
            None => {
                lines.push(format!("{} hidden", view.sizes()[seat]));
                lines.resize(5, String::new());
            }
        }
        lines
    });
    if !view.trick().is_empty() {
        let plays: Vec<String> = view
            .trick()
            .plays()
            .map(|(seat, card)| format!("{seat} {}", shown(card)))
            .collect();
        text += &format!("On the table: {}\n", plays.join(", "));
    }
    text
}
