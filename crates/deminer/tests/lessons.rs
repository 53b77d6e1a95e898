//! Exercises of the course are what they claim to be, by trying every layout.

use std::collections::HashMap;

use deminer::lesson::{CHAPTERS, Chapter, Exercise, Task};
use deminer::{Cell, Face, Rules, View};
use deminer_inference::deduce::{Fact, Facts, Rung, prove};
use deminer_inference::oracle::Oracle;

fn chapter(name: &str) -> &'static Chapter {
    Chapter::named(name).unwrap()
}

/// The first exercises of a chapter.
fn exercises(name: &str, count: u64) -> impl Iterator<Item = Exercise> {
    (1..=count).map(move |seed| chapter(name).exercise(seed).unwrap())
}

fn plain(view: &View) -> Vec<Cell> {
    view.covered().filter(|&cell| view.face(cell) == Face::Covered).collect()
}

/// The cells that are safe in every layout, if these are few enough to try them all.
fn safe_by_trying(view: &View) -> Option<Vec<Cell>> {
    let oracle = Oracle::of(view, 1_000_000).ok()?;
    assert!(oracle.layouts() > 0, "{view}");
    Some(view.covered().filter(|&cell| oracle.mine(cell) == Some(0.0)).collect())
}

/// What is certain by taking at most this many clues at a time, flags being mines: every way to
/// put mines around them is tried, again and again with what is found.
fn certain_by_clues(view: &View, most: usize) -> HashMap<Cell, bool> {
    let flags = view.covered().filter(|&cell| view.face(cell) == Face::Flagged);
    let mut known: HashMap<Cell, bool> = flags.map(|cell| (cell, true)).collect();
    let shape = view.shape();
    let unknown = |clue: Cell, known: &HashMap<Cell, bool>| -> Vec<Cell> {
        let near = shape.neighbors(clue).iter().copied();
        near.filter(|near| view.face(*near).is_covered() && !known.contains_key(near)).collect()
    };
    loop {
        let before = known.len();
        for (place, &one) in view.opened().iter().enumerate() {
            let others = &view.opened()[if most == 1 { place } else { 0 }..=place];
            for &other in if most == 1 { std::slice::from_ref(&one) } else { others } {
                let mut cells = [unknown(one, &known), unknown(other, &known)].concat();
                cells.sort_unstable();
                cells.dedup();
                let fits = |mines: u32| {
                    [one, other].into_iter().all(|clue| {
                        let is_mine = |near: &&Cell| match cells.binary_search(near) {
                            Ok(bit) => mines >> bit & 1 == 1,
                            Err(_) => known.get(near) == Some(&true),
                        };
                        let count = shape.neighbors(clue).iter().filter(is_mine).count();
                        view.face(clue).clue().unwrap().admits(count as u8)
                    })
                };
                let ways: Vec<u32> = (0..1 << cells.len()).filter(|&mines| fits(mines)).collect();
                for (bit, &cell) in cells.iter().enumerate() {
                    let mined = ways.iter().filter(|&&mines| mines >> bit & 1 == 1).count();
                    if mined == 0 || mined == ways.len() {
                        known.insert(cell, mined > 0);
                    }
                }
            }
        }
        if known.len() == before {
            return known;
        }
    }
}

fn safe_by_clues(view: &View, most: usize) -> Vec<Cell> {
    let known = certain_by_clues(view, most);
    view.covered().filter(|cell| known.get(cell) == Some(&false)).collect()
}

#[test]
fn the_answer_is_every_cell_that_is_safe_in_all_layouts() {
    for name in ["one-clue", "two-clues", "several-clues", "mines-left"] {
        let mut tried = 0;
        for exercise in exercises(name, 200) {
            assert_eq!(exercise.chapter.task(), Task::Safe);
            if let Some(safe) = safe_by_trying(&exercise.view) {
                assert_eq!(exercise.answer, safe, "{name}\n{}", exercise.view);
                tried += 1;
            }
        }
        assert!(tried >= 8, "{name}: {tried}");
    }
}

#[test]
fn one_clue_at_a_time_finds_all_of_the_first_chapter() {
    for exercise in exercises("one-clue", 100) {
        assert_eq!(safe_by_clues(&exercise.view, 1), exercise.answer, "{}", exercise.view);
    }
}

#[test]
fn two_clues_find_all_of_the_second_chapter_and_one_clue_finds_none() {
    for exercise in exercises("two-clues", 100) {
        assert!(safe_by_clues(&exercise.view, 1).is_empty(), "{}", exercise.view);
        assert_eq!(safe_by_clues(&exercise.view, 2), exercise.answer, "{}", exercise.view);
    }
}

#[test]
fn two_clues_find_none_of_the_third_chapter() {
    for exercise in exercises("several-clues", 100) {
        assert!(safe_by_clues(&exercise.view, 2).is_empty(), "{}", exercise.view);
        let steps = prove(&exercise.view, Rung::Several);
        let safe = steps.iter().filter(|step| step.conclusion.fact == Fact::Safe);
        assert_eq!(safe.count(), exercise.answer.len(), "{}", exercise.view);
    }
}

#[test]
fn without_the_number_of_mines_nothing_is_safe_in_the_fourth_chapter() {
    let mut tried = 0;
    for exercise in exercises("mines-left", 60) {
        let view = &exercise.view;
        if view.covered_count() > 17 {
            continue;
        }
        tried += 1;
        let shape = view.shape();
        let with_mines = |mines| {
            let rules = Rules::new(shape.clone(), mines).unwrap();
            View::from_faces(rules, view.faces().to_vec()).unwrap()
        };
        let totals: Vec<Oracle> = (0..=view.covered_count())
            .map(|mines| Oracle::of(&with_mines(mines), 1 << 20).unwrap())
            .collect();
        for &cell in &exercise.answer {
            let may_be_mine = |oracle: &Oracle| oracle.mine(cell).is_some_and(|mine| mine > 0.0);
            assert!(totals.iter().any(may_be_mine), "{view}");
        }
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn flags_are_mines_that_easier_techniques_prove() {
    for chapter in CHAPTERS {
        for seed in 1..=20 {
            let Exercise { view, answer, .. } = chapter.exercise(seed).unwrap();
            let flags: Vec<Cell> =
                view.covered().filter(|&cell| view.face(cell) == Face::Flagged).collect();
            assert!(chapter.name != "one-clue" || flags.is_empty());
            let steps = prove(&view, Rung::Contradiction);
            let mut facts = Facts::of(&view);
            facts.learn_all(steps.iter().map(|step| &step.conclusion));
            assert!(flags.iter().all(|&flag| facts.get(flag) == Some(Fact::Mine)), "{view}");
            assert!(answer.iter().all(|cell| !flags.contains(cell)));
            assert!((1..=6).contains(&answer.len()) && plain(&view).len() >= answer.len() + 4);
        }
    }
}

/// All layouts of a view, as the mines of each.
fn layouts(view: &View) -> Vec<Vec<Cell>> {
    let cells: Vec<Cell> = view.covered().collect();
    let mut found = Vec::new();
    place(view, &cells, &mut Vec::new(), &mut found);
    assert!((1..=60).contains(&found.len()), "{view}");
    found
}

fn place(view: &View, cells: &[Cell], mines: &mut Vec<Cell>, found: &mut Vec<Vec<Cell>>) {
    let left = view.rules().mines() - mines.len();
    let fits = view.opened().iter().all(|&clue| {
        let near = view.shape().neighbors(clue);
        let placed = near.iter().filter(|near| mines.contains(near)).count();
        let open = near.iter().filter(|near| cells.contains(near)).count();
        let count = usize::from(view.face(clue).clue().unwrap().exact().unwrap());
        (placed..=placed + open).contains(&count)
    });
    if !fits || left > cells.len() {
        return;
    }
    let Some((&first, rest)) = cells.split_first() else {
        found.push(mines.clone());
        return;
    };
    if left > 0 {
        mines.push(first);
        place(view, rest, mines, found);
        mines.pop();
    }
    place(view, rest, mines, found);
}

fn risk(layouts: &[Vec<Cell>], cell: Cell) -> f64 {
    let mined = layouts.iter().filter(|mines| mines.contains(&cell)).count();
    mined as f64 / layouts.len() as f64
}

#[test]
fn the_best_guess_of_the_odds_chapter_is_a_mine_in_the_fewest_layouts() {
    let mut tried = 0;
    for exercise in exercises("odds", 100) {
        let view = &exercise.view;
        let Ok(oracle) = Oracle::of(view, 1_000_000) else { continue };
        tried += 1;
        let risks: Vec<f64> = plain(view).iter().map(|&cell| oracle.mine(cell).unwrap()).collect();
        let least = risks.iter().copied().fold(1.0, f64::min);
        assert!(least > 0.0, "{view}");
        let safest = plain(view).into_iter().zip(risks);
        let safest = safest.filter(|(_, risk)| *risk < least + 1e-9).map(|(cell, _)| cell);
        assert_eq!(safest.collect::<Vec<_>>(), exercise.answer, "{view}");
    }
    assert!(tried >= 10, "{tried}");
}

/// The number that a cell shows in a layout.
fn shown(view: &View, mines: &[Cell], cell: Cell) -> usize {
    view.shape().neighbors(cell).iter().filter(|near| mines.contains(near)).count()
}

/// Whether these cells may change between mine and safe in every layout without any trace: the
/// result is a layout, and all other cells show the same.
fn leaves_no_trace(view: &View, layouts: &[Vec<Cell>], flipped: &[Cell]) -> bool {
    layouts.iter().all(|mines| {
        let is_mine = |cell: &Cell| mines.contains(cell) != flipped.contains(cell);
        let other: Vec<Cell> = view.covered().filter(is_mine).collect();
        let mut rest = view.shape().cells().filter(|cell| !flipped.contains(cell));
        let same = rest.all(|cell| {
            mines.contains(&cell) || shown(view, mines, cell) == shown(view, &other, cell)
        });
        same && layouts.contains(&other)
    })
}

#[test]
fn fifty_fifties_can_be_told_apart_by_nothing() {
    for exercise in exercises("fifty-fifty", 40) {
        let Exercise { view, answer, .. } = &exercise;
        let layouts = layouts(view);
        for cell in plain(view) {
            let even = (risk(&layouts, cell) - 0.5).abs() < 1e-9;
            assert_eq!(even, answer.contains(&cell), "{view}");
        }
        for cell in answer {
            let mut sets = (1..1_u32 << answer.len()).map(|set| {
                let chosen = answer.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1);
                chosen.map(|(_, &cell)| cell).collect::<Vec<Cell>>()
            });
            let is_one =
                |set: &Vec<Cell>| set.contains(cell) && leaves_no_trace(view, &layouts, set);
            assert!(sets.any(|set| is_one(&set)), "{view}");
        }
    }
}

/// The best play against layouts that are all as likely, by trying every order of guesses.
struct Expectation<'a> {
    view: &'a View,
    layouts: &'a [Vec<Cell>],
    cells: Vec<Cell>,
    known: HashMap<(u64, u64), f64>,
}

impl Expectation<'_> {
    /// How many of the layouts alive are won after opening a cell.
    fn after(&mut self, alive: u64, open: u64, bit: usize) -> f64 {
        let cell = self.cells[bit];
        let mut groups: HashMap<usize, u64> = HashMap::new();
        for (number, mines) in self.layouts.iter().enumerate() {
            if alive >> number & 1 == 1 && !mines.contains(&cell) {
                *groups.entry(shown(self.view, mines, cell)).or_default() |= 1 << number;
            }
        }
        groups.into_values().map(|group| self.wins(group, open | 1 << bit)).sum()
    }

    fn wins(&mut self, alive: u64, open: u64) -> f64 {
        if let Some(&wins) = self.known.get(&(alive, open)) {
            return wins;
        }
        let risk = |bit: &usize| {
            let mined = |(number, mines): &(usize, &Vec<Cell>)| {
                alive >> number & 1 == 1 && mines.contains(&self.cells[*bit])
            };
            self.layouts.iter().enumerate().filter(mined).count()
        };
        let closed: Vec<usize> = (0..self.cells.len()).filter(|bit| open >> bit & 1 == 0).collect();
        let wins = match closed.iter().find(|bit| risk(bit) == 0) {
            Some(&safe) => self.after(alive, open, safe),
            // The rest are mines: won, and there is one layout.
            None if alive.count_ones() == 1 => 1.0,
            None => closed.iter().map(|&bit| self.after(alive, open, bit)).fold(0.0, f64::max),
        };
        self.known.insert((alive, open), wins);
        wins
    }
}

#[test]
fn the_best_guess_of_the_last_chapter_wins_most_often_and_is_not_the_safest() {
    let mut tried = 0;
    for exercise in exercises("best-guess", 60) {
        let view = &exercise.view;
        let layouts = layouts(view);
        if layouts.len() > 12 {
            continue;
        }
        tried += 1;
        let cells = plain(view);
        let mut play =
            Expectation { view, layouts: &layouts, cells: cells.clone(), known: HashMap::new() };
        let all = (1 << layouts.len()) - 1;
        let wins: Vec<f64> = (0..cells.len()).map(|bit| play.after(all, 0, bit)).collect();
        let most = wins.iter().copied().fold(0.0, f64::max);
        let best = cells.iter().zip(&wins).filter(|(_, win)| **win > most - 1e-9);
        let best: Vec<Cell> = best.map(|(&cell, _)| cell).collect();
        assert_eq!(best, exercise.answer, "{view}\n{wins:?}");
        let safest =
            |one: &&Cell, other: &&Cell| risk(&layouts, **one).total_cmp(&risk(&layouts, **other));
        let safest = cells.iter().min_by(safest).unwrap();
        assert!(!best.contains(safest), "{view}");
    }
    assert!(tried >= 10, "{tried}");
}

#[test]
fn hints_lead_to_the_end_and_every_answer_has_a_reason() {
    for chapter in CHAPTERS {
        for seed in 1..=12 {
            let exercise = chapter.exercise(seed).unwrap();
            let mut found = Vec::new();
            while let Some(hint) = exercise.hint(&found) {
                assert!(!exercise.is_solved(&found) && !found.contains(&hint.cell));
                assert!(hint.area.contains(&hint.cell) && !hint.reasons.is_empty());
                found.push(hint.cell);
                assert!(found.len() <= exercise.asked(), "{}", exercise.view);
            }
            assert!(exercise.is_solved(&found), "{}", exercise.view);
            for verdict in exercise.judge(&plain(&exercise.view)).unwrap() {
                assert_eq!(verdict.right, exercise.answer.contains(&verdict.cell));
                assert!(!verdict.reasons.is_empty());
                assert!(verdict.reasons.iter().all(|reason| reason.ends_with('.')), "{verdict:?}");
            }
            let open = exercise.view.opened()[0];
            assert!(exercise.judge(&[open]).is_err());
        }
    }
}

#[test]
fn opened_cells_are_those_of_the_answer_and_what_they_open() {
    for exercise in exercises("two-clues", 30) {
        let opened = exercise.opened();
        assert_eq!(opened.shown_mines().count(), 0);
        assert_eq!(opened.flag_count(), exercise.view.flag_count());
        assert!(exercise.answer.iter().all(|&cell| opened.face(cell).clue().is_some()));
        for &cell in exercise.view.opened() {
            assert_eq!(opened.face(cell), exercise.view.face(cell));
        }
    }
}

#[test]
fn a_seed_is_an_exercise_for_ever() {
    let first = |name| {
        let exercise = chapter(name).exercise(1).unwrap();
        format!("{}{:?}", exercise.view, exercise.answer)
    };
    for chapter in CHAPTERS {
        assert_eq!(first(chapter.name), first(chapter.name));
        let seeds = (1..=Chapter::EXERCISES).map(|seed| chapter.exercise(seed).unwrap());
        let mut views: Vec<String> = seeds.map(|exercise| exercise.view.to_string()).collect();
        views.sort();
        views.dedup();
        assert_eq!(views.len() as u64, Chapter::EXERCISES, "{}", chapter.name);
    }
}

#[test]
fn examples_show_their_technique() {
    let rungs = [
        ("one-clue", Rung::SingleClue),
        ("two-clues", Rung::Pair),
        ("several-clues", Rung::Several),
        ("mines-left", Rung::MineTotal),
    ];
    for (name, rung) in rungs {
        let view = chapter(name).position();
        let safe = |highest| {
            let steps = prove(&view, highest);
            steps.iter().filter(|step| step.conclusion.fact == Fact::Safe).count()
        };
        assert!(safe(rung) > 0, "{name}");
        let below = Rung::ALL.into_iter().rfind(|&lower| lower < rung);
        assert_eq!(below.map_or(0, safe), 0, "{name}");
        assert!(Oracle::of(&view, 1 << 20).unwrap().layouts() > 0, "{name}");
    }
    for name in ["odds", "fifty-fifty", "best-guess"] {
        assert_eq!(safe_by_trying(&chapter(name).position()), Some(Vec::new()), "{name}");
    }
}
