use super::*;
use setrograde_endgame::diagram::Diagram;
use setrograde_endgame::shape::{Column, Shape};
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

struct Below(setrograde_lookup::Level);

impl LevelBelow for Below {
    fn diagram(&self, shape: Shape, trump: bool) -> Result<Diagram<'_>, Error> {
        self.0.diagram(shape, trump)
    }
}

#[test]
#[ignore = "a measurement"]
fn sample() {
    let directory = std::path::Path::new("/tmp/setro-db");
    let build = crate::Build {
        directory: directory.to_owned(),
        cards: 12,
        method: crate::Method::Refine,
        threads: None,
        force: false,
        program: "sample".to_owned(),
    };
    build.run(&crate::Silent, &std::sync::atomic::AtomicBool::new(false)).unwrap();
    let level: usize = std::env::var("SAMPLE_LEVEL").ok().and_then(|l| l.parse().ok()).unwrap_or(4);
    let step: usize = std::env::var("SAMPLE_STEP").ok().and_then(|l| l.parse().ok()).unwrap_or(97);
    let below = setrograde_lookup::manifest::level_path(directory, level - 1);
    let below = Below(setrograde_lookup::Level::open(&below).unwrap());
    let partitions = setrograde_endgame::partition::PartitionIndex::new(level);
    let mut oracle = Oracle::new(&below, level);
    let mut analysis = Analysis::default();
    let (mut sets, mut nodes) = (0, 0);
    let all: Vec<_> = partitions.iter().step_by(step).collect();
    let (_, cpu) = crate::cpu_clock::timed(|| for partition in &all {
        let mut found = analysis.run(&mut oracle, *partition, level, Metric::MostXs);
        sets += found.len();
        let mut tree = Vec::new();
        setrograde_endgame::shallow_tree::grow(&mut found, &mut tree);
        nodes += tree.len();
    });
    eprintln!("{} partitions, sets {sets}, nodes {nodes}, cpu {cpu:?}, proofs {:?}, {:?}", all.len(), oracle.counts, analysis.counts);
    eprintln!("whole level: {:.2e} sets, {:.0} s", (sets * step) as f64, cpu.as_secs_f64() * step as f64);
}
