//! What documents name: links, headings, names of files, and commands with their options.

use std::collections::BTreeSet;

/// Endings of files of the repository. Others, such as `level-08.sdb`, are files of users.
const SOURCES: [&str; 12] = [
    "c", "css", "h", "html", "md", "mjs", "png", "py", "rs", "sh", "svg", "webp",
];

/// The path of a link in a document; `None` if it leads out of the repository.
pub fn resolve(document: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = document.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The anchors of a Markdown file: its headings, as forges and mdBook make them.
pub fn anchors(text: &str) -> BTreeSet<String> {
    let mut found: Vec<String> = Vec::new();
    let mut code = false;
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        let Some(heading) = line.strip_prefix('#').filter(|_| !code) else {
            continue;
        };
        let heading = heading.trim_start_matches('#').trim().to_lowercase();
        let mut anchor = heading.replace(' ', "-");
        anchor.retain(|c| c.is_alphanumeric() || "-_".contains(c));
        let same = found.iter().filter(|other| **other == anchor).count();
        found.push(anchor.clone());
        if same > 0 {
            found.push(format!("{anchor}-{same}"));
        }
    }
    found.into_iter().collect()
}

/// The pieces of a document that name things: code spans in prose, and lines of code.
pub struct Pieces {
    pub spans: Vec<String>,
    /// Lines of code blocks, continued ones as one.
    pub code: Vec<String>,
    /// The targets of links and pictures.
    pub links: Vec<String>,
}

pub fn pieces(path: &str, text: &str) -> Pieces {
    let mut prose = String::new();
    let mut code = String::new();
    let (mut fenced, mut indented, mut blank) = (false, false, true);
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```");
        indented = line.starts_with("    ") && (blank || indented) && !line.trim().is_empty()
            || line.starts_with("  ") && path.ends_with(".txt");
        if fenced || is_fence || indented {
            fenced ^= is_fence;
            code.push_str(line);
            code.push('\n');
        } else {
            prose.push_str(line);
            prose.push(if line.trim().is_empty() { '\n' } else { ' ' });
        }
        blank = line.trim().is_empty() || line.trim_start().starts_with(['-', '*']) && blank;
    }
    let mut spans = Vec::new();
    let mut links = Vec::new();
    for paragraph in prose.split('\n') {
        let mut outside = String::new();
        for (index, part) in paragraph.split('`').enumerate() {
            if index % 2 == 1 {
                spans.push(part.to_owned());
            } else {
                outside.push_str(part);
            }
        }
        for part in outside.split("](").skip(1) {
            let target = part.split([')', ' ']).next().unwrap_or_default();
            links.push(target.to_owned());
        }
    }
    let code = code.replace("\\\n", " ").replace("&&\n", "&& ");
    Pieces {
        spans,
        code: code.lines().map(|line| line.trim().to_owned()).collect(),
        links,
    }
}

/// A name with braces, as `a/{b,c}.rs`, as the names that it means.
fn without_braces(name: &str) -> Vec<String> {
    let Some((before, rest)) = name.split_once('{') else {
        return vec![name.to_owned()];
    };
    let Some((inside, after)) = rest.split_once('}') else {
        return vec![name.to_owned()];
    };
    let each = inside.split(',');
    each.flat_map(|part| without_braces(&format!("{before}{part}{after}")))
        .collect()
}

/// The names of source files in a span or a line of code.
pub fn file_names(text: &str) -> Vec<String> {
    let separators = |c: char| c.is_whitespace() || "()[]\"'`;:=|<>".contains(c);
    let words = text.split(separators);
    let words = words.filter(|word| !word.contains("://") && !word.contains(['*', '$']));
    let words = words.flat_map(|word| without_braces(word.trim_end_matches(['.', ','])));
    let is_file = |word: &String| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let Some((stem, end)) = name.rsplit_once('.') else {
            return false;
        };
        // A page or a picture without a directory is the output of an example.
        let output = !word.contains('/') && ["html", "svg"].contains(&end);
        let in_stem = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let source = SOURCES.contains(&end) && !stem.is_empty() && stem.chars().all(in_stem);
        source && !output && !word.starts_with(['/', '~', '-'])
    };
    words.filter(is_file).collect()
}

/// The words of each simple command of a shell line. Quoted texts are one word.
pub fn simple_commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word = String::new();
    let mut quote = None;
    let mut quoted = false;
    let line = line.strip_prefix("$ ").unwrap_or(line);
    for c in line.chars().chain([' ']) {
        match quote {
            Some(end) if c == end => quote = None,
            Some(_) => word.push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                quoted = true;
            }
            None if c == '#' && word.is_empty() => break,
            None if c.is_whitespace() || ";|&()".contains(c) => {
                if !word.is_empty() || quoted {
                    let last = commands.last_mut().expect("one");
                    last.push(std::mem::take(&mut word));
                    quoted = false;
                }
                if ";|&()".contains(c) {
                    commands.push(Vec::new());
                }
            }
            None => word.push(c),
        }
    }
    if !word.is_empty() {
        commands.last_mut().expect("one").push(word);
    }
    commands.retain(|words| !words.is_empty());
    commands
}

/// Returns whether a word is an option, without its value.
pub fn option(word: &str) -> Option<&str> {
    let name = word.split(['=', '[']).next().unwrap_or(word);
    let name = name.trim_end_matches(['.', ',', ':']);
    let in_name = |c: char| c.is_ascii_lowercase() || c == '-' || c.is_ascii_digit();
    let rest = name.strip_prefix("--")?;
    (rest.len() > 1 && rest.chars().all(in_name)).then_some(name)
}
