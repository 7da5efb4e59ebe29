//! Figures of the thesis (`data/claim_figures.txt`): the exact search and fixed orders.

use setrograde_claim::{Claims, Knowledge, Options, ordered};

#[test]
fn figures() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/claim_figures.txt");
    let text = std::fs::read_to_string(path).expect("the figures");
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.splitn(4, ' ').collect();
        let [name, tricks, verdicts, question] = fields[..] else {
            panic!("{line}");
        };
        let knowledge: Knowledge = question.parse().expect("a question");
        let tricks: u8 = tricks.parse().expect("a number");
        let mut claims = Claims::new(Options::default());
        let found = [
            claims.is_sure(&knowledge, tricks).expect("no limit"),
            ordered(&knowledge).len() >= usize::from(tricks),
        ];
        let letters = found.map(|sure| if sure { 'y' } else { 'n' });
        assert_eq!(String::from_iter(letters), verdicts[..2], "figure {name}");
        count += 1;
    }
    assert_eq!(count, 20);
}
