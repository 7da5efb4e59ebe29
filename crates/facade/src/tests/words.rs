//! Questions as they are read and answers in words, verbatim: `words.txt`.

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};

use crate::ask::SolveAnswer;
use crate::chances::{CompareAnswer, LeadsAnswer, OddsAnswer};
use crate::claims::{AdjudicateAnswer, LineAnswer, StatedLine, claimed};
use crate::heading::heading;
use crate::lesson::{EndingLine, Makes};
use crate::subjects::declarer_question;
use crate::words::{Interval, Percent, about, side_name};
use crate::*;
use setrograde_beliefs::Question;
use setrograde_cards::{
    Card, Contract, Deal, LargeCount, Position, Seat, Side, Suit, Vulnerability,
};
use setrograde_claim::{ClaimParts, Claims, Knowledge, Line, Options};
use setrograde_records::{Board, Room};
use setrograde_single_dummy::{
    CardLayouts, CardOdds, Chances, Comparison, ContractOdds, Drawn, Lead, Leads, Odds, SplitOdds,
    SureTarget,
};
use setrograde_solver::{Solver, Target, TrickTable, Wanted as WantedCards};

/// The expected text of a section of `words.txt`.
#[derive(Default)]
struct Said(String);

impl Said {
    fn text(&mut self, text: impl Display) {
        self.0 += &format!("{text}\n");
    }

    /// A report under the question `?`.
    fn asked(&mut self, asked: impl Into<Style>, report: &impl Report) {
        self.0 += &String::from_utf8(render(report, "?", asked)).expect("text");
    }

    fn add(&mut self, report: &impl Report) {
        self.asked(QuestionKind::Single, report);
    }

    fn json(&mut self, report: &impl Report) {
        self.text(serde_json::to_string(report).expect("JSON"));
    }

    /// The question of a line, or the reason that it is not a question.
    fn line<Q: Subject>(&mut self, text: &str) {
        match Q::line(text) {
            Ok(question) => self.text(question),
            Err(error) => self.text(error),
        }
    }

    /// A question that a board asks, or why it asks none.
    fn board<Q: Subject + Debug>(&mut self, board: &Board) {
        match Q::board(board) {
            Ok(Some(question)) => self.text(question),
            Ok(None) => self.text("nothing to ask"),
            Err(error) => self.text(error),
        }
    }

    fn is(self, section: &str) {
        let sections = include_str!("words.txt").split("== ");
        let mut sections = sections.filter_map(|text| text.split_once('\n'));
        let expected = sections.find(|(name, _)| *name == section);
        let Said(said) = self;
        assert_eq!(
            Some((section, &said[..])),
            expected,
            "\n== {section}\n{said}"
        );
    }
}

fn card(text: &str) -> Card {
    text.parse().expect("a card")
}

fn cards(text: &str) -> Vec<Card> {
    text.split(' ').map(card).collect()
}

/// North and South make 2NT, 4S, 3H and 5C, the others 2D.
fn table() -> TrickTable {
    TrickTable::new([
        [8, 4, 8, 4],
        [10, 3, 10, 3],
        [9, 4, 9, 4],
        [5, 8, 5, 8],
        [11, 2, 11, 2],
    ])
}

fn deal() -> Deal {
    "N:AKQ2.AKQ.AKQ.432 JT9.JT98.765.JT9 543.432.432.AKQ5 876.765.JT98.876"
        .parse()
        .expect("a deal")
}

fn board() -> Board {
    Board {
        hands: deal().hands().map(Some),
        ..Board::default()
    }
}

/// What the claimer of a finesse knows.
fn finesse() -> Knowledge {
    let question = "NT S N:AQ... ? 54... ? out=K763... by=S".parse::<Question>();
    Knowledge::of(&question.expect("a question")).expect("a claim")
}

#[test]
fn tables_and_par() {
    let mut said = Said::default();
    said.add(&Table { tricks: table() });
    said.json(&Table { tricks: table() });
    let par = |vulnerable, dealer| OnePar::new(&table(), vulnerable, dealer);
    let one = Pars {
        par: vec![par(Vulnerability::EastWest, Seat::North)],
        title: None,
    };
    said.add(&one);
    said.asked(QuestionKind::Board, &one);
    said.json(&one);
    let mut all: Vec<OnePar> = Vec::new();
    for vulnerable in [Vulnerability::None, Vulnerability::NorthSouth] {
        all.extend(Seat::ALL.map(|dealer| par(vulnerable, dealer)));
    }
    all.truncate(6);
    said.add(&Pars {
        par: all,
        title: None,
    });
    let nothing = TrickTable::new([[6; 4]; 5]);
    said.add(&Pars {
        par: vec![OnePar::new(&nothing, Vulnerability::Both, Seat::West)],
        title: None,
    });

    let mut board = board();
    let mut add = |board: &Board, table: &TrickTable| {
        let found = results(table, board);
        let spades = found.tricks.map(|tricks| tricks[1]);
        let (score, contracts) = (found.par_score, found.par_contract);
        said.text(format_args!("{spades:?} {score:?} {contracts:?}"));
    };
    add(&board, &table());
    board.vulnerability = Some(Vulnerability::NorthSouth);
    add(&board, &table());
    board.dealer = Some(Seat::East);
    add(&board, &table());
    board.vulnerability = Some(Vulnerability::Both);
    add(&board, &table());
    add(&board, &nothing);
    board.hands = ["A...", "K...", "Q...", "J..."].map(|hand| hand.parse().ok());
    add(&board, &table());
    said.is("tables and par");
}

#[test]
fn cards_and_tricks_of_a_position() {
    let mut said = Said::default();
    let start = "NT S N:AQ... 76... 54... K3...".parse::<Position>();
    let start = start.expect("a position");
    let mut solver = Solver::new(setrograde_solver::Options::default());
    let solution = solver.solve(&start, Target::Most, WantedCards::All);
    let solution = solution.expect("solved");
    for with_equals in [false, true] {
        said.add(&CardList::new(&start, &solution, with_equals));
    }
    said.add(&CardList {
        to_play: Seat::South,
        tricks_left: 0,
        cards: Vec::new(),
        with_equals: true,
    });
    for deals in [None, Some(20)] {
        let tricks = PositionTricks::new(&start, 2, deals);
        said.add(&tricks);
        said.asked(QuestionKind::Board, &tricks);
    }
    said.is("cards and tricks of a position");
}

fn odds(counts: [u128; 3]) -> Odds {
    let layouts: u128 = counts.iter().sum();
    let mut odds = Odds {
        layouts,
        counts: [0; 14],
        chances: [0.0; 14],
        left: 2,
    };
    for (tricks, count) in counts.into_iter().enumerate() {
        odds.counts[tricks] = count;
        odds.chances[tricks] = count as f64 / layouts as f64;
    }
    odds
}

#[test]
fn chances() {
    let mut said = Said::default();
    let mut found = OddsAnswer(Chances {
        contract: None,
        makes: None,
        makes_interval: None,
        side: Side::NorthSouth,
        to_play: Seat::South,
        hidden: vec![Seat::East, Seat::West],
        all: odds([0, 3, 5]),
        cards: None,
        splits: None,
        drawn: None,
    });
    said.add(&found);
    said.asked(QuestionKind::Line, &found);
    let card_odds = CardOdds {
        card: card("SA"),
        odds: odds([1, 2, 5]),
        intervals: None,
        mean_half_width: None,
    };
    found.0.cards = Some(vec![card_odds.clone()]);
    let split = |east, west| SplitOdds {
        lengths: [0, east, 0, west],
        odds: odds([0, 1, 3]),
    };
    let even = (Suit::Hearts, vec![split(1, 1)]);
    found.0.splits = Some([(Suit::Spades, vec![split(2, 1), split(1, 2)]), even.clone()].into());
    said.add(&found);
    found.0.splits = Some(BTreeMap::from([even]));
    found.0.to_play = Seat::West;
    said.add(&found);
    found.0.drawn = Some(Drawn {
        of: LargeCount(10_400_600),
        exact: false,
        seed: 7,
        intervals: Vec::new(),
        mean_half_width: 0.1,
    });
    said.add(&found);
    said.asked(QuestionKind::Line, &found);
    let lead = Lead {
        card: card_odds,
        defeats: 0.25,
        defeats_interval: [0.0, 1.0],
    };
    said.add(&LeadsAnswer(Leads {
        contract: "4S".parse().expect("a bid"),
        cards: vec![lead],
        best: found.0,
    }));
    let contract = |text: &str, score, imps| ContractOdds {
        contract: text.parse().expect("a contract"),
        makes: 0.625,
        makes_interval: [0.0, 1.0],
        score,
        score_half_width: 20.0,
        matchpoints: Some(0.5),
        imps: Some(imps),
        odds: odds([0, 3, 5]),
    };
    said.add(&CompareAnswer(Comparison {
        side: Side::EastWest,
        layouts: LargeCount(20),
        exact: true,
        seed: 3,
        contracts: vec![contract("4SE", 230.0, 0.0), contract("3NTW", 410.0, 1.25)],
    }));
    said.is("chances");
}

#[test]
fn sure_tricks() {
    let mut said = Said::default();
    let of = |name, layouts, double_dummy: Option<u128>| CardLayouts {
        card: card(name),
        layouts,
        double_dummy: double_dummy.map(LargeCount),
    };
    let target = SureTarget {
        tricks: 2,
        layouts: 3,
        cards: vec![
            of("SA", 3, Some(4)),
            of("HK", 2, Some(5)),
            of("D2", 3, None),
        ],
    };
    said.add(&SureTricks {
        of: 6,
        target: target.clone(),
        plan: None,
        knowledge: None,
    });
    let none = SureTarget {
        tricks: 3,
        layouts: 0,
        cards: vec![of("SA", 0, None)],
    };
    said.add(&SureTargets {
        of: 6,
        targets: vec![target, none],
    });
    said.is("sure tricks");
}

/// South declares 4S; West leads, and some cards cost tricks.
fn review() -> Review {
    let contract: Contract = "4SS".parse().expect("a contract");
    let start = Position::new(contract.bid.strain(), contract.leader(), deal(), &[]);
    let step = |trick, seat, of: &str, cost, right: &str, winner| Step {
        trick,
        seat,
        card: card(of),
        tricks: 3,
        cost,
        right: match right {
            "" => Vec::new(),
            right => cards(right),
        },
        winner,
    };
    Review {
        start: start.expect("a position"),
        contract: Some(contract),
        result: Some(9),
        recorded: Some(10),
        tricks: 2,
        steps: vec![
            step(1, Seat::West, "DJ", 1, "S8 S7 H7", None),
            step(1, Seat::North, "DA", 2, "DK", None),
            step(1, Seat::East, "D5", 0, "", None),
            step(1, Seat::South, "D2", 0, "", Some(Seat::North)),
            step(2, Seat::North, "C2", 0, "", None),
            step(2, Seat::East, "C9", 1, "CJ", None),
        ],
    }
}

#[test]
fn mistakes() {
    let mut said = Said::default();
    let review = review();
    said.asked(QuestionKind::Board, &review);
    let explain = Style {
        explain: true,
        ..Style::default()
    };
    said.asked(explain, &review);
    said.json(&review);
    for cards in [0, 1] {
        let mut review = review.clone();
        review.steps.truncate(cards);
        review.result = Some(11 - cards as u8);
        review.recorded = None;
        said.asked(QuestionKind::Board, &review);
    }
    for (contract, result) in [("4SS", 9), ("4SW", 9), ("4SS", 10)] {
        let board = Board {
            contract: contract.parse().ok(),
            result: Some(result),
            ..board()
        };
        let review = review.clone().of_board(&board);
        let (result, recorded) = (review.result, review.recorded);
        said.text(format_args!("{:?} {result:?} {recorded:?}", review.side()));
    }
    // Once all cards are played they determine the result, even if the record has another.
    let mut review = review.clone();
    review.steps = vec![review.steps[2].clone(); 52];
    let review = review.of_board(&Board {
        contract: "4SS".parse().ok(),
        result: Some(9),
        ..board()
    });
    said.asked(QuestionKind::Board, &review);
    said.is("mistakes");
}

#[test]
fn summaries() {
    let mut said = Said::default();
    let long = "A name of more than thirty characters";
    let mut board = Board {
        players: Some(["Ann", "Bea", "", long].map(str::to_owned)),
        ..board()
    };
    let mut summary = Summary::default();
    summary.add(&board, &review());
    said.add(&summary);
    board.players = None;
    summary.add(&board, &review());
    board.players = Some(["Ann", "", "South", ""].map(str::to_owned));
    summary.add(&board, &review());
    said.add(&summary);
    said.json(&summary);
    said.text(summary.boards());
    said.is("summaries");
}

#[test]
fn claims() {
    let mut said = Said::default();
    let mut no_claim = board();
    for lead in ["DJ", "DA"] {
        said.add(&NoClaim::of(&no_claim));
        no_claim.play.push(card(lead));
    }
    said.add(&NoClaim::of(&no_claim));
    no_claim.hands = [None; 4];
    said.add(&NoClaim::of(&no_claim));

    let (knowledge, mut claims) = (finesse(), Claims::new(Options::default()));
    let (sure, two) = (ClaimParts::default(), Some(2));
    let wanted = |tricks, cards, proof, assume| ClaimParts {
        tricks,
        cards,
        proof,
        assume,
        ..sure
    };
    for (explained, counted, wanted) in [
        (false, true, sure),
        (false, false, wanted(two, false, false, 0)),
        (false, false, wanted(None, true, false, 0)),
        (true, false, wanted(None, false, true, 0)),
        (true, false, wanted(two, false, true, 5)),
    ] {
        let answer = claims.answer(&knowledge, wanted).expect("an answer");
        let mut claim = AnsweredClaim {
            explained,
            counted,
            ..AnsweredClaim::new(answer, &knowledge)
        };
        let by_card = Style {
            by_card: true,
            ..Style::default()
        };
        said.asked(by_card, &claim);
        (claim.answer.core, claim.answer.plan) = (None, None);
        said.asked(by_card, &claim);
        claim.answer.verdict = None;
        said.asked(by_card, &claim);
    }
    let line: Line = "rest".parse().expect("a line");
    let layout = ["K7...", "63..."].map(|hand| hand.parse().expect("a hand"));
    let found = claims.adjudicate(&knowledge, layout, 2, &line);
    let found = found.expect("a ruling");
    said.add(&LineAnswer(StatedLine {
        unmade: None,
        line: line.clone(),
        found: found.worst.clone(),
        knowledge: knowledge.clone(),
    }));
    said.add(&AdjudicateAnswer(StatedLine {
        unmade: None,
        line,
        found,
        knowledge,
    }));
    said.is("claims");
}

#[test]
fn claims_of_boards() {
    let mut said = Said::default();
    let contract: Contract = "7NTS".parse().expect("a contract");
    let mut board = Board {
        contract: Some(contract),
        play: cards("DJ"),
        ..board()
    };
    said.text(format_args!("{:?}", claimed(&board)));
    let question = declarer_question(contract, &deal(), &board.play);
    let knowledge = Knowledge::of(&question).expect("a question");
    for (claim, limit) in [(13, None), (12, None), (13, Some(1))] {
        board.claim = Some(claim);
        let mut claims = Claims::new(Options {
            limit,
            ..Options::default()
        });
        let judged = JudgedClaim::new(&mut claims, &board, &knowledge).expect("judged");
        let mut judged = judged.expect("a claim");
        said.add(&judged);
        said.text(serde_json::to_value(&judged).expect("JSON")["verdict"].clone());
        judged.why.clear();
        judged.words.clear();
        said.add(&judged);
    }
    // The first trick is won: of 12 claimed 11 are left.
    board.claim = Some(12);
    board.play = cards("DJ DA D5 D2");
    said.text(format_args!("{:?}", claimed(&board)));
    said.is("claims of boards");
}

#[test]
fn lessons() {
    let mut said = Said::default();
    let (knowledge, mut claims) = (finesse(), Claims::new(Options::default()));
    let assumptions = claims.weakest(&knowledge, 2, 5).expect("assumptions").found;
    let mut lesson = LessonAnswer {
        contract: "4SS".parse().expect("a contract"),
        par: true,
        lead: None,
        needed: 10,
        double_dummy: 11,
        sure: [9, 9],
        makes: Makes {
            at_least: 0.5,
            sure_with: assumptions.into_iter().next(),
            at_most: 0.25,
            at_most_interval: [0.125, 0.375],
            drawn: 1000,
        },
        teaching: Default::default(),
        matter: [
            (Seat::North, "AK.Q..".parse().expect("a hand")),
            (Seat::East, "...".parse().expect("a hand")),
        ]
        .into(),
        ending: Some(EndingLine {
            tricks_left: 5,
            layouts: 12,
            needed: 3,
            sure: 6,
            best: cards("S2 S3"),
            played: Some(card("H4")),
        }),
        mistakes: review().mistakes().cloned().collect(),
    };
    said.add(&lesson);
    (lesson.par, lesson.sure, lesson.double_dummy) = (false, [8, 10], 9);
    (lesson.makes.sure_with, lesson.makes.at_most) = (None, 0.5);
    lesson.ending.as_mut().expect("an ending").played = Some(card("S3"));
    said.add(&lesson);
    (lesson.sure, lesson.double_dummy, lesson.makes.at_least) = ([10, 10], 10, 1.0);
    (lesson.ending, lesson.mistakes) = (None, Vec::new());
    said.add(&lesson);
    (lesson.sure, lesson.double_dummy) = ([9, 10], 10);
    said.add(&lesson);
    said.is("lessons");
}

/// An error and its cause.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Because(&'static str, #[source] Option<Box<Because>>);

#[test]
fn headings_and_numbers() {
    let mut said = Said::default();
    let mut board = Board {
        number: Some(7),
        room: Some(Room::Open),
        contract: "3NTE".parse().ok(),
        result: Some(1),
        ..Board::default()
    };
    for vulnerability in Vulnerability::ALL {
        board.vulnerability = Some(vulnerability);
        said.text(heading(&board));
    }
    let contract: Contract = "4SXS".parse().expect("a contract");
    for board in [
        Board {
            line: 12,
            room: Some(Room::Closed),
            table: Some("3".to_owned()),
            pairs: ["5", "12"].map(|pair| Some(pair.to_owned())),
            contract: Some(contract),
            play: cards("HK"),
            result: Some(9),
            ..Board::default()
        },
        Board {
            number: Some(7),
            passed_out: true,
            ..Board::default()
        },
    ] {
        said.text(heading(&board));
    }
    for tricks in [8, 9, 10, 12] {
        said.text(outcome(contract, tricks));
    }
    said.text(cards_by_suit(cards("H2 S3 SA SK")));
    said.text(grouped(1_234_567_u32));
    for count in [0, 1, 1000] {
        said.text(format_args!(
            "{}, {}",
            layouts(count),
            about(count, count == 1)
        ));
    }
    said.text(format_args!("{:>8}|{:<8}|", Percent(0.1234), Percent(1.0)));
    said.text(format_args!("{:>14}|", Interval([0.5, 2.25], 2)));
    for side in Side::ALL {
        said.text(side_name(side));
    }
    let because = |text, cause: Option<Because>| Because(text, cause.map(Box::new));
    let full = because("the disc is full", None);
    let of_table = because("the table: the disc is full", Some(full));
    said.text(causes(&because("no answer", Some(of_table))));
    let kinds = [
        SolveAnswer::Table(Table { tricks: table() }),
        SolveAnswer::Tricks(PositionTricks {
            leader: Seat::West,
            tricks: 3,
            tricks_left: 5,
            deals: None,
            contract: None,
            declarer_tricks: None,
            makes: None,
        }),
    ];
    for of in &kinds {
        said.add(of);
    }
    said.is("headings and numbers");
}

#[test]
fn questions() {
    let mut said = Said::default();
    let [north, south] = ["AKQ2.AKQ.AKQ.432", "543.432.432.AKQ5"];
    for line in [
        &format!("{north} {south}"),
        north,
        &format!("{north} {south}4"),
        &format!("  543.432.432.AKQ {south}"),
        &format!("{north} 543.432.432.AKQY"),
        &format!("N:{north} ? {south} ?"),
        &format!("N:{north} ? ?"),
        &format!("S W N:{north} ? {south} ?"),
    ] {
        said.line::<TwoHands>(line);
    }
    for line in [north, "AKQ2.AKQ.AKQ.43", &format!("NT E N:? {north} ? ?")] {
        said.line::<OnLead>(line);
    }
    let play = "NT W N:A2... KT... Q3... J4... SJ,S2  ST";
    said.line::<crate::Play>(play);
    said.line::<crate::Play>(&format!("{play} SY"));
    said.line::<crate::Play>("NT W N:A... K... Q... =SJ SA");
    said.line::<ClaimSubject>("NT S N:AQ... ? 54... ? out=K763... by=S");

    let mut board = board();
    said.board::<Deal>(&board);
    said.board::<crate::Play>(&board);
    said.board::<ClaimSubject>(&board);
    said.board::<OnLead>(&board);
    said.board::<TwoHands>(&board);
    board.strain = "NT".parse().ok();
    board.leader = Some(Seat::West);
    board.play = cards("DJ");
    said.board::<crate::Play>(&board);
    said.board::<ClaimSubject>(&board);
    board.contract = "7NTS".parse().ok();
    said.board::<ClaimSubject>(&board);
    board.on_table = cards("DA");
    said.board::<Start>(&board);
    board.passed_out = true;
    said.board::<ClaimSubject>(&board);
    board.passed_out = false;
    for hidden in [1, 2, 3, 0] {
        board.hands[hidden] = None;
        said.board::<Deal>(&board);
    }
    board.hands = ["...", "...", "...", "..."].map(|hand| hand.parse().ok());
    said.board::<Deal>(&board);
    board.hands[1] = "A...".parse().ok();
    said.board::<Deal>(&board);
    said.is("questions");
}

#[test]
fn names_do_not_act_on_a_terminal() {
    let mut words = crate::words::Words::new(QuestionKind::Board);
    words.line("\u{1b}[31mred\u{7} – \u{202e}West\t5\nnext");
    let text = String::from_utf8(words.under("\u{9b}board")).expect("text");
    assert_eq!(
        text,
        "\\u{9b}board\n\\u{1b}[31mred\\u{7} – \\u{202e}West\t5\nnext\n\n"
    );
}
