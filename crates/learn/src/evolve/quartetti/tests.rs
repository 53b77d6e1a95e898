//! Small programs on small boards.

use deminer_game::{Action, Agent, Rng, View};

use super::*;
use crate::evolve::{Artifact, Problem, Tree};

fn genome(main: &str, first: &str) -> Genome {
    [main, first, "here"].map(|text| Tree::read(text).unwrap_or_else(|error| panic!("{error}")))
}

fn play(grid: &Grid, genome: &Genome, mines: u128) -> Game {
    grid.play(&Code::of(genome), &mut Machine::default(), mines)
}

#[test]
fn a_program_walks_and_uncovers_until_nothing_changes() {
    let grid = Grid::new(2, 3);
    // The corner shows 1. One step east is enough to uncover the cell beyond it.
    let east = genome("(uncover (move east))", "here");
    assert!(play(&grid, &east, 1 << 2).lost);
    // With the mine below the corner that cell is a zero, which uncovers the rest.
    let game = play(&grid, &east, 1 << 3);
    assert_eq!((game.won, game.lost, game.opened), (true, false, 1.0));
    // West of the corner there is nothing: the board stays as it is.
    let game = play(&grid, &genome("(uncover (move west))", "here"), 1 << 3);
    assert_eq!((game.won, game.lost, game.opened), (false, false, 0.2));
}

#[test]
fn marks_keep_a_cell_covered() {
    let grid = Grid::new(1, 3);
    let careful = genome("(then (mark east) (uncover east))", "here");
    let game = play(&grid, &careful, 1 << 1);
    assert_eq!((game.won, game.lost), (false, false));
    let rash = genome("(uncover east)", "here");
    assert!(play(&grid, &rash, 1 << 1).lost);
}

#[test]
fn questions_choose_and_functions_take_arguments() {
    let grid = Grid::new(1, 4);
    // Goes east while that is open, else uncovers it through its function.
    let text = "(if-covered east (first east) (move east))";
    let program = genome(text, "(uncover argument)");
    assert!(play(&grid, &program, 0b0010).lost);
    assert!(play(&grid, &program, 0b1000).won);
}

#[test]
fn a_mine_under_the_first_cell_moves_on() {
    let grid = Grid::new(1, 3);
    let nothing = genome("here", "here");
    assert_eq!(play(&grid, &nothing, 1), play(&grid, &nothing, 2));
}

#[test]
fn programs_are_text_and_faults_have_a_place() {
    let (breeding, mut rng) = (Breeding::new(4, 5), Rng::new(7));
    for tree in (0..50).flat_map(|_| breeding.random(&mut rng)) {
        assert_eq!(Tree::read(&tree.to_string()), Ok(tree));
    }
    let error = Tree::<Operation>::read("(mvoe east)").unwrap_err().to_string();
    assert!(error.starts_with("line 1, column 2: `mvoe` is not"), "{error}");
}

#[test]
fn the_player_does_what_the_program_does_on_bits() {
    let artifacts = deminer_artifacts::shipped();
    let shipped = artifacts.get("genomes/one-mine.genome").unwrap();
    let shipped = Artifact::read(&String::from_utf8_lossy(shipped)).unwrap();
    let genome = QuartettiPlayer::genome(&shipped).unwrap();
    let (code, mut machine) = (Code::of(&genome), Machine::default());
    let grid = Grid::new(6, 6);
    for mine in 1..36 {
        use deminer_game::{Board, FirstClick, GameSeed, Layout, Match, Outcome, Rules};
        let rules = Rules::of("6x6x1".parse().unwrap()).unwrap();
        let layout = Layout::new(rules.shape().clone(), rules.shape().nth(mine)).unwrap();
        let board = Board::laid(rules, layout, 0).unwrap();
        let seed = GameSeed { seed: 1, game: 0 };
        let outcome =
            Match::on(board, FirstClick::Corner, seed).play(&mut QuartettiPlayer::new(&genome));
        let game = grid.play(&code, &mut machine, 1 << mine);
        assert_eq!((outcome == Outcome::Won, outcome == Outcome::Lost), (game.won, game.lost));
    }
}

#[test]
fn a_program_that_does_nothing_gives_up() {
    let mut player = QuartettiPlayer::new(&genome("(count here)", "here"));
    let view: View = "mines 1\n1 # #".parse().unwrap();
    player.begin(view.rules());
    assert_eq!(player.decide(&view, &mut Rng::new(1)).action, Action::Decline);
}
