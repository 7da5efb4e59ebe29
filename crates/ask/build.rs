//! Gives the shared library the name under which programs look for it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |what: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).unwrap_or_default();
    let argument = |argument: &str| println!("cargo:rustc-cdylib-link-arg={argument}");
    match target("OS").as_str() {
        "linux" => argument("-Wl,-soname,libsetrograde_ask.so.1"),
        "macos" => argument("-Wl,-install_name,@rpath/libsetrograde_ask.1.dylib"),
        _ => {}
    }
}
