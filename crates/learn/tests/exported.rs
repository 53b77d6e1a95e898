//! A tree written as a program is the tree: the program below was written by
//! `deminer tree lowest-risk-depth-8 --code rust`.

use deminer_game::{Cell, Rng, View};
use deminer_learn::trees::{Artifact, Codes, Language};

#[allow(clippy::if_same_then_else)]
mod exported {
    include!("lowest-risk-depth-8.rs.in");
}

#[test]
fn the_exported_program_judges_like_its_tree() {
    let shipped = deminer_artifacts::shipped();
    let artifact = Artifact::read(shipped.get("trees/lowest-risk-depth-8.tree").unwrap()).unwrap();
    let written = include_str!("lowest-risk-depth-8.rs.in").replace("\r\n", "\n");
    assert_eq!(artifact.code(Language::Rust), written);

    let mut rng = Rng::new(5);
    let mut row = Vec::new();
    for _ in 0..300 {
        let symbols: Vec<Vec<char>> = (0..6)
            .map(|_| (0..7).map(|_| ['#', '#', '.', '1', '2', '3'][rng.below(6)]).collect())
            .collect();
        let rows: Vec<String> = symbols.iter().map(|row| row.iter().collect()).collect();
        let view: View = format!("mines 3\n{}", rows.join("\n")).parse().unwrap();
        let covered: Vec<Cell> = view.covered().collect();
        for cell in covered {
            let (top, left) = view.shape().position(cell);
            let window: [[i8; 5]; 5] = std::array::from_fn(|down| {
                std::array::from_fn(|right| {
                    let row = (top + down).checked_sub(2).and_then(|row| symbols.get(row));
                    let place = (left + right).checked_sub(2);
                    let symbol = row.zip(place).and_then(|(row, place)| row.get(place));
                    match symbol {
                        None => -1,
                        Some('#') => 9,
                        Some('.') => 0,
                        Some(digit) => digit.to_digit(10).unwrap() as i8,
                    }
                })
            });
            let codes = Codes::around(&view, cell).unwrap();
            let leaf = artifact.tree.leaf_of(codes, &mut row);
            let (class, risk) = exported::judge(&window);
            assert_eq!(class, artifact.tree.class(leaf).name());
            let mean = artifact.tree.nodes()[leaf].tally.mean_risk();
            assert!((risk - mean).abs() < 1e-6);
        }
    }
}
