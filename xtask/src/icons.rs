//! Draws the icons of the page: `page/public/icon.svg`, and the PNG files that phones want.

use anyhow::{Result, bail};
use deminer_draw::{Color, Outline, Point, Scene};

use crate::keep;

const GROUND: Color = Color::hex(0x0e_5c73);
const LINES: Color = Color::hex(0xff_ffff);
const CENTER: Color = Color::hex(0xff_d166);

/// The side of the drawing; PNG files are scaled.
const SIDE: f32 = 32.0;

/// Writes the icons, or checks that they are up to date.
pub fn run(options: &[&str]) -> Result<()> {
    let check = match options {
        [] => false,
        ["--check"] => true,
        [option, ..] => bail!("icons takes no `{option}`"),
    };
    let mut files = files().into_iter();
    files.try_for_each(|(name, bytes)| keep(&format!("page/public/{name}"), &bytes, check, "icons"))
}

fn files() -> [(&'static str, Vec<u8>); 3] {
    [
        ("icon.svg", rounded().svg().into_bytes()),
        ("icon-192.png", full().png(192.0 / SIDE)),
        ("icon-512.png", full().png(512.0 / SIDE)),
    ]
}

/// For tabs of browsers: a tile with round corners.
fn rounded() -> Scene {
    let mut scene = Scene::new(SIDE, SIDE, GROUND.fade(0.0), "deminer");
    let middle = Point::new(SIDE / 2.0, SIDE / 2.0);
    scene.fill(Outline::square(middle, SIDE, 7.0), GROUND);
    sight(&mut scene, 1.0);
    scene
}

/// For phones, which cut icons to a shape of their own: color to the edges, and the figure inside
/// the circle that every shape leaves.
fn full() -> Scene {
    let mut scene = Scene::new(SIDE, SIDE, GROUND, "deminer");
    sight(&mut scene, 0.8);
    scene
}

/// A mine in the sights.
fn sight(scene: &mut Scene, size: f32) {
    let middle = Point::new(SIDE / 2.0, SIDE / 2.0);
    scene.stroke(Outline::circle(middle, 8.4 * size), LINES, 2.2 * size);
    for (right, down) in [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)] {
        let at = |far: f32| middle.moved(right * far * size, down * far * size);
        scene.stroke(Outline::line(&[at(6.5), at(11.5)]), LINES, 2.2 * size);
    }
    scene.fill(Outline::circle(middle, 2.8 * size), CENTER);
}

#[cfg(test)]
mod tests {
    #[test]
    fn committed_icons_are_up_to_date() {
        super::run(&["--check"]).unwrap();
    }
}
