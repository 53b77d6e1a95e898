//! Other learners on the examples of Mio, and how what they learn plays.

use std::num::NonZero;

use cpu_time::ThreadTime;
use deminer_game::{Agent, Cell, Decision, FirstClick, GameSeed, Match, Outcome, Rng, View};
use deminer_inference::deduce::Fact;
use deminer_learn::ilp::background::{self, Reach};
use deminer_learn::ilp::paper::{self, ExampleSource};
use deminer_learn::ilp::{
    Bits, Clause, FoilMethod, Labels, LogicalGrowth, LogicalTree, MioPlayer, Pool, Program,
    Rulebook, Sampler, Setting, Surveyor, Target, Task, Theory, foil, learn,
};
use deminer_learn::trees::{Codes, Features, Growth, Samples, Tally, Tree, grow};

use super::{Findings, Found, MIO, Plan, Study, Table, Target as Aim, Work};

pub const TABLE: Table = Table {
    id: "s002-learners",
    title: "Other learners on the same examples",
    about: "Six learners learn from the same sets of 800 covered cells of boards that were played, \
            labeled with what they are: `mio`, the paper's greedy search with macros; `foil`, \
            which adds the literal that gains most information, without and with chains of \
            literals that look ahead (the paper says that Foil failed, since it pruned literals \
            that are needed); a first-order decision tree after Tilde; and propositional trees on \
            5x5 windows, of raw codes and of features of clues. All but the last two have the \
            paper's predicates. Each theory or tree is judged on 800 other cells, then plays 1000 \
            boards of its own of 8x8 with 10 mines, first click at random: cells that a rule, or a \
            leaf with at least 99 % safe examples, calls safe are opened, else any cell. Trees \
            also play by always opening the cell they believe safest. Intervals of games won are \
            bootstrapped over sets of examples and games. Seconds are CPU time of learning.",
    plan,
    ..Table::of(&MIO)
};

/// Sets of examples, the cells in each, and games that follow.
const SETS: u64 = 3;
const EXAMPLES: usize = 800;
const GAMES: u64 = 1000;

/// A leaf calls its cells safe if at least this share of its examples are.
const SURE: f64 = 0.99;

#[derive(Clone, Copy, Debug)]
enum Learner {
    Mio,
    Foil { chains: bool },
    Logical,
    Propositional(Features),
}

/// The learners by name, as rows show them.
const LEARNERS: [(&str, Learner); 6] = [
    ("mio", Learner::Mio),
    ("foil", Learner::Foil { chains: false }),
    ("foil with chains", Learner::Foil { chains: true }),
    ("first-order tree", Learner::Logical),
    ("tree of raw codes", Learner::Propositional(Features::Raw)),
    ("tree of clues", Learner::Propositional(Features::Clues)),
];

fn plan(plan: &mut Plan) {
    for (name, learner) in LEARNERS {
        let study = plan.study(Study::new(name, SETS, move |work| conduct(work, learner)));
        let is_tree = matches!(learner, Learner::Logical | Learner::Propositional(_));
        let mut won = |key: &'static str, measure: &str| {
            let rate = move |found: &Found| found.grouped(key);
            plan.found(study, ["8x8x10", name, measure], rate, Aim::None);
        };
        won("won", "won, blind guesses");
        if is_tree {
            won("won by belief", "won, safest by belief");
        }
        let parts = if is_tree { "leaves" } else { "rules" };
        for (measure, key) in [(parts, "parts"), ("seconds", "seconds")] {
            let mean = move |found: &Found| found.mean(key);
            plan.found(study, ["learning", name, measure], mean, Aim::None).in_numbers();
        }
        for key in ["safe cells called safe", "mines called safe"] {
            let share = move |found: &Found| found.share(key);
            plan.found(study, ["other cells", name, key], share, Aim::None).charted = false;
        }
    }
    plan.chart(TABLE.title);
    plan.remark(|played, reading| {
        for found in &played.studies {
            if let Ok(theory) = found.text("theory") {
                let name = &found.study.name;
                let text =
                    format!("What {name} learns from the first set:\n\n```prolog\n{theory}```");
                reading.notes.push(text);
            }
        }
        Ok(())
    });
}

/// What was learned.
enum Learned {
    Rules(Theory),
    Logical(LogicalTree),
    Propositional(Tree),
}

fn conduct(work: &Work<'_>, learner: Learner) -> Option<Findings> {
    let (count, games) = if work.sketch { (60, 2) } else { (EXAMPLES, GAMES) };
    let mut found = Findings::default();
    for number in 0..work.amount {
        (work.progress)(number as f64 / work.amount as f64, "sets of examples");
        let source = ExampleSource { seed: work.seed + number, labels: Labels::Content };
        let sampler = Sampler { scattered: false, ..source.sampler() };
        let mut surveyor = Surveyor::default();
        let [known, fresh] = [0, 1].map(|stretch| {
            let examples = sampler.draw(stretch, count, &mut surveyor);
            let mut pool = Pool::default();
            pool.extend(examples, Reach::Near, &mut surveyor);
            pool.drop_contradictions(Target::Safe);
            pool
        });
        let began = ThreadTime::now();
        let learned = learner.learn(&known, source.seed, work);
        found.push("seconds", began.elapsed().as_secs_f64());
        found.push("parts", learned.parts() as f64);
        let safe = learned.called_safe(&fresh);
        for (place, case) in fresh.cases().iter().enumerate() {
            let key = match case.example.label {
                Some(Fact::Safe) => "safe cells called safe",
                _ => "mines called safe",
            };
            found.note(key, safe.has(place));
        }
        let mut play = |key: &str, player: &mut dyn Agent| {
            for game in 0..games {
                // The examples come from boards of the seed itself.
                let seed = GameSeed { seed: !work.seed, game: number * GAMES + game };
                let outcome = Match::new(paper::rules(), FirstClick::Random, seed).play(player);
                found.note(&format!("{key} {number}"), outcome == Outcome::Won);
            }
        };
        match &learned {
            Learned::Rules(theory) => {
                play("won", &mut MioPlayer::new(Rulebook::new(theory), Decision::anywhere));
            }
            Learned::Logical(_) | Learned::Propositional(_) => {
                for (key, sure) in [("won", Some(SURE)), ("won by belief", None)] {
                    play(
                        key,
                        &mut TreePlayer { tree: &learned, sure, surveyor: Surveyor::default() },
                    );
                }
            }
        }
        if let (0, Learned::Rules(theory)) = (number, &learned) {
            found.texts.insert("theory".into(), theory.to_string());
        }
        if work.is_stopped() {
            return None;
        }
    }
    Some(found)
}

impl Learner {
    /// Learns on one thread.
    fn learn(self, pool: &Pool, seed: u64, work: &Work<'_>) -> Learned {
        let method = Setting::ActiveGreedyMacros.method();
        let mut rng = Rng::new(seed);
        match self {
            Learner::Mio => rules(|target| {
                let given_up = Bits::none(pool.cases().len());
                let task = Task { pool, target, known: &[], given_up: &given_up, method: &method };
                learn(task, &mut rng, NonZero::<usize>::MIN, work.stop, |_, _| {}).clauses
            }),
            Learner::Foil { chains } => {
                let predicates = background::of_the_paper().iter().collect();
                let foiled = FoilMethod { predicates, chains, body: 9, accuracy: SURE };
                rules(|target| foil(pool, target, &foiled))
            }
            Learner::Logical => {
                let growth = LogicalGrowth { depth: 6, least: 5, seeds: 3 };
                Learned::Logical(LogicalTree::grow(pool, Target::Safe, &method, growth, &mut rng))
            }
            Learner::Propositional(features) => {
                let mut samples = Samples::default();
                for case in pool.cases() {
                    let mine = case.example.label == Some(Fact::Mine);
                    let tally = Tally::of(f64::from(u8::from(mine)));
                    samples.add(codes(&case.example.view, case.example.cell), &tally);
                }
                let growth = Growth { features, depth: 8, least: 5, ..Growth::default() };
                Learned::Propositional(grow(&samples, &growth))
            }
        }
    }
}

/// Rules about both targets.
fn rules(learn: impl FnMut(Target) -> Vec<Clause>) -> Learned {
    let rules = Target::ALL.into_iter().flat_map(learn).collect();
    Learned::Rules(Theory { rules, ..Theory::default() })
}

fn codes(view: &View, cell: Cell) -> Codes {
    Codes::around(view, cell).expect("no hexagons here")
}

/// How safe a propositional tree believes a cell.
fn propositional(tree: &Tree, view: &View, cell: Cell) -> f64 {
    let leaf = tree.leaf_of(codes(view, cell), &mut Vec::new());
    1.0 - tree.nodes()[leaf].tally.mean_risk()
}

impl Learned {
    /// How many rules or leaves it has.
    fn parts(&self) -> usize {
        match self {
            Learned::Rules(theory) => theory.rules.len(),
            Learned::Logical(tree) => tree.leaves(),
            Learned::Propositional(tree) => tree.leaves(),
        }
    }

    /// The cells of a pool that it calls safe.
    fn called_safe(&self, pool: &Pool) -> Bits {
        let mut safe = Bits::none(pool.cases().len());
        if let Learned::Rules(theory) = self {
            let programs: Vec<Program> = theory.of(Target::Safe).map(Program::new).collect();
            let covers = pool.cover(&programs, NonZero::<usize>::MIN);
            covers.iter().for_each(|cover| safe.add(cover));
            return safe;
        }
        for (place, case) in pool.cases().iter().enumerate() {
            let belief = match self {
                Learned::Logical(tree) => tree.belief(&case.situation),
                Learned::Propositional(tree) => {
                    propositional(tree, &case.example.view, case.example.cell)
                }
                Learned::Rules(_) => continue,
            };
            if belief >= SURE {
                safe.set(place);
            }
        }
        safe
    }
}

/// Plays a tree.
struct TreePlayer<'a> {
    tree: &'a Learned,
    /// The belief from which on a cell is opened, and any other cell where there is none; without
    /// it the cell of highest belief is opened.
    sure: Option<f64>,
    surveyor: Surveyor,
}

impl TreePlayer<'_> {
    /// How safe the tree believes each covered cell; cells that no open cell touches are as safe as
    /// the board.
    fn beliefs(&mut self, view: &View) -> Vec<(Cell, f64)> {
        let remaining =
            matches!(self.tree, Learned::Logical(_)).then(|| self.surveyor.remaining(view));
        let density = view.rules().mines() as f64 / view.covered_count().max(1) as f64;
        let mut beliefs = Vec::new();
        for cell in view.openable() {
            let mut near = view.shape().neighbors(cell).iter();
            let belief = match self.tree {
                _ if !near.any(|&near| view.face(near).clue().is_some()) => 1.0 - density,
                Learned::Logical(tree) => {
                    tree.belief(&self.surveyor.survey(view, cell, Reach::Near, remaining))
                }
                Learned::Propositional(tree) => propositional(tree, view, cell),
                Learned::Rules(_) => unreachable!("rules have a player of their own"),
            };
            beliefs.push((cell, belief));
        }
        beliefs
    }
}

impl Agent for TreePlayer<'_> {
    fn decide(&mut self, view: &View, rng: &mut Rng) -> Decision {
        let beliefs = self.beliefs(view);
        let most = beliefs.iter().map(|&(_, belief)| belief).fold(f64::NEG_INFINITY, f64::max);
        if self.sure.is_some_and(|sure| most < sure) {
            return Decision::anywhere(view, rng);
        }
        let safest: Vec<Cell> =
            beliefs.iter().filter(|(_, belief)| *belief == most).map(|&(cell, _)| cell).collect();
        let cell = rng.pick(&safest).expect("a live game has covered cells");
        Decision::risk(*cell, 1.0 - most)
    }
}
