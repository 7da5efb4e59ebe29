//! Builds that fail at any moment, journals of strangers, and levels of any size.

#[cfg(unix)]
mod crash;
#[cfg(unix)]
mod faulty;
mod hostile;
mod large;
pub(crate) mod remembered;
