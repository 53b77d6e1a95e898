//! Peña Castillo and Wrobel: rules from the whole pool of examples, which they gave up.

use std::time::Instant;

use deminer_game::{Decision, FirstClick, GameSeed, Match, Outcome, Start};
use deminer_learn::ilp::paper::{self, ExampleSource, Share, learn_from_pool};
use deminer_learn::ilp::{Labels, MioPlayer, Rulebook, Setting, Target, Theory};

use super::mio_play::random_start;
use super::{Findings, Found, MIO, Plan, Study, Table, Target as Aim, Work};

pub const TABLE: Table = Table {
    id: "s002-pool",
    title: "Rules from the whole pool",
    about: "The paper stopped a run on its whole pool of 2890 safe cells and 1306 mines after ten \
            days. Here greedy search with macros learns rules about safe cells and about mines \
            from a pool of that size, of boards that were played: with boards opened anywhere, \
            hundreds of mines take a whole search each and give no rule. Rows show examples, \
            searches, clauses tried in a search, searches that the limit of 4000 clauses ended, \
            rules, and seconds, which must be fewer than those ten days; then the cells of the \
            published rules that the learned ones miss, and cells called safe or a mine that may \
            be the other, on 10 000 states. The theory plays 8x8 with 10 mines with blind guesses.",
    plan,
    ..Table::of(&MIO)
};

/// The seconds after which the paper stopped.
const TEN_DAYS: f64 = 864_000.0;

/// Games of the theory.
const GAMES: u64 = 10_000;

/// States on which rules are compared.
const STATES: u64 = 10_000;

fn plan(plan: &mut Plan) {
    let study = plan.study(Study::new("whole pool", 1, learn));
    for target in Target::ALL {
        let setting = format!("rules: {}", target.name());
        for measure in
            ["examples", "searches", "clauses a search", "rules", "seconds", "missed", "wrong"]
        {
            let key = format!("{target}, {measure}");
            let aim = match measure {
                "seconds" => Aim::at_most_beside(TEN_DAYS, TEN_DAYS),
                _ => Aim::None,
            };
            let number = move |found: &Found| found.mean(&key);
            plan.found(study, [&setting, "mio", measure], number, aim).in_numbers();
        }
        let key = format!("{target}, at the limit");
        let share = move |found: &Found| found.mean(&key);
        plan.found(study, [&setting, "mio", "searches at the limit"], share, Aim::None);
    }
    plan.found(study, ["8x8x10", "mio", "won"], |found| found.share("won"), Aim::None);
    let run = plan.run(random_start("8x8x10", GAMES, Start::Unsafe));
    plan.won(run, "mio-rules", Aim::None);
    plan.remark(move |played, reading| {
        let theory = played.found(study).text("theory")?;
        reading.notes.push(format!("The theory:\n\n```prolog\n{theory}```"));
        Ok(())
    });
}

fn learn(work: &Work<'_>) -> Option<Findings> {
    let source = ExampleSource { seed: work.seed, labels: Labels::Content };
    let method = Setting::ActiveGreedyMacros.method();
    let (share, states, games) =
        if work.sketch { (Share::Few, 10, 2) } else { (Share::Whole, STATES, GAMES) };
    let mut found = Findings::default();
    let mut theory = Theory::default();
    for (place, target) in Target::ALL.into_iter().enumerate() {
        (work.progress)(place as f64 / 2.0, target.name());
        let began = Instant::now();
        let (threads, stop) = (work.threads, work.stop);
        let induced = learn_from_pool(source, target, share, &method, threads, stop, |_| {})?;
        let mut note = |measure: &str, value| found.push(&format!("{target}, {measure}"), value);
        note("seconds", began.elapsed().as_secs_f64());
        note("examples", induced.examples.iter().sum::<usize>() as f64);
        note("searches", induced.effort.searches as f64);
        note("clauses a search", induced.effort.mean());
        note("at the limit", induced.effort.limited_share());
        note("rules", induced.clauses.len() as f64);
        let compared = paper::compare(&induced.clauses, target, states, u64::MAX);
        note("missed", compared.missed.iter().sum::<u64>() as f64);
        note("wrong", compared.wrong as f64);
        theory.rules.extend(induced.clauses);
    }
    let mut player = MioPlayer::new(Rulebook::new(&theory), Decision::anywhere);
    for game in 0..games {
        // The examples come from boards of the seed itself.
        let seed = GameSeed { seed: !work.seed, game };
        let outcome = Match::new(paper::rules(), FirstClick::Random, seed).play(&mut player);
        found.note("won", outcome == Outcome::Won);
    }
    found.texts.insert("theory".into(), theory.to_string());
    (!work.is_stopped()).then_some(found)
}
