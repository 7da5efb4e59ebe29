//! A file of records. The bytes of the games of a PBN file are those of the
//! file, and writing results into it twice is writing them once.

use setrograde_cards::Deal;
use setrograde_records::pbn::Games;
use setrograde_records::{
    Board, DoubleDummy, Format, Options, RecordError, Records, dlm, write_bri, write_dup,
};

pub fn seeds() -> Vec<Vec<u8>> {
    let deal = "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76";
    let deal: Deal = deal.parse().expect("a deal");
    let dealt = [
        write_dup(3, &[deal, deal]),
        write_bri(&[deal, deal]),
        dlm::write(&[(1, deal), (9, deal)].into()).into_bytes(),
    ];
    let texts = [
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
        "Donne 7. Donneur Sud; NS vul\n      Nord\n    \u{2660} RDV1064\n    \u{2665} AV52\n    \u{2666} 6\n    \u{2663} A3\nOuest         Est\n\
         \u{2660} 5           \u{2660} 83\n\u{2665} D96         \u{2665} 103\n\u{2666} RV9872      \u{2666} D104\n\u{2663} R95         \u{2663} DV8762\n\
         Sud: \u{2660} A972 \u{2665} R874 \u{2666} A53 \u{2663} 104\n2 \u{2665} Pass 4 \u{2660} All Pass\n",
        "Board 1\nNorth (Ann)\nS: KQJT64\nH: AJ52\nD: 6\nC: A3\nW\n(S) 5\n[H] Q96\nDiamonds KJ9872\n\
         c K95\nN\nW E\nS\nE: 83.T3.QT4.QJ8762\nDealer:\nNorth\n",
        "<USEBIO><EVENT EVENT_TYPE='PAIRS'><SECTION SECTION_ID='A'><BOARD><BOARD_NUMBER>1</BOARD_NUMBER>\
         <TRAVELLER_LINE><NS_PAIR_NUMBER>1</NS_PAIR_NUMBER><CONTRACT>4 S</CONTRACT><PLAYED_BY>N</PLAYED_BY>\
         <TRICKS>10</TRICKS><NS_MATCH_POINTS>1.2</NS_MATCH_POINTS></TRAVELLER_LINE><HAND>\
         <DIRECTION>N</DIRECTION><SPADES>AK</SPADES></HAND></BOARD></SECTION></EVENT></USEBIO>",
        "From board=1\nTo board=1\nDuplicates 01=1\nBoard 01=fnbkmmincldklcfcofoiefnapm018\n",
        "[Board \"1\"]\n\n[Table \"3\"]\n[ScoreTable \"Table\\2R;Contract\\4L;Declarer;Result\"]\n 1 4S N 10\n",
        "https://x.example/?deal=('KQJT64.AJ52.6.A3 83.T3.QT4.QJ8762 A972.K874.A53.T4 5.Q96.KJ9872.K95', 'E N-S 1H')\n",
        "% RBN 3.2\nD 20260101\nT Cup\nN Ann+Bob:Cy+Di:O\nB 7\n\
         H N:T543.KQ4.43.9542:AKJ96.6.AKT5.QJ3:87.97.QJ9876.KT8:Q2.AJT8532.2.A76\nA NN:1SP4SA\n\
         {A long\nremark}\nR 10\n\nN Eve+Fay:Gus+Hal:C\nA NN:1SP2N^1X:RA\n1 strong\n",
    ];
    let texts = texts.map(|file| file.as_bytes().to_vec());
    let examples = Format::all().map(|(format, _)| format.guide().example.into());
    texts.into_iter().chain(dealt).chain(examples).collect()
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
