//! Small sets of samples with trees known by hand, and random ones against slow and plain code.

use deminer_game::{Cell, Estimates, View};

use super::*;
use crate::header::{ReadArtifactError, sealed};

/// Samples from pictures with one covered cell each and its risk, each with how often it is seen.
fn samples(lessons: &[(&str, f64, u64)]) -> Samples {
    let mut samples = Samples::default();
    for &(position, risk, times) in lessons {
        let view: View = format!("mines 1\n{position}").parse().unwrap();
        let mut estimates = Estimates::new(view.shape().size());
        let cell: Cell = view.covered().next().unwrap();
        estimates.believe(cell, risk);
        (0..times).for_each(|_| samples.see(&view, &estimates).unwrap());
    }
    samples
}

/// One number left and one right of the cell; only the left one matters.
fn left_matters() -> Samples {
    samples(&[
        ("1 # 1", 0.0, 3),
        ("1 # 2", 0.0, 1),
        ("2 # 1", 0.9, 2),
        ("2 # 2", 0.9, 2),
        ("3 # 2", 0.4, 4),
    ])
}

#[test]
fn the_question_that_tells_most_comes_first() {
    let tree = grow(&left_matters(), &Growth::default());
    let expected = "\
if the cell left is outside the board, 0 or 1:
  not a mine (risk 0.0 %, 4 samples)
else, if it is 2 to 8 or covered:
  if the cell left is 2:
    a mine (risk 90.0 %, 4 samples)
  else, if it is 3 to 8 or covered:
    probably not a mine (risk 40.0 %, 4 samples)
";
    assert_eq!(tree.rules(8), expected);
    assert_eq!((tree.depth(), tree.leaves(), tree.nodes().len()), (2, 3, 5));
    // Twelve samples in thirds: log2(3) bits each, and none at the leaves.
    assert!((tree.entropy(0) - 3f64.log2()).abs() < 1e-12);
    assert_eq!(tree.entropy(1), 0.0);
    let importances = tree.importances();
    assert_eq!(importances[11], 1.0);
    assert_eq!(importances.iter().sum::<f64>(), 1.0);
}

#[test]
fn one_hot_trees_ask_for_single_codes() {
    let growth = Growth { features: Features::OneHot, ..Growth::default() };
    let tree = grow(&left_matters(), &growth);
    let expected = "\
if the cell left is 1:
  not a mine (risk 0.0 %, 4 samples)
else, if it is not 1:
  if the cell left is 2:
    a mine (risk 90.0 %, 4 samples)
  else, if it is not 2:
    probably not a mine (risk 40.0 %, 4 samples)
";
    assert_eq!(tree.rules(8), expected);
}

#[test]
fn growth_ends_at_its_limits() {
    let samples = left_matters();
    let shallow = grow(&samples, &Growth { depth: 1, ..Growth::default() });
    assert_eq!(shallow.leaves(), 2);
    assert_eq!(grow(&samples, &Growth { depth: 0, ..Growth::default() }).leaves(), 1);
    assert_eq!(grow(&samples, &Growth { least: 6, ..Growth::default() }).leaves(), 1);
    let deep = grow(&samples, &Growth::default());
    assert_eq!(deep.to_depth(1), shallow);
    assert_eq!(deep.to_depth(9), deep);
    let none = grow(&Samples::default(), &Growth::default());
    assert_eq!((none.leaves(), none.importances().iter().sum::<f64>()), (1, 0.0));
}

#[test]
fn risks_are_told_apart_within_a_class() {
    let samples = samples(&[("1 # 1", 0.0, 5), ("2 # 1", 0.2, 5)]);
    assert_eq!(grow(&samples, &Growth::default()).leaves(), 1);
    let growth = Growth { criterion: Criterion::Risk, ..Growth::default() };
    assert_eq!(grow(&samples, &growth).leaves(), 2);
}

#[test]
fn pruning_takes_back_what_does_not_hold_elsewhere() {
    // Grown from boards where the right number seems to matter too.
    let grown =
        samples(&[("1 # 1", 0.0, 10), ("2 # 1", 0.9, 10), ("2 # 3", 0.9, 9), ("2 # 4", 0.1, 1)]);
    let others = samples(&[("1 # 1", 0.0, 10), ("2 # 1", 0.9, 10), ("2 # 4", 0.9, 5)]);
    for criterion in Criterion::ALL {
        let tree = grow(&grown, &Growth { criterion, ..Growth::default() });
        assert_eq!(tree.leaves(), 3, "{criterion:?}");
        let pruned = prune(&tree, &others);
        assert_eq!(pruned.leaves(), 2, "{criterion:?}");
        assert_eq!(fidelity(&pruned, &others).rate(), 1.0);
        assert_eq!(prune(&tree, &grown), tree, "what holds is kept");
    }
}

#[test]
fn a_tree_cut_short_is_as_faithful_as_one_grown_so_deep() {
    let seen = left_matters();
    let grown = |depth| grow(&seen, &Growth { depth, ..Growth::default() });
    let whole = grown(8);
    let by_depth = fidelity_by_depth(&whole, &seen);
    assert_eq!(by_depth.len(), whole.depth() + 1);
    for (depth, cut) in by_depth.iter().enumerate() {
        assert_eq!(cut.confusion, fidelity(&grown(depth), &seen).confusion, "{depth} questions");
    }
}

#[test]
fn fidelity_counts_samples_of_the_same_class() {
    let tree = grow(&left_matters(), &Growth { depth: 1, ..Growth::default() });
    // The second leaf has four mines and four probable ones; the safer class wins the tie.
    let judged = fidelity(&tree, &left_matters());
    assert_eq!((judged.agreed(), judged.samples()), (8, 12));
    assert_eq!(judged.confusion[3][1], 4);
    let parts = [left_matters(), left_matters(), left_matters()];
    let folds = cross_validate(&parts, &Growth::default());
    assert_eq!(folds.iter().map(Fidelity::rate).collect::<Vec<_>>(), [1.0; 3]);
}

/// Random windows of a small board, with risks that depend on a few of their cells.
fn random_samples(seed: u64, boards: usize) -> Samples {
    let mut rng = deminer_game::Rng::new(seed);
    let mut samples = Samples::default();
    for _ in 0..boards {
        let rows: Vec<String> = (0..5)
            .map(|_| (0..6).map(|_| ['#', '1', '2', '3', '.'][rng.below(5)]).collect())
            .collect();
        let view: View = format!("mines 3\n{}", rows.join("\n")).parse().unwrap();
        let mut estimates = Estimates::new(30);
        for cell in view.covered() {
            estimates.believe(cell, rng.below(5) as f64 / 4.0);
        }
        samples.see(&view, &estimates).unwrap();
    }
    samples
}

/// The bits saved by the best question at the root, by trying every one on every sample.
fn best_by_trying(samples: &Samples, growth: &Growth) -> f64 {
    let mut best: f64 = 0.0;
    for (column, about) in growth.features.columns().iter().enumerate() {
        for code in 0..about.codes {
            let test = growth.features.test(code);
            let mut sides = [Tally::default(); 2];
            let mut row = Vec::new();
            for (window, tally) in samples.sorted() {
                growth.features.extract(window, &mut row);
                sides[usize::from(test.admits(row[column]))].add(&tally);
            }
            let bits: f64 = sides.iter().map(|side| growth.criterion.bits(side)).sum();
            best = best.max(growth.criterion.bits(&samples.total()) - bits);
        }
    }
    best
}

#[test]
fn counts_find_the_same_questions_as_trying_all() {
    for features in Features::ALL {
        for criterion in Criterion::ALL {
            let growth = Growth { features, criterion, depth: 6, least: 1 };
            let samples = random_samples(7, 40);
            let tree = grow(&samples, &growth);
            let bits = |node: usize| criterion.bits(&tree.nodes()[node].tally);
            let split = tree.nodes()[0].split.unwrap();
            let saved = bits(0) - bits(1) - bits(split.no);
            let tried = best_by_trying(&samples, &growth);
            assert!((saved - tried).abs() < 1e-6, "{features} {criterion:?}: {saved} {tried}");
            // Every node holds just the samples that come to it.
            let seen = prune::tally_nodes(&tree, &samples);
            assert!(tree.nodes().iter().zip(&seen).all(|(node, seen)| node.tally == *seen));
            assert!((tree.importances().iter().sum::<f64>() - 1.0).abs() < 1e-9);
            for (node, depth) in tree.depths().into_iter().enumerate() {
                assert_eq!(tree.path(node).len(), depth);
            }
        }
    }
}

#[test]
fn a_path_becomes_one_condition_for_each_column() {
    let tree = grow(&left_matters(), &Growth::default());
    let columns = Features::Raw.columns();
    let words = |node: usize| -> Vec<String> {
        conditions(&tree, node).iter().map(|condition| condition.words(columns)).collect()
    };
    assert_eq!(words(0), [""; 0]);
    assert_eq!(words(3), ["the cell left is 2"]);
    assert_eq!(words(4), ["the cell left is 3 to 8 or covered"]);
    assert_eq!(tree.question(2).unwrap(), "the cell left is 2");
    assert_eq!(tree.question(1), None);
}

fn artifact(features: Features, criterion: Criterion) -> Artifact {
    let growth = Growth { features, criterion, depth: 5, least: 1 };
    let origin = Origin {
        agent: "lowest-risk".into(),
        rules: "10x10x10, start open".into(),
        games: 40,
        seed: 7,
        samples: 512,
        fidelity: (100, 128),
        command: "deminer train tree --of lowest-risk".into(),
    };
    Artifact { origin, tree: grow(&random_samples(7, 40), &growth) }
}

#[test]
fn artifacts_come_back_as_they_were() {
    for features in Features::ALL {
        for criterion in Criterion::ALL {
            let artifact = artifact(features, criterion);
            let text = artifact.write();
            assert_eq!(Artifact::read(text.as_bytes()).unwrap(), artifact);
            let windows = text.replace('\n', "\r\n");
            assert_eq!(Artifact::read(windows.as_bytes()).unwrap(), artifact);
        }
    }
    let mut odd = artifact(Features::Raw, Criterion::Class);
    odd.origin.command = "two\nlines".into();
    assert_eq!(Artifact::read(odd.write().as_bytes()).unwrap().origin.command, "two lines");
}

#[test]
fn damaged_and_foreign_files_are_refused_with_a_reason() {
    let text = artifact(Features::Raw, Criterion::Class).write();
    let error = |text: &str| Artifact::read(text.as_bytes()).unwrap_err().to_string();
    assert!(error("").contains("does not begin with `deminer tree`"));
    assert!(error("{\"nodes\": []}").contains("does not begin with"));
    assert!(Artifact::read(b"\xff\xfe").unwrap_err().to_string().contains("does not begin"));
    assert!(Artifact::read(b"deminer tree 1\n\xff").unwrap_err().to_string().contains("not text"));
    assert!(error("deminer tree 2\n").contains("reads version 1"));
    assert_eq!(error("deminer tree 1\nagent: x\nboard: y"), "line 3: expected `rules: TEXT`");
    let changed = text.replacen("games: 40", "games: 41", 1);
    assert!(error(&changed).contains("damaged"), "{}", error(&changed));
    let cut = &text[..text.len() - 20];
    assert!(error(cut).contains("damaged"), "{}", error(cut));
    let again = sealed(cut);
    assert!(matches!(
        Artifact::read(again.as_bytes()),
        Err(ReadArtifactError::Line(..) | ReadArtifactError::Whole(_))
    ));
    for (from, to, reason) in [
        ("? cell_", "? call_", "none of the raw features"),
        (" <= ", " = ", "expected `<=`"),
        ("- ", "- -1 ", "expected `? COLUMN"),
        ("features: raw", "features: one-hot", "expected `=`"),
    ] {
        let wrong = sealed(&text.replacen(from, to, 1));
        assert!(error(&wrong).contains(reason), "{}", error(&wrong));
    }
}

#[test]
fn paths_in_files_have_an_end() {
    let head = artifact(Features::Raw, Criterion::Class).write();
    let head: Vec<&str> = head.lines().take(10).collect();
    let deep = |questions: usize| {
        let nodes =
            "? cell_0_0 <= 1\n".repeat(questions) + &"- 1 0 0 0 0.000000\n".repeat(questions + 1);
        sealed(&format!("{}\nnodes: {}\ncheck: 0\n{nodes}", head.join("\n"), 2 * questions + 1))
    };
    assert!(Artifact::read(deep(64).as_bytes()).is_ok());
    let error = Artifact::read(deep(65).as_bytes()).unwrap_err().to_string();
    assert!(error.contains("no path may ask more than 64 questions"), "{error}");
}

mod any_text {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn crashes_no_reader(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            let _ = Artifact::read(&bytes);
            let _ = Artifact::read(&[b"deminer tree 1\n".as_slice(), &bytes].concat());
        }

        /// Single changes, with and without a check that fits them.
        #[test]
        fn made_from_a_tree_is_refused_or_read(
            place in 0.0..1.0f64,
            symbol in "[-?<=0-9a-z_ ./\n]{0,3}",
            cut in 0usize..4,
            clues in any::<bool>(),
        ) {
            let features = if clues { Features::Clues } else { Features::Raw };
            let text = artifact(features, Criterion::Risk).write();
            let at = (place * text.len() as f64) as usize;
            let end = (at + cut).min(text.len());
            let changed = [&text[..at], &symbol, &text[end..]].concat();
            if let Ok(read) = Artifact::read(changed.as_bytes()) {
                prop_assert_eq!(read.write(), text);
            }
            if let Ok(read) = Artifact::read(sealed(&changed).as_bytes()) {
                prop_assert_eq!(Artifact::read(read.write().as_bytes()).unwrap(), read);
            }
        }
    }
}
