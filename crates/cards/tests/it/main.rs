//! Integration tests: each file keeps one promise about cards and their texts.

mod scores;
mod text;
mod tricks;
