//! Gives the shared library the names under which programs look for DDS and its functions.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=dds.def");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let argument = |argument: &str| println!("cargo:rustc-cdylib-link-arg={argument}");
    match (target("OS").as_str(), target("ARCH").as_str()) {
        ("linux", _) => argument("-Wl,-soname,libdds.so.0"),
        ("macos", _) => argument("-Wl,-install_name,@rpath/libdds.dylib"),
        ("windows", "x86") if target("ENV") == "msvc" => {
            let directory = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
            argument(&format!("/DEF:{directory}\\dds.def"));
        }
        ("windows", "x86") => argument("-Wl,--kill-at"),
        _ => {}
    }
}
