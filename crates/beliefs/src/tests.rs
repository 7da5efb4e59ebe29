//! What several tests use.

#[path = "../../cards/tests/positions/mod.rs"]
pub(crate) mod positions;

/// The cases of a table, `INPUT => EXPECTED`: an input has lines of its own before that one, and what
/// is expected is behind the last of them or in a line of its own.
pub(crate) fn cases(table: &str) -> Vec<(String, &str)> {
    let (mut found, mut input) = (Vec::new(), Vec::new());
    for line in table.trim_matches('\n').lines() {
        let Some((last, expected)) = line.split_once(" => ") else {
            input.push(line);
            continue;
        };
        if !last.is_empty() || input.is_empty() {
            input.push(last);
        }
        found.push((input.join("\n"), expected));
        input.clear();
    }
    assert!(input.is_empty() && !found.is_empty(), "{table}");
    found
}
