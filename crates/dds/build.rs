//! Gives the shared library the names under which programs look for DDS and its functions.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=dds32.def");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let argument = |argument: &str| println!("cargo:rustc-cdylib-link-arg={argument}");
    match (target("OS").as_str(), target("ARCH").as_str()) {
        ("linux", _) => argument("-Wl,-soname,libdds.so.0"),
        ("macos", _) => argument("-Wl,-install_name,@rpath/libdds.dylib"),
        // Names with and without the @N that 32-bit Windows adds.
        ("windows", "x86") => {
            let directory = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
            match target("ENV").as_str() {
                "msvc" => argument(&format!("/DEF:{directory}\\dds32.def")),
                _ => {
                    argument(&format!("{directory}/dds32.def"));
                    argument("-Wl,--enable-stdcall-fixup");
                }
            }
        }
        _ => {}
    }
}
