//! 3BV, openings, islands and ZiNi are what ms_toollib says: `cargo xtask zini --golden` writes
//! the numbers.

use deminer_game::{ClickParts, GameSeed, Layout, Purpose, Rules, Size};

#[test]
fn measures_of_boards_are_those_of_ms_toollib() {
    let mut boards = 0;
    for line in include_str!("zini.txt").lines() {
        let (size, numbers) = line.split_once(' ').unwrap();
        let numbers: Vec<usize> = numbers.split(' ').map(|word| word.parse().unwrap()).collect();
        let [seed, three_bv, openings, islands, zini, human_zini] = numbers[..] else {
            panic!("`{line}` should have a size and six numbers")
        };
        let rules = Rules::of(size.parse::<Size>().unwrap()).unwrap();
        let seed = GameSeed { seed: seed as u64, game: 0 }.derive(Purpose::Layout);
        let layout = Layout::deal(&rules, seed, rules.shape().nth(0).unwrap());
        let parts = ClickParts::of(&layout);
        assert_eq!(parts.three_bv(), three_bv, "3BV of {line}");
        assert_eq!(parts.openings.len(), openings, "openings of {line}");
        assert_eq!(parts.islands(&layout), islands, "islands of {line}");
        assert_eq!((layout.zini(), layout.human_zini()), (zini, human_zini), "ZiNi of {line}");
        boards += 1;
    }
    assert_eq!(boards, 36);
}
