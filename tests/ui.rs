//! Messages as users see them: every program in `tests/ui` fails to compile with the text beside it.
//!
//! `TRYBUILD=overwrite cargo test --test ui` writes the texts anew.

#[test]
fn mistakes_are_explained() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
