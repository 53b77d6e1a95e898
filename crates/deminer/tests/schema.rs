//! The description that the types of the npm package are made of is the true one.

use std::path::Path;

#[test]
fn the_committed_description_is_the_true_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../npm/schema.json");
    let described = deminer::requests::describe().to_pretty_json().unwrap() + "\n";
    if std::env::var_os("DEMINER_WRITE_SCHEMA").is_some() {
        std::fs::write(&path, &described).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == described,
        "npm/schema.json is not what the types say. Write it with \
         DEMINER_WRITE_SCHEMA=1 cargo test -p deminer --features schema --test schema, \
         then run `npm run describe` in npm/"
    );
}
