//! One line of text, read as every type of the cards crate. What is read is
//! written and read again.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use setrograde_cards::{
    Bid, Card, Contract, Deal, Doubling, Hand, Holding, Position, Rank, Seat, Side, Strain, Suit,
    TextError, Vulnerability,
};

pub fn seeds() -> Vec<Vec<u8>> {
    [
        "N:T543.KQ4.43.9542 AKJ96.6.AKT5.QJ3 87.97.QJ9876.KT8 Q2.AJT8532.2.A76",
        "NT W N:A.K.. K.A.. Q.Q.. J.J..",
        "S E N:A... ... ... ... played=SK,SQ,SJ",
        "AK.Q..T2",
        "4SXXN",
        "3NT",
        "SA",
        "All",
        "north",
        "  d  South e:K.2.. 3.4.. 5.6.. 7.8..  ",
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    read::<Rank>(&text);
    read::<Card>(&text);
    read::<Suit>(&text);
    read::<Strain>(&text);
    read::<Seat>(&text);
    read::<Side>(&text);
    read::<Holding>(&text);
    read::<Hand>(&text);
    read::<Deal>(&text);
    read::<Bid>(&text);
    read::<Doubling>(&text);
    read::<Contract>(&text);
    read::<Vulnerability>(&text);
    read::<Position>(&text);
}

fn read<T>(text: &str)
where
    T: FromStr<Err = TextError> + Display + PartialEq + Debug,
{
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string().parse::<T>(), Ok(value)),
        Err(error) => {
            let column = error.column();
            assert!(column >= 1 && column <= text.chars().count() + 1, "{error}");
            assert!(error.to_string().len() < 400, "{error}");
        }
    }
}
