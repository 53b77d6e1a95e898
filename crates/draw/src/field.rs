//! Draws the fields that genetic programs fill in, with the codes of Park et al. (2021).

use deminer_learn::evolve::gp::{Code, Field};

use super::sheet::{Panel, Sheet};
use super::theme::{Heat, Theme};
use super::tiles::{Tile, TilesPicture};

/// A field as it is, as it is seen, and as a program fills it in: the paper's perfect minefield,
/// dummy minefield and edited dummy. Codes that are wrong have a ring.
#[derive(Clone, Debug)]
pub struct FieldPicture<'a> {
    /// The field.
    pub field: &'a Field,
    /// What a program made of it.
    pub filled: &'a [Code],
    /// The title, one line.
    pub title: String,
    /// Light or dark.
    pub theme: Theme,
}

const SIDE: f32 = 26.0;
const UNKNOWN: Code = -5;
const MINE: Code = -1;

impl FieldPicture<'_> {
    /// The drawing.
    pub fn sheet(&self) -> Sheet {
        let field = self.field;
        let wrong = |filled: &[Code]| {
            let pairs = field.rows(field.truth()).zip(field.rows(filled));
            let wrong = |(truth, codes): (&[Code], &[Code])| {
                truth.iter().zip(codes).filter(|(truth, code)| truth != code).count()
            };
            pairs.map(wrong).sum::<usize>()
        };
        let panel = |title: &str, codes: &[Code], line: String| {
            Panel::new(title, self.tiles(title, codes)).lines([line])
        };
        let panels = vec![
            panel(
                "the perfect field",
                field.truth(),
                "-1 a mine, -2 empty beside a number, 0 empty".to_owned(),
            ),
            panel(
                "the dummy field",
                field.seen(),
                format!("-5 unknown: {} cells to tell apart", field.unknown()),
            ),
            panel(
                "filled in by the program",
                self.filled,
                format!(
                    "score {:.3} of 1; {} cells wrong",
                    field.score(self.filled),
                    wrong(self.filled)
                ),
            ),
        ];
        Sheet { arrows: true, ..Sheet::row(self.title.clone(), self.theme, panels) }
    }

    fn tiles(&self, title: &str, codes: &[Code]) -> super::Scene {
        let tile = |(&code, &truth): (&Code, &Code)| {
            let tile = match code {
                UNKNOWN => Tile::covered(code.to_string(), self.theme),
                MINE => Tile::colored(code.to_string(), Heat::BlueOrange.color(1.0)),
                code if code < 1 => Tile::colored(code.to_string(), Heat::BlueOrange.color(0.12)),
                code => Tile::plain(code.to_string()),
            };
            if code != truth && code != UNKNOWN { tile.circled() } else { tile }
        };
        let rows = self.field.rows(codes).zip(self.field.rows(self.field.truth()));
        let rows = rows.map(|(codes, truth)| codes.iter().zip(truth).map(tile).collect());
        let title = title.to_owned();
        TilesPicture { rows: rows.collect(), side: SIDE, title, theme: self.theme }.scene()
    }
}

#[cfg(test)]
mod tests {
    use deminer_game::Rng;

    use super::*;

    #[test]
    fn wrong_codes_have_rings_and_unknown_ones_are_counted() {
        let field = Field::deal(4, 5, 2, &mut Rng::new(4));
        let mut filled = field.truth().to_vec();
        let mine = filled.iter().position(|&code| code == MINE).unwrap();
        filled[mine] = 0;
        let picture = |filled: &[Code]| {
            let title = "a field".to_owned();
            FieldPicture { field: &field, filled, title, theme: Theme::Light }.sheet().scene()
        };
        let says = |filled: &[Code], text: &str| {
            picture(filled).labels().iter().any(|label| label.contains(text))
        };
        assert!(says(&filled, "1 cells wrong") && says(field.truth(), "score 1.000 of 1; 0 cells"));
        let unknown = field.seen().iter().filter(|&&code| code == UNKNOWN).count();
        assert!(says(&filled, &format!("-5 unknown: {unknown} cells")));
        let texts = picture(&filled);
        assert_eq!(texts.labels().iter().filter(|label| *label == "-5").count(), unknown);
        assert!(texts.marks().len() > picture(field.truth()).marks().len());
    }
}
