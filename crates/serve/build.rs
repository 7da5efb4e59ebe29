//! Gives the program for Windows the version that Explorer shows, as the command's build script
//! does; sharing the few lines would need another crate.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_CFG_WINDOWS").is_none() {
        return;
    }
    let made = winresource::WindowsResource::new()
        .set("ProductName", "setrograde")
        .set(
            "LegalCopyright",
            "The setrograde authors; MIT or Apache-2.0",
        )
        .compile_for("setrograde-serve");
    // A machine that compiles for Windows may have no resource compiler: the program is the same.
    if let Err(error) = made {
        println!("cargo:warning=no version resource: {error}");
    }
}
