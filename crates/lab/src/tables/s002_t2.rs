//! Peña Castillo and Wrobel, Table 2: four ways to learn the rules.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use deminer_game::{At, GameSeed, Match, Outcome};
use deminer_learn::ilp::{Labels, MioPlayer, Rulebook, Setting, Target, Theory, blind};

use super::s002_play::PAPER;
use super::{Findings, Line, Measured, Played, Reading, Study, Table, Target as Aim, Work};
use crate::induce::{self, Induced, Share, Source, learn_from_pool};

pub const TABLE: Table = Table {
    id: "s002-t2",
    title: "Four ways to learn rules about safe cells",
    paper: Some(PAPER),
    about: "AL is active learning, GS greedy search, IDA* iterative deepening, M macros. Each \
            setting is run with several seeds; rules about mines are learned by AL+GS+M. Clauses \
            tried in a search, searches that the limit of 4000 clauses ended, rules about safe \
            cells, and games won of 1000 on 8x8 with 10 mines by each theory, guessing blindly. \
            On 10 000 states the rules are held against the published ones: a setting decides \
            like them if it misses none of their cells and calls no cell safe that may be a mine.",
    trials: Vec::new,
    studies,
    read,
    digest: None,
};

/// The paper's clauses in a search, share at the limit, rules, share of games won.
const NUMBERS: [(Setting, [f64; 4]); 4] = [
    (Setting::Ida, [3135.0, 0.70, 2.8, 0.426]),
    (Setting::IdaMacros, [1462.0, 0.23, 4.0, 0.340]),
    (Setting::ActiveIdaMacros, [1008.0, 0.04, 4.0, 0.524]),
    (Setting::ActiveGreedyMacros, [566.0, 0.03, 3.0, 0.520]),
];

/// The learner was made with seeds below this one before our eyes; it is judged on others.
const FIRST_SEED: u64 = 101;

fn studies() -> Vec<Study> {
    let study =
        |setting: Setting| Study { seed: FIRST_SEED, ..Study::new(setting.name(), 10, run) };
    Setting::ALL.map(study).to_vec()
}

/// States on which rules are compared, and games that each theory plays.
const STATES: u64 = 10_000;
const GAMES: u64 = 1000;

fn run(work: &Work<'_>) -> Option<Findings> {
    let setting: Setting = work.name.parse().expect("studies are named after settings");
    let mut findings = Findings::default();
    for number in 0..work.amount {
        (work.progress)(
            number as f64 / work.amount as f64,
            &format!("seed {}", work.seed + number),
        );
        let source = Source { seed: work.seed + number, labels: Labels::Content };
        let began = Instant::now();
        let safe = induce(setting, Target::Safe, source, work)?;
        findings.push("seconds", began.elapsed().as_secs_f64());
        let mine = mines(source, work)?;
        note(&mut findings, &safe, &mine, number, work);
        if work.is_stopped() {
            return None;
        }
    }
    Some(findings)
}

/// Rules about mines, which all settings share.
fn mines(source: Source, work: &Work<'_>) -> Option<Induced> {
    static KNOWN: Mutex<BTreeMap<u64, Induced>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(mine) = known.get(&source.seed) {
        return Some(mine.clone());
    }
    let best = Setting::ActiveGreedyMacros;
    let mine = induce(best, Target::Mine, source, work)?;
    known.insert(source.seed, mine.clone());
    Some(mine)
}

fn induce(setting: Setting, target: Target, source: Source, work: &Work<'_>) -> Option<Induced> {
    if work.sketch {
        let (method, few) = (setting.method(), Share::Few);
        return learn_from_pool(source, target, few, &method, work.threads, work.stop, |_| {});
    }
    induce::induce(setting, target, source, work.threads, work.stop)
}

fn note(findings: &mut Findings, safe: &Induced, mine: &Induced, number: u64, work: &Work<'_>) {
    let (states, games) = if work.sketch { (10, 2) } else { (STATES, GAMES) };
    findings.push("clauses", safe.effort.mean());
    findings.push("limited", safe.effort.limited_share());
    findings.push("rules", safe.clauses.len() as f64);
    findings.push("examples", safe.examples.iter().sum::<usize>() as f64);
    let compared = induce::compare(&safe.clauses, Target::Safe, states, u64::MAX);
    let mines = induce::compare(&mine.clauses, Target::Mine, states, u64::MAX);
    findings.push("missed", compared.missed.iter().sum::<u64>() as f64);
    findings.push("wrong", compared.wrong as f64);
    findings.push("more", compared.more as f64);
    findings.push("missed mines", mines.missed.iter().sum::<u64>() as f64);
    findings.push("wrong mines", mines.wrong as f64);
    let rules = safe.clauses.iter().chain(&mine.clauses).cloned().collect();
    let theory = Theory { rules, ..Theory::default() };
    let mut player = MioPlayer::new(Rulebook::new(&theory), blind);
    let won = (0..games).filter(|&game| {
        let seed = GameSeed { seed: super::SEED, game };
        Match::new(induce::rules(), At::Random, seed).play(&mut player) == Outcome::Won
    });
    findings.push("won", won.count() as f64 / games as f64);
    findings.texts.insert(format!("theory {number}"), theory.to_string());
}

fn read(played: &Played) -> Reading {
    let mut lines = Vec::new();
    let mean = |setting: Setting, name: &str| played.findings(setting.name()).mean(name);
    for (setting, [clauses, limited, rules, won]) in NUMBERS {
        let line = |measure: &str, aim: Aim, ours: Measured| {
            Line::new(setting.name(), "mio", measure, aim, ours)
        };
        let beside = |paper: f64| Aim::Beside { paper };
        let costs = mean(setting, "clauses");
        lines.push(line("clauses a search", beside(clauses), costs).in_numbers());
        lines.push(line("searches at the limit", beside(limited), mean(setting, "limited")));
        lines.push(line("rules", beside(rules), mean(setting, "rules")).in_numbers());
        let aim = match setting.is_active() {
            true => Aim::AtLeast { paper: won, least: 0.505 },
            false => beside(won),
        };
        lines.push(line("won", aim, mean(setting, "won")));
        lines.push(line("seconds", Aim::None, mean(setting, "seconds")).in_numbers());
        let own = |name: &str| mean(setting, name);
        let exactly = |paper| Aim::Within { paper, tolerance: 0.5 };
        let strict = |paper| if setting.is_active() { exactly(paper) } else { Aim::None };
        lines.push(line("cells of S-1 to S-3 missed", strict(0.0), own("missed")).in_numbers());
        lines.push(line("cells wrongly called safe", Aim::None, own("wrong")).in_numbers());
        lines.push(line("sure cells beyond S-1 to S-3", Aim::None, own("more")).in_numbers());
        lines.push(line("cells of M-1 missed", strict(0.0), own("missed mines")).in_numbers());
    }
    let mut reading = Reading { lines, ..Reading::default() };
    let costs = Setting::ALL.map(|setting| mean(setting, "clauses").value);
    let order = costs.windows(2).all(|pair| pair[0] > pair[1]);
    reading.notes.push(format!(
        "Clauses a search, in the order of the paper's settings: {}. The paper's order {}.",
        costs.map(|cost| format!("{cost:.0}")).join(", "),
        if order { "holds" } else { "does not hold throughout" }
    ));
    for setting in Setting::ALL {
        if let Some(theory) = played.findings(setting.name()).texts.get("theory 0") {
            let text = format!("The first theory of {setting}:\n\n```prolog\n{theory}```");
            reading.notes.push(text);
        }
    }
    reading
}
