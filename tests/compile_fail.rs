//! Each mistake gives its own error, at the user's token. `cargo xtask bless` rewrites the expectations.

#[test]
fn mistakes_are_told_where_they_are_made() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
    // rustc names these types by the shortest path there is, which the feature makes.
    #[cfg(feature = "half")]
    cases.compile_fail("tests/ui/half/*.rs");
}
