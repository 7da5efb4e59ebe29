//! A desk keeps what it has learned.

use std::ffi::{CString, c_char};
use std::ptr::{null, null_mut};
use std::time::{Duration, Instant};

use setrograde_ask::{CDesk, sg_desk_ask, sg_desk_free, sg_desk_new};

/// Asks a question at a desk with a time in seconds.
fn ask_at(desk: *mut CDesk, question: &str, seconds: f64) -> String {
    let question = CString::new(question).expect("no 0 inside");
    let mut answer = vec![0_u8; 1 << 16];
    let to = answer.as_mut_ptr().cast::<c_char>();
    // SAFETY: the desk was not freed, the question ends in 0, and the answer has this room.
    let length = unsafe { sg_desk_ask(desk, question.as_ptr(), seconds, to, answer.len()) };
    answer.truncate(usize::try_from(length).expect("an answer"));
    String::from_utf8(answer).expect("JSON")
}

/// The second table of a deal takes a twentieth of the time of the first, or less.
#[test]
fn the_second_table_of_a_deal_is_known() {
    let question = r#"{"ask": "table",
        "question": "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76"}"#;
    // SAFETY: a null directory is the database in use.
    let desk = unsafe { sg_desk_new(null()) };
    assert!(!desk.is_null());
    let ask = || {
        let begun = Instant::now();
        let answer = ask_at(desk, question, 60.0);
        (begun.elapsed(), answer)
    };
    let (first_time, first) = ask();
    // The machine may interrupt one of them.
    let seconds: Vec<(Duration, String)> = (0..5).map(|_| ask()).collect();
    assert!(first.contains("\"tricks\""), "{first}");
    assert!(seconds.iter().all(|(_, answer)| *answer == first));
    let quickest = seconds.iter().map(|&(time, _)| time).min().expect("five");
    assert!(quickest < first_time / 20, "{quickest:?} {first_time:?}");
    // SAFETY: it was not freed, and no call uses it.
    unsafe { sg_desk_free(desk) };
}

/// A stop of one question does not stop the next one.
#[test]
fn time_is_each_calls_own() {
    let hard = r#"{"ask": "claim", "question": "NT W N:AK5.KJ42.Q73.A64 ? QJT92.A3.K64.852 ?",
        "assume": true}"#;
    let easy = r#"{"ask": "solve", "question": "NT S N:AQ... 76... 54... K3..."}"#;
    // SAFETY: a null directory is the database in use.
    let desk = unsafe { sg_desk_new(null()) };
    let stopped = ask_at(desk, hard, 1e-6);
    assert!(stopped.contains("\"interrupted\""), "{stopped}");
    let solved = ask_at(desk, easy, 60.0);
    assert!(solved.contains("\"tricks\":2"), "{solved}");
    // SAFETY: it was not freed, and no call uses it.
    unsafe { sg_desk_free(desk) };
}

#[test]
fn what_is_missing_is_an_error() {
    let directory = CString::new("/there/is/no/database").expect("no 0 inside");
    // SAFETY: the directory ends in 0; null pointers are allowed.
    unsafe {
        assert!(sg_desk_new(directory.as_ptr()).is_null());
        assert_eq!(sg_desk_ask(null_mut(), null(), 0.0, null_mut(), 0), -2);
        let desk = sg_desk_new(null());
        assert_eq!(sg_desk_ask(desk, null(), 0.0, null_mut(), 0), -2);
        sg_desk_free(desk);
        sg_desk_free(null_mut());
    }
}
