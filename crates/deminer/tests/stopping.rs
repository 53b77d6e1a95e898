//! Long work ends soon after its flag is raised, wherever it is at that moment.
//!
//! Each piece of work would take long. It runs as if the flag were raised at its n-th look, for
//! growing n until it ends by itself or enough was tried; after that look it may look only a few
//! hundred times more, each a thousand cheap steps apart at most. No clock is needed, so the test
//! does not depend on the machine. `DEMINER_DELAYS=1 cargo test --release -p deminer --test
//! stopping -- --nocapture` also raises real flags and prints how long each took to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use deminer::analysis::AnalyzeOptions;
use deminer::no_guess::Generator;
use deminer::roster::{Roster, entries};
use deminer::{
    Action, Board, Cell, ClueRule, Engine, Face, FirstClick, GameSeed, Match, Rng, Rules, Shape,
    Start, View, hint, play, review, stop,
};
use deminer_game::Form;
use deminer_inference::odds::ExactOdds;
use deminer_inference::proof;

/// A board with this share of its safe cells open, at random.
fn revealed(
    form: Form,
    width: usize,
    height: usize,
    mines: usize,
    clues: &str,
    share: f64,
) -> View {
    let shape = Shape::new(form, width, height).unwrap();
    let rules = Rules::starting(shape.clone(), mines, Start::Unsafe).unwrap();
    let rules = rules.with_clues(clues.parse::<ClueRule>().unwrap()).with_cascade(false);
    let mut board = Board::dealt(rules, GameSeed { seed: 24, game: 0 });
    let mut rng = Rng::new(24);
    for cell in shape.cells() {
        if rng.unit() < share && !board.hides_mine(cell) {
            board.act(Action::Open(cell));
        }
    }
    board.view().clone()
}

fn large() -> View {
    revealed(Form::Rect, 100, 100, 2000, "exact", 0.35)
}

fn cautious_torus() -> View {
    revealed(Form::Torus, 20, 60, 240, "cautious", 0.35)
}

/// The large board with an impossible clue.
fn impossible() -> View {
    let view = large();
    let mut faces = view.faces().to_vec();
    let middle = view.shape().cell(50, 50).unwrap();
    let shown = faces.iter().position(|face| face.clue().is_some_and(|clue| clue.admits(6)));
    faces[middle.index()] = faces[shown.unwrap()];
    for near in view.shape().neighbors(middle).iter().take(3) {
        faces[near.index()] = Face::Covered;
    }
    View::from_faces(view.rules().clone(), faces).unwrap()
}

type Work = Box<dyn Fn() + Send + Sync>;

fn analysis(name: &str, view: View, options: AnalyzeOptions) -> (String, Work) {
    (format!("analyze {name}"), Box::new(move || drop(options.analyze(&view))))
}

/// Everything that may take long, by name.
fn all_work() -> Vec<(String, Work)> {
    let plain = AnalyzeOptions { budget: Engine::BUDGET, ..AnalyzeOptions::default() };
    let around = large().covered().next();
    let mut work = vec![
        analysis("sampled", large(), plain),
        analysis("cautious torus", cautious_torus(), plain),
        analysis("proofs", large(), AnalyzeOptions { proofs: true, budget: 1000, ..plain }),
        analysis("marks", large(), AnalyzeOptions { marks: true, ..plain }),
        analysis("around", large(), AnalyzeOptions { around, ..plain }),
        analysis("conflict", impossible(), plain),
    ];
    let mut add = |name: &str, one: Work| work.push((name.to_owned(), one));
    for (name, view) in [
        ("exact, torus", revealed(Form::Torus, 9, 9, 20, "optimistic", 0.4)),
        ("exact, large", revealed(Form::Rect, 100, 100, 1200, "exact", 0.8)),
    ] {
        add(name, Box::new(move || drop(ExactOdds::of(&view, Engine::BUDGET))));
    }
    let view = large();
    add("conflict of a possible position", Box::new(move || drop(proof::conflict(&view))));
    let view = large();
    add("hint", Box::new(move || drop(hint(&view))));
    let rules = Rules::of("30x16x170".parse().unwrap()).unwrap();
    let corner = rules.shape().nth(0).unwrap();
    add(
        "no guess",
        Box::new(move || {
            let mut generator = Generator::new(&rules, None, Generator::TRIES).unwrap();
            drop(generator.generate(corner, GameSeed { seed: 3, game: 0 }));
        }),
    );
    let rules = Rules::starting(Shape::new(Form::Rect, 60, 60).unwrap(), 500, Start::Open).unwrap();
    let spec = deminer::agent("single-point").unwrap();
    let record = play(&spec, rules, GameSeed { seed: 2, game: 0 }).unwrap();
    add("review", Box::new(move || drop(review(&record))));
    for text in ["best", "best:deep", "optimal"] {
        let rules = Rules::starting(Shape::new(Form::Torus, 5, 5).unwrap(), 5, Start::Unsafe);
        let (rules, spec) = (rules.unwrap(), deminer::agent(text).unwrap());
        add(
            &format!("small torus by {text}"),
            Box::new(move || {
                let mut agent = spec.build().unwrap();
                let seed = GameSeed { seed: 904, game: 0 };
                Match::new(rules.clone(), FirstClick::Agent, seed).turn(agent.as_mut());
            }),
        );
    }
    let view = large();
    for entry in entries() {
        let Ok(spec) = Roster::default().agent(entry.name) else { continue };
        if !spec.can_play(view.rules()) {
            continue;
        }
        let view = view.clone();
        add(
            &format!("decision of {spec}"),
            Box::new(move || {
                let mut agent = spec.build().unwrap();
                agent.begin(view.rules());
                drop(agent.decide(&view, &mut Rng::new(1)));
            }),
        );
    }
    work
}

/// Looks after the one that finds the flag raised.
const MOST_MORE: u64 = 2000;

#[test]
fn work_ends_soon_after_the_flag_is_raised() {
    for (name, work) in all_work() {
        for raised in [0, 1, 2, 5, 20, 100, 500, 2000] {
            let ((), looks) = stop::at_look(raised, &work);
            if looks <= raised {
                break;
            }
            assert!(looks - raised <= MOST_MORE, "{name}: {} after look {raised}", looks - raised);
        }
    }
}

#[test]
fn what_was_stopped_is_not_remembered() {
    let views = [large(), cautious_torus(), revealed(Form::Hex, 12, 9, 18, "exact", 0.5)];
    for view in views {
        let mut engine = Engine::new(1_000_000);
        let whole = |engine: &mut Engine| {
            let found = engine.sampled_odds(&view, &mut Rng::new(0)).ok();
            found.map(|odds| odds.risks().iter().map(|risk| risk.to_bits()).collect::<Vec<_>>())
        };
        let expected = whole(&mut Engine::new(1_000_000));
        for raised in [0, 1, 3, 30, 300] {
            stop::at_look(raised, || whole(&mut engine));
            assert_eq!(whole(&mut engine), expected, "raised at look {raised}");
        }
    }
}

#[test]
fn a_stopped_analysis_says_so() {
    let flag = Arc::new(AtomicBool::new(true));
    let analysis = AnalyzeOptions::default().analyze_until(&large(), &flag).unwrap();
    assert!(analysis.odds.is_none());
    assert!(analysis.reason.unwrap().contains("stopped"));
    let cell: Option<Cell> = analysis.best.map(|best| best.cell);
    assert_eq!(cell, None);
}

#[test]
fn delays_are_printed_when_asked_for() {
    if std::env::var_os("DEMINER_DELAYS").is_none() {
        return;
    }
    for (name, work) in all_work() {
        let mut worst = Duration::ZERO;
        let mut ended = false;
        for wait in [0, 1, 3, 10, 30, 100, 300, 1000, 3000, 8000] {
            let flag = Arc::new(AtomicBool::new(false));
            let delay = thread::scope(|scope| {
                let at_work = scope.spawn(|| {
                    stop::unless(&flag, &work);
                    Instant::now()
                });
                thread::sleep(Duration::from_millis(wait));
                ended = at_work.is_finished();
                let raised = Instant::now();
                flag.store(true, Ordering::Relaxed);
                at_work.join().unwrap().saturating_duration_since(raised)
            });
            worst = worst.max(delay);
            if ended {
                break;
            }
        }
        let state = if ended { "" } else { " (not done after 8 s)" };
        println!("{:8.1} ms  {name}{state}", worst.as_secs_f64() * 1e3);
    }
}
