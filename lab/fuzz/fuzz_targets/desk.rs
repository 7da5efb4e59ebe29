#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| setrograde_fuzz::targets::desk::run(input));
