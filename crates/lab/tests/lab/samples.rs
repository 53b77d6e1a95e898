//! A run directory of an earlier version is read, and its games come to the same totals.

use std::fs;
use std::path::Path;

use deminer_lab::durable::RunDir;
use deminer_lab::totals::Totals;

#[test]
fn an_old_run_directory_reads_as_it_was() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples/run");
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(&sample).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
    }
    let run = RunDir::existing(folder.path()).unwrap();
    let spec = fs::read_to_string(sample.join("spec.toml")).unwrap();
    assert!(spec.starts_with(&run.spec().to_string()));
    assert_eq!(run.spec().fingerprint(), "d04a18a8959be8b6");

    let kept = fs::read_to_string(sample.join("totals.json")).unwrap();
    // The seal is that of these games, so nothing is counted anew.
    assert_eq!(run.seal().unwrap().text, kept);
    let kept: Totals = serde_json::from_str(&kept).unwrap();
    fs::remove_file(run.totals_path()).unwrap();
    let again: Totals = serde_json::from_str(&run.seal().unwrap().text).unwrap();
    assert_eq!(again, kept);
    assert_eq!((again.agents[1].won, again.paired[0].only_second), (Some(22), Some(20)));
}
