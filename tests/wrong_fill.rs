//! A solver that fills a hole wrongly makes a program that does not compile.

#[cfg(feature = "aot")]
#[test]
fn a_wrong_fill_does_not_compile() {
    // SAFETY: this process has no other test, and so no other thread that reads the environment.
    unsafe { std::env::set_var("GRIDFN_TEST_WRONG_FILL", "1") };
    trybuild::TestCases::new().compile_fail("tests/ui_ahead/wrong_fill.rs");
}
