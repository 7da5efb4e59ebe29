//! Recognising a file of this program by how it begins.

use std::io::{self, Read};
use std::path::Path;

use super::open_to_read;

/// The first bytes of levels, manifests and journals of any version.
const MAGIC: [u8; 6] = *b"setrog";

/// Whether a file is one of ours, or has nothing to lose: it is not there, or
/// empty, or begins with zeros, as does a level under construction.
///
/// # Errors
///
/// It cannot be read, or is no regular file.
pub(crate) fn is_ours(path: &Path) -> io::Result<bool> {
    let mut file = match open_to_read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        file => file?,
    };
    let mut start = Vec::new();
    file.by_ref().take(8).read_to_end(&mut start)?;
    Ok(start.starts_with(&MAGIC) || start.iter().all(|&byte| byte == 0))
}
