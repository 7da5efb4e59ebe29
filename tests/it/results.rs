//! Conditions on results, and the best cards of a play.

use setrograde_cards::{Deal, Seat};

use crate::command::run_line;
use crate::folder::Folder;

/// The tricks of South at no trump in each of the deals, one per line.
fn tricks_of_south(deals: &str) -> Vec<u8> {
    let folder = Folder::with("deals.txt", deals);
    let tables = folder.run("table --format digits deals.txt");
    tables.ended(0);
    let lines = tables.output.lines();
    let digits = lines.filter_map(|line| line.split('\t').nth(1));
    // Declarers N S E W, in each the strains from no trump on.
    digits
        .map(|digits| u8::from_str_radix(&digits[5..6], 16).expect("a digit"))
        .collect()
}

#[test]
fn deals_by_results_do_not_depend_on_threads() {
    let condition = "--where 'tricks(S,NT)>=9,N.hcp+S.hcp<=24'";
    let deals = |rest: &str| {
        let printed = run_line(&format!("deal 4 --format lines {condition} {rest}"));
        printed.ended(0);
        printed.output
    };
    let one = deals("--threads 1");
    assert_eq!(one, deals("--threads 2"));
    assert_eq!(one.lines().count(), 4);
    assert_ne!(one, deals("--seed 2"));
    let found = tricks_of_south(&one);
    assert_eq!(found.len(), 4);
    assert!(found.iter().all(|&tricks| tricks >= 9), "{found:?}");
    for deal in one.lines() {
        let deal: Deal = deal.parse().expect("a deal");
        let points = |seat| setrograde_beliefs::points(deal.hand(seat));
        assert!(points(Seat::North) + points(Seat::South) <= 24, "{deal}");
    }
    // They are those of the same seed that fit, in order, where the hands say nothing.
    let all = run_line("deal 12 --format lines").output;
    let tricks = tricks_of_south(&all);
    let fitting = all.lines().zip(tricks).filter(|(_, tricks)| *tricks <= 6);
    let expected: Vec<&str> = fitting.map(|(deal, _)| deal).take(3).collect();
    let printed = run_line("deal 3 --format lines --where 'not tricks(S,NT)>6'");
    assert_eq!(printed.output.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn a_search_ends_at_its_time() {
    let never = "--where 'tricks(S,NT)>=7,tricks(S,NT)<=6'";
    let printed = run_line(&format!("deal 2 {never} --time 0.3"));
    printed.ended(4);
    printed.complains("time ran out: 0 of 2 deals found");
    let printed = run_line("deal --where 'unique(lead)'");
    printed.complains("a drawn deal has no contract; name it, as in unique(lead,3NTS)");
    let printed = run_line("deal --where 'tricks(S)>=9'");
    printed.complains("--where: column 1: expected a seat and a strain");
}

#[test]
fn a_condition_on_results_keeps_boards_of_a_file() {
    let file = "data/samples/evening.pbn";
    let kept = |condition: &str| -> Vec<String> {
        let printed = run_line(&format!("table --format pbn --where '{condition}' {file}"));
        let boards = printed.output.lines();
        let boards = boards.filter(|line| line.starts_with("[Board "));
        boards.map(str::to_owned).collect()
    };
    let all = kept("N.hcp>=0");
    assert!(all.len() > 2, "{all:?}");
    let making = kept("makes(contract)");
    let failing = kept("not makes(contract)");
    assert!(!making.is_empty());
    let mut both = [making.clone(), failing].concat();
    both.sort_by_key(|board| all.iter().position(|of| of == board));
    both.dedup();
    assert!(both.len() >= all.len() - 1, "{both:?} of {all:?}");
    // A board whose contract makes has no lead that beats it.
    let beaten = kept("unique(lead)");
    assert!(beaten.iter().all(|board| !making.contains(board)));
    let compared = kept("par>=score(contract)|par<=score(contract)");
    assert_eq!(compared.len(), both.len());
    let objects = run_line(&format!("table --json --where 'makes(contract)' {file}"));
    assert_eq!(objects.output.lines().count(), making.len());
}

/// The example of the PBN standard for its `OptimumPlayTable`.
#[test]
fn best_cards_are_those_of_the_standards_example() {
    let game = "[Board \"16\"]\n[Dealer \"W\"]\n[Vulnerable \"EW\"]\n\
        [Deal \"W:AJ9754.J62.K62.6 32..A954.AQJ9875 KQ86.KQT843.QJ.K T.A975.T873.T432\"]\n\
        [Declarer \"N\"]\n[Contract \"5CX\"]\n[Play \"E\"]\nSK ST S4 S2\nHK H5 H2 C7\n\
        S6 C2 S5 S3\nH3 HA H6 D4\n*\n[Result \"NS 11\"]\n";
    let table = "[OptimumPlayTable \"S\\8R;H\\8R;D\\8R;C\\8R\"]\n\
        KQ86    -       QJ      K\n\
        T       -       -       -\n\
        AJ9754  -       -       -\n\
        32      -       -       -\n\
        Q86     -       QJ      K\n\
        -       A975    -       -\n\
        -       J62     -       -\n\
        -       -       -       QJ9875\n\
        3       -       A       A\n\
        Q86     -       -       -\n\
        -       -       -       432\n\
        AJ975   -       -       -\n\
        -       A97     -       -\n\
        -       J6      -       -\n\
        -       -       954     -\n\
        -       QT843   -       -\n";
    let write = |text: &str| {
        let folder = Folder::with("example.pbn", text);
        let printed = folder.run("analyse --format pbn example.pbn");
        printed.ended(0);
        printed.output
    };
    let written = write(&format!("{game}\n"));
    assert_eq!(written, format!("{game}{table}\n"));
    assert_eq!(write(&written), written);
    // A row that is wrong is replaced.
    let wrong = written.replace("\n32      -", "\n3       -");
    assert_eq!(write(&wrong), written);
}

/// Two boards at three tables, of which one did not play the second.
const EVENING: &str = r#"[Event "Club"]
[Board "1"]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"]
[ScoreTable "Table;PairId_NS;PairId_EW;Contract;Declarer;Result;Lead"]
1 1 4 4S E 11 S7
2 2 5 4H W 10 SA
3 3 6 3NT W 9 HK

[Event "Club"]
[Board "2"]
[Dealer "E"]
[Vulnerable "NS"]
[Deal "N:AQJ7.82.AT6.9864 T93.AJ4.K832.AKJ 84.KQ763.J974.T5 K652.T95.Q5.Q732"]
[ScoreTable "Table;PairId_NS;PairId_EW;Contract;Declarer;Result;Lead"]
1 1 5 3NT E 7 H6
2 2 6 1NT E 8 H6
3 3 4 - - - -
"#;

/// On board 1 each table has 0, 50 or 100 %. On board 2 Neuberg's formula makes 0 and 2 of 2
/// matchpoints 0.5 and 3.5 of 4. With the double-dummy tricks of board 1 pair 6 would have had 430 and
/// 50 % more, pair 5 450 and 25 % more.
#[test]
fn results_of_an_evening_are_a_table() {
    let folder = Folder::with("evening.pbn", EVENING);
    let printed = folder.run("analyse --format results evening.pbn");
    printed.ended(0);
    assert_eq!(printed.output.trim_start(), EVENING_RESULTS);
}

const EVENING_RESULTS: &str = "\
2 boards, matchpoints

Ranking
  rank  pair  boards  per cent  decl  def  cost most
     1  3          1    100.00    +0   +1  -
     1  4          1    100.00    +0   +0  -
     3  1          2     43.75    +0   -1  -
     3  6          2     43.75    +1   +0  board 1: -1, 50 %
     5  2          2     31.25    +0   -1  -
     5  5          2     31.25    +0   +0  board 1: -1, 25 %

Board 1, vulnerable: None, par -460
  table  N-S  E-W  contract  lead  made  dd  score  off par  N-S %
  1      1    4    4♠ E      ♠7      11  11   -450      +10      0
  2      2    5    4♥ W      ♠A      10  11   -420      +40     50
  3      3    6    3NT W     ♥K       9  10   -400      +60    100

Board 2, vulnerable: NS, par +90
  table  N-S  E-W  contract  lead  made  dd  score  off par  N-S %
  1      1    5    3NT E     ♥6       7   6   +100      +10   87.5
  2      2    6    1NT E     ♥6       8   6   -120     -210   12.5
  3      3    4    -         -        -   -      -        -      -
";
