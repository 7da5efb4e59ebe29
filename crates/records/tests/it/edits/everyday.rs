//! Lines of mails, forums and club pages between those of a deal: they change neither the deal nor a
//! fact, and beside the deal they do not cost it either.
//!
//! `EVERYDAY=1` tries each line everywhere in each text.

use fastrand::Rng;

use super::Wrong;
use super::forms::{self, Form, Told};
use super::judge::{self, Fact, Reading};

/// Default number of texts.
const TEXTS: usize = 2_000;

/// Maximum number of wrong readings among them. The aim is 0.
const MOST_WRONG: usize = 5;

/// The forms in which people write, and some of programs.
const FORMS: usize = 40;

fn forms() -> Vec<Form> {
    let by_people = |form: &Form| {
        let of_programs = [
            "JSON", "HTML", "XML", "LIN", "DUP", "RBN", "USEBIO", "GIB", "DDS",
        ];
        !of_programs.iter().any(|name| form.name.contains(name))
    };
    let mut forms = forms::all();
    forms.retain(by_people);
    // Those that are not read without a line.
    let mut rng = Rng::with_seed(3);
    forms.retain(|form| {
        (0..20).all(|_| {
            let told = judge::random(&mut rng);
            problem(form, &told, &(form.write)(&told, form.usual), true).is_none()
        })
    });
    let every = forms.len() as f64 / FORMS as f64;
    let mut at = -1.0;
    let mut index = 0.0;
    forms.retain(|_| {
        index += 1.0;
        let is_next = index - at >= every;
        if is_next {
            at += every;
        }
        is_next
    });
    forms
}

/// The fault of a reading; a refusal is one beside the deal.
fn problem(form: &Form, told: &Told, text: &str, is_beside: bool) -> Option<String> {
    let reading = Reading::of(text);
    let Some(deals) = reading.deals() else {
        return is_beside.then(|| "refused".to_owned());
    };
    if deals.iter().any(|hands| *hands != told.hands) {
        return Some("another deal".to_owned());
    }
    if deals.len() > 1 {
        return Some("several boards".to_owned());
    }
    [Fact::Number, Fact::Dealer, Fact::Sides]
        .into_iter()
        .find_map(|fact| {
            let read = judge::read_fact(&reading.boards[0], fact);
            let is_told = judge::label(form, told, fact).is_some();
            let is_right = match read {
                Some(value) if is_told => value == judge::told_fact(told, fact),
                Some(1) => fact == Fact::Number,
                read => read.is_none() && !is_told,
            };
            (!is_right).then(|| format!("{fact:?}"))
        })
}

#[test]
fn everyday_lines_change_nothing() {
    let lines: Vec<&str> = include_str!("everyday.txt").lines().collect();
    assert!(lines.len() >= 300);
    let forms = forms();
    assert_eq!(forms.len(), FORMS);
    let mut rng = Rng::with_seed(5);
    let mut wrong = Wrong::default();
    let mut tried = 0;
    let mut refused = 0;
    let mut check = |form: &Form, line: &'static str, at: usize, rng: &mut Rng| {
        let told = judge::random(rng);
        let text = (form.write)(&told, form.usual);
        let mut of_text: Vec<&str> = text.lines().collect();
        let at = at % (of_text.len() + 1);
        let is_beside = at == 0 || at == of_text.len();
        of_text.insert(at, line);
        let with_line = of_text.join("\n") + "\n";
        tried += 1;
        refused += usize::from(Reading::of(&with_line).deals().is_none());
        if let Some(problem) = problem(form, &told, &with_line, is_beside) {
            wrong.add(format!("{problem} by {line:?}"), form, text, with_line);
        }
    };
    if std::env::var_os("EVERYDAY").is_some() {
        for form in &forms {
            let places = (form.write)(&judge::random(&mut rng), form.usual)
                .lines()
                .count()
                + 1;
            for &line in &lines {
                (0..places).for_each(|at| check(form, line, at, &mut rng));
            }
        }
    } else {
        for number in 0..TEXTS {
            let (line, at) = (lines[rng.usize(..lines.len())], rng.usize(..100));
            check(&forms[number % forms.len()], line, at, &mut rng);
        }
    }
    let failures = wrong.count();
    let summary = format!(
        "{failures} of {tried}, {refused} refused\n{}",
        wrong.summary()
    );
    println!("{summary}");
    assert!(failures * TEXTS <= MOST_WRONG * tried, "{summary}");
}
