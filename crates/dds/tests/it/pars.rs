//! Par compared with recorded answers of DDS 2.9, which `lab/scripts/record_pars.py` writes.

use std::ffi::{c_char, c_int};

use dds::abi::{
    ParResults, ParResultsDealer, ParResultsMaster, ParTextResults, TableDeal, TableResults,
};
use dds::{
    CalcAllTables, CalcPar, ConvertToDealerTextFormat, ConvertToSidesTextFormat, DealerPar,
    DealerParBin, Par, SidesPar, SidesParBin,
};

/// All that C may receive, zeroed as a client would.
fn zeroed<T>() -> T {
    // SAFETY: the types of the interface are integers and arrays of them.
    unsafe { std::mem::zeroed() }
}

/// The text in a field, up to its end.
fn words(field: &[c_char]) -> String {
    let bytes: Vec<u8> = field
        .iter()
        .map(|&byte| byte as u8)
        .take_while(|&byte| byte != 0)
        .collect();
    String::from_utf8(bytes).expect("ASCII")
}

fn contracts(par: &ParResultsDealer) -> String {
    let contracts: Vec<String> = par.contracts[..par.number as usize]
        .iter()
        .map(|contract| words(contract))
        .collect();
    format!("{} {}", par.score, contracts.join(","))
}

/// The answers of all functions for these tricks of each strain's declarers.
fn ask(tricks: [[c_int; 4]; 5], vulnerable: c_int, dealer: c_int) -> [String; 11] {
    let mut table: TableResults = zeroed();
    table.tricks = tricks;
    let mut par: ParResults = zeroed();
    let (mut sides, mut one): ([ParResultsDealer; 2], ParResultsDealer) = zeroed();
    let (mut of_sides, mut number): ([ParResultsMaster; 2], ParResultsMaster) = zeroed();
    let (mut converted, mut text): ([c_char; 256], ParTextResults) = zeroed();
    let table = &raw mut table;
    // SAFETY: all pointers are to values of their types, those of two to two.
    let codes = unsafe {
        [
            Par(table, &raw mut par, vulnerable),
            SidesPar(table, sides.as_mut_ptr(), vulnerable),
            DealerPar(table, &raw mut one, dealer, vulnerable),
            DealerParBin(table, &raw mut number, dealer, vulnerable),
            SidesParBin(table, of_sides.as_mut_ptr(), vulnerable),
            ConvertToDealerTextFormat(&raw mut number, converted.as_mut_ptr()),
            ConvertToSidesTextFormat(of_sides.as_mut_ptr(), &raw mut text),
        ]
    };
    assert_eq!(codes, [1; 7], "{tricks:?}");
    [
        words(&par.score[0]),
        words(&par.score[1]),
        words(&par.contracts[0]),
        words(&par.contracts[1]),
        contracts(&sides[0]),
        contracts(&sides[1]),
        contracts(&one),
        words(&converted),
        words(&text.text[0]),
        words(&text.text[1]),
        text.equal.to_string(),
    ]
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
        let mut table = [[0; 4]; 5];
        for (tricks, &byte) in table.as_flattened_mut().iter_mut().zip(tricks) {
            *tricks = digit(byte);
        }
        let found = ask(table, digit(numbers[0]), digit(numbers[1]));
        let expected: Vec<&str> = line.split('\t').skip(2).collect();
        assert_eq!(
            found.each_ref().map(String::as_str)[..],
            expected[..],
            "{line}"
        );
    }
    assert_eq!(recorded.lines().count(), 300);
}

/// Tables of random numbers, and of deals in which both declarers of a side take about as many
/// tricks. A change that claims not to change par leaves the fingerprint (FNV-1a) as it is.
#[test]
fn par_is_what_it_was() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut fingerprint = 0xcbf2_9ce4_8422_2325_u64;
    for n in 0..20_000 {
        let mut row = || {
            let north = rng.i32(0..14);
            let mut near = |tricks: i32| (tricks - rng.i32(0..12) / 10).clamp(0, 13);
            let like_a_deal = [north, 13 - north, north, 13 - north].map(&mut near);
            match n % 2 {
                0 => [(); 4].map(|()| rng.i32(0..14)),
                _ => like_a_deal,
            }
        };
        let tricks = [(); 5].map(|()| row());
        for answer in ask(tricks, n / 2 % 4, n / 8 % 4) {
            for byte in answer.bytes().chain([b'\n']) {
                fingerprint = (fingerprint ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    assert_eq!(fingerprint, 7_558_153_454_102_932_740);
}

/// Numbers outside the codes of vulnerability, dealer, seat, strain and level are refused, and
/// nothing is written.
#[test]
fn codes_out_of_range_are_refused() {
    let mut table: TableResults = zeroed();
    table.tricks = [[9, 4, 9, 4]; 5];
    let table = &raw mut table;
    let mut par: ParResults = zeroed();
    let (mut sides, mut one): ([ParResultsDealer; 2], ParResultsDealer) = zeroed();
    let (mut of_sides, mut number): ([ParResultsMaster; 2], ParResultsMaster) = zeroed();
    let (mut deal, mut results): (TableDeal, TableResults) = zeroed();
    for (hand, suits) in deal.cards.iter_mut().enumerate() {
        suits[hand] = 0x7ffc;
    }
    let mut asked = |vulnerable: c_int, dealer: c_int| {
        // SAFETY: all pointers are to values of their types, those of two to two.
        unsafe {
            [
                Par(table, &raw mut par, vulnerable),
                SidesPar(table, sides.as_mut_ptr(), vulnerable),
                SidesParBin(table, of_sides.as_mut_ptr(), vulnerable),
                DealerPar(table, &raw mut one, dealer, vulnerable),
                DealerParBin(table, &raw mut number, dealer, vulnerable),
                CalcPar(deal, vulnerable, &raw mut results, &raw mut par),
            ]
        }
    };
    for code in [-1, 4, 5, c_int::MAX, c_int::MIN] {
        assert_eq!(asked(code, 0), [-1; 6], "{code}");
        assert_eq!(asked(0, code), [1, 1, 1, -1, -1, 1], "{code}");
    }
    assert_eq!(asked(3, 3), [1; 6]);

    let mut filter = [0; 5];
    let mut many: dds::abi::AllParResults = zeroed();
    let mut tables: dds::abi::TablesResults = zeroed();
    let mut deals: dds::abi::TableDeals<TableDeal> = zeroed();
    deals.count = 1;
    deals.deals[0] = deal;
    for (mode, code) in [(-2, -1), (4, -1), (c_int::MAX, -1), (-1, 1), (3, 1)] {
        // SAFETY: as above.
        let found = unsafe {
            let (deals, filter) = (&raw mut deals, filter.as_mut_ptr());
            CalcAllTables(deals, mode, filter, &raw mut tables, &raw mut many)
        };
        assert_eq!(found, code, "{mode}");
    }

    let (mut converted, mut text): ([c_char; 256], ParTextResults) = zeroed();
    let mut worded = |par: ParResultsMaster| {
        let (mut one, mut two) = (par, [par; 2]);
        // SAFETY: as above.
        unsafe {
            [
                ConvertToDealerTextFormat(&raw mut one, converted.as_mut_ptr()),
                ConvertToSidesTextFormat(two.as_mut_ptr(), &raw mut text),
            ]
        }
    };
    assert_eq!(worded(number), [1; 2]);
    let changes: [fn(&mut ParResultsMaster); 7] = [
        |par| par.number = -1,
        |par| par.number = 11,
        |par| par.contracts[0].seats = 6,
        |par| par.contracts[0].seats = -1,
        |par| par.contracts[0].denomination = 5,
        |par| par.contracts[0].level = 8,
        |par| par.contracts[0].level = -1,
    ];
    for (n, change) in changes.into_iter().enumerate() {
        let mut changed = number;
        change(&mut changed);
        assert_eq!(worded(changed), [-1; 2], "{n}");
    }
}
