//! Park et al., figures 2, 4 and 5: the frontier, the probabilities of the genetic algorithm before
//! and after safe cells are opened, and the field that a genetic program fills in.

use deminer_draw::{BoardPicture, FieldPicture, Heat, Look, Panel, Sheet, Theme};
use deminer_game::{Cell, Estimates, FirstClick, GameSeed, Match, Rng, Start, View};
use deminer_learn::evolve::Artifact;
use deminer_learn::evolve::gp::{Field, Filler, Node, Program};

use super::{Findings, PARK, Plan, Study, Table, Target, Work, rules};

pub const TABLE: Table = Table {
    id: "s004-figures",
    title: "The frontier, its probabilities and the dummy field, drawn",
    place: "figures 2, 4 and 5",
    about: "`ga` plays 9x9 boards; the first position is drawn that has cells of low and of middling \
            probability. Red is the frontier, and the redder a cell, the more individuals of the \
            pool have a mine there. Figure 5 is the field that genetic programs fill in, as it is, \
            as they see it and as the shipped genome `fields` fills it in. `deminer play --agent ga \
            --fringe --heat red` draws any game so, `deminer genome fields --field 10x10x10` any \
            field.",
    plan,
    ..Table::of(&PARK)
};

const PICTURES: [&str; 2] = ["figures-2-and-4", "figure-5-dummy-field"];
const THEME: Theme = Theme::Light;
/// Cells with at most this probability are opened.
const LOW: f64 = 0.05;

fn plan(plan: &mut Plan) {
    let figures = plan.study(Study::new("figures", 1, |work| Some(draw(work))));
    for (setting, agent, measure, name) in [
        ("figure 2", "ga", "cells of the frontier", "frontier"),
        ("figure 4", "ga", "cells of the frontier with at most 5 %", "low"),
    ] {
        let of = move |found: &super::Found| found.mean(name);
        plan.found(figures, [setting, agent, measure], of, Target::None).in_numbers();
    }
    let labels = ["figure 5", "the genome fields", "share of the points of a field"];
    plan.found(figures, labels, |found| found.mean("score"), Target::None);
    plan.pictures(figures, &PICTURES);
}

fn draw(work: &Work<'_>) -> Findings {
    let mut findings = Findings::default();
    let sheets = [draw_frontier(work, &mut findings), draw_field(work, &mut findings)];
    for (name, sheet) in PICTURES.into_iter().zip(sheets) {
        findings.texts.insert(name.into(), sheet.scene().svg());
    }
    findings
}

/// A position with what the algorithm believes of its frontier.
type Moment = (View, Box<Estimates>);

/// The first position with at least three cells of low probability and three of middling one, and
/// the one in which the algorithm runs again.
fn moments(work: &Work<'_>) -> [Moment; 2] {
    let mut player = work.agent("ga");
    for game in 0.. {
        let seed = GameSeed { seed: work.seed, game };
        let mut game = Match::new(rules("9x9x10", Start::Safe), FirstClick::Random, seed);
        let mut before: Option<Moment> = None;
        while let Some((_, decision)) = game.ask(player.as_mut()) {
            if let Some(estimates) = &decision.estimates {
                let moment = (game.board().view().clone(), estimates.clone());
                if let Some(before) = before.take() {
                    return [before, moment];
                }
                let risks: Vec<f64> = frontier(&moment).map(|(_, risk)| risk).collect();
                let low = risks.iter().filter(|&&risk| risk <= LOW).count();
                let middling = risks.iter().filter(|&&risk| (0.15..0.85).contains(&risk)).count();
                before = (low >= 3 && middling >= 3).then_some(moment);
            }
            game.carry_out(&decision);
        }
    }
    unreachable!("games do not end")
}

/// The cells of which the algorithm believes something.
fn frontier((view, estimates): &Moment) -> impl Iterator<Item = (Cell, f64)> {
    view.openable().filter_map(|cell| Some((cell, estimates.mine(cell)?)))
}

/// Figures 2 and 4.
fn draw_frontier(work: &Work<'_>, findings: &mut Findings) -> Sheet {
    let [before, after] = moments(work);
    let look = Look {
        fringe: true,
        heat: Some(Heat::Red),
        percentages: true,
        tile: Some(34.0),
        ..Look::default()
    };
    let low: Vec<Cell> =
        frontier(&before).filter(|&(_, risk)| risk <= LOW).map(|(cell, _)| cell).collect();
    let cells = frontier(&before).count();
    findings.push("frontier", cells as f64);
    findings.push("low", low.len() as f64);
    let opened = after.0.opened().len() - before.0.opened().len();
    let picture = |(view, estimates): &Moment| {
        let picture = BoardPicture::new(view).look(look).estimates(estimates);
        picture.circled(low.iter().copied().filter(|&cell| view.face(cell).is_covered())).scene()
    };
    let panels = vec![
        Panel::new("figure 2: the frontier", BoardPicture::new(&before.0).look(look).scene())
            .lines([format!("{cells} covered cells beside numbers")]),
        Panel::new("figure 4, before: the share of the pool with a mine", picture(&before))
            .lines([format!("{} cells with at most 5 % (rings) are opened", low.len())]),
        Panel::new("figure 4, after", picture(&after))
            .lines([format!("{opened} cells were opened, then the algorithm runs again")]),
    ];
    Sheet { arrows: true, ..Sheet::row("The genetic algorithm on its frontier", THEME, panels) }
}

/// Figure 5.
fn draw_field(work: &Work<'_>, findings: &mut Findings) -> Sheet {
    let artifact = Artifact::read(&work.artifact("genomes/fields.genome"));
    let read = artifact
        .and_then(|artifact| Ok((artifact.tree::<Node>("main")?, artifact.has_option("memory"))));
    let (tree, memory) = read.unwrap_or_else(|error| panic!("{error}"));
    let program = Program::of(&tree);
    let field = Field::deal(10, 10, 10, &mut Rng::new(work.seed));
    let mut filler = Filler::default();
    let filled = filler.fill(&program, &field, memory);
    findings.push("score", field.score(filled));
    let title = "Figure 5: the dummy field, filled in by the genome fields".to_owned();
    FieldPicture { field: &field, filled, title, theme: THEME }.sheet()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::study::testing::work_on;

    #[test]
    fn probabilities_are_drawn_before_and_after_cells_are_opened() {
        work_on(1, |work| {
            let mut findings = Findings::default();
            let sheet = draw_frontier(work, &mut findings);
            let [before, after] = moments(work);
            assert!(after.0.opened().len() > before.0.opened().len());
            let percents = |panel: usize| {
                let labels = sheet.panels[panel].scene.labels().iter();
                labels.filter(|label| label.parse::<u8>().is_ok_and(|percent| percent > 8)).count()
            };
            // The rulers end at 8 and clues do too, so these are probabilities.
            let expected =
                frontier(&before).filter(|(_, risk)| (0.085..0.995).contains(risk)).count();
            assert_eq!((percents(0), percents(1)), (0, expected));
            let low = findings.numbers["low"][0];
            assert_eq!(
                sheet.panels[1].lines,
                [format!("{low} cells with at most 5 % (rings) are opened")]
            );
        });
    }

    #[test]
    fn the_dummy_field_hides_what_the_perfect_one_shows() {
        work_on(3, |work| {
            let mut findings = Findings::default();
            let sheet = draw_field(work, &mut findings);
            let [perfect, dummy, filled] = &sheet.panels[..] else { panic!("three fields") };
            let count = |panel: &Panel, text: &str| {
                panel.scene.labels().iter().filter(|label| *label == text).count()
            };
            assert_eq!(count(perfect, "-1"), 10);
            assert_eq!((count(dummy, "-1"), count(perfect, "-5")), (0, 0));
            assert!(count(dummy, "-5") >= 10 && count(filled, "-1") > 0);
            let score = findings.numbers["score"][0];
            assert!(score > 0.7 && filled.lines[0].starts_with(&format!("score {score:.3}")));
        });
    }
}
