use deminer_game::Rules;

use super::*;
use crate::boards::check_drawn;
use crate::deduce::tests::{oracle, random_views, satisfiable};

/// Explains the cell marked `o` in the picture and compares the premises (clues marked `x`, and after
/// the picture `total` for the mine total) and the words.
fn check(position: &str, picture: &str, words: &str) {
    let view: View = position.parse().unwrap();
    let place = picture.split_whitespace().position(|symbol| symbol == "o").unwrap();
    let cell = view.shape().nth(place).unwrap();
    let found = explain(&view, cell).expect("is proved");
    assert_eq!(found.sentence(&view), words, "{position}");
    check_premises(&view, &found.premises, &picture.replacen('o', "#", 1));
    assert!(found.minimum, "{position}");
}

fn check_premises(view: &View, found: &[Premise], expected: &str) {
    let clues = clues_of(found);
    let (picture, total) =
        expected.split_once(" total").map_or((expected, false), |(rows, _)| (rows, true));
    check_drawn(view, |cell| clues.contains(&cell).then_some('x'), picture);
    assert_eq!(found.contains(&Premise::MineTotal), total, "{view}");
}

#[test]
fn single_clues_are_told_one_after_another() {
    const ROW: &str = "mines 4\n# 1 . .\n1 1 1 1\n# # # #\n# # # #";
    check(
        ROW,
        "o x . .\n1 1 1 1\n# # # #\n# # # #",
        "the 1 at row 0, column 1 needs its only covered cell, so row 0, column 0 is a mine",
    );
    check(
        ROW,
        "# x . .\n1 x 1 1\n# # o #\n# # # #",
        "the 1 at row 0, column 1 needs its only covered cell, so row 0, column 0 is a mine; \
         the 1 at row 1, column 1 already touches its mine, so row 2, column 2 is safe",
    );
    check(
        "mines 3\n* 2 *\n# # #",
        "* x *\no # #",
        "the 2 at row 0, column 1 already touches its two mines, so row 1, column 0 is safe",
    );
    check(
        "mines 4\n# 3 #\n# . .\n# # #",
        "# x o\n# . .\n# # #",
        "the 3 at row 0, column 1 needs all three of its covered cells, so row 0, column 2 is a mine",
    );
}

#[test]
fn pairs_tell_what_the_shared_cells_take() {
    const PAIR: &str = "mines 2\n# # # #\n? 1 2 ?";
    check(
        PAIR,
        "o # # #\n? x x ?",
        "the 2 at row 1, column 2 gives the cells both see all the mines that the 1 at row 1, \
         column 1 admits, so row 0, column 0 is safe",
    );
    check(
        PAIR,
        "# # # o\n? x x ?",
        "the 1 at row 1, column 1 leaves the cells both see too few mines for the 2 at row 1, \
         column 2, so row 0, column 3 is a mine",
    );
}

#[test]
fn several_clues_are_named() {
    check(
        "mines 3\n# # # # #\n1 # 2 1 ?\n? ? ? ? ?\n# # # # #",
        "o # # # #\nx # x x ?\n? ? ? ? ?\n# # # # #",
        "the 1 at row 1, column 0, the 2 at row 1, column 2 and the 1 at row 1, column 3 fit \
         together only if row 0, column 0 is safe",
    );
}

#[test]
fn the_mine_total_is_a_premise_like_a_clue() {
    check(
        "mines 1\n# # #\n# # 1",
        "o # #\n# # x total",
        "the 1 at row 1, column 2 takes all the mines that are left, so row 0, column 0 is safe",
    );
    check(
        "mines 3\n# # # #\n# 1 2 #\n# # # #",
        "# o # #\n# x x #\n# # # # total",
        "with three mines on the whole board, the 1 at row 1, column 1 and the 2 at row 1, \
         column 2 fit together only if row 0, column 1 is safe",
    );
    check("mines 1\n* # ?", "* o ? total", "the only mine is known, so row 0, column 1 is safe");
    check(
        "mines 2\n# ? #",
        "o ? # total",
        "as many mines as cells are left, so row 0, column 0 is a mine",
    );
}

#[test]
fn contradictions_suppose_the_opposite() {
    const CORNER: &str = "mines 4\n# # # #\n2 3 # #\n# 2 # #";
    check(
        CORNER,
        "# # # #\nx x # #\no x # #",
        "if row 2, column 0 were safe, the 3 at row 1, column 1 could not be satisfied beside \
         the 2 at row 1, column 0 and the 2 at row 2, column 1",
    );
    check(
        "mines 2\n# # #\n# # 1\n# # 1\n1 # #",
        "# # #\n# # x\n# # x\nx # o total",
        "if row 3, column 2 were a mine, the 1 at row 1, column 2, the 1 at row 2, column 2 and \
         the 1 at row 3, column 0 could not all be satisfied with two mines on the whole board",
    );
}

#[test]
fn the_rung_is_the_hardest_needed_and_the_depth_the_longest_chain() {
    let view: View = "mines 4\n# 1 . .\n1 1 1 1\n# # # #\n# # # #".parse().unwrap();
    let at = |row, column| explain(&view, view.shape().cell(row, column).unwrap()).unwrap();
    let found: Vec<(Rung, usize)> =
        [at(0, 0), at(2, 0), at(2, 3)].iter().map(|found| (found.rung, found.depth)).collect();
    assert_eq!(found, [(Rung::SingleClue, 1), (Rung::SingleClue, 2), (Rung::SingleClue, 3)]);
    assert_eq!(at(2, 0).proof().rule, "single clue");

    let view: View = "mines 2\n# # # #\n1 1 ? ?".parse().unwrap();
    let at = |column| explain(&view, view.shape().cell(0, column).unwrap());
    let found = [2, 3].map(|column| at(column).map(|found| (found.rung, found.depth)));
    assert_eq!(found, [Some((Rung::Pair, 1)), Some((Rung::MineTotal, 2))]);
    assert!(at(0).is_none());
}

/// Compares the clues in conflict, marked `x`, with `total` for the mine total.
fn check_conflict(position: &str, premises: &str) {
    let view: View = position.parse().unwrap();
    let found = conflict(&view).unwrap_or_else(|| panic!("some layout fits\n{position}"));
    check_premises(&view, &found, premises);
}

#[test]
fn conflicts_name_the_clues_that_cannot_hold_together() {
    check_conflict("mines 3\n8 # #\n# # #", "x # #\n# # #");
    check_conflict("mines 3\n* 1 *\n# # #", "* x *\n# # #");
    check_conflict("mines 3\n# 3 # #\n. # # #", "# x # #\nx # # #");
    check_conflict("mines 1\n* *\n# #", "* *\n# # total");
    check_conflict("mines 4\n# ? ?\n# ? 1", "# ? ?\n# ? x");
    check_conflict("mines 4\n# ? ?\n# ? ?", "# ? ?\n# ? ? total");
    check_conflict("mines 1\n# 1 # # 1 #\n# # # # # #", "# x # # x #\n# # # # # # total");
    let corner = "mines 6\n# 1 # # # #\n1 1 # # 4 .\n# # # # # .";
    check_conflict(corner, "# 1 # # # #\n1 1 # # x x\n# # # # # .");
}

#[test]
fn views_that_some_layout_fits_have_no_conflict_and_others_have_the_smallest() {
    let mut conflicts = 0;
    for view in random_views(12, 30) {
        assert_eq!(conflict(&view), None, "{view}");
        // The same clues with another number of mines, or one of them changed.
        for mines in [0, 1, 9] {
            let rules = Rules::new(view.shape().clone(), mines).unwrap();
            let rules = rules.with_clues(view.rules().clues());
            let other = View::from_faces(rules, view.faces().to_vec()).unwrap();
            let Some(premises) = conflict(&other) else {
                assert!(oracle(&other).layouts() > 0, "{other}");
                continue;
            };
            conflicts += 1;
            assert_eq!(oracle(&other).layouts(), 0, "{other}");
            check_irreducible(&other, &premises, None);
            if other.opened().len() <= 6 {
                assert_eq!(premises.len(), smallest(&other, None), "{other}");
            }
        }
    }
    assert!(conflicts > 300, "{conflicts}");
}

#[test]
fn premises_entail_and_none_can_be_left_out() {
    let (mut explained, mut brute) = (0, 0);
    for view in random_views(11, 40) {
        let truth = oracle(&view);
        let steps = prove_all(&view);
        for cell in view.covered() {
            let Some(found) = explain_from(&view, &steps, cell) else {
                assert_eq!(truth.fact(cell), None);
                continue;
            };
            explained += 1;
            assert_eq!(truth.fact(cell), Some(found.fact));
            let suppose = Some((cell, found.fact.opposite()));
            check_irreducible(&view, &found.premises, suppose);
            // The oracle sees the same when it can read no other clue.
            let clues = clues_of(&found.premises);
            assert_eq!(oracle(&only(&view, &clues)).fact(cell), Some(found.fact));
            assert!(found.minimum || clues.len() > 12);
            if view.opened().len() <= 7 {
                brute += 1;
                assert_eq!(found.premises.len(), smallest(&view, suppose), "{cell:?}\n{view}");
            }
            assert!(!found.sentence(&view).is_empty());
        }
    }
    assert!(explained > 1000 && brute > 200, "{explained} {brute}");
}

fn refutes(view: &View, premises: &[Premise], suppose: Option<(Cell, Fact)>) -> bool {
    satisfiable(view, premises, suppose, 1_000_000) == Some(false)
}

fn check_irreducible(view: &View, premises: &[Premise], suppose: Option<(Cell, Fact)>) {
    assert!(refutes(view, premises, suppose), "{premises:?} {suppose:?}\n{view}");
    for place in 0..premises.len() {
        let mut fewer = premises.to_vec();
        fewer.remove(place);
        assert!(!refutes(view, &fewer, suppose), "{premises:?} {suppose:?}\n{view}");
    }
}

/// The fewest premises that refute, by trying all sets.
fn smallest(view: &View, suppose: Option<(Cell, Fact)>) -> usize {
    let mut all: Vec<Premise> = view.opened().iter().copied().map(Premise::Clue).collect();
    all.push(Premise::MineTotal);
    let sets = (0u32..1 << all.len()).filter(|set| {
        let chosen = (0..all.len()).filter(|place| set >> place & 1 == 1);
        refutes(view, &chosen.map(|place| all[place]).collect::<Vec<_>>(), suppose)
    });
    sets.map(|set| set.count_ones() as usize).min().expect("all premises refute")
}

#[test]
fn single_clues_are_told_as_the_ladder_finds_them() {
    let mut told = 0;
    for view in random_views(19, 40) {
        let steps = prove_all(&view);
        for cell in view.covered() {
            let Some(found) = explain_from(&view, &steps, cell) else { continue };
            assert_eq!(found.sentence(&view), words::by_ladder(&found, &view), "{view}");
            told += usize::from(matches!(found.premises[..], [Premise::Clue(_)]));
        }
    }
    assert!(told > 100, "{told}");
}
