//! Draws the decision diagram of an ending's partition, as an SVG on standard output.
//!
//!     cargo run --release --manifest-path lab/experiments/Cargo.toml --bin diagram -- \
//!       data/golden 'NT S N:AQ... 76... 54... K3...' > docs/diagram.svg

use std::collections::HashMap;
use std::error::Error;
use std::fmt::Write;

use clap::Parser;
use setrograde_cards::{Card, Position, Seat, Strain, Suit};
use setrograde_endgame::diagram::{Diagram, Edge};
use setrograde_lookup::{Database, Ending, ProbeError};

/// A greater diagram cannot be read: only the ending's path is drawn, with what
/// branches off.
const MOST_NODES: usize = 60;

const ROW: usize = 76;
const COLUMN: usize = 92;
const MARGIN: usize = 46;

/// Draw the decision diagram that holds an ending.
#[derive(Parser)]
struct Arguments {
    /// Directory of the database.
    db: std::path::PathBuf,
    /// STRAIN LEADER DEAL, at the start of a trick.
    ending: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let database = Database::open(&arguments.db)?;
    print!("{}", diagram_svg(&database, &arguments.ending.parse()?)?);
    Ok(())
}

/// An SVG of the diagram that holds the ending, with the ending's path marked. A node shows the
/// card whose owner it asks for, a branch the hands that lead there, a leaf the tricks of the
/// leader's side. In a large diagram a node off the path shows the bounds of its subdiagram.
fn diagram_svg(database: &Database, position: &Position) -> Result<String, ProbeError> {
    let ending = &Ending::from_position(position)?;
    let located = database
        .locate(ending)?
        .ok_or_else(|| database.not_held(ending))?;
    let (nodes, root) = located.diagram().own_nodes();
    let mut picture = Picture {
        diagram: Diagram::new(&nodes, root),
        position,
        ending,
        suits: ending.canonical().order.suits().map(Suit::from_index),
        rows: Vec::new(),
        blocks: Vec::new(),
        numbers: HashMap::new(),
        whole: nodes.len() <= MOST_NODES,
    };
    let top = picture.add(root, [0; 4], true);
    picture.settle_rows();
    let path = picture.path(top);
    Ok(picture.draw(&path))
}

/// A point of a line, near its end and clear of what is drawn there.
fn towards(from: (usize, usize), to: (usize, usize)) -> (usize, usize) {
    let [dx, dy] = [from.0 as f64 - to.0 as f64, from.1 as f64 - to.1 as f64];
    let part = 34.0 / dx.hypot(dy);
    let along = |end: usize, step: f64| (end as f64 + part * step).round() as usize;
    (along(to.0, dx), along(to.1, dy) + 4)
}

/// A node or a leaf on the page.
struct Block {
    text: String,
    row: usize,
    is_leaf: bool,
    /// The blocks below, and the hands that lead there, the leader first.
    below: Vec<(usize, Vec<usize>)>,
    /// The canonical suit that a node asks about, and how many of its cards are
    /// known before.
    asks: (usize, usize),
}

struct Picture<'a> {
    diagram: Diagram<'a>,
    position: &'a Position,
    ending: &'a Ending,
    suits: [Suit; 4],
    /// The blocks of each row, from left to right.
    rows: Vec<Vec<usize>>,
    blocks: Vec<Block>,
    /// Nodes on the page. A node that asks for different cards on different paths is drawn once for
    /// each.
    numbers: HashMap<(Edge, [usize; 4]), usize>,
    /// True if all nodes are drawn, not only the ending's path.
    whole: bool,
}

impl Picture<'_> {
    /// Adds the node or leaf below an edge, after this number of known cards of each suit.
    /// `on_path`: whether the ending takes this edge.
    fn add(&mut self, edge: Edge, known: [usize; 4], on_path: bool) -> usize {
        let row = known.iter().sum();
        if edge.is_leaf() || !(self.whole || on_path) {
            self.blocks.push(Block {
                text: match (edge.lo(), edge.hi()) {
                    (lo, hi) if lo == hi => lo.to_string(),
                    (lo, hi) => format!("{lo}–{hi}"),
                },
                row,
                is_leaf: true,
                below: Vec::new(),
                asks: (0, 0),
            });
            return self.blocks.len() - 1;
        }
        if let Some(&number) = self.numbers.get(&(edge, known)) {
            return number;
        }
        let suit = edge.suit();
        let number = self.blocks.len();
        self.blocks.push(Block {
            text: self.card_text(suit, known[suit]),
            row,
            is_leaf: false,
            below: Vec::new(),
            asks: (suit, known[suit]),
        });
        self.numbers.insert((edge, known), number);
        let mut known_below = known;
        known_below[suit] += 1;
        let mut below: Vec<(usize, Vec<usize>)> = Vec::new();
        let mut children: Vec<(Edge, Vec<usize>)> = Vec::new();
        for (hand, child) in self.diagram.children(edge).into_iter().enumerate() {
            if child == Edge::NOTHING {
                continue;
            }
            match children.iter_mut().find(|(known, _)| *known == child) {
                Some((_, hands)) => hands.push(hand),
                None => children.push((child, vec![hand])),
            }
        }
        let owner = self.ending.owner(self.suits[suit], known[suit]);
        let taken = owner.map(|owner| self.hand(owner));
        for (child, hands) in children {
            let on_path = on_path && taken.is_some_and(|taken| hands.contains(&taken));
            below.push((self.add(child, known_below, on_path), hands));
        }
        self.blocks[number].below = below;
        number
    }

    fn settle_rows(&mut self) {
        for (number, block) in self.blocks.iter().enumerate() {
            if self.rows.len() <= block.row {
                self.rows.resize(block.row + 1, Vec::new());
            }
            self.rows[block.row].push(number);
        }
    }

    /// The card at an index of a suit, from its top.
    fn card_text(&self, suit: usize, index: usize) -> String {
        let suit = self.suits[suit];
        let cards = cards_of(self.position, suit);
        let rank = cards.get(index).map_or(' ', |card| card.rank.letter());
        format!("{}{rank}", suit.symbol())
    }

    /// The blocks through which the ending goes.
    fn path(&self, top: usize) -> Vec<usize> {
        let mut path = vec![top];
        let mut at = top;
        loop {
            let (suit, index) = self.blocks[at].asks;
            let owner = self.ending.owner(self.suits[suit], index);
            let next = owner.and_then(|owner| {
                let hand = self.hand(owner);
                let mut below = self.blocks[at].below.iter();
                below.find(|(_, hands)| hands.contains(&hand))
            });
            let Some(&(next, _)) = next else { return path };
            path.push(next);
            at = next;
        }
    }

    /// A seat's number from the leader.
    fn hand(&self, seat: Seat) -> usize {
        (seat.index() + 4 - self.ending.leader().index()) % 4
    }

    fn seat_letters(&self, hands: &[usize]) -> String {
        let leader = self.ending.leader();
        let letters = hands.iter().map(|&hand| leader.plus(hand).letter());
        letters.map(String::from).collect::<Vec<_>>().join(" ")
    }

    fn centre(&self, number: usize) -> (usize, usize) {
        let row = self.blocks[number].row;
        let widest = self.rows.iter().map(Vec::len).max().unwrap_or(1);
        let neighbours = &self.rows[row];
        let column = neighbours
            .iter()
            .position(|&other| other == number)
            .expect("a block is in its row");
        let left = (widest - neighbours.len()) * COLUMN / 2;
        (MARGIN + left + column * COLUMN, MARGIN + row * ROW)
    }

    fn draw(&self, path: &[usize]) -> String {
        let widest = self.rows.iter().map(Vec::len).max().unwrap_or(1);
        let width = 2 * MARGIN + (widest - 1) * COLUMN;
        let height = 2 * MARGIN + (self.rows.len() - 1) * ROW;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\" font-size=\"15\" text-anchor=\"middle\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
            self.title()
        );
        let is_marked = |from: usize, to: usize| path.windows(2).any(|pair| pair == [from, to]);
        // Writing to a string cannot fail.
        for (number, block) in self.blocks.iter().enumerate() {
            let (x, y) = self.centre(number);
            for (below, hands) in &block.below {
                let (to_x, to_y) = self.centre(*below);
                let (colour, thick) = if is_marked(number, *below) {
                    ("#c33", 3)
                } else {
                    ("#888", 1)
                };
                let (text_x, text_y) = towards((x, y), (to_x, to_y));
                let hands = self.seat_letters(hands);
                let _ = writeln!(
                    svg,
                    "<line x1=\"{x}\" y1=\"{y}\" x2=\"{to_x}\" y2=\"{to_y}\" \
                     stroke=\"{colour}\" stroke-width=\"{thick}\"/>"
                );
                // White below black, so the line does not cross the letters.
                for stroke in [" stroke=\"white\" stroke-width=\"4\"", ""] {
                    let _ = writeln!(
                        svg,
                        "<text x=\"{text_x}\" y=\"{text_y}\" font-size=\"12\"{stroke}>{hands}</text>"
                    );
                }
            }
        }
        for (number, block) in self.blocks.iter().enumerate() {
            let (x, y) = self.centre(number);
            let colour = if path.contains(&number) {
                "#c33"
            } else {
                "#333"
            };
            let shape = if block.is_leaf {
                format!(
                    "<rect x=\"{}\" y=\"{}\" width=\"26\" height=\"26\"",
                    x - 13,
                    y - 13
                )
            } else {
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"20\"")
            };
            let _ = writeln!(
                svg,
                "{shape} fill=\"white\" stroke=\"{colour}\" stroke-width=\"2\"/>\n\
                 <text x=\"{x}\" y=\"{}\">{}</text>",
                y + 5,
                block.text
            );
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn title(&self) -> String {
        let strain = match self.ending.strain() {
            Strain::NoTrump => "no trump".to_owned(),
            Strain::Trump(suit) => format!("{} trumps", suit.name()),
        };
        let leader = self.ending.leader().name();
        format!("Who owns this card? Tricks for {leader}'s side, {leader} leads, {strain}")
    }
}

/// The cards that all hands hold of a suit, from the top.
fn cards_of(position: &Position, suit: Suit) -> Vec<Card> {
    let deal = position.deal();
    let mut cards: Vec<Card> = Card::pack()
        .filter(|&card| card.suit == suit)
        .filter(|&card| Seat::ALL.iter().any(|&seat| deal.hand(seat).contains(card)))
        .collect();
    cards.sort_unstable_by_key(|card| std::cmp::Reverse(card.rank));
    cards
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_picture_in_the_documents_is_what_is_drawn() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let database = Database::open(format!("{root}/data/golden")).expect("it opens");
        let draw = |ending: &str| {
            let ending = ending.parse().expect("an ending");
            diagram_svg(&database, &ending).expect("drawn")
        };
        let shown = std::fs::read_to_string(format!("{root}/docs/diagram.svg")).expect("there");
        assert_eq!(draw("NT S N:AQ... 76... 54... K3..."), shown);
        // Of a large diagram the picture has the path and its neighbours.
        let twelve = setrograde_lookup::Database::builtin();
        let large = "NT S N:AQ5... 763... 984... KJT..."
            .parse()
            .expect("an ending");
        let svg = diagram_svg(&twelve, &large).expect("drawn");
        let bounds = svg.matches('–').count();
        assert!((1..40).contains(&bounds), "{bounds}");
        assert!(svg.matches("#c33").count() >= 4);
    }
}
