//! Integration tests: each file keeps one promise about the library.

mod c_programs;
mod names;
mod pars;
