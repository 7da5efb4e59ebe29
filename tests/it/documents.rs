//! Documents and helps name nothing that does not exist: files, links, anchors, commands,
//! options, programs and scripts.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use setrograde_records::Format;

use crate::command::run_line;
use crate::markdown::{Pieces, anchors, file_names, option, pieces, resolve, simple_commands};

/// Files of other projects, or built from this one.
const ELSEWHERE: [&str; 5] = [
    // A header of DDS 3.1.
    "api/dds_c_api.h",
    // A script of BEN.
    "test_pimc_native.py",
    // A file of macroxue's solver.
    "vendor/benchmarks/README.md",
    // Built by page/build.mjs.
    "page/setrograde.html",
    // Built by page/npm/build.mjs.
    "index.mjs",
];

/// Options of other programs: GNU parallel, Criterion, cargo mutants, podman.
const OPTIONS_ELSEWHERE: [&str; 5] = [
    "--sshloginfile",
    "--retries",
    "--measurement-time",
    "--shard",
    "--publish",
];

/// Programs that run another one, and their options.
const WRAPPERS: [&str; 15] = [
    "time",
    "/usr/bin/time",
    "-v",
    "chrt",
    "-r",
    "10",
    "-f",
    "taskset",
    "-c",
    "1",
    "exec",
    "nice",
    "-n",
    "19",
    "srun",
];

/// Everything that the test reads: paths relative to the root, with `/`.
struct Repository {
    files: BTreeSet<String>,
    directories: BTreeSet<String>,
    /// The long and short options of a subcommand, by its words.
    options: RefCell<BTreeMap<String, Option<BTreeSet<String>>>>,
    subcommands: BTreeSet<String>,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_default()
}

/// Collects the files below a directory, without those that tools make.
fn walk(directory: &str, repository: &mut Repository) {
    for entry in fs::read_dir(root().join(directory)).expect("a directory") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("text");
        let made = ["target", "node_modules", "__pycache__", "dist"].contains(&name.as_str());
        if made || (name.starts_with('.') && name != ".ci") {
            continue;
        }
        let path = match directory {
            "" => name,
            _ => format!("{directory}/{name}"),
        };
        if entry.path().is_dir() {
            repository.directories.insert(path.clone());
            walk(&path, repository);
        } else {
            repository.files.insert(path);
        }
    }
}

/// Commands of the group `db`.
pub const OF_DATABASE: [&str; 8] = [
    "stats", "verify", "unpack", "sets", "estimate", "chunks", "seal", "digest",
];

/// Commands that the help lists, in groups, before the topics.
pub fn commands_of(help: &str) -> impl Iterator<Item = &str> {
    let listed = help.split("Help topics").next().expect("a text");
    let indented = listed.lines().filter(|line| line.starts_with("  "));
    indented.filter_map(|line| line.split_whitespace().next())
}

/// Commands that the help names below its list.
pub fn more(help: &str) -> impl Iterator<Item = &str> {
    let more = help.split("\nMore: ").nth(1).expect("more commands");
    let more = more.split(" (").next().expect("a list");
    more.split(", ")
}

impl Repository {
    fn open() -> Repository {
        let mut repository = Repository {
            files: BTreeSet::new(),
            directories: BTreeSet::new(),
            options: RefCell::default(),
            subcommands: BTreeSet::new(),
        };
        walk("", &mut repository);
        let help = run_line("--help").output;
        repository.subcommands = commands_of(&help).map(str::to_owned).collect();
        for hidden in ["generate", "help"].into_iter().chain(more(&help)) {
            repository.subcommands.insert(hidden.to_owned());
        }
        repository
    }

    /// Markdown files, and the texts of the helps.
    fn documents(&self) -> impl Iterator<Item = &str> {
        let is_document = |path: &&String| {
            path.ends_with(".md") || (path.ends_with(".txt") && path.contains("src/help"))
        };
        self.files.iter().filter(is_document).map(String::as_str)
    }

    /// Returns true if a file or directory exists, by its path from the root, from a document, or
    /// by the end of its path.
    fn has(&self, name: &str, document: &str) -> bool {
        let name = name.trim_end_matches('/');
        let beside = resolve(document, name);
        let ends = |path: &String| {
            path.strip_suffix(name)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let known = |path: &str| self.files.contains(path) || self.directories.contains(path);
        known(name)
            || beside.as_deref().is_some_and(known)
            || self.files.iter().any(ends)
            || self.directories.iter().any(ends)
    }

    /// The options of a subcommand; `None` if there is no such subcommand.
    fn options(&self, words: &str) -> Option<BTreeSet<String>> {
        let mut cache = self.options.borrow_mut();
        let known = cache.entry(words.to_owned()).or_insert_with(|| {
            let first = words.split_whitespace().next();
            if first.is_some_and(|first| !self.subcommands.contains(first)) {
                return None;
            }
            let printed = run_line(&format!("{words} --help"));
            (printed.status == Some(0)).then(|| options_in(&printed.output))
        });
        known.clone()
    }
}

/// The options that a help describes.
fn options_in(help: &str) -> BTreeSet<String> {
    let lines = help.lines().map(str::trim_start);
    let described = lines.filter(|line| line.starts_with('-'));
    described
        .flat_map(|line| line.split([' ', ',', '=', '[', '<']))
        .filter(|word| word.starts_with('-') && word.len() > 1)
        .map(str::to_owned)
        .collect()
}

/// The options among words that the texts of a program lack, as faults.
fn missing_options(name: &str, words: &[String], texts: &[String]) -> Vec<String> {
    let options = words.iter().filter_map(|word| option(word));
    let missing = options.filter(|option| !mentions(texts, option));
    missing
        .map(|option| format!("{name} has no option {option}"))
        .collect()
}

/// Returns true if the text of programs or scripts has an option: as `--name`, or as the field of
/// an argument parser.
fn mentions(texts: &[String], option: &str) -> bool {
    let field = format!("{}:", option.trim_start_matches('-').replace('-', "_"));
    let has = |text: &String| text.contains(option) || text.contains(&field);
    texts.iter().any(has)
}

impl Repository {
    /// The texts of all files below a path, or of the file.
    fn texts(&self, path: &str) -> Vec<String> {
        let below = format!("{path}/");
        let inside = |file: &&String| *file == path || file.starts_with(&below);
        self.files
            .iter()
            .filter(inside)
            .filter(|file| file.ends_with(".rs") || *file == path)
            .map(|file| read(file))
            .collect()
    }

    /// Faults of the arguments of the command itself.
    fn check_arguments(&self, arguments: &[String]) -> Vec<String> {
        let mut faults = Vec::new();
        let mut words = arguments.iter().filter(|word| !word.starts_with('-'));
        let in_name = |c: char| c.is_ascii_lowercase() || c == '-';
        let Some(name) = words.next().filter(|name| name.chars().all(in_name)) else {
            return faults;
        };
        let nested: &[&str] = match name.as_str() {
            "claim" => &["line", "check", "adjudicate"],
            "db" => &OF_DATABASE,
            _ => &[],
        };
        let second = arguments.get(1).map_or("", String::as_str);
        let subcommand = if nested.contains(&second) {
            format!("{name} {second}")
        } else {
            name.clone()
        };
        let Some(options) = self.options(&subcommand) else {
            return vec![format!("no command `{name}`")];
        };
        if name == "help" {
            return faults;
        }
        // A program of lab/comparisons/ has the same name.
        let compare = match name.as_str() {
            "compare" => self.texts("lab/comparisons/compare"),
            _ => Vec::new(),
        };
        for word in arguments {
            if let Some(option) = option(word)
                && !options.contains(option)
                && !mentions(&compare, option)
            {
                faults.push(format!("`{subcommand}` has no option {option}"));
            }
        }
        faults
    }

    /// Faults of a program that cargo runs, builds or tests.
    fn check_cargo(&self, words: &[String]) -> Vec<String> {
        let mut faults = Vec::new();
        let split = words
            .iter()
            .position(|word| word == "--")
            .unwrap_or(words.len());
        let (own, passed) = (&words[..split], words.get(split + 1..).unwrap_or_default());
        let value = |names: &[&str]| {
            let index = own.iter().position(|word| names.contains(&word.as_str()))?;
            own.get(index + 1).cloned()
        };
        let manifest = value(&["--manifest-path"]);
        let workspace = manifest
            .as_deref()
            .map_or("", |path| path.trim_end_matches("/Cargo.toml"));
        if let Some(path) = &manifest
            && !self.files.contains(path)
        {
            faults.push(format!("no manifest {path}"));
        }
        if let Some(package) = value(&["-p", "--package"]) {
            let named = format!("name = \"{package}\"");
            let mut files = self.files.iter();
            let names_it =
                |file: &String| file.ends_with("Cargo.toml") && read(file).contains(&named);
            if !files.any(names_it) {
                faults.push(format!("no package {package}"));
            }
        }
        for (option, folder) in [
            ("--bin", "src/bin"),
            ("--bench", "benches"),
            ("--test", "tests"),
            ("--example", "examples"),
        ] {
            let in_name = |c: char| c.is_ascii_lowercase() || c == '_';
            let Some(name) = value(&[option]).filter(|name| name.chars().all(in_name)) else {
                continue;
            };
            let file = format!("{folder}/{name}.rs");
            let directory = format!("{folder}/{name}/main.rs");
            let ends = |path: &&String| {
                path.starts_with(workspace) && (path.ends_with(&file) || path.ends_with(&directory))
            };
            let Some(source) = self.files.iter().find(ends) else {
                faults.push(format!("no {file}"));
                continue;
            };
            if folder == "src/bin" {
                let texts = self.texts(source.trim_end_matches("/main.rs"));
                faults.extend(missing_options(&name, passed, &texts));
            }
        }
        let runs = own.iter().any(|word| word == "run");
        if runs && manifest.is_none() && value(&["--bin", "--example", "-p"]).is_none() {
            faults.extend(self.check_arguments(passed));
        }
        faults
    }

    /// Faults of one simple command.
    fn check_command(&self, words: &[String], document: &str) -> Vec<String> {
        let in_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let assignment = |word: &&String| {
            let name = word.split_once('=').map_or("", |(name, _)| name);
            !name.is_empty() && name.chars().all(in_name)
        };
        let skipped = words.iter().take_while(assignment).count();
        let words = &words[skipped..];
        let is_wrapper = |word: &&String| WRAPPERS.contains(&word.as_str());
        let words = &words[words.iter().take_while(is_wrapper).count()..];
        let Some(program) = words.first() else {
            return Vec::new();
        };
        let name = program.rsplit('/').next().unwrap_or_default();
        let name = name.trim_end_matches(".exe");
        if name == "setrograde" && (program != "setrograde" || words.len() > 1) {
            return self.check_arguments(&words[1..]);
        }
        if name == "cargo" {
            return self.check_cargo(&words[1..]);
        }
        if name == "setrograde-serve" {
            return missing_options(name, &words[1..], &self.texts("crates/serve"));
        }
        let folders = ["scripts/", "lab/", "crates/", ".ci/"];
        let is_ours = folders.iter().any(|folder| program.starts_with(folder));
        if is_ours && !program.ends_with(".md") {
            let program = program.trim_end_matches(['.', ',']);
            return if self.files.contains(program) {
                missing_options(program, &words[1..], &[read(program)])
            } else if self.has(program, document) {
                Vec::new()
            } else {
                vec![format!("no {program}")]
            };
        }
        let has_options = words[1..].iter().any(|word| option(word).is_some());
        if has_options && self.subcommands.contains(program) {
            return self.check_arguments(words);
        }
        Vec::new()
    }

    /// Returns true if any program of the repository has this option, or another program that
    /// documents show.
    fn is_option(&self, option: &str) -> bool {
        let names = self.subcommands.iter().cloned();
        let nested = ["line", "check", "adjudicate"].map(|name| format!("claim {name}"));
        let mut all = names.chain(nested).chain([String::new()]);
        let has = |name: String| {
            let options = self.options(&name);
            options.is_some_and(|options| options.contains(option))
        };
        if OPTIONS_ELSEWHERE.contains(&option) || all.any(has) {
            return true;
        }
        let programs = ["lab/experiments", "lab/comparisons", "crates/serve"];
        let scripts = ["scripts/", "python/", "lab/fuzz/", "lab/scripts/"];
        let is_script = |file: &&String| scripts.iter().any(|folder| file.starts_with(folder));
        let mut scripts = self.files.iter().filter(is_script);
        programs
            .iter()
            .any(|path| mentions(&self.texts(path), option))
            || scripts.any(|file| read(file).contains(option))
    }
}

#[test]
fn documents_name_only_what_exists() {
    let repository = Repository::open();
    let mut faults = Vec::new();
    let mut counted = [0; 4];
    let summary = "docs/SUMMARY.md";
    let pages = pieces(summary, &read(summary)).links.into_iter();
    let pages = pages.filter_map(|link| resolve(summary, &link));
    let pages: BTreeSet<String> = pages.collect();
    assert!(pages.len() > 20, "{pages:?}");
    for document in repository.documents() {
        let mut fault = |text: String| faults.push(format!("{document}: {text}"));
        let Pieces { spans, code, links } = pieces(document, &read(document));
        for link in links {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            counted[0] += 1;
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = match path {
                "" => Some(document.to_owned()),
                path => resolve(document, path),
            };
            let Some(path) = path.filter(|path| repository.files.contains(path)) else {
                fault(format!("no file for the link {link}"));
                continue;
            };
            // In the site a link needs a page.
            if pages.contains(document) && path.ends_with(".md") && !pages.contains(&path) {
                fault(format!("{path} is not in docs/SUMMARY.md"));
            }
            if !anchor.is_empty() && !anchors(&read(&path)).contains(anchor) {
                fault(format!("no heading for the link {link}"));
            }
        }
        // Logs name commands and files of their time.
        if document.starts_with("lab/log/") {
            continue;
        }
        for text in spans.iter().chain(&code) {
            for name in file_names(text) {
                counted[1] += 1;
                if !ELSEWHERE.contains(&name.as_str()) && !repository.has(&name, document) {
                    fault(format!("no file {name}"));
                }
            }
            for words in simple_commands(text) {
                counted[2] += 1;
                for text in repository.check_command(&words, document) {
                    fault(text);
                }
            }
        }
        for span in &spans {
            let first = span.split_whitespace().next().unwrap_or_default();
            if let Some(option) = option(first) {
                counted[3] += 1;
                if !repository.is_option(option) {
                    fault(format!("no program has the option {option}"));
                }
            }
        }
    }
    // Comments and scripts name documents, too.
    for file in &repository.files {
        let code = [".rs", ".py", ".sh", ".mjs"];
        if !code.iter().any(|end| file.ends_with(end)) {
            continue;
        }
        for part in read(file).split("docs/").skip(1) {
            let in_name = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
            let name = part.split(|c| !in_name(c)).next().unwrap_or_default();
            let name = name.trim_end_matches('.');
            if name.ends_with(".md") && !repository.files.contains(&format!("docs/{name}")) {
                faults.push(format!("{file}: no document docs/{name}"));
            }
        }
    }
    let count = faults.len();
    assert!(faults.is_empty(), "{count} faults:\n{}", faults.join("\n"));
    let [links, names, commands, options] = counted;
    assert!(links > 150 && names > 150, "{counted:?}");
    assert!(commands > 300 && options > 50, "{counted:?}");
}

#[test]
fn every_crate_is_in_the_list_for_contributors() {
    let list = read("CONTRIBUTING.md");
    for entry in fs::read_dir(root().join("crates")).expect("the crates") {
        let name = entry.expect("a crate").file_name();
        let name = name.display();
        assert!(list.contains(&format!("\n| `{name}` | ")), "{name}");
    }
}

/// Scripts are run by their names: each file that names its interpreter may be run, and so may each
/// script that a document shows as a command.
#[cfg(unix)]
#[test]
fn scripts_may_be_run() {
    use std::os::unix::fs::PermissionsExt;
    let repository = Repository::open();
    let may_be_run = |path: &str| {
        let metadata = fs::metadata(root().join(path)).expect("a file");
        metadata.permissions().mode() & 0o111 != 0
    };
    let mut faults = Vec::new();
    let mut scripts = 0;
    for file in &repository.files {
        let bytes = fs::read(root().join(file)).expect("a file");
        let names_interpreter = bytes.starts_with(b"#!/");
        scripts += usize::from(names_interpreter);
        if names_interpreter && !may_be_run(file) {
            faults.push(format!("{file} has no permission to be run"));
        }
    }
    for document in repository.documents() {
        for line in pieces(document, &read(document)).code {
            for words in simple_commands(&line) {
                let path = words[0].as_str();
                let is_script = path.ends_with(".py") || path.ends_with(".sh");
                if is_script && repository.files.contains(path) && !may_be_run(path) {
                    faults.push(format!("{document}: {path} has no permission to be run"));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(scripts > 20, "{scripts}");
}

const CONDITIONS: &str = include_str!("../../crates/beliefs/src/conditions.txt");

const RESULT_CONDITIONS: &str = include_str!("../../crates/facade/src/result_conditions.txt");

/// Returns `listed.len()` of the lines of a text that begin with `indent`, without it, starting with
/// the first of `listed`.
fn described(text: &str, indent: &str, listed: &[&str]) -> Vec<String> {
    let lines = text
        .lines()
        .filter_map(|line| line.strip_prefix(indent))
        .skip_while(|line| *line != listed[0]);
    lines.take(listed.len()).map(str::to_owned).collect()
}

/// The help, the page of questions, and the page in a browser have one list, each line a condition
/// with its meaning.
#[test]
fn conditions_are_described_once() {
    let help = run_line("help conditions").output;
    let page = include_str!("../../docs/questions.md");
    for conditions in [CONDITIONS, RESULT_CONDITIONS] {
        let listed: Vec<&str> = conditions.lines().collect();
        assert!(listed.len() > 8);
        assert_eq!(described(&help, "  ", &listed), listed);
        assert_eq!(described(page, "    ", &listed), listed);
    }
}

/// The help of files has the line of every format.
#[test]
fn formats_are_described_once() {
    let help = run_line("help files").output;
    for (format, name) in Format::all() {
        for line in format.guide().line.lines() {
            assert!(help.contains(&format!("\n  {line}\n")), "{name}: {help}");
        }
    }
}
