//! The names of the functions: the headers and the list for 32-bit Windows have the same.

use std::collections::BTreeSet;

/// The names of the functions that a header declares.
fn declared(header: &str) -> BTreeSet<&str> {
    let declarations = header.split("DLLEXPORT ").skip(1);
    declarations
        .filter_map(|text| text.split_once('(')?.0.split_whitespace().last())
        .collect()
}

#[test]
fn the_list_for_windows_has_the_functions_of_the_headers() {
    let headers = [
        include_str!("../../include/dds/dll.h"),
        include_str!("../../include/api/dds_c_api.h"),
    ];
    let mut of_headers: BTreeSet<&str> = headers.into_iter().flat_map(declared).collect();
    // Not a function: the macro before them.
    of_headers.remove("#define");
    of_headers.remove("__declspec");
    let listed: BTreeSet<&str> = include_str!("../../dds.def")
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    assert!(of_headers.contains("SolveBoard") && of_headers.len() > 60);
    assert_eq!(listed, of_headers);
}

/// The list for 32 bits has the same names, and the 30 further ones of DDS 2.9, each for a function
/// that it names.
#[test]
fn the_list_for_32_bits_has_the_names_of_dds() {
    let lines = |text: &'static str| text.lines().filter_map(|line| line.strip_prefix("    "));
    let listed: BTreeSet<&str> = lines(include_str!("../../dds.def")).collect();
    let (aliases, names): (Vec<&str>, Vec<&str>) =
        lines(include_str!("../../dds32.def")).partition(|line| line.contains('='));
    assert_eq!(names.into_iter().collect::<BTreeSet<_>>(), listed);
    assert_eq!(aliases.len(), 30);
    assert!(aliases.contains(&"SolveBoard@116 = SolveBoard"));
    for alias in aliases {
        let (decorated, name) = alias.split_once(" = ").expect("an alias");
        let bytes = decorated
            .strip_prefix(name)
            .expect("the name and a number")
            .trim_start_matches('@')
            .parse::<u16>();
        assert!(listed.contains(name) && bytes.is_ok(), "{alias}");
    }
}
