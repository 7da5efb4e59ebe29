//! Integration tests: files of all formats, pasted texts, and texts with slips.

mod common;
mod diagrams;
mod edits;
mod mutated;
mod pasted;
mod reading;
mod rewriting;
