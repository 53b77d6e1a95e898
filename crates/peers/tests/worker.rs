//! Engines in processes of their own: they answer, they refuse, and they may hang.

use std::path::PathBuf;
use std::time::Duration;

use deminer_game::View;
use deminer_peers::engine::{DEMINER, Entry, PEERS, by_name};
use deminer_peers::measure::{OUR_CORPUS, read_positions};
use deminer_peers::{Answer, Worker};

const PATIENT: Duration = Duration::from_secs(60);

fn worker(entry: &Entry, patience: Duration) -> Worker {
    Worker::new(PathBuf::from(env!("CARGO_BIN_EXE_deminer-peer")), entry, patience)
}

fn view(text: &str) -> View {
    text.parse().expect("a position")
}

/// Asks for the odds of a position with these odds of its covered cells.
fn check(worker: &mut Worker, entry: &Entry, position: &str, covered: &[f64]) {
    let answer = worker.ask(&view(position)).expect("the worker lives");
    let Answer::Odds { mines, .. } = answer else { panic!("{} gives no odds", entry.name) };
    assert_eq!(mines.len(), covered.len());
    for (mine, right) in mines.iter().zip(covered) {
        assert!((mine - right).abs() <= 1e-6, "{}: {mine}", entry.name);
    }
}

#[test]
fn every_engine_answers_one_position_after_another() {
    for entry in [&DEMINER].into_iter().chain(PEERS) {
        let mut worker = worker(entry, PATIENT);
        check(&mut worker, entry, "mines 1\n# #\n1 #", &[1.0 / 3.0; 3]);
        let third = 1.0 / 3.0;
        let odds = [2.0 * third, 2.0 * third, 0.0, 2.0 * third, 0.0];
        check(&mut worker, entry, "mines 2\n# # #\n2 # #", &odds);
        // Of three layouts two have the mine between the clues and another one in the sea; one
        // has its mines outside, next to the clues.
        let odds = [third, 2.0 * third, third, third, third];
        check(&mut worker, entry, "mines 2\n# 1 # 1 # # #", &odds);
    }
}

#[test]
fn a_contradiction_is_refused_with_a_reason() {
    let mut worker = worker(&DEMINER, PATIENT);
    match worker.ask(&view("mines 1\n# # #\n3 # #")).expect("the worker lives") {
        Answer::Refused(reason) => assert!(reason.contains("no layout"), "{reason}"),
        _ => panic!("no layout fits"),
    }
}

#[test]
fn a_hang_ends_in_time_and_the_next_position_is_answered() {
    let entry = by_name("toollib-enum").expect("a peer");
    let mut worker = worker(entry, Duration::from_secs(1));
    let corpus = read_positions(OUR_CORPUS).expect("the corpus is in the tree");
    let wide = corpus.iter().find(|position| position.name == "hard_lattice30x16_0");
    let answer = worker.ask(&wide.expect("one of the corpus").view).expect("the worker lives");
    assert!(matches!(answer, Answer::TimedOut));
    check(&mut worker, entry, "mines 1\n# #\n1 #", &[1.0 / 3.0; 3]);
}
