//! Checks on pictures of fields, trees as text, and what a player opens.

use deminer_game::{Agent, Layout, Rng, View};

use super::field::{MINE, TOUCHING};
use super::*;
use crate::evolve::{Artifact, Branch, Tree};

fn tree(text: &str) -> Tree<Node> {
    Tree::read(text).unwrap_or_else(|error| panic!("{error}"))
}

fn field(layout: &str) -> Field {
    Field::of(&layout.parse::<Layout>().unwrap())
}

/// What a tree makes of a field.
fn check(layout: &str, text: &str, memory: bool, expected: &str) {
    let field = field(layout);
    let mut filler = Filler::default();
    let codes = filler.fill(&Program::of(&tree(text)), &field, memory);
    let drawn = field.picture(codes);
    let rows = |text: &str| -> Vec<String> {
        text.lines().map(|row| row.split_whitespace().collect()).collect()
    };
    assert_eq!(rows(&drawn), rows(expected), "{text}\n{drawn}");
}

const ONE_MINE: &str = "......\n...*..\n......";

#[test]
fn a_field_shows_its_numbers_and_knows_the_rest() {
    let field = field(ONE_MINE);
    assert_eq!(field.picture(&field.seen), "# # 1 1 1 #\n# # 1 # 1 #\n# # 1 1 1 #\n");
    assert_eq!(field.picture(&field.truth), ". - 1 1 1 -\n. - 1 * 1 -\n. - 1 1 1 -\n");
    assert_eq!(field.unknown(), 10);
    assert_eq!(field.score(&field.truth), 1.0);
    // One mine is worth 5 and nine empty cells 2 each.
    assert_eq!(field.score(&field.seen), 0.0);
}

#[test]
fn checks_edit_the_field_as_they_say() {
    // The cell to the right is a number: the input touches one.
    check(
        ONE_MINE,
        "(numCheck (0,1) (0,1))",
        false,
        "# - 1 1 1 #
         # - 1 - 1 #
         # - 1 1 1 #",
    );
    // The number below the mine has as many unknown neighbors as it says.
    check(
        ONE_MINE,
        "(fullCheck (1,0) (1,0))",
        false,
        "# # 1 1 1 #
         # # 1 * 1 #
         # # 1 1 1 #",
    );
    // Every cell two steps from another is called a mine, from left to right.
    check("....", "(outerCompare (0,2) (0,2))", false, "* * # #");
    check("....", "(edgeCheck (0,1) (0,1))", false, "# # # #");
}

#[test]
fn bottom_up_means_arguments_first() {
    // The number is looked at first, then what is taken for empty gets its kind.
    check(
        ONE_MINE,
        "(emptyTouchCheck (numCheck (0,1) (0,1)) (0,-1))",
        false,
        "# - 1 1 1 #
         # - 1 - 1 #
         # - 1 1 1 #",
    );
}

#[test]
fn memory_keeps_what_is_proved() {
    let both = "(numCheck (fullCheck (1,0) (1,0)) (0,1))";
    let mined = |memory| {
        let field = field(ONE_MINE);
        let mut filler = Filler::default();
        filler.fill(&Program::of(&tree(both)), &field, memory)[field.place(1, 3)]
    };
    assert_eq!((mined(false), mined(true)), (TOUCHING, MINE));
}

#[test]
fn everything_that_memory_keeps_is_true() {
    let mut rng = Rng::new(4);
    let breeding = Breeding {
        checks: Check::ALL.to_vec(),
        reach: Reach { rows: 3, columns: 3 },
        memory: true,
        ..Breeding::paper(Field::deal(7, 9, 10, &mut rng), 6)
    };
    let mut filler = Filler::default();
    for _ in 0..300 {
        use crate::evolve::Problem;
        let field = Field::deal(7, 9, 10, &mut rng);
        let program = Program::of(&breeding.random(&mut rng));
        filler.fill(&program, &field, true);
        for place in (0..7).flat_map(|row| (0..9).map(move |column| (row, column))) {
            let place = field.place(place.0, place.1);
            if filler.fixed[place] {
                let truth = field.truth[place] == MINE;
                assert_eq!(filler.codes[place] == MINE, truth, "{}", field.picture(&field.truth));
            }
        }
    }
}

#[test]
fn a_tree_is_always_worth_the_same() {
    use crate::evolve::Problem;
    let mut rng = Rng::new(9);
    let breeding = Breeding::paper(Field::deal(8, 9, 8, &mut rng), 8);
    for luck in 0..20 {
        let tree = breeding.random(&mut rng);
        assert_eq!(breeding.fitness(&tree, luck), breeding.fitness(&tree, luck + 1));
    }
    let loose = Breeding { stochastic: true, ..breeding };
    let differs = |luck: u64| {
        let tree = loose.random(&mut Rng::new(luck));
        loose.fitness(&tree, 1) != loose.fitness(&tree, 2)
    };
    assert!((0..20).any(differs));
}

#[test]
fn argument_alone_fills_fields_in() {
    let mut rng = Rng::new(1);
    let mean: f64 = (0..50)
        .map(|_| Field::deal(16, 30, 48, &mut rng))
        .map(|field| field.score(&by_components(&field)))
        .sum::<f64>()
        / 50.0;
    assert!(mean > 0.99, "{mean}");
}

#[test]
fn trees_are_text_and_faults_have_a_place() {
    let text = "(numCheck (0,1) (edgeCheck (2,0) (1,-1)))";
    assert_eq!(tree(text).to_string(), text);
    assert_eq!(tree("( numCheck (0,1)\n   (1,1))").to_string(), "(numCheck (0,1) (1,1))");
    let error = |text: &str| Tree::<Node>::read(text).unwrap_err().to_string();
    assert!(error("(numCheck (0,1) (1,1)").starts_with("line 1, column 22: expected `)`"));
    assert!(error("(numCheck (0,1)\n  (1;1))").starts_with("line 2, column 4: `1;1` is not"));
    assert!(error("(add (0,1) (1,1))").starts_with("line 1, column 2: `add` is not an offset"));
    assert_eq!(error("(0,1) x"), "line 1, column 7: the tree ends before this `x`");
    assert!(error("").contains("ends too early"));
    let large = Tree::<Node>::read(&{
        let mut text = "(0,1)".to_owned();
        (0..40).for_each(|_| text = format!("(filledCheck {text} (3,-3))"));
        text
    })
    .unwrap();
    assert!(large.pretty().lines().count() > 40 && large.depth() == 40);
    assert_eq!(Tree::read(&large.pretty()), Ok(large));
}

#[test]
fn genomes_are_files_and_faults_have_a_place() {
    let artifact = Artifact {
        kind: "gp".into(),
        about: "one field".into(),
        seed: 3,
        score: 0.1 + 0.2,
        options: "memory".into(),
        command: "deminer train gp".into(),
        branches: vec![Branch::of("main", &tree("(numCheck (0,1) (1,1))"))],
    };
    let text = artifact.write();
    let again = Artifact::read(&text).unwrap();
    assert_eq!(again.write(), text);
    assert_eq!(again.tree::<Node>("main").unwrap(), tree("(numCheck (0,1) (1,1))"));
    let damaged = Artifact::read(&text.replace("numCheck", "nunCheck")).unwrap();
    let error = damaged.tree::<Node>("main").unwrap_err().to_string();
    assert!(error.starts_with("line 9, column 4: `nunCheck` is not"), "{error}");
    assert!(Artifact::read("trees").unwrap_err().to_string().contains("does not begin with"));
    assert_eq!(
        Artifact::read("deminer genome 1\nkind: gp\nabuot: x").unwrap_err().to_string(),
        "line 3: expected `about: TEXT`"
    );
    assert!(again.expect_kind("quartetti").is_err());
}

#[test]
fn a_player_opens_what_the_tree_proves_free() {
    let text = "(saturatedCheck (fullCheck (0,1) (0,-1)) (saturatedCheck (1,0) (0,1)))";
    let mut player = GpPlayer::new(&tree(text), true);
    let view: View = "mines 2\n# # # #\n1 2 1 1".parse().unwrap();
    let decision = player.decide(&view, &mut Rng::new(1));
    assert!(decision.action.opens());
    assert!(decision.estimates.is_some());
}
