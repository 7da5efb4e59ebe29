//! Certificates of deals of a few cards, and what the checker says of changed ones.

use setrograde_cards::{Card, Deal, Hand, Position, Rank, Seat, Strain, Suit};
use setrograde_check::{Lemma, Proved, check, read};
use setrograde_solver::{Options, Solver};

use super::*;

/// A random deal of some cards in each hand.
fn deal(random: &mut fastrand::Rng, left: usize) -> Deal {
    Deal::random_ending(left, |n| random.usize(..n))
}

/// A certificate, decompressed, and the results that it proves.
fn certificate(deal: &Deal) -> (Vec<u8>, Proved) {
    let (table, file) = certify(deal, 1, &Options::default()).expect("a certificate");
    let bytes = read(&mut &file[..]).expect("gzip").expect("a certificate");
    let proved = check(&bytes).expect("accepted");
    assert_eq!(proved.results, results_of(&table));
    assert_eq!(proved.deal, deal.to_string());
    (bytes, proved)
}

fn results_of(table: &TrickTable) -> [Option<u8>; 20] {
    let results: Vec<_> = table.results().map(|(_, _, tricks)| Some(tricks)).collect();
    results.try_into().expect("20 results")
}

/// Where the results and the lemmas of a certificate begin.
fn parts(bytes: &[u8]) -> (usize, usize) {
    let mut ends = (0..bytes.len()).filter(|&at| bytes[at] == b'\n');
    let (_, results, lemmas) = (ends.next(), ends.next(), ends.next());
    (results.expect("a line") + 1, lemmas.expect("a line") + 1)
}

fn with_results(bytes: &[u8], results: &[Option<u8>; 20]) -> Vec<u8> {
    let (start, end) = parts(bytes);
    let numbers = results.map(|tricks| tricks.map_or("-".to_owned(), |tricks| tricks.to_string()));
    let line = numbers.join(" ");
    [&bytes[..start], line.as_bytes(), b"\n", &bytes[end..]].concat()
}

#[test]
fn results_are_accepted_and_others_refused() {
    let mut random = fastrand::Rng::with_seed(3);
    for left in 1..8 {
        for _ in 0..4 {
            let (bytes, proved) = certificate(&deal(&mut random, left));
            assert_eq!(with_results(&bytes, &proved.results), bytes);
            for nth in 0..20 {
                for other in (0..=left as u8).map(Some) {
                    let mut results = proved.results;
                    if std::mem::replace(&mut results[nth], other) != other {
                        check(&with_results(&bytes, &results)).expect_err("a wrong result");
                    }
                }
            }
        }
    }
}

/// A position has a certificate of its own result.
#[test]
fn positions_are_accepted_and_others_refused() {
    let mut random = fastrand::Rng::with_seed(29);
    let mut solver = Solver::new(Options::default());
    for nth in 0..700 {
        let (left, strain) = (nth % 7 + 1, Strain::ALL[nth % 5]);
        let (deal, leader) = (deal(&mut random, left), Seat::from_index(random.usize(..4)));
        let position = Position::new(strain, leader, deal, &[]).expect("a position");
        let (tricks, file) =
            certify_position(&position, &Options::default()).expect("a certificate");
        assert_eq!(tricks, solver.tricks(&position).expect("tricks"));
        let bytes = read(&mut &file[..]).expect("gzip").expect("a certificate");
        let proved = check(&bytes).expect("accepted");
        let declarer = (leader.index() + 3) % 4;
        let mut stated = [None; 20];
        stated[4 * strain.index() + declarer] = Some(left as u8 - tricks);
        assert_eq!(proved.results, stated);
        stated[4 * strain.index() + declarer] = Some(left as u8 - tricks + 1);
        check(&with_results(&bytes, &stated)).expect_err("a wrong result");
        let card = position.legal_cards().next().expect("a card");
        let next = position.play(card).expect("a legal card");
        let error = certify_position(&next, &Options::default()).expect_err("within a trick");
        assert!(matches!(error, ProveError::WithinTrick));
    }
}

/// Whatever rule of the solver is too strong, a wrong result has no proof: the writer finds no lemma, or
/// the checker refuses its bytes.
#[test]
fn wrong_results_have_no_certificate() {
    let mut random = fastrand::Rng::with_seed(17);
    let mut solver = Solver::new(Options::default());
    for _ in 0..40 {
        let deal = deal(&mut random, 5);
        let (bytes, proved) = certificate(&deal);
        for strain in Strain::ALL {
            let first = 4 * strain.index();
            for declarer in 0..4 {
                for step in [-1, 1] {
                    let mut results = proved.results;
                    let result = results[first + declarer].expect("a result");
                    let wrong = result.wrapping_add_signed(step);
                    if wrong > 5 {
                        continue;
                    }
                    results[first + declarer] = Some(wrong);
                    let tricks = std::array::from_fn(|declarer| results[first + declarer]);
                    let Ok(lemmas) = prove(&mut solver, &deal, strain, tricks) else {
                        continue;
                    };
                    // The strain of the wrong result alone.
                    let (_, start) = parts(&bytes);
                    let mut changed = with_results(&bytes[..start], &results);
                    changed.extend(lemmas.moves);
                    changed.extend(lemmas.tops.into_iter().rev());
                    check(&changed).expect_err("a wrong result");
                }
            }
        }
    }
}

/// A changed certificate may still prove the results, but never others.
#[test]
fn changed_certificates_prove_nothing_else() {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut refused, mut accepted) = (0, 0);
    for _ in 0..3 {
        let (bytes, proved) = certificate(&deal(&mut random, 5));
        let (results, lemmas) = parts(&bytes);
        for bit in 8 * results..8 * bytes.len() {
            let mut changed = bytes.clone();
            changed[bit / 8] ^= 1 << (bit % 8);
            match check(&changed) {
                Ok(other) => {
                    assert_eq!(other.results, proved.results);
                    accepted += 1;
                }
                Err(_) => refused += 1,
            }
        }
        for at in lemmas..bytes.len() {
            let dropped = [&bytes[..at], &bytes[at + 1..]].concat();
            assert!(check(&dropped).map_or(true, |other| other.results == proved.results));
            check(&bytes[..at]).expect_err("too short");
        }
    }
    assert!(refused > 1000 && accepted > 0, "{refused} {accepted}");
}

/// The same lemmas prove nothing of another deal, unless it has the same results.
#[test]
fn other_deals_have_their_own_results() {
    let mut random = fastrand::Rng::with_seed(11);
    let mut solver = Solver::new(Options::default());
    let mut refused = 0;
    for _ in 0..20 {
        let (deal, other) = (deal(&mut random, 4), deal(&mut random, 4));
        // The same lengths: the other deal has the ranks of its suits in another order.
        let turned = |card: Card| {
            let rank = Rank::new(16 - card.rank.value()).expect("a rank");
            Card::new(card.suit, rank)
        };
        let hands = deal.hands().map(|hand| hand.iter().map(turned).collect());
        let turned = Deal::new(hands).expect("different cards");
        let (bytes, proved) = certificate(&deal);
        for other in [other, turned] {
            let text = String::from_utf8_lossy(&bytes[..60]).into_owned();
            let line = text.lines().nth(1).expect("a deal").to_owned();
            assert_eq!(line, deal.to_string());
            let start = TITLE_LENGTH;
            let rest = &bytes[start + line.len()..];
            let changed = [&bytes[..start], other.to_string().as_bytes(), rest].concat();
            let table = solver.table(&other).expect("a table");
            let same = proved.results == results_of(&table);
            match check(&changed) {
                Ok(_) => assert!(same),
                Err(_) => refused += usize::from(!same),
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

/// The bytes before the deal.
const TITLE_LENGTH: usize = check::TITLE.len() + 1;

/// The theorems hold in random endings of random sets, and each is met.
#[test]
fn the_theorems_are_true() {
    let mut random = fastrand::Rng::with_seed(7);
    let mut solver = Solver::new(Options::default());
    let mut met = [0; 2];
    for _ in 0..20_000 {
        let (left, trumps) = (random.usize(1..7), random.bool());
        let strain = if trumps {
            Strain::Trump(Suit::Clubs)
        } else {
            Strain::NoTrump
        };
        let text = deal(&mut random, left).to_string();
        let deal = check::PbnDeal::read(&text).expect("a deal");
        let (tricks, declarer) = (random.u8(1..=left as u8), random.u8(..4));
        // Clubs are the last suit in both strains.
        let strain_number = if trumps { 4 } else { 0 };
        let lemma = deal.lemmas(strain_number, declarer, tricks)[random.usize(..2)];
        let known = [0, 1, 2, 3].map(|suit| random.u8(..=lemma.known(suit) as u8));
        let lemma = lemma.widened(known);
        if lemma.goal < 1 || !check::theorems::prove(&lemma) {
            continue;
        }
        let goal = lemma.goal;
        met[usize::from(trumps && check::theorems::sure_trumps(&lemma))] += 1;
        let tricks = solve_one_of(&mut random, &mut solver, &lemma, strain);
        assert!(tricks >= goal, "{lemma}: {tricks}");
    }
    assert!(met.iter().all(|&count| count > 50), "{met:?}");
}

/// The tricks of a lemma's side in a random ending of its set.
fn solve_one_of(
    random: &mut fastrand::Rng,
    solver: &mut Solver,
    lemma: &Lemma,
    strain: Strain,
) -> i32 {
    let mut hands = [Hand::EMPTY; 4];
    for suit in 0..4 {
        let known = lemma.known(suit);
        let mut owners: Vec<usize> = (0..known).map(|rank| lemma.owner(suit, rank)).collect();
        for hand in 0..4 {
            let held = owners[..known].iter().filter(|&&owner| owner == hand);
            let rest = lemma.length(suit, hand) as usize - held.count();
            owners.extend(std::iter::repeat_n(hand, rest));
        }
        random.shuffle(&mut owners[known..]);
        for (rank, owner) in owners.into_iter().enumerate() {
            let rank = Rank::new(14 - rank as u8).expect("a rank");
            hands[owner].insert(Card::new(Suit::ALL[suit], rank));
        }
    }
    let deal = Deal::new(hands).expect("different cards");
    let leader = Seat::from_index(lemma.leader.into());
    let position = Position::new(strain, leader, deal, &[]).expect("a position");
    let tricks = i32::from(solver.tricks(&position).expect("tricks"));
    if lemma.is_by(lemma.leader.into()) {
        tricks
    } else {
        lemma.left() - tricks
    }
}
