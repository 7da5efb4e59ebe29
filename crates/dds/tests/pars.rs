//! Par compared with recorded answers of DDS 2.9, which `scripts/record_pars.py` writes.

use std::ffi::{c_char, c_int};

use dds::abi::{ParResults, ParResultsDealer, ParResultsMaster, ParTextResults, TableResults};
use dds::{
    ConvertToDealerTextFormat, ConvertToSidesTextFormat, DealerPar, DealerParBin, Par, SidesPar,
    SidesParBin,
};

/// All that C may be told, zeroed as a client would.
fn zeroed<T>() -> T {
    // SAFETY: the types of the interface are integers and arrays of them.
    unsafe { std::mem::zeroed() }
}

/// The text in a field, up to its end.
fn words(field: &[c_char]) -> String {
    let bytes = field.iter().map(|&byte| byte as u8);
    let bytes: Vec<u8> = bytes.take_while(|&byte| byte != 0).collect();
    String::from_utf8(bytes).expect("ASCII")
}

fn contracts(par: &ParResultsDealer) -> String {
    let contracts = par.contracts[..par.number as usize].iter();
    let contracts: Vec<String> = contracts.map(|contract| words(contract)).collect();
    format!("{} {}", par.score, contracts.join(","))
}

#[test]
fn par_is_what_dds_answered() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/pars.txt");
    let recorded = std::fs::read_to_string(file).expect("the file is there");
    let digit = |byte: u8| char::from(byte).to_digit(16).expect("a number") as c_int;
    for line in recorded.lines() {
        let mut fields = line.split('\t');
        let mut next = || fields.next().expect("a field").as_bytes();
        let (tricks, numbers) = (next(), next());
        let mut table: TableResults = zeroed();
        for (tricks, &byte) in table.tricks.as_flattened_mut().iter_mut().zip(tricks) {
            *tricks = digit(byte);
        }
        let (vulnerable, dealer) = (digit(numbers[0]), digit(numbers[1]));
        let mut par: ParResults = zeroed();
        let (mut sides, mut one): ([ParResultsDealer; 2], ParResultsDealer) = zeroed();
        let (mut of_sides, mut number): ([ParResultsMaster; 2], ParResultsMaster) = zeroed();
        let (mut told, mut text): ([c_char; 256], ParTextResults) = zeroed();
        let table = &raw mut table;
        // SAFETY: all pointers are to values of their types, those of two to two.
        let codes = unsafe {
            [
                Par(table, &raw mut par, vulnerable),
                SidesPar(table, sides.as_mut_ptr(), vulnerable),
                DealerPar(table, &raw mut one, dealer, vulnerable),
                DealerParBin(table, &raw mut number, dealer, vulnerable),
                SidesParBin(table, of_sides.as_mut_ptr(), vulnerable),
                ConvertToDealerTextFormat(&raw mut number, told.as_mut_ptr()),
                ConvertToSidesTextFormat(of_sides.as_mut_ptr(), &raw mut text),
            ]
        };
        assert_eq!(codes, [1; 7], "{line}");
        let found = [
            words(&par.score[0]),
            words(&par.score[1]),
            words(&par.contracts[0]),
            words(&par.contracts[1]),
            contracts(&sides[0]),
            contracts(&sides[1]),
            contracts(&one),
            words(&told),
            words(&text.text[0]),
            words(&text.text[1]),
            text.equal.to_string(),
        ];
        let expected: Vec<&str> = line.split('\t').skip(2).collect();
        assert_eq!(
            found.each_ref().map(String::as_str)[..],
            expected[..],
            "{line}"
        );
    }
    assert_eq!(recorded.lines().count(), 300);
}
