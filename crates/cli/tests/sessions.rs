//! The sessions in README and docs are run and compared.

#[test]
fn documented_sessions_are_true() {
    trycmd::TestCases::new()
        .case("../../README.md")
        .case("../../docs/*.md")
        .case("tests/sessions/*.md");
}
