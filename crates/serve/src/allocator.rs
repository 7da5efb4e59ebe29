//! Settings of the allocator of glibc, under which a server's memory stays flat.

/// Makes the allocator return large blocks to the system as soon as they are freed.
///
/// By default, glibc keeps up to 8 arenas per core, and in each of them freed blocks of up to 32
/// MB, which no other thread uses. Under `lab/scripts/serve_hours.py` this was 475 MiB after 14
/// minutes, and grew; with these settings it is 105 to 175 MiB, and does not. Settings in the
/// environment have priority.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn return_freed_memory() {
    /// The largest block that an arena keeps, in bytes.
    const LARGEST_KEPT: i32 = 1 << 20;
    let is_setting = |name: &std::ffi::OsStr| {
        name == "GLIBC_TUNABLES" || name.as_encoded_bytes().starts_with(b"MALLOC_")
    };
    if std::env::vars_os().any(|(name, _)| is_setting(&name)) {
        return;
    }
    let arenas = i32::try_from(setrograde::cores()).unwrap_or(i32::MAX);
    // SAFETY: `mallopt` changes two numbers of the allocator, under its lock; any value is allowed.
    #[allow(unsafe_code)]
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST_KEPT);
        libc::mallopt(libc::M_ARENA_MAX, arenas);
    }
}

/// Other allocators keep their settings.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_freed_memory() {}
