//! The agent contract, checked for the whole roster on every shape and rule its entries claim:
//! legal moves, the same game for the same seed, and an end.

use deminer_game::{
    Agent, At, ClueKind, ClueRule, Decision, Effect, Entry, Form, GameSeed, Kind, Match, Options,
    Outcome, Rules, Shape, Start,
};
use deminer_lab::roster;

/// Boards not square, narrow, full and empty.
const BOARDS: [(usize, usize, usize); 8] =
    [(7, 5, 6), (9, 9, 10), (6, 1, 2), (1, 5, 1), (2, 4, 2), (1, 1, 0), (4, 3, 0), (4, 3, 11)];

fn rule(kind: ClueKind) -> ClueRule {
    match kind {
        ClueKind::Exact => ClueRule::Exact,
        ClueKind::Blind => ClueRule::Blind(0.2),
        ClueKind::Optimistic => ClueRule::Optimistic,
        ClueKind::Cautious => ClueRule::Cautious,
        ClueKind::CautiousDegree => ClueRule::CautiousDegree,
    }
}

/// Every combination of rules on the boards above.
fn all_rules() -> impl Iterator<Item = Rules> {
    BOARDS.into_iter().flat_map(|(width, height, mines)| {
        Form::ALL.into_iter().flat_map(move |form| {
            let shape = Shape::new(form, width, height).unwrap();
            ClueKind::ALL.into_iter().flat_map(move |kind| {
                let shape = shape.clone();
                [true, false].into_iter().flat_map(move |cascade| {
                    let plain = Rules::new(shape.clone(), mines)
                        .unwrap()
                        .with_cascade(cascade)
                        .with_clues(rule(kind));
                    Start::ALL.map(|start| plain.clone().with_start(start).unwrap())
                })
            })
        })
    })
}

/// The decisions of one game and its outcome; panics at an illegal one.
fn play(
    name: &str,
    agent: &mut dyn Agent,
    rules: &Rules,
    at: At,
    seed: GameSeed,
) -> (Vec<Decision>, Outcome) {
    let mut game = Match::new(rules.clone(), at, seed);
    let mut decisions = Vec::new();
    while let Some(turn) = game.turn(agent) {
        let legal = !matches!(turn.effect, Effect::Nothing(_));
        let declined = game.outcome() == Some(Outcome::Undecided);
        assert!(
            legal || declined,
            "{name} on {rules}, {seed:?}: {turn:?}\n{}",
            game.board().view()
        );
        decisions.push(turn.decision);
    }
    (decisions, game.outcome().unwrap())
}

/// Whether the agent could be checked: one whose network is not trained cannot be built.
fn check(entry: &Entry) -> bool {
    let build = || (entry.build)(&Options::default());
    let mut veteran = match build() {
        Ok(agent) => agent,
        Err(error) if entry.kind == Kind::Network => {
            eprintln!("{} is not checked: {error}", entry.name);
            assert!(error.to_string().contains("deminer train"), "the way out is told: {error}");
            return false;
        }
        Err(error) => panic!("{} builds without options: {error}", entry.name),
    };
    let build = || build().expect("what was built once is built again");
    let mut games = 0;
    for rules in all_rules().filter(|rules| entry.supports.admits(rules)) {
        for (game, at) in [(0, At::Corner), (1, At::Agent), (2, At::Random)] {
            let seed = GameSeed { seed: 20, game };
            let first = play(entry.name, veteran.as_mut(), &rules, at, seed);
            let again = play(entry.name, build().as_mut(), &rules, at, seed);
            assert_eq!(
                first, again,
                "{} on {rules}, {seed:?} depends on earlier games",
                entry.name
            );
            games += 1;
        }
    }
    assert!(games > 0, "{} claims no rules at all", entry.name);
    true
}

#[test]
fn every_agent_keeps_the_contract_on_every_rule_it_claims() {
    let unchecked = roster::entries().filter(|entry| !check(entry)).count();
    eprintln!("{unchecked} agents were not checked: their networks are not trained");
}
