//! Peña Castillo and Wrobel, figure 4: a rule that Mio learned, on a board where it applies.

use deminer::Engine;
use deminer_draw::{BoardPicture, Look, Panel, Sheet, Theme};
use deminer_game::{Cell, Estimates, FirstClick, GameSeed, Match, Premise, Start, View};
use deminer_inference::relations::{MineSet, Zone, Zones};

use super::{Findings, MIO, Plan, Study, Table, Target, Work, rules};
use deminer::reasons::place;

pub const TABLE: Table = Table {
    id: "s002-figures",
    title: "The zone of interest and rule S-3, drawn",
    place: "figure 4",
    about: "The first position in games of `mio-rules` where rule S-3 finds a safe tile from three \
            clues. Left the tile, in the middle its zone of interest: the clues that bear on it and \
            the covered tiles around them. Right the three clues whose sets the rule subtracts. \
            The exact engine must agree that the tile is safe.",
    plan,
    ..Table::of(&MIO)
};

const PICTURE: &str = "figure-4-zone";
const RULE: &str = "S-3";

fn plan(plan: &mut Plan) {
    let figures = plan.study(Study::new("figures", 1, |work| Some(draw(work))));
    let labels = ["figure 4", "mio-rules", "tiles that S-3 proves and the exact engine calls safe"];
    plan.found(figures, labels, |found| found.share("safe"), Target::at_least(1.0));
    plan.note_on(move |played| {
        let text = played.found(figures).text("rule")?;
        Ok(format!(
            "The rule on this board, where *A less B* are the tiles of A outside B:\n\n{text}"
        ))
    });
    plan.pictures(figures, &[PICTURE]);
}

/// A position where the rule applies: the tile and the clues of its three sets.
struct Applied {
    view: View,
    tile: Cell,
    clues: [Cell; 3],
}

fn find(work: &Work<'_>) -> Applied {
    let mut player = work.agent("mio-rules");
    for game in 0.. {
        let seed = GameSeed { seed: work.seed, game };
        let mut game = Match::new(rules("8x8x10", Start::Unsafe), FirstClick::Random, seed);
        while let Some((_, decision)) = game.ask(player.as_mut()) {
            let clue = |premise: &Premise| match premise {
                Premise::Clue(cell) => Some(*cell),
                _ => None,
            };
            let clues: Vec<Cell> = decision.why.premises().iter().filter_map(clue).collect();
            let is_rule = decision.why.rule_name().is_some_and(|name| name == RULE);
            if let (true, Ok(clues), Some(tile)) =
                (is_rule, <[Cell; 3]>::try_from(clues), decision.action.cell())
            {
                return Applied { view: game.board().view().clone(), tile, clues };
            }
            game.carry_out(&decision);
        }
    }
    unreachable!("games do not end")
}

/// The set of a clue in a zone.
fn set_of(zone: &Zone, clue: Cell) -> MineSet {
    let at = zone.clues().iter().position(|&other| other == clue);
    zone.sets()[at.expect("the rule takes its clues from the zone")]
}

fn draw(work: &Work<'_>) -> Findings {
    let Applied { view, tile, clues } = find(work);
    let zone = Zones::default().around(&view, tile);
    let [a, b, c] = clues.map(|clue| set_of(&zone, clue));
    let difference = b.without(c).expect("the rule subtracts these sets");
    let rest = a.without(difference).expect("the rule subtracts these sets");
    let amount = |set: MineSet| {
        let mines = match set.mines() {
            0 => "no mine".to_owned(),
            1 => "1 mine".to_owned(),
            mines => format!("{mines} mines"),
        };
        let tiles =
            if set.size() == 1 { "1 tile".to_owned() } else { format!("{} tiles", set.size()) };
        format!("{mines} among {tiles}")
    };
    let names = ["A", "B", "C"];
    let sets = names.iter().zip(clues).zip([a, b, c]).map(|((name, clue), set)| {
        format!("{name}: the {} at {}: {}", view.face(clue), place(view.shape(), clue), amount(set))
    });
    let lines: Vec<String> = sets
        .chain([
            format!("B less C: {}", amount(difference)),
            format!("A less (B less C): {}", amount(rest)),
            format!("so {} is safe", place(view.shape(), tile)),
        ])
        .collect();
    let cells =
        zone.sets().iter().flat_map(|&set| zone.cells(set)).chain(zone.clues().iter().copied());
    let mut outlined: Vec<Cell> = cells.collect();
    outlined.sort_unstable();
    outlined.dedup();
    let safe = Estimates::of(view.shape().size(), [(tile, 0.0)]);
    let look = Look { tile: Some(32.0), ..Look::default() };
    let picture = || BoardPicture::new(&view).look(look);
    let cells = zone.clues().len();
    let panels = vec![
        Panel::new("is the tile in the ring safe?", picture().action(tile).scene()),
        Panel::new(
            "its zone of interest",
            picture().action(tile).outline(outlined.clone()).scene(),
        )
        .lines([format!(
            "{cells} clues bear on it, with {} covered tiles",
            outlined.len() - cells
        )]),
        Panel::new("rule S-3 subtracts the sets of three clues", {
            picture().estimates(&safe).circled(clues).outline([tile]).scene()
        })
        .lines(lines.clone()),
    ];
    let sheet = Sheet::row("Figure 4: a rule learned by Mio", Theme::Light, panels);
    let mut findings = Findings::default();
    let mut engine = Engine::default();
    let odds = engine.odds(&view);
    let mine = odds.ok().and_then(|odds| odds.mine(tile));
    findings.note("safe", mine == Some(0.0));
    findings.texts.insert(PICTURE.into(), sheet.scene().svg());
    findings.texts.insert("rule".into(), lines.iter().map(|line| format!("- {line}\n")).collect());
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::study::testing::work_on;

    #[test]
    fn the_rule_is_explained_on_a_board_where_it_proves_a_safe_tile() {
        work_on(1, |work| {
            let findings = draw(work);
            assert_eq!(findings.numbers["safe"], [1.0]);
            let rule = &findings.texts["rule"];
            assert_eq!(rule.lines().count(), 6, "{rule}");
            assert!(rule.contains("- A less (B less C): no mine among "), "{rule}");
            assert!(rule.ends_with(" is safe\n"), "{rule}");
            let Applied { view, tile, clues } = find(work);
            let zone = Zones::default().around(&view, tile);
            assert!(clues.iter().all(|clue| zone.clues().contains(clue)));
            assert!(findings.texts[PICTURE].contains("a rule learned by Mio"));
        });
    }
}
