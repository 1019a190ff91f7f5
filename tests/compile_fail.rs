//! Each mistake gives its own error, at the user's token. `cargo xtask bless` rewrites the expectations.

#[test]
fn mistakes_are_told_where_they_are_made() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/*.rs");
}
