//! Inside a crate, no module imports one that imports it, not even by way of
//! others.
//!
//! A module is a file. It imports another where it names something that is
//! defined there, in a `use` or in a path. To hand a name on (`pub use`) is no
//! import: the arrow goes to where the name is defined. Tests are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, iter};

use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};

/// The path of a module from its crate's root; the root has none.
type Name = Vec<String>;

/// What stands in a file.
#[derive(Default)]
struct Module {
    /// Names that `use` brings in, with where they come from.
    used: BTreeMap<String, Name>,
    /// The names among them that are only handed on.
    handed_on: BTreeSet<String>,
    /// All paths in the code.
    paths: BTreeSet<Name>,
}

impl Module {
    fn enter(&mut self, tree: &UseTree, mut path: Name, handed_on: bool) {
        match tree {
            UseTree::Path(next) => {
                path.push(next.ident.to_string());
                self.enter(&next.tree, path, handed_on);
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.enter(tree, path.clone(), handed_on);
                }
            }
            UseTree::Glob(_) if handed_on => {}
            UseTree::Glob(_) => drop(self.paths.insert(path)),
            UseTree::Name(_) | UseTree::Rename(_) => {
                let (last, name) = match tree {
                    UseTree::Rename(rename) => (&rename.ident, &rename.rename),
                    UseTree::Name(name) => (&name.ident, &name.ident),
                    _ => return,
                };
                let itself = last == "self";
                if !itself {
                    path.push(last.to_string());
                }
                let name = match path.last() {
                    Some(module) if itself && name == "self" => module.clone(),
                    _ => name.to_string(),
                };
                if handed_on {
                    self.handed_on.insert(name.clone());
                }
                self.used.insert(name, path);
            }
        }
    }
}

impl<'a> Visit<'a> for Module {
    fn visit_item(&mut self, item: &'a Item) {
        let attributes: &[Attribute] = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Static(item) => &item.attrs,
            Item::Use(item) => &item.attrs,
            _ => &[],
        };
        if !attributes.iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'a ItemUse) {
        let handed_on = !matches!(item.vis, Visibility::Inherited);
        self.enter(&item.tree, Name::new(), handed_on);
    }

    /// `pub(super)` imports nothing.
    fn visit_visibility(&mut self, _: &'a Visibility) {}

    fn visit_path(&mut self, path: &'a syn::Path) {
        let names = path.segments.iter().map(|part| part.ident.to_string());
        self.paths.insert(names.collect());
        visit::visit_path(self, path);
    }
}

/// `#[cfg(test)]`, `#[cfg(all(test, unix))]`.
fn is_for_tests(attribute: &Attribute) -> bool {
    let condition = match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string(),
        _ => return false,
    };
    let mut words = condition.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| word == "test") && !condition.contains("not")
}

/// The modules of a crate.
#[derive(Default)]
struct Crate(BTreeMap<Name, Module>);

impl Crate {
    /// Reads a file, and those of the modules in it.
    fn read(&mut self, file: &Path, name: Name) {
        let text =
            fs::read_to_string(file).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        let code = syn::parse_file(&text).unwrap_or_else(|why| panic!("{}: {why}", file.display()));
        let owner = match file.file_stem() {
            Some(stem) if ["lib", "main", "mod"].map(AsRef::as_ref).contains(&stem) => {
                file.with_file_name("")
            }
            _ => file.with_extension(""),
        };
        let mut module = Module::default();
        module.visit_file(&code);
        self.0.insert(name.clone(), module);
        for item in &code.items {
            if let Item::Mod(ItemMod {
                attrs,
                ident,
                content: None,
                ..
            }) = item
                && !attrs.iter().any(is_for_tests)
            {
                let mut name = name.clone();
                name.push(ident.to_string());
                let places = [format!("{ident}.rs"), format!("{ident}/mod.rs")];
                let place = places
                    .iter()
                    .map(|place| owner.join(place))
                    .find(|place| place.exists());
                self.read(&place.unwrap_or_else(|| panic!("{name:?}: no file")), name);
            }
        }
    }

    /// The module that defines what a path in a module names, if it is one of
    /// this crate.
    fn definer(&self, from: &Name, path: &[String]) -> Option<Name> {
        let mut at = from.clone();
        for (place, part) in path.iter().enumerate() {
            let mut child = at.clone();
            child.push(part.clone());
            match part.as_str() {
                "crate" if place == 0 => at.clear(),
                "self" if place == 0 => {}
                "super" => drop(at.pop()),
                _ if self.0.contains_key(&child) => at = child,
                _ => match self.0[&at].used.get(part) {
                    // A name that begins with itself comes from another crate.
                    Some(origin) if origin.first() != Some(part) => {
                        let rest = origin.iter().chain(&path[place + 1..]);
                        return self.definer(&at, &rest.cloned().collect::<Vec<_>>());
                    }
                    Some(_) => return None,
                    None => return (place > 0).then_some(at),
                },
            }
        }
        Some(at)
    }

    /// The modules that each imports.
    fn imports(&self) -> BTreeMap<&Name, BTreeSet<Name>> {
        let of = |(name, module): (&'_ Name, &Module)| {
            let used = module.used.iter().filter(|(used, _)| {
                let alone = module.paths.iter().any(|path| path.first() == Some(used));
                !module.handed_on.contains(*used) || alone
            });
            let paths = used.map(|(_, path)| path).chain(&module.paths);
            let definers = paths.filter_map(|path| self.definer(name, path));
            definers.filter(|definer| definer != name).collect()
        };
        self.0.iter().map(|entry| (entry.0, of(entry))).collect()
    }

    /// The shortest way from each module back to itself, where there is one.
    fn circles(&self) -> Vec<String> {
        let imports = self.imports();
        let mut circles = BTreeMap::new();
        for start in imports.keys() {
            let mut from: BTreeMap<&Name, &Name> = BTreeMap::new();
            let mut front = vec![*start];
            while !front.is_empty() && !from.contains_key(start) {
                let mut next = Vec::new();
                for at in front {
                    for to in &imports[at] {
                        from.entry(to).or_insert_with(|| {
                            next.push(to);
                            at
                        });
                    }
                }
                front = next;
            }
            if from.contains_key(start) {
                let back =
                    iter::successors(Some(from[start]), |at| (at != start).then(|| from[*at]));
                let written = |name: &Name| match name.as_slice() {
                    [] => "the root".to_owned(),
                    parts => parts.join("::"),
                };
                let mut way: Vec<String> = back.map(written).collect();
                way.reverse();
                let members: BTreeSet<String> = way.iter().cloned().collect();
                circles.entry(members).or_insert(way.join(" -> "));
            }
        }
        circles.into_values().collect()
    }
}

/// The roots of the project's crates.
fn roots() -> Vec<PathBuf> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = fs::read_dir(project.join("crates")).expect("the crates");
    let folders = crates.map(|entry| entry.expect("a crate").path());
    let folders = folders.chain(["", "fuzz", "python"].map(|name| project.join(name)));
    let roots =
        folders.flat_map(|folder| ["src/lib.rs", "src/main.rs"].map(|root| folder.join(root)));
    roots.filter(|root| root.exists()).collect()
}

#[test]
fn no_module_imports_one_that_imports_it() {
    let roots = roots();
    assert!(roots.len() >= 12, "{roots:?}");
    let mut circles = Vec::new();
    for root in roots {
        let mut modules = Crate::default();
        modules.read(&root, Name::new());
        circles.extend(
            modules
                .circles()
                .iter()
                .map(|circle| format!("{}: {circle}", root.display())),
        );
    }
    assert!(circles.is_empty(), "{circles:#?}");
}
