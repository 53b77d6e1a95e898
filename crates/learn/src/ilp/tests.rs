//! The learner as a whole, and compiled clauses against the oracle.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use deminer_game::{
    Action, Agent, ArtifactKind, Cell, Decision, FirstClick, GameSeed, Match, Outcome, Premise,
    Rng, Rules, Start, View, Why,
};
use deminer_inference::deduce::Fact;

use super::background::{BACKGROUND, Reach};
use super::*;

fn board(size: &str) -> Rules {
    Rules::of(size.parse().unwrap()).unwrap().with_start(Start::Unsafe).unwrap()
}

fn sampler(size: &str, seed: u64) -> Sampler {
    Sampler { rules: board(size), seed, labels: Labels::Content, sea: true, scattered: false }
}

fn threads(count: usize) -> NonZero<usize> {
    NonZero::new(count).unwrap()
}

/// Draws the cells that a rule covers with its letter: `s` or `*`.
fn check(rule: &str, position: &str, expected: &str) {
    let clause = &Theory::read(rule).unwrap().rules[0];
    let view: View = position.parse().unwrap();
    let mut surveyor = Surveyor::default();
    let remaining = surveyor.remaining(&view);
    let program = Program::new(clause);
    let symbol = |cell: Cell| {
        if !view.openable().any(|other| other == cell) {
            return view.face(cell).to_string();
        }
        let situation = surveyor.survey(&view, cell, Reach::Wide, Some(remaining));
        let covered = program.covers(&situation);
        assert_eq!(covered, oracle::covers(clause, &view, cell), "{rule}\n{view}");
        assert_eq!(covered, program.witness(&situation).is_some());
        match (covered, clause.target()) {
            (false, _) => "#".to_owned(),
            (true, Target::Safe) => "s".to_owned(),
            (true, Target::Mine) => "*".to_owned(),
        }
    };
    let found: String = view.shape().cells().map(symbol).collect();
    assert_eq!(found, expected.split_whitespace().collect::<String>(), "{rule}\n{position}");
}

/// The published rule of this name.
fn published(name: &str) -> String {
    let theory = Theory::read(Theory::PUBLISHED).unwrap();
    let found = theory.named().find(|(other, _)| other == name);
    found.unwrap().1.to_string()
}

#[test]
fn published_rules_cover_what_they_should() {
    check(&published("S-1"), "mines 2\n# F # #\n? 1 ? ?", "s F s #\n? 1 ? ?");
    check(&published("S-2"), "mines 3\n# # # #\n? 1 2 ?", "s # # #\n? 1 2 ?");
    check(&published("S-3"), "mines 2\n# # #\n1 2 1", "# s #\n1 2 1");
    check(&published("M-1"), "mines 2\n# # # #\n2 ? 1 ?", "* * # #\n2 ? 1 ?");
}

#[test]
fn the_whole_board_is_asked_about() {
    // One mine is left, and the 1 has it: nothing is in the sea.
    let rule = "safe(T, B) :- allMinesInFringe(B, F), outOfSet(T, F).";
    check(rule, "mines 1\n# # # #\n? 1 ? #", "# # # s\n? 1 ? s");
    let rule =
        "safe(T, B) :- totalMinesLeft(B, N), allMinesInFringe(B, F), zoneOfInterest(T, B, Z),
        setHasXMines(_, B, Z, S), minesInSet(S, N), diffSetHasXMines(F, S, D), inSet(T, D).";
    check(rule, "mines 1\n# # # #\n? 1 1 ?", "s # # s\n? 1 1 ?");
}

#[test]
fn suppositions_lead_to_clashes() {
    // Whichever of its three cells holds the mine of the upper 1, the cell below in the middle
    // is safe: no difference of two sets shows that.
    let rule = "safe(T, B) :- markedBoard(T, B, M), widerZone(T, B, W), setHasXMines(_, M, W, S0),
        setHasXMines(_, M, W, S1), setHasXMines(_, B, W, S2), diffSetHasXMines(S2, S0, D),
        clash(D, S1).";
    let position = "mines 3\n# # 1 # #\n# 1 # 1 #\n# # # # #";
    check(rule, position, "# # 1 # #\n# 1 # 1 #\n# # s # #");
    let rule = "mine(T, B) :- clearedBoard(T, B, C), zoneOfInterest(T, B, Z),
        setHasXMines(_, C, Z, S), clash(S, S).";
    check(rule, "mines 2\n# # # #\n2 ? 1 ?", "* * # #\n2 ? 1 ?");
}

/// Random clauses over all predicates: literal after literal, with whatever variables fit.
fn random_clause(rng: &mut Rng) -> Clause {
    let mut body: Vec<Literal> = Vec::new();
    let mut variables = vec![(Variable::CELL, Type::Covered), (Variable::BOARD, Type::Board)];
    while body.len() < 9 {
        let predicate = &BACKGROUND[rng.below(BACKGROUND.len())];
        let mut given = Vec::new();
        let terms: Option<Vec<Term>> = predicate
            .arguments()
            .iter()
            .map(|argument| {
                let kind = argument.kind();
                let fits: Vec<Variable> =
                    variables.iter().filter(|(_, of)| *of == kind).map(|(at, _)| *at).collect();
                if argument.is_output() {
                    if *argument == background::Argument::Constant && rng.below(2) == 0 {
                        return Some(Term::Number(rng.below(3) as i32));
                    }
                    if kind == Type::Number && !fits.is_empty() && rng.below(2) == 0 {
                        return rng.pick(&fits).copied().map(Term::Variable);
                    }
                    let fresh = Variable((variables.len() + given.len()) as u16);
                    given.push((fresh, kind));
                    return Some(Term::Variable(fresh));
                }
                rng.pick(&fits).copied().map(Term::Variable)
            })
            .collect();
        if let Some(terms) = terms {
            body.push(Literal { predicate, terms });
            variables.extend(given);
        }
    }
    let target = Target::ALL[rng.below(2)];
    Clause::new(target, body).unwrap()
}

#[test]
fn compiled_clauses_say_what_the_oracle_says() {
    let mut surveyor = Surveyor::default();
    let mut rng = Rng::new(7);
    let (mut held, mut tried) = (0, 0);
    for round in 0..120 {
        let examples = sampler("6x5x5", 3).examples(round, &mut surveyor);
        let examples = examples.into_iter().take(4).collect();
        let pool = Pool::new(examples, Reach::Wide, &mut surveyor);
        for _ in 0..25 {
            let clause = random_clause(&mut rng);
            let text = clause.to_string();
            assert_eq!(Theory::read(&text).unwrap().rules[0], clause, "{text}");
            let program = Program::new(&clause);
            for case in pool.cases() {
                let expected = oracle::covers(&clause, &case.example.view, case.example.cell);
                let found = program.covers(&case.situation);
                assert_eq!(found, expected, "{clause}\n{}", case.example.view);
                assert_eq!(program.witness(&case.situation).is_some(), expected, "{clause}");
                held += usize::from(expected);
                tried += 1;
            }
        }
    }
    assert!(held > tried / 50 && held < tried, "{held} of {tried}");
}

#[test]
fn a_bottom_clause_covers_its_example_and_so_does_every_macro() {
    let mut surveyor = Surveyor::default();
    for state in 0..12 {
        let examples = sampler("7x6x7", 5).examples(state, &mut surveyor);
        let examples = examples.into_iter().take(3).collect();
        let pool = Pool::new(examples, Reach::Wide, &mut surveyor);
        for case in pool.cases() {
            let all: Vec<_> = BACKGROUND.iter().collect();
            let bottom = Bottom::saturate(&case.situation, &all, Saturation::PAPER);
            for chain in macros::macros(&bottom) {
                let clause = bottom.clause(Target::Safe, &chain);
                assert!(Program::new(&clause).covers(&case.situation), "{clause}");
            }
        }
    }
}

/// Scattered cells show what the layout has around them, one board in four is played, and a layout
/// does not depend on how its cells are opened.
#[test]
fn scattered_boards_show_their_layouts() {
    let played = sampler("8x8x10", 3);
    let mixed = Sampler { scattered: true, ..played.clone() };
    for number in 0..40 {
        let ((view, layout), (other, same)) = (mixed.state(number), played.state(number));
        assert_eq!(layout, same);
        assert_eq!(view == other, number % 4 == 0, "{number}");
        assert!((1..=54).contains(&view.opened().len()));
        for &cell in view.opened() {
            assert!(!layout.is_mine(cell));
            let clue = view.face(cell).clue().and_then(|clue| clue.exact());
            assert_eq!(clue, Some(layout.count(cell)));
        }
    }
}

/// Plays rounds of a session, or of a new one.
fn rounds(setting: Setting, session: Option<Session>, rounds: usize, count: usize) -> Session {
    let sampler = Sampler { sea: false, ..sampler("8x8x10", 1) };
    let terms = Terms { sample: 400, ..Terms::PAPER };
    let method = setting.method();
    let mut server = ExampleServer::new(sampler, terms, method.reach(), threads(count));
    let Ok(begun) = Session::begin(Target::Safe, 1, &mut server);
    let mut session = session.unwrap_or(begun);
    for _ in 0..rounds {
        let stop = AtomicBool::new(false);
        let Ok(()) = session.round(&mut server, &method, threads(count), &stop, |_| {});
    }
    session
}

#[test]
fn what_is_learned_does_not_depend_on_the_threads() {
    for setting in [Setting::ActiveIdaMacros, Setting::ActiveGreedyMacros] {
        let alone = rounds(setting, None, 4, 1);
        assert_eq!(alone, rounds(setting, None, 4, 3), "{setting}");
        assert!(!alone.rules.is_empty());
    }
}

#[test]
fn a_round_learns_from_the_examples_sent_last() {
    let setting = Setting::ActiveGreedyMacros;
    let learned = rounds(setting, None, 4, 1);
    let sent_last = learned.examples.len() - learned.seen;
    assert!((1..=Terms::PAPER.counterexamples).contains(&sent_last), "{sent_last}");
    // Whatever was sent before may be forgotten: the next round comes to the same rules.
    let next = |session| rounds(setting, Some(session), 1, 1).rules;
    let mut forgetful = learned.clone();
    forgetful.examples.drain(..learned.seen);
    forgetful.seen = 0;
    assert_eq!(next(forgetful), next(learned));
}

#[test]
fn a_stopped_round_changes_nothing() {
    let sampler = sampler("8x8x10", 2);
    let method = Setting::ActiveGreedyMacros.method();
    let mut server = ExampleServer::new(sampler, Terms::PAPER, method.reach(), threads(1));
    let Ok(mut session) = Session::begin(Target::Safe, 1, &mut server);
    let before = session.clone();
    let Ok(()) = session.round(&mut server, &method, threads(1), &AtomicBool::new(true), |_| {});
    assert_eq!(session, before);
}

#[test]
fn searches_find_the_rule_that_is_there() {
    // The only safe cell follows from two sets, and there is a mine for each shorter rule.
    let view: Arc<View> = Arc::new("mines 3\n# # # #\n? 1 2 ?".parse().unwrap());
    let label = |column| if column == 0 { Fact::Safe } else { Fact::Mine };
    let examples = (0..4).map(|column| Example::at(&view, (0, column), label(column))).collect();
    let pool = Pool::new(examples, Reach::Near, &mut Surveyor::default());
    for setting in Setting::ALL {
        let (method, given_up) = (setting.method(), Bits::none(4));
        let (pool, known) = (&pool, &[][..]);
        let task = Task { pool, target: Target::Safe, known, given_up: &given_up, method: &method };
        let stop = AtomicBool::new(false);
        let learned = learn(task, &mut Rng::new(1), threads(1), &stop, |_, _| {});
        assert_eq!(learned.clauses.len(), 1, "{setting}");
        let covered = pool.covered(&Program::new(&learned.clauses[0]), &Bits::all(4));
        assert_eq!(covered.iter().collect::<Vec<_>>(), [0], "{setting}: {}", learned.clauses[0]);
        assert!(learned.effort.clauses <= method.bounds.clauses);
    }
}

/// The examples that are left of these, each a view and the cell in its first row and column
/// unless a column is given.
fn left_of(examples: &[(&str, usize, Fact)]) -> Vec<usize> {
    let example = |&(view, column, label): &(&str, usize, Fact)| {
        Example::at(&Arc::new(view.parse().unwrap()), (0, column), label)
    };
    let examples = examples.iter().map(example).collect();
    let mut pool = Pool::new(examples, Reach::Near, &mut Surveyor::default());
    pool.drop_contradictions(Target::Safe)
}

#[test]
fn contradictory_examples_are_dropped_mirrored_or_not() {
    let both = [("mines 1\n# 1 #", 0, Fact::Safe), ("mines 1\n# 1 #", 0, Fact::Mine)];
    assert_eq!(left_of(&both), []);
    // The same clues from the other side, and counted in another order.
    let (one, mirrored) = ("mines 3\n# # # # #\n1 2 ? # #", "mines 3\n# # # # #\n# # ? 2 1");
    assert_eq!(left_of(&[(one, 0, Fact::Safe), (mirrored, 4, Fact::Mine)]), []);
    assert_eq!(left_of(&[(one, 0, Fact::Safe), (mirrored, 4, Fact::Safe)]), [0, 1]);
    // Another cell of the same zone, or another number, is another example.
    assert_eq!(left_of(&[(one, 0, Fact::Safe), (mirrored, 2, Fact::Mine)]), [0, 1]);
    let other = "mines 3\n# # # # #\n# # ? 1 1";
    assert_eq!(left_of(&[(one, 0, Fact::Safe), (other, 4, Fact::Mine)]), [0, 1]);
}

#[test]
fn a_player_follows_its_theory_and_says_why() {
    let theory = Theory::read(Theory::PUBLISHED).unwrap();
    let view: View = "mines 2\n# # #\n1 2 1".parse().unwrap();
    let mut player = MioPlayer::new(Rulebook::new(&theory), Decision::anywhere);
    player.begin(view.rules());
    let decision = player.decide(&view, &mut Rng::new(1));
    assert_eq!(decision.action, Action::Open(view.shape().cell(0, 1).unwrap()));
    let Why::Rule { name, premises } = &decision.why else { panic!("{decision:?}") };
    assert_eq!(name, "S-3");
    let clues: Vec<usize> = premises
        .iter()
        .map(|premise| match premise {
            Premise::Clue(cell) => cell.index(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(clues.len(), 3, "{clues:?}");
}

fn shipped(name: &str) -> String {
    let artifacts = deminer_artifacts::shipped();
    String::from_utf8_lossy(artifacts.get(&ArtifactKind::THEORY.path(name)).unwrap()).into_owned()
}

#[test]
fn what_is_remembered_is_what_would_be_found_again() {
    for text in [Theory::PUBLISHED, &shipped("beyond")] {
        let rulebook = Arc::new(Rulebook::new(&Theory::read(text).unwrap()));
        let mut player = MioPlayer::new(Arc::clone(&rulebook), Decision::anywhere);
        for game in 0..8 {
            let mut game =
                Match::new(board("9x7x10"), FirstClick::Corner, GameSeed { seed: 2, game });
            loop {
                let anew = MioPlayer::new(Arc::clone(&rulebook), Decision::anywhere)
                    .apply(game.board().view());
                let Some(turn) = game.turn(&mut player) else { break };
                let ruled = matches!(turn.decision.why, Why::Rule { .. });
                let first = turn.by == deminer_game::MovedBy::Start;
                assert!(first || ruled == anew.is_some(), "{:?}", turn.decision);
            }
        }
    }
}

#[test]
fn shipped_theories_are_whole_and_name_their_command() {
    for name in deminer_artifacts::shipped().names(ArtifactKind::THEORY) {
        let text = shipped(name);
        let theory = Theory::read(&text).unwrap();
        assert_eq!(theory.to_string(), text.replace("\r\n", "\n"), "{name}");
        let command = |line: &String| line.starts_with("command: ") && line.contains("train mio");
        assert!(theory.origin.iter().any(command), "{name}");
        for target in Target::ALL {
            assert!(theory.of(target).next().is_some(), "{name} {target:?}");
        }
    }
}

#[test]
fn watching_finds_guesses_that_were_not_needed() {
    let single = published("S-1") + "\n" + &published("M-1");
    let whole = Theory::PUBLISHED;
    let watched = |text: &str, count| {
        let theory = Theory::read(text).unwrap();
        watch(&theory, &board("8x8x10"), FirstClick::Random, 4, 0..60, threads(count))
    };
    let (few, many) = (watched(&single, 1), watched(whole, 2));
    assert!(few.unneeded > 2 * many.unneeded.max(1), "{} {}", few.unneeded, many.unneeded);
    assert_eq!((few.wrong, many.wrong), (0, 0));
    assert!(few.examples.iter().any(|example| example.label.is_none()));
    assert_eq!(watched(&single, 3).examples, few.examples);
}

#[test]
fn a_theory_wins_about_as_often_as_the_paper_says() {
    let rulebook = Rulebook::new(&Theory::read(Theory::PUBLISHED).unwrap());
    let mut player = MioPlayer::new(rulebook, Decision::anywhere);
    let won = (0..600).filter(|&game| {
        let mut game = Match::new(board("8x8x10"), FirstClick::Random, GameSeed { seed: 1, game });
        game.play(&mut player) == Outcome::Won
    });
    let won = won.count();
    assert!((270..=360).contains(&won), "{won} of 600");
}

#[test]
fn a_board_without_unmarked_cells_is_declined() {
    let view: View = "mines 2\nF 2\nF 2".parse().unwrap();
    let rulebook = Rulebook::new(&Theory::read(Theory::PUBLISHED).unwrap());
    let decision = MioPlayer::new(rulebook, Decision::anywhere).decide(&view, &mut Rng::new(1));
    assert_eq!(decision.action, Action::Decline);
}
