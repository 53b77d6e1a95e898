//! No position makes `analyze` call a move safer than its odds say.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use deminer_game::{Face, Form, Layout, Rng, Shape};

/// Random positions as text, one block each: mines and flags shown or not, some with nothing open.
fn blocks(count: usize) -> String {
    let mut rng = Rng::new(4);
    let mut text = String::new();
    for number in 0..count {
        let form = Form::ALL[rng.below(3)];
        let shape = Shape::new(form, 2 + rng.below(3), 2 + rng.below(3)).unwrap();
        let cells: Vec<_> = shape.cells().collect();
        let mines: Vec<_> = cells.iter().copied().filter(|_| rng.below(3) == 0).collect();
        let layout = Layout::new(shape.clone(), mines).unwrap();
        let openness = rng.below(3);
        writeln!(text, "> {number}\nmines {}\nshape {form}", layout.total()).unwrap();
        for row in cells.chunks(shape.width()) {
            for &cell in row {
                let symbol = match (rng.below(6), layout.is_mine(cell)) {
                    (0, _) => "F".to_owned(),
                    (1, true) => Face::Mine.to_string(),
                    (draw, false) if draw <= 2 * openness => layout.count(cell).to_string(),
                    _ => "#".to_owned(),
                };
                write!(text, "{symbol} ").unwrap();
            }
            text.push('\n');
        }
    }
    text
}

#[test]
fn best_moves_are_as_safe_as_their_odds() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("positions.txt");
    fs::write(&path, blocks(80)).unwrap();
    for start in ["", "--start=unsafe", "--start=safe", "--start=open"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_deminer"));
        command
            .arg("analyze")
            .arg(&path)
            .arg("--jsonl")
            .args([start].iter().filter(|s| !s.is_empty()));
        let output = command.output().unwrap();
        let mut moves = 0;
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let answer: serde_json::Value = serde_json::from_str(line).unwrap();
            let best = &answer["best"];
            if best.is_null() {
                continue;
            }
            let rows = answer["mine_probability"].as_array().unwrap();
            let is_fresh =
                rows.iter().flat_map(|row| row.as_array().unwrap()).all(|p| !p.is_null());
            let is_promised = is_fresh && matches!(start, "--start=safe" | "--start=open");
            let at = |place: usize| best["cell"][place].as_u64().unwrap() as usize;
            let mine = rows[at(0)][at(1)].as_f64().unwrap();
            let expected = if is_promised { 1.0 } else { 1.0 - mine };
            assert_eq!(best["safety"].as_f64().unwrap(), expected, "{start}: {line}");
            moves += 1;
        }
        assert!(moves > 30, "{moves}");
    }
}
