//! Parts that several of the programs share.

#![forbid(unsafe_code)]

pub mod open_cards;

use std::error::Error;
use std::path::Path;

use setrograde_cards::Deal;

/// Reads deals in PBN, one a line; what follows ` | ` is ignored.
///
/// # Errors
///
/// If the file cannot be read, or a line is no deal.
pub fn deals(path: &Path) -> Result<Vec<Deal>, Box<dyn Error>> {
    let text = std::fs::read_to_string(path)?;
    let lines = text
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let deals = lines.map(|line| line.split(" | ").next().unwrap_or(line).parse());
    Ok(deals.collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    /// Each program is listed with a page of figures, and that page names it.
    #[test]
    fn every_program_has_a_page_with_its_figures() {
        let here = env!("CARGO_MANIFEST_DIR");
        let list = fs::read_to_string(format!("{here}/README.md")).expect("the list");
        let (list, _) = list.split_once("## Settled").expect("the settled ones");
        let programs = fs::read_dir(format!("{here}/src/bin")).expect("the programs");
        let mut count = 0;
        for entry in programs {
            let path = entry.expect("an entry").path();
            let name = path
                .file_stem()
                .and_then(|name| name.to_str())
                .expect("a name");
            let row = list
                .lines()
                .find(|line| line.starts_with(&format!("| `{name}` |")))
                .unwrap_or_else(|| panic!("{name} is not in the list"));
            let pages: Vec<&str> = row
                .split("](")
                .skip(1)
                .filter_map(|link| link.split(')').next())
                .collect();
            assert!(!pages.is_empty(), "{name} has no page");
            for page in pages {
                let text = fs::read_to_string(format!("{here}/{page}")).expect(page);
                assert!(text.contains(name), "{page} does not name {name}");
            }
            count += 1;
        }
        assert_eq!(
            list.lines().filter(|line| line.starts_with("| `")).count(),
            count
        );
    }
}
