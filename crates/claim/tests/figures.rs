//! The figures of the paper, by all methods.

use setrograde_claim::{Claims, Knowledge, Options, PaperOptions, ordered, paper};

/// A figure: its number, the question, the tricks claimed; then whether they
/// are sure, whether a fixed order takes them, and what the paper's method says
/// without and with a loser.
type Figure = (&'static str, &'static str, u8, bool, bool, bool, bool);

const FIGURES: &[Figure] = &[
    (
        "2.7",
        "NT W W:32... ? AQ... ? out=KJT4...",
        2,
        false,
        false,
        false,
        false,
    ),
    (
        "2.8",
        "NT W W:KJT.A.. ? A98.2.. ? out=Q76.KQJT.2. if=N+D2",
        4,
        true,
        false,
        false,
        false,
    ),
    (
        "3.1",
        "NT W W:A.KQJT.. ? .A..AKQ2 ? out=KQ.98.98.JT98",
        5,
        true,
        true,
        true,
        true,
    ),
    (
        "3.5",
        "S W W:AKJ.2.. ? Q9..2.2 ? out=T.KQ.AKQ.AK",
        4,
        true,
        true,
        true,
        true,
    ),
    ("3.7", SEVEN_SPADES, 12, false, false, false, false),
    ("3.8", SEVEN_SPADES_IF, 12, true, true, true, true),
    (
        "3.9",
        "NT W W:A.A.A.KQJ ? 2.2.32.32 ? out=K3.K3.K4.AT9876",
        5,
        true,
        false,
        false,
        true,
    ),
    (
        "3.11",
        "C W W:..AK.AJ8 ? 7...K743 ? out=98.A.QJ.QT962",
        4,
        false,
        false,
        false,
        false,
    ),
    (
        "3.12",
        "C W W:..AK.AJ8 ? 7...K743 ? out=98.A.QJ.QT962 if=C=3-2",
        4,
        true,
        false,
        false,
        true,
    ),
    ("3.13", FIVE_CLUBS, 10, false, false, false, false),
    ("3.14", FIVE_CLUBS_IF, 10, true, false, false, true),
    ("3.16", SIX_DIAMONDS, 11, true, false, false, true),
    ("4.1", SEVEN_HEARTS, 13, false, false, false, false),
    ("4.2", SEVEN_HEARTS_IF, 13, true, true, true, true),
    ("4.3", SIX_SPADES, 11, true, false, false, false),
    ("4.4", SIX_SPADES_EVEN, 11, true, true, true, true),
    ("4.5", SIX_SPADES_ODD, 11, true, true, true, true),
    (
        "3.6 a",
        "NT W W:A54.2.. ? KJT.3.. ? out=Q876.K4.A4. SA S6 ST H4 S4 S7",
        2,
        true,
        false,
        false,
        false,
    ),
    (
        "3.6 b",
        "NT W W:AK982... ? QT54.2.. ? out=J763.AK.AK.AK",
        5,
        true,
        false,
        false,
        false,
    ),
    (
        "3.17",
        "NT S S:2.A32.2. ? .K54.AJ. ? out=.QJT87.KQT98. if=W+DK,W+DQ,W.H>=3",
        5,
        true,
        false,
        false,
        false,
    ),
];

const SEVEN_SPADES: &str = "S E W:A86532.A6.KQ.85 ? KQJ.KT732.A87.J ? \
    out=T974.QJ9854.JT965432.QT9764";
const SEVEN_SPADES_IF: &str = "S E W:A86532.A6.KQ.85 ? KQJ.KT732.A87.J ? \
    out=T974.QJ9854.JT965432.QT9764 if=S>=1,H>=2,D>=3";
const FIVE_CLUBS: &str = "C W W:.AKQ.KJT43.AJ8 ? 765.2.AQ5.K743 ? \
    out=QJ9.JT9876543.98762.QT962";
const FIVE_CLUBS_IF: &str = "C W W:.AKQ.KJT43.AJ8 ? 765.2.AQ5.K743 ? \
    out=QJ9.JT9876543.98762.QT962 if=C=3-2";
const SIX_DIAMONDS: &str = "D W W:A65..AKQT9732.K ? QT72.AK32.86.43 ? \
    out=KJ9843.QJT987654.J54.QJT987 if=C>=1,S>=1,H>=2";
const SEVEN_HEARTS: &str = "H W W:4.K763.AQJ.65432 ? AKJ9.AQ9854.53.A ? \
    out=QT876532.JT2.KT987642.KQJT987";
const SEVEN_HEARTS_IF: &str = "H W W:4.K763.AQJ.65432 ? AKJ9.AQ9854.53.A ? \
    out=QT876532.JT2.KT987642.KQJT987 if=C=4-3,H=2-1";
const SIX_SPADES: &str = "S W W:AKJT94.K.J7.QJ ? Q32.AJ876543.. ? \
    out=8765.QT92.KT9865.KT987432 if=S=2-2,H=3-1|S=3-1,H=2-2";
const SIX_SPADES_EVEN: &str = "S W W:AKJT94.K.J7.QJ ? Q32.AJ876543.. ? \
    out=8765.QT92.KT9865.KT987432 if=S=2-2,H=3-1";
const SIX_SPADES_ODD: &str = "S W W:AKJT94.K.J7.QJ ? Q32.AJ876543.. ? \
    out=8765.QT92.KT9865.KT987432 if=S=3-1,H=2-2";

fn by_paper(knowledge: &Knowledge, tricks: u8, losers: u8) -> bool {
    let options = PaperOptions {
        losers,
        ..PaperOptions::default()
    };
    paper(knowledge, tricks, options).found == Some(true)
}

#[test]
fn figures() {
    let mut wrong = Vec::new();
    for &(name, line, tricks, sure, order, no_loser, one_loser) in FIGURES {
        let knowledge: Knowledge = match line.parse() {
            Ok(knowledge) => knowledge,
            Err(error) => {
                wrong.push(format!("{name}: {error}"));
                continue;
            }
        };
        let mut claims = Claims::new(Options::default());
        let found = (
            claims.is_sure(&knowledge, tricks).unwrap(),
            ordered(&knowledge).len() >= usize::from(tricks),
            by_paper(&knowledge, tricks, 0),
            by_paper(&knowledge, tricks, 1),
        );
        if found != (sure, order, no_loser, one_loser) {
            wrong.push(format!("{name}: {found:?} {} nodes", claims.nodes()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
