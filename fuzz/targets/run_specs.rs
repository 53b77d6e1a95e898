#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| deminer_fuzz::run_specs(bytes));
