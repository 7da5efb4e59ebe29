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
        include_str!("../../../include/dds/dll.h"),
        include_str!("../../../include/api/dds_c_api.h"),
    ];
    let mut of_headers: BTreeSet<&str> = headers.into_iter().flat_map(declared).collect();
    // Not a function: the macro before them.
    of_headers.remove("#define");
    let listed: BTreeSet<&str> = include_str!("../dds.def")
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    assert!(of_headers.contains("SolveBoard") && of_headers.len() > 60);
    assert_eq!(listed, of_headers);
}
