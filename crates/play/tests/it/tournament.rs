//! Fairness: what luck and machinery must not change.

use std::ops::ControlFlow;

use serde_json::json;
use setrograde_beliefs::{Game, Jass, View, Whist};
use setrograde_cards::Seat;
use setrograde_play::Goal;
use setrograde_play::players::{Player, PlayerChoice, PlayerError, Roster, Spec};
use setrograde_play::tournament::{
    BoardSeries, BridgeBoards, Decisions, Event, JassBoards, Log, Standing, Tournament,
    TournamentError, WhistBoards, generator, replay,
};

/// The player of a text.
fn player<G: Game>(text: &str) -> Box<dyn Player<G>> {
    let spec: Spec = text.parse().expect("a player");
    Roster::default().player(&spec).expect("a player")
}

/// Plays, and returns the standings, the log, and each board's gain.
fn run<G: Game, B: BoardSeries<G>>(
    boards: &B,
    players: &[&str],
    count: u32,
    threads: usize,
    resume: Option<&str>,
) -> (Vec<Standing>, String, Vec<f64>) {
    let spec = |name: &&str| name.parse::<Spec>().expect("a player").to_string();
    let names: Vec<String> = players.iter().map(spec).collect();
    let tournament = Tournament {
        boards,
        players: &names,
        seed: 3,
        count,
        until: None,
        threads,
    };
    let log = Log::new(&json!({ "seed": 3 }), &names);
    let logged = resume.map_or(Vec::new(), |text| log.read(text.as_bytes()).expect("a log"));
    let mut text = log.head();
    let mut gains = Vec::new();
    let seat = |number: usize, _| Ok(player(players[number]));
    let standings = tournament.run(seat, &logged, |event: &Event<G>, _| {
        text += &log.lines(event).concat();
        gains.extend(event.pairs.iter().map(|(_, result)| result.gain));
        ControlFlow::Continue(())
    });
    (standings.expect("standings"), text, gains)
}

const WHIST: WhistBoards = WhistBoards {
    seed: 11,
    cards: 6,
    strain: None,
};

const JASS: JassBoards = JassBoards {
    seed: 1,
    cards: 9,
    mode: None,
};

fn bridge(seed: u64) -> BridgeBoards {
    // A fixed contract: no double-dummy table is needed for each board.
    BridgeBoards {
        seed,
        goal: Goal::Score,
        contract: Some("3NTE".parse().expect("a contract")),
    }
}

#[test]
fn a_player_against_itself_gains_nothing() {
    for player in [
        "random",
        "simple",
        "mu:200",
        "ismcts:200",
        "pimc:4",
        "pimc:worlds=4,from=3,iterations=50",
    ] {
        let (_, _, gains) = run(&WHIST, &[player; 2], 6, 1, None);
        assert_eq!(gains, [0.0; 6], "{player}");
    }
    assert_eq!(run(&JASS, &["pimc:2"; 2], 6, 1, None).2, [0.0; 6]);
    assert_eq!(run(&bridge(1), &["mu:30"; 2], 4, 1, None).2, [0.0; 4]);
}

/// A player's boards against `simple` in a line: a hash of every card (32-bit FNV-1a), the gain on
/// each board, and the contracts made by both, by the first alone, by the second and by neither.
fn signature<G: Game>(boards: &impl BoardSeries<G>, player: &str, count: u32) -> String {
    let (standings, log, gains) = run(boards, &[player, "simple"], count, 1, None);
    let hash = log.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    let contracts = standings[0].contracts;
    format!("{} {player} {hash:08x} {gains:?} {contracts:?}\n", G::NAME)
}

/// Like the solver's bench signature: a change that is not meant to change a player leaves these
/// lines alone; any other change rewrites them.
const SIGNATURES: &str = "\
whist random 775b71b7 [-1.0, -2.0, -2.0, 0.0, 0.0] [0, 0, 0, 0]
whist mu:60 3b55a2f1 [0.0, -1.0, -1.0, 0.0, 1.0] [0, 0, 0, 0]
whist ismcts:iterations=60,rollout=simple be9d1b14 [-1.0, -1.0, 1.0, 1.0, 1.0] [0, 0, 0, 0]
whist pimc:3 38e4c444 [0.0, 0.0, -1.0, 0.0, 1.0] [0, 0, 0, 0]
whist pimc:worlds=3,exact=2,from=4,iterations=40 4ead562c [0.0, 1.0, -1.0, 0.0, 0.0] [0, 0, 0, 0]
jass random 0951bcc1 [-30.0, -11.0, -97.0, -20.0, -80.0] [0, 0, 0, 0]
jass mu:60 4cf30e98 [9.0, 29.0, 0.0, -7.0, 0.0] [0, 0, 0, 0]
jass pimc:3 4f9a0afc [-13.0, 32.0, 0.0, 38.0, 0.0] [0, 0, 0, 0]
bridge mu:20 ebdfbaaa [0.0, -150.0] [0, 0, 0, 2]
bridge pimc:2 3114466e [100.0, 0.0] [0, 0, 0, 2]
bridge exact:2 49ec386a [100.0, 50.0] [0, 0, 0, 2]
bridge random b6bed8d1 [-660.0, -700.0, -970.0] [0, 0, 3, 0]
";

#[test]
fn players_play_the_cards_that_they_did() {
    let jass = JassBoards { cards: 6, ..JASS };
    let at_par = BridgeBoards {
        contract: None,
        ..bridge(2)
    };
    let again = |line: &str| {
        let mut words = line.split(' ');
        let (game, player) = (
            words.next().expect("a game"),
            words.next().expect("a player"),
        );
        match (game, player) {
            (Whist::NAME, _) => signature(&WHIST, player, 5),
            (Jass::NAME, _) => signature(&jass, player, 5),
            (_, "random") => signature(&at_par, player, 3),
            _ => signature(&bridge(1), player, 2),
        }
    };
    let found: String = SIGNATURES.lines().map(again).collect();
    assert_eq!(found, SIGNATURES, "{found}");
}

#[test]
fn exchanged_players_give_the_negative() {
    let (_, _, one) = run(&WHIST, &["mu:100", "simple"], 20, 1, None);
    let (_, _, other) = run(&WHIST, &["simple", "mu:100"], 20, 1, None);
    assert!(one.iter().any(|&gain| gain != 0.0));
    assert_eq!(one, other.iter().map(|gain| -gain).collect::<Vec<_>>());
}

#[test]
fn logs_depend_on_neither_threads_nor_kills() {
    let players = ["simple", "mu:60", "random"];
    let (standing, log, _) = run(&WHIST, &players, 20, 1, None);
    let (again, two, _) = run(&WHIST, &players, 20, 3, None);
    assert_eq!((&standing, &log), (&again, &two));
    // Among the cuts: after the head, and after 3 and 11 tables; a round has six.
    let after = |lines: usize| log.split_inclusive('\n').take(lines).map(str::len).sum();
    for cut in [log.len() / 2, log.len() - 1, after(1), after(4), after(12)] {
        let (resumed, text, _) = run(&WHIST, &players, 20, 2, Some(&log[..cut]));
        assert_eq!((&standing, &log), (&resumed, &text));
    }
    let players = ["simple", "random"];
    let (standing, log, _) = run(&bridge(5), &players, 8, 1, None);
    for cut in [log.len() / 2, log.len() - 3, log.len()] {
        let (resumed, text, _) = run(&bridge(5), &players, 8, 2, Some(&log[..cut]));
        assert_eq!((&standing, &log), (&resumed, &text));
    }
}

#[test]
fn other_logs_are_refused() {
    let names = ["a".to_owned(), "b".to_owned()];
    let log = Log::new(&json!({ "seed": 1, "game": "whist" }), &names);
    let error = |text: &str| log.read(text.as_bytes()).expect_err("refused").to_string();
    let not_a_log = "it is not the log of a tournament: its first line does not say which";
    assert_eq!(error(""), not_a_log);
    assert_eq!(error("{}\n"), not_a_log);
    let other = Log::new(&json!({ "seed": 2, "game": "whist" }), &names);
    assert_eq!(
        error(&other.head()),
        "it is the log of another tournament: seed is 2 there, 1 here"
    );
    let others = Log::new(&json!({ "seed": 1, "game": "whist" }), &names[..1]);
    assert!(error(&others.head()).starts_with("it is the log of another tournament: players"));
    let damaged = format!("{}{{}}\n", log.head());
    assert_eq!(
        error(&damaged),
        "line 2: missing field `board` at line 1 column 2"
    );
    assert!(error("% PBN 2.1\n% {}\n").starts_with("it is a file of PBN"));
    // A pipe without an end is not read without one.
    let endless = std::io::BufReader::new(std::io::repeat(b'0'));
    assert_eq!(
        log.read(endless).expect_err("refused").to_string(),
        "line 1: longer than 1048576 bytes"
    );
}

/// Plays the first legal card.
#[derive(Clone, Copy)]
struct First {
    /// From this card of a board on it plays cards that it does not hold.
    wrong: usize,
    /// At this card it fails.
    fails: usize,
    played: usize,
}

/// Plays right.
const FIRST: First = First {
    wrong: 99,
    fails: 99,
    played: 0,
};

impl<G: Game> Player<G> for First {
    fn new_board(&mut self) {
        self.played = 0;
    }

    fn choose(
        &mut self,
        view: &View<G>,
        _: &mut fastrand::Rng,
    ) -> Result<PlayerChoice, PlayerError> {
        self.played += 1;
        if self.played == self.fails {
            return Err(PlayerError::NothingToPlay);
        }
        let others = view.history().first().copied();
        let wrong = others.filter(|_| self.played >= self.wrong);
        let card = wrong.or(view.legal().iter().next());
        Ok(PlayerChoice {
            card: card.ok_or(PlayerError::NothingToPlay)?,
            worth: Vec::new(),
            layouts: 3,
            effective: 1.5,
        })
    }
}

/// Plays at most 40 boards of whist with two such players, and returns the events.
fn events(
    threads: usize,
    until: Option<f64>,
    players: [First; 2],
) -> Result<Vec<Event<Whist>>, TournamentError> {
    let names = ["a".to_owned(), "b".to_owned()];
    let tournament = Tournament {
        boards: &WHIST,
        players: &names,
        seed: 3,
        count: 40,
        until,
        threads,
    };
    let mut events = Vec::new();
    let seat =
        |player: usize, _| -> Result<Box<dyn Player<Whist>>, _> { Ok(Box::new(players[player])) };
    let standings = tournament.run(seat, &[], |event, _| {
        events.push(event.clone());
        ControlFlow::Continue(())
    })?;
    assert_eq!(standings[0].boards as usize, events.len());
    Ok(events)
}

#[test]
fn the_rest_of_a_forfeited_board_is_the_other_sides() {
    let wrong = First { wrong: 3, ..FIRST };
    let played = events(2, None, [wrong, FIRST]).expect("events");
    assert_eq!(played.len(), 40);
    for Event { board, pairs, .. } in &played {
        let (tables, _) = &pairs[0];
        for (table, forfeiting) in tables.iter().zip([[0, 2], [1, 3]]) {
            let forfeit = table.forfeit.as_ref().expect("a forfeit");
            assert!(forfeiting.contains(&forfeit.seat.index()));
            assert!(
                forfeit.problem.contains(&table.cards[0].to_string()),
                "{forfeit:?}"
            );
            // Two tricks are finished or under way; the other seats have all remaining cards.
            let (ours, theirs) = (forfeiting[0], 1 - forfeiting[0]);
            assert!(table.tally.tricks[ours] <= 2, "{table:?}");
            assert_eq!(table.tally.tricks[ours] + table.tally.tricks[theirs], 6);
            let again = replay(board, &table.cards, table.forfeit.clone()).expect("a result");
            assert_eq!(&again, table);
        }
    }
}

#[test]
fn decisions_are_those_with_a_choice() {
    let played = events(2, None, [FIRST; 2]).expect("events");
    for event in &played {
        let mut choices = 0;
        for table in &event.pairs[0].0 {
            assert_eq!(table.forfeit, None);
            let mut state = event.board.table().expect("a table");
            for &card in &table.cards {
                choices += u64::from(state.view().legal().len() > 1);
                state.play(card).expect("legal");
            }
        }
        let mut all = Decisions::default();
        event.decisions.iter().flatten().for_each(|of| all.add(of));
        let counted = (all.count, all.layouts, all.effective);
        assert_eq!(counted, (choices, 3 * choices, 1.5 * choices as f64));
    }
}

#[test]
fn a_tournament_ends_after_the_round_in_which_it_is_decided() {
    // Equal players have no gain over each other.
    let boards = [1e9, -1.0, 0.0].map(|until| {
        let played = events(2, Some(until), [FIRST; 2]);
        played.expect("events").len()
    });
    assert_eq!(boards, [16, 40, 16]);
}

#[test]
fn a_player_that_fails_ends_the_tournament() {
    let fails = First { fails: 5, ..FIRST };
    for threads in [1, 2] {
        let error = events(threads, None, [FIRST, fails]).expect_err("a failure");
        assert_eq!(
            error.to_string(),
            "board 1, a against b: there is no card to choose"
        );
    }
}

/// Programs of other people, started by a shell.
#[cfg(unix)]
#[test]
fn programs_that_answer_nothing_of_use_forfeit() {
    let problem = |command: &str| {
        let spec: Spec = format!("external:{command}").parse().expect("a player");
        let roster = Roster {
            time: Some(std::time::Duration::from_millis(300)),
            ..Roster::default()
        };
        let mut player = roster.player::<Whist>(&spec).expect("a player");
        let board = WHIST.board(1).expect("a board");
        let table = board.table().expect("a table");
        match player.choose(&table.view(), &mut generator(&[1])) {
            Ok(choice) => format!("plays {}", choice.card),
            Err(error) => error.to_string(),
        }
    };
    for (command, wanted) in [
        ("true", "it has ended"),
        ("sh -c 'read line; echo no'", "\"no\" is not a card"),
        (
            "sh -c 'read line; exec yes x | tr -d \"\\n\"'",
            "a line of more than 1024 bytes",
        ),
        ("sleep 60", "no card within 0.3 s"),
        (r#"sed -u 's/.*"legal":\["\(..\)".*/\1/'"#, "plays "),
        (
            r#"sed -u 's/.*"hands".*/C2/'"#,
            "cannot be played; the legal cards are",
        ),
    ] {
        let found = problem(command);
        assert!(found.contains(wanted), "{command}: {found}");
    }
}

#[test]
fn sensible_players_beat_random_ones() {
    let whist = WhistBoards {
        seed: 2,
        cards: 7,
        strain: None,
    };
    for player in [
        "simple",
        "mu:300",
        "ismcts:300",
        "ismcts:iterations=300,rollout=simple",
        "pimc:5",
    ] {
        let mean = run(&whist, &[player, "random"], 24, 1, None).0[0].mean();
        assert!(mean > 0.5, "{player}: {mean}");
    }
    for player in ["simple", "mu:200", "ismcts:200", "pimc:worlds=3,exact=3"] {
        let mean = run(&JASS, &[player, "random"], 24, 1, None).0[0].mean();
        assert!(mean > 5.0, "{player}: {mean}");
    }
}

#[test]
fn wrong_players_are_refused() {
    for (text, expected) in [
        (
            "gib",
            "there is no player \"gib\"; there are random, simple, mu, ismcts, pimc, exact and external:COMMAND",
        ),
        (
            "pimc:speed=3",
            "pimc has no parameter \"speed\"; it has worlds, time, memory, rules, exact, from, iterations",
        ),
        ("random:3", "random has no parameter \"\"; it has none"),
        ("mu:2,20", "mu has iterations twice: 20 after 2"),
        ("pimc:0", "worlds=0 of pimc: expected 1 to 10000"),
        (
            "ismcts:rollout=best",
            "rollout=best of ismcts: expected random or simple",
        ),
        ("pimc:from=14", "from=14 of pimc: expected 1 to 13"),
        (
            "external:",
            "player \"\" cannot be started: no command was given",
        ),
        (
            "external:sh -c 'exit",
            "player \"sh -c 'exit\" cannot be started: a quotation mark is not closed",
        ),
    ] {
        let spec = text.parse();
        let player = spec.and_then(|spec: Spec| Roster::default().player::<Whist>(&spec));
        let error = player.err().expect(text);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn pimc_may_leave_the_first_tricks_to_ismcts() {
    let mut both = player("pimc:worlds=4,from=3,iterations=60");
    let (mut ismcts, mut pimc) = (player("ismcts:60"), player("pimc:4"));
    let mut simple = player::<Whist>("simple");
    let mut compared = [0, 0];
    for number in 1..=4 {
        let board = WHIST.board(number).expect("a board");
        let mut table = board.table().expect("a table");
        for player in [&mut both, &mut ismcts, &mut pimc] {
            player.new_board();
        }
        while !table.state().is_over() {
            let view = table.view();
            let rng = || generator(&[view.history().len() as u64]);
            let card = simple.choose(&view, &mut rng()).expect("a card").card;
            if view.observer() == Seat::North {
                let late = view.tricks_left() <= 3;
                let other = if late { &mut pimc } else { &mut ismcts };
                let expected = other.choose(&view, &mut rng()).expect("a card");
                let choice = both.choose(&view, &mut rng()).expect("a card");
                assert_eq!(choice, expected);
                compared[usize::from(late)] += usize::from(!choice.worth.is_empty());
            }
            table.play(card).expect("legal");
        }
    }
    assert!(compared[0] > 0 && compared[1] > 0, "{compared:?}");
}
