//! The free memory of the machine, within the limits of this process's control group.
//!
//! `free` returns its bytes; `None` where the system does not report them.

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn free() -> Option<u64> {
    linux::free(std::path::Path::new("/"))
}

#[cfg(windows)]
#[expect(unsafe_code, reason = "a call of the system")]
pub(crate) fn free() -> Option<u64> {
    use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
    let mut status = MEMORYSTATUSEX {
        dwLength: size_of::<MEMORYSTATUSEX>() as u32,
        ..MEMORYSTATUSEX::default()
    };
    // SAFETY: the structure is valid, and its length field is set.
    let succeeded = unsafe { GlobalMemoryStatusEx(&mut status) } != 0;
    // Wine sometimes reports that nothing is free.
    (succeeded && status.ullAvailPhys > 0).then_some(status.ullAvailPhys)
}

/// All memory counts as free, because no stable interface reports the free part.
#[cfg(target_vendor = "apple")]
#[expect(unsafe_code, reason = "a call of the system")]
pub(crate) fn free() -> Option<u64> {
    let mut all = 0_u64;
    let mut bytes = size_of::<u64>();
    // SAFETY: the name ends with 0, and the two pointers are to a number and its length.
    let failed = unsafe {
        libc::sysctlbyname(
            c"hw.memsize".as_ptr(),
            (&raw mut all).cast(),
            &mut bytes,
            std::ptr::null_mut(),
            0,
        )
    };
    (failed == 0 && bytes == size_of::<u64>()).then_some(all)
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    windows,
    target_vendor = "apple"
)))]
pub(crate) fn free() -> Option<u64> {
    None
}

/// Reads the files in which Linux reports it. Compiled on all systems, so its tests run everywhere.
#[cfg(any(target_os = "linux", target_os = "android", test))]
mod linux {
    use std::fs;
    use std::path::Path;

    /// Reads the files below `root`.
    pub(super) fn free(root: &Path) -> Option<u64> {
        let kilobytes = number_after("MemAvailable:", &root.join("proc/meminfo"))?;
        let mut free = kilobytes.checked_mul(1024)?;
        let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        for group in groups.lines() {
            // A number, the controllers, and the group; of version 2, `0::/the/group`.
            let mut parts = group.splitn(3, ':').skip(1);
            let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
                continue;
            };
            let files = match controllers {
                "" => &VERSION_2,
                _ if controllers.split(',').any(|name| name == "memory") => &VERSION_1,
                _ => continue,
            };
            // The limits of its parent groups apply, too.
            let top = root.join(files.root);
            let own = top.join(path.trim_start_matches('/'));
            for directory in own.ancestors().take_while(|group| group.starts_with(&top)) {
                free = free.min(files.free(directory));
            }
        }
        Some(free.min(address_space(root).unwrap_or(u64::MAX)))
    }

    /// Returns the bytes of addresses that the process may still use; `None` without a limit, which
    /// `ulimit -v` sets.
    fn address_space(root: &Path) -> Option<u64> {
        let limit = number_after("Max address space", &root.join("proc/self/limits"))?;
        let used = number_after("VmSize:", &root.join("proc/self/status"))?;
        Some(limit.saturating_sub(used.saturating_mul(1024)))
    }

    /// Returns the number after a name with which a line of a file begins.
    fn number_after(name: &str, file: &Path) -> Option<u64> {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// The files of a control group.
    struct GroupFiles {
        root: &'static str,
        limit: &'static str,
        used: &'static str,
        /// The word before the bytes of reclaimable file pages.
        reclaimable: &'static str,
    }

    const VERSION_2: GroupFiles = GroupFiles {
        root: "sys/fs/cgroup",
        limit: "memory.max",
        used: "memory.current",
        reclaimable: "inactive_file ",
    };
    const VERSION_1: GroupFiles = GroupFiles {
        root: "sys/fs/cgroup/memory",
        limit: "memory.limit_in_bytes",
        used: "memory.usage_in_bytes",
        reclaimable: "total_inactive_file ",
    };

    impl GroupFiles {
        /// Returns the free bytes of a group; `u64::MAX` if it has no limit.
        fn free(&self, group: &Path) -> u64 {
            let number = |name: &str| number_after("", &group.join(name));
            let (Some(limit), Some(used)) = (number(self.limit), number(self.used)) else {
                return u64::MAX;
            };
            let reclaimable = number_after(self.reclaimable, &group.join("memory.stat"));
            limit.saturating_sub(used.saturating_sub(reclaimable.unwrap_or(0)))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_memory_of_this_machine_is_known() {
        let known = cfg!(any(target_os = "linux", windows, target_vendor = "apple"));
        assert_eq!(free().is_some(), known);
        assert!(free().is_none_or(|bytes| (1..1 << 50).contains(&bytes)));
    }

    #[test]
    fn groups_limit_it() -> std::io::Result<()> {
        let root = tempfile::tempdir()?;
        let root = root.path();
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap_or(Path::new("")))?;
            fs::write(path, text)
        };
        let read = || linux::free(root);
        assert_eq!(read(), None);
        write(
            "proc/meminfo",
            "MemTotal:    1000 kB\nMemFree: 3 kB\nMemAvailable:  500 kB\n",
        )?;
        assert_eq!(read(), Some(512_000));
        write("proc/self/cgroup", "1:name=systemd:/a\n0::/job/step\n")?;
        assert_eq!(read(), Some(512_000));
        write("sys/fs/cgroup/job/step/memory.max", "max\n")?;
        write("sys/fs/cgroup/job/step/memory.current", "1000\n")?;
        write("sys/fs/cgroup/job/memory.max", "300000\n")?;
        write("sys/fs/cgroup/job/memory.current", "250000\n")?;
        assert_eq!(read(), Some(50_000));
        write(
            "sys/fs/cgroup/job/memory.stat",
            "anon 1\ninactive_file 100000\n",
        )?;
        assert_eq!(read(), Some(150_000));
        write("proc/self/cgroup", "4:cpu,memory:/old\n")?;
        write("sys/fs/cgroup/memory/old/memory.limit_in_bytes", "200000\n")?;
        write("sys/fs/cgroup/memory/old/memory.usage_in_bytes", "300000\n")?;
        assert_eq!(read(), Some(0));
        // Groups of other controllers are ignored.
        write("proc/self/cgroup", "4:memory:/old\n5:cpuset:/other\n")?;
        write("sys/fs/cgroup/memory/other/memory.limit_in_bytes", "1\n")?;
        write("sys/fs/cgroup/memory/other/memory.usage_in_bytes", "1\n")?;
        assert_eq!(read(), Some(0));
        Ok(())
    }
}
