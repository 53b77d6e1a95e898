//! Colors: light and dark themes, and how a probability becomes a color.

use super::scene::{Color, palette};

/// Light or dark.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Theme {
    /// Dark ink on a white page.
    #[default]
    Light,
    /// Light ink on a dark page.
    Dark,
}

impl Theme {
    /// The dark theme, or the light one.
    pub fn of(dark: bool) -> Self {
        if dark { Theme::Dark } else { Theme::Light }
    }
}

/// How a believed probability of a mine is colored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Heat {
    /// From blue (safe) to orange (mine): distinct for every kind of color vision.
    #[default]
    BlueOrange,
    /// From green (safe) to purple (mine), the tint of Tortay and Yurchenko (2016).
    GreenPurple,
    /// The redder, the more likely a mine, as Park et al. (2021) draw their frontier.
    Red,
}

/// Shades of a heat palette. Few, so that animations get by with few colors.
const SHADES: f32 = 40.0;

deminer_game::words!(Heat, "a palette": BlueOrange = "blue-orange", GreenPurple = "green-purple",
    Red = "red");

impl Heat {
    /// The color of a probability, to be laid on a covered tile.
    pub fn color(self, mine: f64) -> Color {
        let mine = ((mine as f32).clamp(0.0, 1.0) * SHADES).round() / SHADES;
        match self {
            Heat::BlueOrange => {
                const STOPS: [Color; 5] =
                    palette([0x2f_7fc1, 0x8f_bfe0, 0xf1_ebdf, 0xf6_b26b, 0xe0_6c0c]);
                // Most risks in play lie below a half, so the pale middle stands at 0.3.
                let place = if mine < 0.3 { mine / 0.3 * 2.0 } else { 2.0 + (mine - 0.3) / 0.35 };
                let below = (place.floor() as usize).min(STOPS.len() - 2);
                STOPS[below].mix(STOPS[below + 1], place - below as f32)
            }
            Heat::GreenPurple => {
                let level = |share: f32| (255.0 * share).round() as u8;
                Color { red: 160, green: level(1.0 - mine), blue: level(mine), alpha: 255 }
            }
            Heat::Red => Color::hex(0xff_f4ef).mix(Color::hex(0xc6_0808), mine),
        }
    }

    /// How much of the tile the color hides. The paper's tint is a light one.
    pub(super) fn opacity(self) -> f32 {
        match self {
            Heat::BlueOrange | Heat::Red => 1.0,
            Heat::GreenPurple => 0.47,
        }
    }
}

/// The colors of a theme.
pub(super) struct Colors {
    /// The page.
    pub page: Color,
    /// Captions.
    pub ink: Color,
    /// Rulers.
    pub faint: Color,
    /// Lines between open tiles.
    pub line: Color,
    /// Open tiles.
    pub open: Color,
    /// Tiles opened just now.
    pub fresh: Color,
    /// The tile of the mine that ended the game.
    pub blast: Color,
    /// Covered tiles: lit edge, face, shaded edge.
    pub covered: [Color; 3],
    /// Cloth of flags and the cross on wrong ones.
    pub flag: Color,
    /// Flag poles and mines.
    pub mine: Color,
    /// Glints on mines.
    pub glint: Color,
    /// The chosen cell and what it rests on.
    pub accent: Color,
    /// The outline of the fringe.
    pub fringe: Color,
    /// The rim that keeps the accent apart from any tile.
    pub halo: Color,
    /// An open cell without a clue.
    pub blank: Color,
    /// The digits 1 to 8.
    pub digits: [Color; 8],
}

impl Theme {
    pub(super) fn colors(self) -> &'static Colors {
        const LIGHT: Colors = Colors {
            page: Color::hex(0xff_ffff),
            ink: Color::hex(0x27_303f),
            faint: Color::hex(0x7c_8797),
            line: Color::hex(0xd3_dbe5),
            open: Color::hex(0xf5_f7fa),
            fresh: Color::hex(0xff_f1c9),
            blast: Color::hex(0xee_7d4f),
            covered: palette([0xbe_cbdc, 0xa6_b6cb, 0x84_97b0]),
            flag: Color::hex(0xc9_3a1e),
            mine: Color::hex(0x23_2b38),
            glint: Color::hex(0xff_ffff),
            accent: Color::hex(0x8a_1fb0),
            fringe: Color::hex(0xd8_1212),
            halo: Color::hex(0xff_ffff),
            blank: Color::hex(0x8a_95a5),
            digits: palette([
                0x1b_66c4, 0x0b_7a5b, 0xc4_3d1b, 0x47_2f9e, 0x8f_4a00, 0x0a_7d92, 0x1c_2430,
                0x6a_7382,
            ]),
        };
        const DARK: Colors = Colors {
            page: Color::hex(0x12_161d),
            ink: Color::hex(0xdd_e3ec),
            faint: Color::hex(0x7f_8b9c),
            line: Color::hex(0x2a_323e),
            open: Color::hex(0x1b_212b),
            fresh: Color::hex(0x3b_3723),
            blast: Color::hex(0xb5_4a22),
            covered: palette([0x5d_6d86, 0x4a_5970, 0x36_4355]),
            flag: Color::hex(0xff_8a65),
            mine: Color::hex(0xe6_ebf2),
            glint: Color::hex(0x2a_323e),
            accent: Color::hex(0xf0_a8ff),
            fringe: Color::hex(0xff_5a4d),
            halo: Color::hex(0x12_161d),
            blank: Color::hex(0x8a_95a5),
            digits: palette([
                0x6f_b4ff, 0x52_d3a2, 0xff_8f6e, 0xb8_a7ff, 0xe2_a855, 0x59_d2e4, 0xf2_f5f9,
                0x9b_a7b7,
            ]),
        };
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn safe_is_blue_and_mine_is_orange() {
        let (safe, mine) = (Heat::BlueOrange.color(0.0), Heat::BlueOrange.color(1.0));
        assert!(safe.blue > safe.red && mine.red > mine.blue);
        assert_eq!(Heat::GreenPurple.color(0.0), Color::hex(0xa0_ff00));
        assert_eq!(Heat::GreenPurple.color(1.0), Color::hex(0xa0_00ff));
        assert_eq!(Heat::BlueOrange.color(f64::INFINITY), mine);
        let (safe, mine) = (Heat::Red.color(0.0), Heat::Red.color(1.0));
        assert!(safe.brightness() > 0.9 && mine.red > 3 * mine.green);
    }

    #[test]
    fn digits_stand_out_from_their_tiles() {
        for theme in [Theme::Light, Theme::Dark] {
            let colors = theme.colors();
            for digit in colors.digits {
                let contrast = (digit.brightness() - colors.open.brightness()).abs();
                assert!(contrast > 0.4, "{theme:?} {digit:?}");
            }
        }
    }
}
