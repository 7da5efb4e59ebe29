//! Gives the program for Windows its icon, and the version that Explorer shows.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=src/setrograde.ico");
    if std::env::var_os("CARGO_CFG_WINDOWS").is_none() {
        return;
    }
    let made = winresource::WindowsResource::new()
        .set("ProductName", "setrograde")
        .set(
            "LegalCopyright",
            "The setrograde authors; MIT or Apache-2.0",
        )
        .set_icon("src/setrograde.ico")
        .compile_for("setrograde");
    // A machine that compiles for Windows may have no resource compiler: the program is the same.
    if let Err(error) = made {
        println!("cargo:warning=no icon and no version resource: {error}");
    }
}
