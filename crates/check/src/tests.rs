//! Whole, changed and random certificates. Miri runs these, too:
//! `cargo +nightly miri test -p setrograde-check`.

use flate2::Compression;
use flate2::bufread::GzEncoder;

use super::*;

/// The certificate of `docs/certificate.md`, decompressed.
const EXAMPLE: &[u8] = b"setrograde certificate 1\n\
    N:.AK.. QJ... A.J.. K.Q..\n\
    2 0 2 0 1 1 1 1 2 0 2 0 2 0 2 0 2 0 2 0\n\
    \x01\0\x01\0\x01\0\
    \0\x21\0\x10\0\x21\0\x21\0\x10\0\x21\0\x21\0\x10\0\x21";

/// The first byte of the deal, of the results, and after them.
const DEAL: usize = 25;
const RESULTS: usize = 51;
const MOVES: usize = 91;

fn refused(bytes: &[u8]) -> String {
    check(bytes).expect_err("a changed certificate").to_string()
}

#[test]
fn a_certificate_is_accepted() {
    let proved = check(EXAMPLE).expect("a certificate");
    assert_eq!(proved.deal, "N:.AK.. QJ... A.J.. K.Q..");
    assert_eq!(proved.results[..8], [2, 0, 2, 0, 1, 1, 1, 1].map(Some));
    assert_eq!(proved.lemmas, 9);
    let text = "N:.AK.. QJ... A.J.. K.Q..\n      NT   S   H   D   C\n  N    2   1   2   2   2\n";
    assert!(proved.to_string().starts_with(text), "{proved}");
}

#[test]
fn a_refusal_names_the_lemma() {
    let mut changed = EXAMPLE.to_vec();
    changed[RESULTS] = b'1';
    assert_eq!(
        refused(&changed),
        "lemma 2, at NT: E leads, EW take 1 of 2: 0211 2011N 0000 0000: \
         it would need S leads, EW take 1 of 0: 0000 0000 0000 0000"
    );
    // Diamonds: South leads a spade instead of a heart.
    let mut changed = EXAMPLE.to_vec();
    changed[MOVES + 2] = 0;
    let error = refused(&changed);
    assert!(
        error.starts_with("lemma 5, at D: S leads, NS take 2 of 2:"),
        "{error}"
    );
    assert!(
        error.contains("it would need W leads, NS take 1 of 0:"),
        "{error}"
    );
}

#[test]
fn results_may_be_left_out() {
    // No lemma is read at spades.
    let mut changed = EXAMPLE.to_vec();
    changed[RESULTS + 10] = b'-';
    let proved = check(&changed).expect("a certificate");
    assert_eq!(proved.results[4..8], [Some(1), None, Some(1), Some(1)]);
    assert!(
        proved.to_string().contains("\n  E    0   -   0"),
        "{proved}"
    );
    changed[RESULTS + 10] = b'+';
    assert_eq!(refused(&changed), "its third line is not 20 results");
}

#[test]
fn other_forms_are_refused() {
    let change = |from: usize, to: usize, by: &[u8]| {
        let changed = [&EXAMPLE[..from], by, &EXAMPLE[to..]].concat();
        refused(&changed)
    };
    assert_eq!(refused(b""), "it is no certificate, or of another version");
    assert_eq!(
        change(23, 24, b"2"),
        "it is no certificate, or of another version"
    );
    for deal in [
        "N:.AK.. QJ... A.J.. K.Q",
        "N:.AK.. QJ... A.J.. K.Q.. ",
        "N:.AK.. QJ... A.J.. K.J..",
        "N:.AK.. QJ... A.J.. K.QT..",
        "N:... ... ... ...",
        "S:.AK.. QJ... A.J.. K.Q..",
        "N:.AK.. QJ... A.J.. K.1..",
    ] {
        assert_eq!(
            change(DEAL, RESULTS - 1, deal.as_bytes()),
            "its second line is no deal"
        );
    }
    let fault = "its third line is not 20 results";
    assert_eq!(change(RESULTS, RESULTS + 1, b"3"), fault);
    assert_eq!(change(RESULTS, RESULTS + 2, b""), fault);
    assert_eq!(change(RESULTS, RESULTS, b"0 "), fault);
    // A number has one form.
    for number in ["02", "+2", "-0", "0_2", " 2", "\t2", "2\r", "258", "²"] {
        assert_eq!(change(RESULTS, RESULTS + 1, number.as_bytes()), fault);
    }
    let dashes = ["-"; 20].join(" ");
    assert_eq!(
        change(RESULTS, MOVES - 1, dashes.as_bytes()),
        "it states no result, so it proves nothing"
    );
    let error = change(MOVES, EXAMPLE.len(), b"\0");
    assert!(error.ends_with("0000 0000: it ends too soon"), "{error}");
    let end = EXAMPLE.len() - 18;
    assert_eq!(
        change(end, end, b"\0"),
        "it has more bytes than its lemmas need"
    );
}

/// A changed certificate proves the same results or none.
#[test]
fn changed_bits_prove_nothing_else() {
    let results = check(EXAMPLE).expect("a certificate").results;
    let mut accepted = 0;
    for bit in (8 * RESULTS..8 * EXAMPLE.len()).step_by(if cfg!(miri) { 23 } else { 1 }) {
        let mut changed = EXAMPLE.to_vec();
        changed[bit / 8] ^= 1 << (bit % 8);
        if let Ok(proved) = check(&changed) {
            assert_eq!(proved.results, results);
            accepted += 1;
        }
        assert!(check(&EXAMPLE[..bit / 8]).is_err());
    }
    assert!(accepted < 40, "{accepted}");
}

/// After the lines of an ending of several cards anything may follow.
#[test]
fn random_bytes_are_refused() {
    let mut state = 1_u64;
    let mut random = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 56) as u8
    };
    for round in 0..if cfg!(miri) { 20 } else { 2_000 } {
        let mut bytes = b"setrograde certificate 1\n\
            N:AJ.T9.. KT.J8.. Q9.A.2. 8.KQ..3\n\
            2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2\n"
            .to_vec();
        let count = round % 200;
        // Few known cards: such lemmas are followed to the end.
        bytes.extend((0..4 * count).map(|_| random() & 1));
        bytes.extend((0..2 * count).map(|_| random() & 0x11));
        refused(&bytes);
    }
}

#[test]
fn a_file_that_is_no_gzip_is_refused() {
    let error = read(&mut &EXAMPLE[..]).expect_err("not compressed");
    assert_eq!(error.to_string(), "invalid gzip header");
}

/// What is long but says little is refused, and only the bytes that were read allow comparisons.
#[test]
fn long_files_are_refused() {
    let packed = |bytes: &[u8]| {
        let mut packed = GzEncoder::new(bytes, Compression::best());
        let mut file = Vec::new();
        packed.read_to_end(&mut file).expect("memory");
        file
    };
    assert_eq!(
        read(&mut &packed(EXAMPLE)[..]).expect("gzip").as_deref(),
        Some(EXAMPLE)
    );
    let padded = [EXAMPLE, &[0; 1 << 16]].concat();
    let error = read(&mut &packed(&padded)[..]).expect_err("padding");
    assert_eq!(
        error.to_string(),
        "it is longer, decompressed, than a certificate may be"
    );
    let mut cut = packed(EXAMPLE);
    cut.pop();
    read(&mut &cut[..]).expect_err("no trailer");

    let blanks = format!("{TITLE}\nN:{}\n", " ".repeat(1 << 20));
    assert_eq!(refused(blanks.as_bytes()), "its second line is no deal");
}
