//! The contents of `GetDDSInfo`.

use std::ffi::c_int;

use crate::abi::Info;
use crate::boundary::{Out, write_text};
use crate::resources;

/// The name of the system, as DDS numbers and writes it.
const SYSTEM: (c_int, &str) = if cfg!(target_os = "windows") {
    (1, "Windows")
} else if cfg!(target_os = "linux") {
    (3, "Linux")
} else if cfg!(target_os = "macos") {
    (4, "Apple")
} else {
    (0, "unknown")
};

/// Describes the library, in DDS's layout and with the version of an interface.
pub fn write(out: Out<Info>, [major, minor, patch]: [c_int; 3]) {
    let version = format!("{major}.{minor}.{patch}");
    let (system, system_name) = SYSTEM;
    let (cores, workers) = (resources::processors(), resources::workers());
    let bits = usize::BITS;
    let text = format!(
        "setrograde\n\
         ----------\n\
         {:<20}{:>13}\n\
         {:<20}{:>10} bits\n\
         {:<20}{:>13}\n\
         {:<20}{:>13}\n\
         {:<20}{:>13}\n\
         {:<20}{:>13}\n\
         {:<20}{:>13}\n",
        "System",
        system_name,
        "Word size",
        bits,
        "Library",
        concat!("setrograde ", env!("CARGO_PKG_VERSION")),
        "Interface",
        format!("DDS {version}"),
        "Number of cores",
        cores,
        "Number of threads",
        workers,
        "Threading",
        "per call",
    );
    out.write(Info {
        major,
        minor,
        patch,
        version: [0; 10],
        system,
        bits: bits as c_int,
        compiler: 0,
        constructor: if cfg!(target_os = "linux") { 2 } else { 0 },
        cores: cores as c_int,
        threading: 5,
        threads: workers as c_int,
        thread_sizes: [0; 128],
        system_text: [0; 1024],
    });
    let info = out.pointer();
    // SAFETY: the structure was just written to.
    unsafe {
        write_text(&raw mut (*info).version, &version);
        write_text(&raw mut (*info).thread_sizes, &format!("0 S, {workers} L"));
        write_text(&raw mut (*info).system_text, &text);
    }
}
