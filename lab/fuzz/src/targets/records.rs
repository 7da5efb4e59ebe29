//! A file of records. The bytes of the games of a PBN file are those of the
//! file, and writing results into it twice is writing them once.

use setrograde_records::pbn::Games;
use setrograde_records::{Board, DoubleDummy, Options, RecordError, Records};

pub fn seeds() -> Vec<Vec<u8>> {
    [
        "% PBN 2.1\n[Event \"##Cup\"]\n[Board \"1\"]\n[West \"W\"]\n[Dealer \"N\"]\n\
         [Vulnerable \"None\"]\n[Deal \"N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 \
         Q2.AJT8532.2.A76\"]\n[Declarer \"W\"]\n[Contract \"4HX\"]\n[Result \"9\"]\n{note}\n\
         [Auction \"N\"]\nPass 1S Pass =1= 4H\nX AP\n[Play \"N\"]\nS3 SJ S7 S2\nS4 SA S8 SQ\n\
         - - - *\n[DoubleDummyTricks \"57543575437579875798\"]\n[OptimumScore \"EW 620\"]\n\
         [OptimumResultTable \"Declarer;Denomination\\2R;Result\\2R\"]\nN NT 5\n\n\
         [Board \"2\"]\n[Dealer \"#\"]\n[Deal \"N:- - - -\"]\n",
        "vg|Cup,1,I,1,4,A,0,B,0|\nrs|3NS=,3NS+1,PASS,|\npn|a,b,c,d|pg||\nqx|o1|\
         md|3SKQT7HT92DA654CK6,S4HAQ765DK9CAQJ32,S653HKJ43DJ32C987,|sv|o|mb|p|mb|1S|mb|ppp|\
         pc|s5|pc|s8|mc|9|pg||\nah|Board 2|md|1,,,|",
        "NUMBER 1\nPBN 0 0 4 0 \"N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 \
         AT942.AQ4.32.KJ3\"\nFUT 1 2 5 16 5\nTABLE 5 8 5 8 6 6 6 6 5 7 5 7 7 5 7 5 6 6 6 6\n\
         PAR \"NS -110\" \"EW 110\" \"NS:EW 2S\" \"EW:EW 2S\"\nPAR2 \"-110\" \"2S-EW\"\n\
         PLAY 2 \"CTC4\"\nTRACE 3 8 8 8\n",
        "T5.K4.652.A98542 K6.QJT976.QT7.Q6 432.A.AKJ93.JT73 AQJ987.8532.84.K:65658888888843433232",
        "# deals\nN:A... K... Q... J...\nNT W N:A.K.. K.A.. Q.Q.. J.J..\n",
    ]
    .map(|file| file.as_bytes().to_vec())
    .to_vec()
}

pub fn run(file: &[u8]) {
    let options = Options::default().keep_names(true);
    match Records::with_options(file, "file", options) {
        Ok(boards) => boards.for_each(check),
        // The encoding or the ends of its lines are not read.
        Err(error) => assert!(error.to_string().len() < 1_000),
    }
    let results = DoubleDummy {
        tricks: Some([[7; 4]; 5]),
        par_score: Some(90),
        par_contract: Some("NS 1NT".to_owned()),
        play: Some(vec!["AK...".parse().expect("a hand")]),
    };
    let mut whole = Vec::new();
    let mut once = Vec::new();
    for game in Games::new(file, "file") {
        let game = game.expect("no error of a slice");
        whole.extend_from_slice(game.bytes());
        once.extend(game.with_double_dummy(&results));
    }
    assert!(whole == file, "bytes are lost");
    let twice: Vec<u8> = Games::new(&once[..], "file")
        .flat_map(|game| {
            game.expect("no error of a slice")
                .with_double_dummy(&results)
        })
        .collect();
    assert!(once == twice, "a second time changes the file");
}

fn check(board: Result<Board, RecordError>) {
    match board {
        Ok(board) => {
            let tricks = board.double_dummy.tricks.unwrap_or_default();
            assert!(tricks.as_flattened().iter().all(|&n| n <= 13));
            let known = board.hands.iter().all(Option::is_some);
            assert_eq!(board.deal().is_some(), known);
            let _ = board.tricks_played();
        }
        Err(error) => assert!(error.to_string().len() < 1_000),
    }
}
