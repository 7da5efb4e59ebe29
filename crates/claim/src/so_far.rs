//! The bounds of a search that is not over.

use std::fmt;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

/// Bounds so far on the number of sure tricks. They are valid at every moment of a search, and may
/// be read from another thread.
#[derive(Debug)]
pub struct SoFar {
    bounds: AtomicU16,
    /// Number of assumptions found, and the share of the best in parts of 10,000.
    assumptions: AtomicU32,
}

impl Default for SoFar {
    fn default() -> SoFar {
        SoFar {
            bounds: AtomicU16::new(u16::from_be_bytes([0, 13])),
            assumptions: AtomicU32::new(0),
        }
    }
}

/// The tricks that are sure, and those that may be: `11 sure, 12 open`.
impl fmt::Display for SoFar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = self.bounds();
        match most.saturating_sub(least) {
            0 => write!(f, "{least} sure")?,
            1 => write!(f, "{least} sure, {most} open")?,
            _ => write!(f, "{least} sure, {} to {most} open", least + 1)?,
        }
        let assumptions = self.assumptions.load(Ordering::Relaxed);
        let percent = f64::from(assumptions & 0xffff) / 100.0;
        match assumptions >> 16 {
            0 => Ok(()),
            1 => write!(f, "; 1 assumption, {percent:.1} %"),
            found => write!(f, "; {found} assumptions, the best {percent:.1} %"),
        }
    }
}

impl SoFar {
    /// The tricks known to be sure, and the maximum that may still be.
    pub fn bounds(&self) -> (u8, u8) {
        let [least, most] = self.bounds.load(Ordering::Relaxed).to_be_bytes();
        (least, most)
    }

    pub(crate) fn note(&self, least: u8, most: u8) {
        let bounds = u16::from_be_bytes([least, most]);
        self.bounds.store(bounds, Ordering::Relaxed);
    }

    pub(crate) fn note_assumptions(&self, found: usize, best: f64) {
        let best = (best * 10_000.0) as u32;
        let found = found.min(usize::from(u16::MAX)) as u32;
        self.assumptions
            .store(found << 16 | best, Ordering::Relaxed);
    }
}
