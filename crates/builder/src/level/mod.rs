//! A level under construction: the work directory, its journals, and the file
//! that is made from them.

pub(crate) mod file;
pub(crate) mod journal;
pub(crate) mod work;
