use super::*;
use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::shape::Shape;
use setrograde_lookup::Error;

struct OneSuit(Option<(Vec<setrograde_endgame::diagram::Node>, setrograde_endgame::diagram::Ref)>);

impl LevelBelow for OneSuit {
    fn diagram(&self, _: Shape, _: bool) -> Result<Diagram<'_>, Error> {
        Ok(match &self.0 {
            Some((nodes, root)) => Diagram { nodes, root: *root },
            None => Diagram::constant(0),
        })
    }
}

fn one_suit(level: usize) -> Partition {
    let mut columns = [Column::EMPTY; 4];
    columns[0] = Column::new([level as u8; 4]);
    Partition { shape: Shape { columns }, trump: false }
}

#[test]
fn one_suit_counts() {
    let mut below = OneSuit(None);
    for level in 1..=3 {
        let mut oracle = Oracle::new(&below, level);
        let mut analysis = Analysis::default();
        let sets = analysis.run(&mut oracle, one_suit(level), level, Metric::MostXs);
        eprintln!("level {level}: {} {:?}", sets.len(), analysis.counts);
        if level < 3 {
            for (set, value) in &sets {
                let order = CardOrder::new(one_suit(level).shape);
                eprintln!("{value} {:?}", order.set_of_key(*set, [0, 1, 2, 3], 0));
            }
        }
        let mut diagram = setrograde_endgame::diagram::DiagramBuilder::new();
        let root = crate::refine::refine(&mut oracle, one_suit(level), level, &mut diagram).unwrap();
        below = OneSuit(Some((diagram.nodes().to_vec(), root)));
    }
}
