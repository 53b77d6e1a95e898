//! The agent contract, checked for the whole roster on every shape and rule its entries claim:
//! legal moves, the same game for the same seed, and an end.

use deminer::roster::{self, Roster};
use deminer_game::{
    Agent, ClueKind, ClueRule, Decision, Effect, Entry, FirstClick, Form, GameSeed, Match, Outcome,
    Rng, Rules, Shape, Start, View,
};

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
    at: FirstClick,
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

fn check(roster: &Roster, entry: &Entry) {
    let build = || {
        let built = roster.agent(entry.name).expect("a name of the roster").build();
        built.unwrap_or_else(|error| panic!("{} builds without options: {error}", entry.name))
    };
    let mut veteran = build();
    let mut games = 0;
    for rules in all_rules().filter(|rules| entry.supports.admits(rules)) {
        for (game, at) in [(0, FirstClick::Corner), (1, FirstClick::Agent), (2, FirstClick::Random)]
        {
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
}

/// All agents. Correct it when one is added; a smaller roster has lost one.
const AGENTS: usize = 40;

#[test]
fn every_agent_keeps_the_contract_on_every_rule_it_claims() {
    assert_eq!(roster::entries().count(), AGENTS);
    let roster = Roster::new(deminer_artifacts::shipped());
    roster::entries().for_each(|entry| check(&roster, entry));
}

/// A person may have put flags everywhere, and asks an agent.
#[test]
fn every_agent_answers_where_all_cells_have_flags() {
    let roster = Roster::new(deminer_artifacts::shipped());
    let mut asked = 0;
    for position in ["mines 2\nF 2\nF 2", "mines 1\nF F F\nF F F", "mines 4\nF 2 F\nF 3 F"] {
        let view: View = position.parse().unwrap();
        for entry in roster::entries().filter(|entry| entry.supports.admits(view.rules())) {
            let mut agent = roster.agent(entry.name).unwrap().build().unwrap();
            agent.begin(view.rules());
            agent.decide(&view, &mut Rng::new(1));
            asked += 1;
        }
    }
    assert!(asked > 2 * AGENTS, "{asked}");
}
