//! The table at the top of README shows one run of each measuring command: every number in it
//! follows from `lab/figures.json`, so a column cannot mix a sample with the whole, or two programs.

use std::fs;
use std::path::Path;

use serde_json::Value;

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rows of a section of the figures.
fn rows<'a>(figures: &'a Value, section: &str) -> &'a Value {
    let rows = &figures[section]["rows"];
    assert!(rows.is_object(), "no section {section}");
    rows
}

/// The ratio of a row with two digits, or nothing.
fn ratio(rows: &Value, name: &str) -> String {
    let ratio = rows
        .get(name)
        .map(|ratio| ratio.as_f64().expect("a number"));
    ratio.map_or(String::new(), |ratio| format!("{ratio:.2}"))
}

/// A number as README writes it: `3.4e7`, `7 MB`, `2.7 GB`, `23 s`, `27 min` or `3.5 h`.
fn endings(count: f64) -> String {
    let exponent = count.log10().floor();
    format!("{:.1}e{exponent}", count / 10f64.powf(exponent))
}

fn megabytes(bytes: f64) -> String {
    if bytes >= 1e9 {
        return format!("{:.1} GB", bytes / 1e9);
    }
    let megabytes = bytes / 1e6;
    let digits = usize::from(megabytes < 1.0);
    format!("{megabytes:.digits$} MB")
}

fn time(seconds: f64) -> String {
    if seconds < 60.0 {
        format!("{seconds:.0} s")
    } else if seconds < 7200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}

/// The first cells of the rows that have endings, with the deepest level that each counts.
const DATABASES: [(&str, &str); 5] = [
    ("up to 12 cards, built in", "12"),
    ("up to 16 cards", "16"),
    ("up to 20 cards", "20"),
    ("and [coarse](docs/coarse.md) 24 and 28", "28 coarse"),
    ("and `fine` ones instead", "28 fine"),
];

/// The rows of the table of README, as the figures give them.
fn expected(figures: &Value) -> Vec<String> {
    let sections = ["levels", "tables", "robot", "coarse", "levels fine"];
    let [levels, tables, robot, coarse, fine_levels] =
        sections.map(|section| rows(figures, section));
    let fine = rows(figures, "coarse fine");
    let bold = |text: String| match text.as_str() {
        "" => text,
        _ => format!("**{text}**"),
    };
    // An empty cell has one blank.
    let row = |cells: [String; 6]| {
        let cells = cells.map(|cell| format!(" {cell} ").replace("  ", " "));
        format!("|{}|", cells.join("|"))
    };
    let none = String::new;
    let mut expected = vec![row([
        "none".to_owned(),
        none(),
        none(),
        none(),
        ratio(tables, "none"),
        ratio(robot, "none"),
    ])];
    let mut sums = [0.0; 3];
    let mut exact = sums;
    let order = "4, 8, 12, 16, 20, 24 coarse, 28 coarse, 24 fine, 28 fine";
    for level in order.split(", ") {
        let of = match level {
            "24 fine" => {
                sums = exact;
                &fine_levels["24 coarse"]
            }
            "28 fine" => &fine_levels["28 coarse"],
            _ => &levels[level],
        };
        for (sum, name) in sums.iter_mut().zip(["endings", "bytes", "seconds"]) {
            *sum += of[name].as_f64().expect("a number");
        }
        if level == "20" {
            exact = sums;
        }
        let Some((title, _)) = DATABASES.iter().find(|(_, deepest)| *deepest == level) else {
            continue;
        };
        let number = |of: &Value, name: &str| of[name].as_f64().expect("a ratio");
        let of_coarse = |of| format!("{:.2}", number(tables, "20") * number(of, "28 coarse"));
        let table = match level {
            "28 coarse" => of_coarse(coarse),
            "28 fine" => of_coarse(fine),
            _ => ratio(tables, level),
        };
        let build = if level == "12" { none() } else { time(sums[2]) };
        expected.push(row([
            (*title).to_owned(),
            endings(sums[0]),
            megabytes(sums[1]),
            build,
            bold(table),
            bold(ratio(robot, level)),
        ]));
    }
    for (name, section) in [("DDS 2.9", "dds2"), ("DDS 3", "dds3")] {
        let pair = |rows: &Value| format!("{}; {}", ratio(rows, "16"), ratio(rows, "20"));
        let asked = figures.get(format!("robot hooked {section}"));
        expected.push(row([
            format!("[{name}](docs/probe.md) with 16 cards; with 20"),
            none(),
            none(),
            none(),
            bold(pair(rows(figures, &format!("hooked {section}")))),
            asked.map_or(none(), |asked| pair(&asked["rows"])),
        ]));
    }
    expected
}

#[test]
fn the_table_of_readme_is_that_of_the_figures() {
    let figures = serde_json::from_str(&read("lab/figures.json")).expect("JSON");
    let readme = read("README.md");
    let lines = readme
        .lines()
        .skip_while(|line| !line.starts_with("| database "));
    let table: Vec<&str> = lines
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(table, expected(&figures));
}
