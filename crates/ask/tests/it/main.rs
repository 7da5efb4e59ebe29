//! Integration tests: the library as C programs see it.

mod c_program;
mod desk;
mod stack;
