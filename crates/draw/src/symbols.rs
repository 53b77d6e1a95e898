//! Flags, mines, ticks and crosses, each drawn around a center to fill a tile of a given side.

use super::scene::{Color, Outline, Point, Scene};
use super::theme::Colors;

/// A flag on its pole.
pub(super) fn flag(scene: &mut Scene, center: Point, side: f32, colors: &Colors) {
    let at = |x: f32, y: f32| center.moved(x * side, y * side);
    let pole = [at(-0.14, -0.27), at(-0.14, 0.26)];
    scene.stroke(Outline::line(&pole), colors.mine, 0.075 * side);
    scene.stroke(Outline::line(&[at(-0.25, 0.27), at(0.02, 0.27)]), colors.mine, 0.085 * side);
    let corners = [at(-0.13, -0.29), at(0.27, -0.12), at(-0.13, 0.06)];
    scene.fill(Outline::polygon(&corners, 0.035 * side), colors.flag);
}

/// A flag with a cross at its foot.
pub(super) fn wrong_flag(scene: &mut Scene, center: Point, side: f32, colors: &Colors) {
    flag(scene, center.moved(-0.05 * side, -0.02 * side), side, colors);
    let foot = center.moved(0.22 * side, 0.2 * side);
    strike(scene, foot, 0.115 * side, 0.085 * side, colors.mine);
}

/// A mine with eight horns and a glint.
pub(super) fn mine(scene: &mut Scene, center: Point, side: f32, colors: &Colors) {
    for (x, y) in [(0.0, 0.31), (0.31, 0.0), (0.215, 0.215), (0.215, -0.215)] {
        let horns = [center.moved(x * side, y * side), center.moved(-x * side, -y * side)];
        scene.stroke(Outline::line(&horns), colors.mine, 0.075 * side);
    }
    scene.fill(Outline::circle(center, 0.215 * side), colors.mine);
    let glint = center.moved(-0.075 * side, -0.075 * side);
    scene.fill(Outline::circle(glint, 0.055 * side), colors.glint);
}

/// A tick: safe.
pub(super) fn tick(scene: &mut Scene, center: Point, side: f32, color: Color) {
    let at = |x: f32, y: f32| center.moved(x * side, y * side);
    let line = [at(-0.19, 0.02), at(-0.05, 0.16), at(0.21, -0.15)];
    scene.stroke(Outline::line(&line), color, 0.085 * side);
}

/// A cross: a mine.
pub(super) fn cross(scene: &mut Scene, center: Point, side: f32, color: Color) {
    strike(scene, center, 0.165 * side, 0.085 * side, color);
}

fn strike(scene: &mut Scene, center: Point, reach: f32, width: f32, color: Color) {
    for down in [reach, -reach] {
        let line = [center.moved(-reach, -down), center.moved(reach, down)];
        scene.stroke(Outline::line(&line), color, width);
    }
}

/// An arrow from the middle of one tile toward that of another, stopping short of both.
pub(super) fn arrow(
    scene: &mut Scene,
    from: Point,
    to: Point,
    side: f32,
    width: f32,
    color: Color,
) {
    let length = from.distance(to);
    if length <= 0.5 * side {
        return;
    }
    let (tail, tip) =
        (from.toward(to, 0.18 * side / length), to.toward(from, 0.18 * side / length));
    let neck = tip.toward(from, 0.22 * side / length);
    let (right, down) = ((to.x - from.x) / length, (to.y - from.y) / length);
    let wing = 0.12 * side;
    let wings =
        [neck.moved(-down * wing, right * wing), tip, neck.moved(down * wing, -right * wing)];
    scene.stroke(Outline::line(&[tail, tip]), color, width);
    scene.stroke(Outline::line(&wings), color, width);
}
