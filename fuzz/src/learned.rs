//! Files of learned agents, and the texts that choose agents.

use deminer::roster::{Roster, entries};
use deminer_game::{
    Artifacts, Entry, FirstClick, Form, GameSeed, Match, Rng, Rules, Shape, Start, View,
};
use deminer_learn::{evolve, ilp, q_table, trees};
use deminer_neural::artifact;

/// The agents that play with files.
fn learned() -> impl Iterator<Item = &'static Entry> {
    entries().filter(|entry| entry.artifact.is_some())
}

/// Any bytes as a tree, a genome, a table of values, a theory or a network. What is read plays.
pub fn artifacts(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = evolve::Artifact::read(text);
        let _ = q_table::Artifact::read(text);
        let _ = ilp::Theory::read(text);
        let _ = artifact::read_description(text);
    }
    let _ = trees::Artifact::read(bytes);
    if let Ok((header, net, weights)) = artifact::read(bytes) {
        assert!(weights.0.iter().flatten().all(|weight| weight.is_finite()));
        let again = artifact::write(&header, &net, &weights, artifact::Precision::Single);
        assert!(artifact::read(&again).is_ok());
    }
    let entry = learned().nth(usize::from(choice) % learned().count()).expect("one of them");
    let kind = entry.artifact.expect("it plays with a file");
    let mut files = Artifacts::default();
    files.insert(kind.path("fuzz"), bytes.to_vec());
    let Ok(spec) = Roster::new(files).agent(&format!("{}:fuzz", entry.name)) else { return };
    let rules = Rules::of("5x5x3".parse().expect("a size")).expect("a board");
    if spec.admit(&rules).is_err() {
        return;
    }
    let Ok(mut agent) = spec.build() else { return };
    let mut game = Match::new(rules, FirstClick::Corner, GameSeed { seed: 3, game: 0 });
    game.play(agent.as_mut());
}

/// Any text as an agent, which then decides on a small board.
pub fn agent_specs(bytes: &[u8]) {
    let Some((&choice, bytes)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(spec) = Roster::default().agent(text) else { return };
    assert_eq!(spec.to_string(), text);
    let form = Form::ALL[usize::from(choice) % 3];
    let shape = Shape::new(form, 6, 5).expect("a small board");
    let rules = Rules::starting(shape, 5, Start::Safe).expect("room for a click");
    if spec.admit(&rules).is_err() {
        return;
    }
    let Ok(mut agent) = spec.build() else { return };
    agent.begin(&rules);
    agent.decide(&View::new(rules), &mut Rng::new(u64::from(choice)));
}
