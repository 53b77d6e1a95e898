//! The sessions in README and docs are run and compared, from the workspace's folder.

#[test]
fn documented_sessions_are_true() {
    std::env::set_current_dir("../..").expect("crates lie two folders down");
    trycmd::TestCases::new()
        .case("README.md")
        .case("docs/*.md")
        .case("docs/book/src/*/*.md")
        .case("crates/cli/tests/sessions/*.md");
}
