//! Names of players, and logs of tournaments after their first lines.

use serde_json::json;
use setrograde_play::players::Spec;
use setrograde_play::tournament::Log;

pub fn seeds() -> Vec<Vec<u8>> {
    [
        "pimc:worlds=40,rules=mu,time=100",
        "ismcts:iterations=200,c=0.7,rollout=simple",
        "mu:50",
        "external:cat /dev/null",
        include_str!("../../seeds/tournament.json"),
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec()
}

/// A name that is read is written and read again; a log gives records or an error
/// that names a line of it.
pub fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(spec) = text.parse::<Spec>() {
        assert_eq!(spec.to_string().parse(), Ok(spec));
    }
    let players = ["random", "simple"].map(str::to_owned);
    let log = Log::new(&json!({}), &players);
    let whole = log.head() + &text;
    match log.read(whole.as_bytes()) {
        Ok(records) => assert!(records.len() <= whole.lines().count()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
