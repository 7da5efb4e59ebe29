//! Texts with a slip: read as the same deal, as the deal that the text now has, or refused.
//!
//! `EDITS=100000 cargo test -p setrograde-records --test it edits -- --nocapture` tries more;
//! `EDITS_SEED` and `EDITS_SHOW=1` change the seed and print examples.

mod everyday;
mod forms;
mod judge;
mod slips;

use std::collections::BTreeMap;

use fastrand::Rng;
use forms::Form;
use judge::Allowed;

/// Default number of texts.
const EDITS: usize = 5_000;

/// Maximum number of forms that are not read without a slip. The aim is 0.
const MOST_UNREAD: usize = 3;

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name)
        .ok()
        .map(|value| value.parse().expect("a number"))
}

/// The forms without a slip that are read wrongly, or not at all.
#[test]
fn every_form_is_read() {
    let mut rng = Rng::with_seed(7);
    let mut wrong = Vec::new();
    for form in forms::all() {
        for _ in 0..20 {
            let told = judge::random(&mut rng);
            let text = (form.write)(&told, form.usual);
            let found = judge::judge(&form, &told, &text);
            if found != Ok(Allowed::Right) {
                wrong.push(format!(
                    "{}: {found:?}\n{text}{:?}",
                    form.name,
                    judge::Reading::of(&text).errors
                ));
                break;
            }
        }
    }
    assert!(
        wrong.len() <= MOST_UNREAD,
        "{} forms\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// The page's tests read these texts, too: each form, and each with a slip.
#[test]
fn the_page_has_texts_in_all_forms() {
    let mut rng = Rng::with_seed(11);
    let slips = slips::all();
    let mut texts = String::new();
    for form in forms::all() {
        let told = judge::random(&mut rng);
        let text = (form.write)(&told, form.usual);
        let slip = slips[rng.usize(..slips.len())];
        let changed = slips::changed(&text, slip, &mut rng).unwrap_or_default();
        for text in [text, changed] {
            let text = text.trim_end_matches('\n');
            texts += &format!("=====\n{text}\n");
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../page/test/forms.txt");
    if std::env::var_os("SETROGRADE_GENERATE").is_some() {
        std::fs::write(path, &texts).expect("written");
    }
    let written = std::fs::read_to_string(path).expect("a text");
    assert!(written == texts, "SETROGRADE_GENERATE=1 writes {path}");
}

#[test]
fn a_text_with_a_slip_is_not_another_deal() {
    let wanted = from_environment("EDITS").map_or(EDITS, |wanted| wanted as usize);
    let mut rng = Rng::with_seed(from_environment("EDITS_SEED").unwrap_or(1));
    let (forms, slips) = (forms::all(), slips::all());
    let mut counts: BTreeMap<Allowed, usize> = BTreeMap::new();
    let mut wrong = Wrong::default();
    let mut tried = 0;
    while tried < wanted {
        let form = &forms[tried % forms.len()];
        let told = judge::random(&mut rng);
        let text = (form.write)(&told, form.usual);
        let slip = slips[rng.usize(..slips.len())];
        let Some(changed) = slips::changed(&text, slip, &mut rng) else {
            continue;
        };
        tried += 1;
        match judge::judge(form, &told, &changed) {
            Ok(allowed) => *counts.entry(allowed).or_default() += 1,
            Err(fault) => wrong.add(format!("{fault:?} {slip:?}"), form, text, changed),
        }
    }
    let summary = format!("{counts:?}\n{}", wrong.summary());
    println!("{summary}");
    assert!(
        wrong.count() == 0,
        "{} of {wanted}\n{summary}",
        wrong.count()
    );
}

/// The texts that are read wrongly, by their fault: the form, the text before its change, and after
/// it.
#[derive(Default)]
struct Wrong(BTreeMap<String, Vec<(&'static str, String, String)>>);

impl Wrong {
    fn add(&mut self, fault: String, form: &Form, before: String, after: String) {
        let found = self.0.entry(fault).or_default();
        found.push((form.name, before, after));
    }

    fn count(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// The counts by fault and by form, and with `EDITS_SHOW` the shortest examples.
    fn summary(&self) -> String {
        let examples = if from_environment("EDITS_SHOW").is_some() {
            3
        } else {
            0
        };
        let mut kinds: Vec<_> = self.0.iter().collect();
        kinds.sort_by_key(|(_, found)| std::cmp::Reverse(found.len()));
        let mut text = String::new();
        for (fault, found) in kinds {
            let mut forms: BTreeMap<&str, usize> = BTreeMap::new();
            for (form, ..) in found {
                *forms.entry(form).or_default() += 1;
            }
            text += &format!("{:4} {fault}: {forms:?}\n", found.len());
            let mut shown: Vec<_> = found.iter().collect();
            shown.sort_by_key(|(_, _, after)| after.len());
            for (form, before, after) in shown.into_iter().take(examples) {
                text += &format!(
                    "----- {form}, before:\n{before}----- after:\n{after}\n----- read: {}\n",
                    described(after)
                );
            }
        }
        text
    }
}

/// What is read in a text.
fn described(text: &str) -> String {
    let reading = judge::Reading::of(text);
    let boards = reading.boards.iter().map(|board| {
        let deal = board.deal().map(|deal| deal.to_string());
        format!(
            "{:?} {:?} {:?} {deal:?} {:?}",
            board.number, board.dealer, board.vulnerability, board.notes
        )
    });
    boards.collect::<Vec<_>>().join(" / ")
}
