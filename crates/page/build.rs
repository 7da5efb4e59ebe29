//! A stack of 4 MiB where the engine is a WebAssembly module: the usual one has 1 MiB,
//! and what runs over it is not noticed.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rustc-cdylib-link-arg=-zstack-size=4194304");
    }
}
