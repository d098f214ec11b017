//! `megha_base::math` is what the compiler generates from its own definitions. `UPDATE_EXPECT=1` writes the files anew.

use megha_core::math::rust;
use std::path::Path;

#[test]
fn the_rust_functions_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../megha-base/src/math");
    let mut stale = Vec::new();
    for (name, text) in rust::files() {
        let path = folder.join(name).with_extension("rs");
        if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        match std::env::var_os("UPDATE_EXPECT") {
            Some(_) => std::fs::write(&path, text).unwrap(),
            None => stale.push(name),
        }
    }
    assert!(stale.is_empty(), "megha-base/src/math is out of date in {stale:?}: run again with UPDATE_EXPECT=1");
}
