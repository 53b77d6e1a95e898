//! Learning theories by induction, as the paper ran it.
//!
//! L. Peña Castillo and S. Wrobel, "Learning Minesweeper with Multirelational Learning" (2003):
//! boards of 8x8 with 10 mines; rules about safe cells by one of four settings, rules about mines
//! always by the best one. Settings without active learning learn from 40 safe cells and 34
//! mines, drawn from a pool of 2890 and 1306, or from all of it.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};

use super::background::Reach;
use super::{
    Bits, Clause, Effort, Event, Example, ExampleServer, Labels, Method, Pool, Program, Sampler,
    Session, Setting, Surveyor, Target, Task, Terms, Theory, learn,
};
use deminer_game::{GameSeed, Purpose, Rules, Start};
use deminer_inference::deduce::Fact;

/// The boards of the paper.
pub fn rules() -> Rules {
    let rules = Rules::of("8x8x10".parse().expect("a board")).expect("a board");
    rules.with_start(Start::Unsafe).expect("any mines fit an unsafe start")
}

/// Where examples come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExampleSource {
    /// The seed of boards and choices.
    pub seed: u64,
    /// What examples are labeled with.
    pub labels: Labels,
}

impl ExampleSource {
    /// Draws the examples.
    pub fn sampler(self) -> Sampler {
        Sampler {
            rules: rules(),
            seed: self.seed,
            labels: self.labels,
            sea: false,
            scattered: true,
        }
    }

    /// The example server of a method.
    pub fn server(self, reach: Reach, threads: NonZero<usize>) -> ExampleServer {
        ExampleServer::new(self.sampler(), Terms::PAPER, reach, threads)
    }
}

/// How much of the pool a learner without a server sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// As many examples as the paper's server sent: 40 and 34.
    Sample,
    /// All of them: 2890 and 1306, of boards that were played. Scattered ones have hundreds of
    /// mines that no rule covers, each of which takes a whole search to give up.
    Whole,
    /// A few of each, to see that everything works.
    Few,
}

impl Share {
    /// Safe cells and mines.
    pub const fn size(self) -> [usize; 2] {
        match self {
            Share::Sample => [40, 34],
            Share::Whole => [2890, 1306],
            Share::Few => [4, 4],
        }
    }

    /// Where examples come from.
    fn sampler(self, source: ExampleSource) -> Sampler {
        Sampler { scattered: self != Share::Whole, ..source.sampler() }
    }
}

/// What was learned, and what it took.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Induced {
    /// The clauses.
    pub clauses: Vec<Clause>,
    /// What the searches cost.
    pub effort: Effort,
    /// Examples of which the target holds, and others.
    pub examples: [usize; 2],
    /// Rounds with a server; none without one.
    pub rounds: u64,
}

impl Induced {
    /// What a session came to.
    pub fn of(session: &Session) -> Self {
        let positive = |example: &&Example| example.label == Some(session.target.fact());
        let positives = session.examples.iter().filter(positive).count();
        Self {
            examples: [positives, session.examples.len() - positives],
            rounds: session.round,
            effort: session.effort,
            clauses: session.established(),
        }
    }
}

/// Learns from the pool; none when it was stopped.
pub fn learn_from_pool(
    source: ExampleSource,
    target: Target,
    share: Share,
    method: &Method,
    threads: NonZero<usize>,
    stop: &AtomicBool,
    mut tell: impl FnMut(Event<'_>),
) -> Option<Induced> {
    let mut surveyor = Surveyor::default();
    let mut rng = GameSeed { seed: source.seed, game: u64::MAX }.rng(Purpose::Lab);
    let sampler = share.sampler(source);
    let drawn = match share {
        Share::Few => sampler.draw(0, 100, &mut surveyor),
        Share::Sample | Share::Whole => pool(&sampler, target, method.reach()),
    };
    let mut chosen = Vec::new();
    for (fact, count) in [Fact::Safe, Fact::Mine].into_iter().zip(share.size()) {
        let mut those: Vec<Example> =
            drawn.iter().filter(|example| example.label == Some(fact)).cloned().collect();
        rng.shuffle(&mut those);
        chosen.extend(those.into_iter().take(count));
    }
    let pool = Pool::new(chosen, method.reach(), &mut surveyor);
    let given_up = Bits::none(pool.cases().len());
    let task = Task { pool: &pool, target, known: &[], given_up: &given_up, method };
    let learned = learn(task, &mut rng, threads, stop, |gain, effort| {
        tell(Event::Learned(gain, effort));
    });
    let positives = pool.positives(target).count();
    let induced = Induced {
        clauses: learned.clauses,
        effort: learned.effort,
        examples: [positives, pool.cases().len() - positives],
        rounds: 0,
    };
    (!stop.load(Ordering::Relaxed)).then_some(induced)
}

/// The paper's pool: boards opened at random until there are enough cells of each kind that no
/// other contradicts.
pub fn pool(sampler: &Sampler, target: Target, reach: Reach) -> Vec<Example> {
    let surveyor = &mut Surveyor::default();
    let needed = Share::Whole.size();
    let mut pool = Pool::default();
    for stretch in 0.. {
        let enough = |(fact, needed)| {
            pool.cases().iter().filter(|case| case.example.label == Some(fact)).count() >= needed
        };
        if stretch > 64 || [Fact::Safe, Fact::Mine].into_iter().zip(needed).all(enough) {
            break;
        }
        pool.extend(sampler.draw(stretch, 2000, surveyor), reach, surveyor);
        pool.drop_contradictions(target);
    }
    pool.cases().iter().map(|case| case.example.clone()).collect()
}

/// What a setting learns about a target, as the paper ran it. None when it was stopped.
pub fn induce(
    setting: Setting,
    target: Target,
    source: ExampleSource,
    threads: NonZero<usize>,
    stop: &AtomicBool,
) -> Option<Induced> {
    let method = setting.method();
    if !setting.is_active() {
        return learn_from_pool(source, target, Share::Sample, &method, threads, stop, |_| {});
    }
    let mut server = source.server(method.reach(), threads);
    let Ok(mut session) = Session::begin(target, source.seed, &mut server);
    while !session.is_over() {
        let Ok(()) = session.round(&mut server, &method, threads, stop, |_| {});
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(Induced::of(&session))
}

/// The rules that the paper prints.
pub fn published() -> Theory {
    Theory::read(Theory::PUBLISHED).expect("the published rules are well-formed")
}

/// How two sets of rules about the same decide.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Agreement {
    /// Cells that each of the published rules decides.
    pub published: Vec<u64>,
    /// Cells that each of the published rules decides and the learned ones do not.
    pub missed: Vec<u64>,
    /// Cells that only the learned rules decide, rightly.
    pub more: u64,
    /// Cells that the learned rules decide although they cannot be known.
    pub wrong: u64,
}

/// Compares learned rules with the published ones on the cells of `states` positions.
pub fn compare(learned: &[Clause], target: Target, states: u64, seed: u64) -> Agreement {
    let programs = |clauses: Vec<&Clause>| -> Vec<Program> {
        clauses.into_iter().filter(|clause| clause.target() == target).map(Program::new).collect()
    };
    let published = published();
    let (theirs, ours) =
        (programs(published.of(target).collect()), programs(learned.iter().collect()));
    let sampler = ExampleSource { seed, labels: Labels::Deducible }.sampler();
    let mut surveyor = Surveyor::default();
    let mut agreement = Agreement {
        published: vec![0; theirs.len()],
        missed: vec![0; theirs.len()],
        ..Agreement::default()
    };
    for state in 0..states {
        let examples = sampler.examples(state, &mut surveyor);
        let pool = Pool::new(examples, Reach::Wide, &mut surveyor);
        for case in pool.cases() {
            let by = |program: &Program| program.covers(&case.situation);
            let decided = ours.iter().any(by);
            let mut known = false;
            for (place, program) in theirs.iter().enumerate() {
                if by(program) {
                    known = true;
                    agreement.published[place] += 1;
                    agreement.missed[place] += u64::from(!decided);
                }
            }
            let right = case.is_positive(target);
            agreement.more += u64::from(decided && right && !known);
            agreement.wrong += u64::from(decided && !right);
        }
    }
    agreement
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_rules_agree_with_themselves_and_are_never_wrong() {
        for target in Target::ALL {
            let agreement = compare(&published().rules, target, 300, 5);
            assert!(agreement.published.iter().all(|&decided| decided > 20), "{agreement:?}");
            assert!(agreement.missed.iter().all(|&missed| missed == 0), "{agreement:?}");
            assert_eq!((agreement.more, agreement.wrong), (0, 0), "{agreement:?}");
        }
    }

    /// The theory that is shipped, made by the command in its header, decides as the paper's
    /// rules do on ten thousand states.
    #[test]
    fn the_shipped_theory_decides_like_the_published_rules() {
        let shipped = deminer_artifacts::shipped();
        let text = String::from_utf8_lossy(shipped.get("theories/paper.pl").expect("shipped"));
        let learned = Theory::read(&text).expect("shipped theories are whole");
        for target in Target::ALL {
            let agreement = compare(&learned.rules, target, 10_000, 6);
            assert!(agreement.missed.iter().all(|&missed| missed == 0), "{agreement:?}");
            assert_eq!(agreement.wrong, 0, "{agreement:?}");
        }
    }

    #[test]
    fn the_pool_has_what_the_paper_had() {
        let source = ExampleSource { seed: 1, labels: Labels::Content };
        let pool = pool(&source.sampler(), Target::Safe, Reach::Near);
        for (fact, needed) in [Fact::Safe, Fact::Mine].into_iter().zip(Share::Whole.size()) {
            let found = pool.iter().filter(|example| example.label == Some(fact)).count();
            assert!(found >= needed, "{found} of {needed}");
        }
    }
}
