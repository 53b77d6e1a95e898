use deminer_game::*;
fn main() {
    for (name, w, h, m, share) in [
        ("r30x16x40", 30, 16, 99, 40),
        ("r64x15", 64, 64, 819, 15),
        ("r100x15", 100, 100, 2000, 15),
        ("r64x40", 64, 64, 819, 40),
        ("r100x40", 100, 100, 2000, 40),
    ] {
        for i in 0..6u64 {
            let rules = Rules::of(Size { width: w, height: h, mines: m })
                .unwrap()
                .with_cascade(false)
                .with_start(Start::Unsafe)
                .unwrap();
            let shape = rules.shape().clone();
            let layout = Layout::deal(&rules, i, shape.nth(0).unwrap());
            let mut safe: Vec<Cell> = shape.cells().filter(|&c| !layout.is_mine(c)).collect();
            Rng::new(i + 77).shuffle(&mut safe);
            let n = safe.len() * share / 100;
            let mut b = Board::laid(rules, layout, 0).unwrap();
            for &c in &safe[..n] {
                b.act(Action::Open(c));
            }
            print!("> hard_{name}_{i}\n{}", b.view());
        }
    }
}
