use fastrand::Rng;
use setrograde_cards::{Deal, Hand, Seat, Side, Strain, Suit, Vulnerability};

use super::*;
use crate::tests::cases;

/// The value of a script's condition, without double-dummy results.
fn value_of(script: &Script, hands: [Hand; 4]) -> Result<i64, ScriptError> {
    let mut values = Values::new(script);
    values.start(hands, 1);
    let condition = script.condition.expect("an expression");
    values.of(script, condition, &mut |asked| panic!("{asked:?}"))
}

fn hands(deal: &str) -> [Hand; 4] {
    *deal.parse::<Deal>().expect("a deal").hands()
}

fn script(text: &str) -> Script {
    Script::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Values that dealer, version 20211121, prints for a deal.
#[test]
fn values_are_those_of_the_original() {
    let values = [
        ("hcp(north)", 19),
        ("hcp(south,spades)", 3),
        ("controls(north)", 7),
        ("control(east,clubs)", 2),
        ("losers(west)", 7),
        ("loser(north,clubs)", 1),
        ("losers(east,spades)", 1),
        ("tens(north)", 1),
        ("jacks(east)", 2),
        ("queens(south,spades)", 1),
        ("aces(south)", 1),
        ("top4(east,hearts)", 2),
        ("top2(north)", 5),
        ("c13(north)", 26),
        ("cccc(north)", 2080),
        ("cccc(east)", 1560),
        ("cccc(south)", 990),
        ("cccc(west)", 840),
        ("quality(north,spades)", 425),
        ("quality(south,spades)", 210),
        ("quality(west,diamonds)", 240),
        ("quality(east,clubs)", 375),
        ("shape(east,any 7510)", 1),
        ("shape(south,7xxx - any 0xxx)", 0),
        ("shape(south,7xxx + any 0xxx - 8xxx)", 1),
        ("shape(north, 5332 + 4333)", 1),
        ("hascard(west,KH)", 1),
        ("hascard(west,AS)", 0),
        ("7-3-2", 2),
        ("-7/2", -3),
        ("-7%3", -1),
        ("2+3*4", 14),
        ("2 < 3 < 1", 0),
        ("not 0+5", 6),
        ("not (0+5)", 0),
        ("1 ? 2 : 0 ? 3 : 4", 2),
        ("0 ? 2 : 0 ? 3 : 4", 4),
        ("spades(north) or hearts(south)", 1),
        ("spades(north) && hearts(south)", 0),
        ("5 == 5 != 0", 1),
        ("score(vul,x3N,9)", 600),
        ("score(nv,x4S,8)", -100),
        ("score(vul,x7C,13)", 2140),
        ("imps(430)", 10),
        ("imps(-20)", -1),
        ("hcp(north) > 15 ? spades(north) : 99", 5),
        ("1 or 0 and 0", 1),
        ("3 >= 3 == 1", 1),
        // Of DealerV2: a decimal number means its hundredfold.
        ("12.5", 1250),
        ("abs(3-5)", 2),
        ("score(vul,z3N,9)", 600),
        ("ltc(north)", 500),
        ("ltc(north,spades)", 100),
        ("ltc(north,diamonds)", 100),
        ("ltc(south)", 600),
    ];
    let hands = hands("N:AKT93.A52.KQ4.K2 2.QJT8763..AQJ98 QJ87654..A9.7654 .K94.JT876532.T3");
    for (text, expected) in values {
        assert_eq!(value_of(&script(text), hands), Ok(expected), "{text}");
    }
}

#[test]
fn a_script_has_its_parts() {
    let script = script(
        "# Comment \"\n/* another <EOF> */ produce 25 generate 1000 // third\n\
         dealer west vulnerable ew title \"A title\"\n\
         predeal south SAQ542, HKJ87, D32, CAK spades(west)==1\n\
         pointcount 6 4 2 1\naltcount 2 -1 0.5\n\
         strong = hcp(north)>20\ncondition strong\nand pt2(north) > 3;\n\
         frequency \"points\" (hcp(north), 20, 40, spades(north), 0, 6)\n\
         action printoneline, average \"a\" 100 * strong, printes_of = 3",
    );
    assert_eq!((script.produce, script.generate), (Some(25), Some(1000)));
    assert_eq!(script.dealer, Some(Seat::West));
    assert_eq!(script.vulnerability, Some(Vulnerability::EastWest));
    assert_eq!(script.predealt[Seat::South].to_string(), "AQ542.KJ87.32.AK");
    assert_eq!(script.lengths[0].to_string(), "W.S=1");
    assert_eq!(script.tables[0][..5], [6, 4, 2, 1, 0]);
    assert_eq!(script.tables[3][..3], [-1, 50, 0]);
    assert_eq!(script.actions.len(), 3);
    assert_eq!(script.names().collect::<Vec<_>>(), ["printes_of", "strong"]);
}

const FAULTS: &str = r#"
hcp(north)>12 and
  north => line 2, column 3: expected an expression, found "north"
hcp(nort)>3 => line 1, column 5: expected a hand: north, east, south or west, found "nort"
x = strength + 1 => line 1, column 5: "strength" is not defined before this line
any = 3 => line 1, column 1: "any" is a word of the language; choose another name
hcp = 3 => line 1, column 1: "hcp" is a word of the language; choose another name
shape(north, 5555) => line 1, column 14: no hand of 13 cards is 5555
shape(north, any 543)
 => line 1, column 18: expected a shape of four digits or x, as 54xx or any 4333, found "543"
hascard(north, SA) => line 1, column 16: expected a card, its rank first, as AS, found "SA"
hcp(north) > 3) => line 1, column 15: expected an expression, found ")"
(hcp(north) > 3 => line 1, column 16: expected `)`, found the end
action evalcontract(north,x3N,vul) => line 1, column 21: expected a side: NS or EW, found "north"
opc(NS) > 3
 => line 1, column 1: the function "opc" is not known here; count points of your own with altcount and pt0 to pt9
shape{north, 5M} => line 1, column 16: expected the length of a suit, as x, 4, 4+, 4- or [24]
shape{north,
 5M(33)} => line 2, column 8: expected the lengths of four suits
shape{north, 5332 or 4432} => line 1, column 19: expected +, - or the end of the shapes
shape{north, 9+9+xx} => line 1, column 14: expected a shape of 13 cards
shape{north, (4432) => line 1, column 14: the shapes have no closing brace
shape{north, 5xxx:h} => line 1, column 20: expected a comparison of lengths, as h>s or h+s==10
hcp(north) > $1 => line 1, column 14: $0 to $9 are arguments of DealerV2's command; write their values here
hcp($2) > 9 => line 1, column 5: $0 to $9 are arguments of DealerV2's command; write their values here
hcp(west)>9
#include "weak.dlr" => line 2, column 1: #include is not followed; copy the text of that file here
generate 0 => line 1, column 10: 0: expected a number from 1 to 4294967295
bktfreq (hcp(west), 5, 9, 0) => line 1, column 21: 5 to 9: expected a range of at most 1000 numbers
predeal north SAK, SA => line 1, column 20: the SA is dealt twice
produce x => line 1, column 9: expected a whole number, found "x"
score(vul, 3N, 9) => line 1, column 12: expected a contract as x3N or x4Sx, found "3"
frequency (1, 5, 2) => line 1, column 15: 5 to 2: expected a range of at most 1000 numbers
/* never => line 1, column 1: the comment has no end: `*/`
average "never => line 1, column 9: the text has no closing quotation mark
1 § => line 1, column 3: expected an expression, found "§"
"#;

#[test]
fn faults_have_their_place_and_reason() {
    let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
    let chain: String = (0..2000)
        .map(|n| format!("v{} = v{n}+1\n", n + 1))
        .collect();
    let chain = format!("v0 = 1\n{chain}");
    let long = "1 ".repeat(40_000);
    let large = [
        (&deep, "line 1, column 101: too many brackets in brackets"),
        (
            &chain,
            "line 151, column 8: expressions in expressions, 301 deep",
        ),
        (
            &long,
            "line 1, column 1: the script has more than 65536 bytes",
        ),
    ];
    let faults = cases(FAULTS);
    for (text, problem) in faults.iter().map(|of| (&of.0, of.1)).chain(large) {
        let error = Script::read(text).expect_err(text);
        assert_eq!(error.to_string(), problem, "{text}");
    }
    let error = value_of(&script("1/(hcp(north)-hcp(north))"), [Hand::EMPTY; 4]);
    let error = error.expect_err("a division by 0").to_string();
    assert_eq!(error, "line 1, column 1: a number is divided by 0");
}

/// Names that mean names twice over do not double the work.
#[test]
fn work_grows_with_the_text() {
    let chain = |join: &str, first: &str| {
        let names: String = (0..100)
            .map(|n| format!("v{}=v{n} {join} v{n}\n", n + 1))
            .collect();
        format!("v0={first}\n{names}v100")
    };
    for (join, first) in [
        ("+", "hcp(north)"),
        ("and", "hcp(north)>9"),
        ("or", "spades(west)>3"),
    ] {
        let script = script(&chain(join, first));
        value_of(&script, [Hand::EMPTY; 4]).expect("a value");
        let condition = script.condition.expect("an expression");
        assert!(script.conditions(condition, true).len() <= 1);
        assert!(script.conditions(condition, false).len() <= 1);
    }
}

/// The forms of numbers and truths of random expressions, and of the words in braces. Those behind
/// `+` are of other numbers and truths.
const FORMS: &str = "
number: hcp({seat}) / {suit}({seat}) / losers({seat}) / controls({seat}) / {small}
number: top{top}({seat},{suit}) / hcp({seat},{suit})
number+ ({number} + {number}) / ({number} - {number}) / {few} * ({number}) / ({truth})
number+ ({truth} ? {number} : {number})
truth: shape({seat}, {shapes}) / hascard({seat}, {card})
truth: {number} {relation} {number} / {number} {relation} {number}
truth+ (({truth}) and ({truth})) / (({truth}) or ({truth})) / (not ({truth}))
truth+ (({truth}) ? {truth} : {truth})
seat: north / east / south / west
suit: spades / hearts / diamonds / clubs
few: 0 / 1 / 2 / 3
top: 2 / 3 / 4 / 5
small: 0 / 1 / 2 / 4 / 7 / 11 / 15 / 19
card: AS / AC / TS / TC
relation: < / <= / > / >= / == / !=
shapes: any 4333 + any 4432 + any 5332 / 5xxx+x5xx-any 55xx / xx6x - 4xxx
";

/// A random form of a word, no deeper than `depth`.
fn random(rng: &mut Rng, word: &str, depth: usize) -> String {
    let of_word = |line: &'static str| {
        let (name, forms) = line.split_once(' ')?;
        let name = name
            .strip_suffix(':')
            .or(name.strip_suffix('+').filter(|_| depth > 0));
        (name == Some(word)).then(|| forms.split(" / "))
    };
    let forms: Vec<&str> = FORMS.lines().filter_map(of_word).flatten().collect();
    let mut parts = rng.choice(&forms).expect(word).split(['{', '}']);
    let mut made = String::new();
    while let Some(text) = parts.next() {
        made += text;
        if let Some(word) = parts.next() {
            made += &random(rng, word, depth.saturating_sub(1));
        }
    }
    made
}

/// What deals are drawn by holds for every deal that fits.
#[test]
fn conditions_hold_for_all_deals_that_fit() {
    let mut rng = Rng::with_seed(7);
    let (mut fit, mut narrowed, mut kept) = (0, 0, 0);
    for _ in 0..400 {
        let text = random(&mut rng, "truth", 3);
        let script = script(&text);
        let condition = script.condition.expect("an expression");
        let [so, not] = [true, false].map(|wanted| script.conditions(condition, wanted));
        narrowed += usize::from(!so.is_empty());
        for _ in 0..60 {
            let deal = Deal::random(|below| rng.usize(0..below));
            let value = value_of(&script, *deal.hands()).expect(&text);
            let conditions = if value != 0 { &so } else { &not };
            fit += usize::from(value != 0);
            for condition in conditions {
                let allowed = condition.allows(&Seat::ALL, deal.hands());
                assert!(allowed, "{text}: {value} for {deal}, but {condition}");
            }
            let allows = |condition: &Condition| condition.allows(&Seat::ALL, deal.hands());
            kept += usize::from(value == 0 && so.iter().all(allows));
        }
    }
    // The test would be empty if nothing fitted, or the conditions said nothing.
    assert!(
        fit > 4000 && narrowed > 250 && kept < 6000,
        "{fit} {narrowed} {kept}"
    );
}

#[test]
fn reports_and_contracts_are_read() {
    let script = script(
        "startboard 9 action printes(\"a \", hcp(north), \\n), csvrpt(\"b\", NS, south, rnd(0),),\n\
         printrpt(trix(south)), export(EW), printside(NS), average \"par\" par(EW, both),\n\
         evalcontract(EW, z4Hx, vul)\n\
         bktfreq \"c\" (cccc(north), 5.00, 22.5, 0.50, hcp(south), 0, 9, 1)",
    );
    let text = |text: &str| ReportPart::Text(text.to_owned());
    let kinds: Vec<&ScriptAction> = script.actions.iter().collect();
    let ScriptAction::Report(plain) = kinds[0] else {
        panic!("{:?}", kinds[0])
    };
    assert!(matches!(&plain[..], [_, ReportPart::Value(_), _]));
    assert_eq!((&plain[0], &plain[2]), (&text("a "), &text("\n")));
    let (both, one) = (vec![Seat::North, Seat::South], vec![Seat::South]);
    let commas = ScriptAction::Report(vec![
        text("'b'"),
        text(","),
        ReportPart::Hands(both),
        text(","),
        ReportPart::Hands(one),
        text(","),
        ReportPart::Number,
        text("\n"),
    ]);
    assert_eq!(kinds[1], &commas);
    assert!(matches!(kinds[2], ScriptAction::Report(parts) if parts.len() == 10));
    let of_side = ReportPart::Predeal(vec![Seat::East, Seat::West]);
    assert_eq!(kinds[3], &ScriptAction::Report(vec![of_side, text("\n")]));
    assert_eq!(script.first, Some(9));
    // What evaluates a contract asks for West's tricks alone.
    let mut values = Values::new(&script);
    values.start([Hand::EMPTY; 4], 1);
    let averages = script.actions.iter().filter_map(|action| match action {
        ScriptAction::Average { label, of } => Some((label.as_str(), *of)),
        _ => None,
    });
    let found: Vec<(&str, i64)> = averages
        .map(|(label, of)| {
            let value = values.of(&script, of, &mut |asked| match asked {
                ScriptResult::Tricks(Seat::West, Strain::Trump(Suit::Hearts)) => {
                    Ok::<_, ScriptError>(8)
                }
                ScriptResult::Par(Side::EastWest, Vulnerability::Both) => Ok(-90),
                other => panic!("{other:?}"),
            });
            (label, value.expect("a value"))
        })
        .collect();
    assert_eq!(
        found,
        [
            ("par", -90),
            ("4Hx by West, vul, score", -500),
            ("4Hx by West, vul, % that make", 0)
        ]
    );
    let Some(ScriptAction::Frequency { of, .. }) = script.actions.last() else {
        panic!("{:?}", script.actions)
    };
    let ranges: Vec<_> = of.iter().map(|of| (of.least, of.most, of.size)).collect();
    assert_eq!(ranges, [(500, 2250, 50), (0, 9, 1)]);
}

/// Numbers beyond 2^40 bound nothing: no deal that fits is excluded.
#[test]
fn great_numbers_exclude_no_deal() {
    let double = |n: u32| format!("a{} = a{n} + a{n}\n", n + 1);
    let doubled: String = (0..50).map(double).collect();
    let less: String = (0..36).map(double).collect();
    for text in [
        "hcp(north)*1000000000000 - hcp(south)*1000000000000 > 20*1000000000000".to_owned(),
        format!("a0 = hcp(north)\n{doubled}a50 > 0"),
        format!("a0 = hcp(north)\n{less}a36 > 0"),
        "0 - 500*1000000000*999 + hcp(north) - 1 < hcp(south)*1000000000".to_owned(),
    ] {
        let script = script(&text);
        let condition = script.condition.expect("an expression");
        let deal = hands("N:AKQJ.AKQJ.A432.K T987.T987.KQJ.A2 5432.5432.T98.43 6.6.765.QJT98765");
        assert_ne!(value_of(&script, deal), Ok(0), "{text}");
        let conditions = script.conditions(condition, true);
        assert!(
            conditions.iter().all(|of| of.allows(&Seat::ALL, &deal)),
            "{text}"
        );
    }
    let great = script("hcp(north)*1000000000000*1000000000000 > 3");
    let error = value_of(&great, [Hand::PACK; 4]).expect_err("too large");
    assert_eq!(
        error.to_string(),
        "line 1, column 1: a number is beyond 2^60"
    );
}
