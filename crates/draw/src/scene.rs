//! A picture as a list of marks, before it becomes an SVG, a PNG or a frame of a GIF.
//!
//! Coordinates are pixels at scale 1, x to the right and y down. Later marks cover earlier ones.

/// A color with its opacity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Color {
    /// Red, 0 to 255.
    pub red: u8,
    /// Green, 0 to 255.
    pub green: u8,
    /// Blue, 0 to 255.
    pub blue: u8,
    /// Opacity, 0 (clear) to 255 (solid).
    pub alpha: u8,
}

impl Color {
    /// The solid color with this hexadecimal number, `0xRRGGBB`.
    pub const fn hex(rgb: u32) -> Self {
        Self { red: (rgb >> 16) as u8, green: (rgb >> 8) as u8, blue: rgb as u8, alpha: 255 }
    }

    /// The same color with another opacity, from 0 to 1.
    pub fn fade(self, opacity: f32) -> Self {
        Self { alpha: (opacity.clamp(0.0, 1.0) * 255.0).round() as u8, ..self }
    }

    /// The color between this one (`share` 0) and another (`share` 1).
    pub fn mix(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        let blend = |from: u8, to: u8| {
            (f32::from(from) + (f32::from(to) - f32::from(from)) * share).round() as u8
        };
        Self {
            red: blend(self.red, other.red),
            green: blend(self.green, other.green),
            blue: blend(self.blue, other.blue),
            alpha: blend(self.alpha, other.alpha),
        }
    }

    /// How bright it looks, from 0 (black) to 1 (white).
    pub fn brightness(self) -> f32 {
        let [red, green, blue] = [self.red, self.green, self.blue].map(f32::from);
        (0.299 * red + 0.587 * green + 0.114 * blue) / 255.0
    }
}

/// The solid colors with these hexadecimal numbers.
pub(super) const fn palette<const COUNT: usize>(numbers: [u32; COUNT]) -> [Color; COUNT] {
    let mut colors = [Color::hex(0); COUNT];
    let mut at = 0;
    while at < COUNT {
        colors[at] = Color::hex(numbers[at]);
        at += 1;
    }
    colors
}

/// A point in a scene.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Pixels from the left.
    pub x: f32,
    /// Pixels from the top.
    pub y: f32,
}

impl Point {
    /// The point at these coordinates.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// The point moved to the right and down.
    pub fn moved(self, right: f32, down: f32) -> Self {
        Self::new(self.x + right, self.y + down)
    }

    /// The point a share of the way to another one.
    pub(super) fn toward(self, other: Self, share: f32) -> Self {
        self.moved((other.x - self.x) * share, (other.y - self.y) * share)
    }

    pub(super) fn distance(self, other: Self) -> f32 {
        (self.x - other.x).hypot(self.y - other.y)
    }
}

/// One segment of a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Segment {
    /// Lift the pen and put it down here.
    Move(Point),
    /// A straight line.
    Line(Point),
    /// A cubic curve with two handles and its end.
    Curve(Point, Point, Point),
    /// Back to where the pen was put down.
    Close,
}

/// A shape without color.
#[derive(Clone, PartialEq, Debug)]
pub enum Outline {
    /// A rectangle, its corners rounded by a radius that may be 0.
    Rect {
        /// The upper left corner.
        corner: Point,
        /// Extent to the right.
        width: f32,
        /// Extent down.
        height: f32,
        /// Radius of the corners.
        radius: f32,
    },
    /// A circle.
    Circle {
        /// Its center.
        center: Point,
        /// Its radius.
        radius: f32,
    },
    /// Anything else.
    Path(Vec<Segment>),
}

impl Segment {
    fn moved(self, right: f32, down: f32) -> Self {
        let moved = |point: Point| point.moved(right, down);
        match self {
            Segment::Move(to) => Segment::Move(moved(to)),
            Segment::Line(to) => Segment::Line(moved(to)),
            Segment::Curve(one, other, to) => Segment::Curve(moved(one), moved(other), moved(to)),
            Segment::Close => Segment::Close,
        }
    }
}

impl Outline {
    /// The same shape further to the right and down.
    fn moved(&self, right: f32, down: f32) -> Self {
        match self {
            &Outline::Rect { corner, width, height, radius } => {
                Outline::Rect { corner: corner.moved(right, down), width, height, radius }
            }
            &Outline::Circle { center, radius } => {
                Outline::Circle { center: center.moved(right, down), radius }
            }
            Outline::Path(steps) => {
                Outline::Path(steps.iter().map(|step| step.moved(right, down)).collect())
            }
        }
    }

    /// A square around a center.
    pub fn square(center: Point, side: f32, radius: f32) -> Self {
        let corner = center.moved(-side / 2.0, -side / 2.0);
        Self::Rect { corner, width: side, height: side, radius }
    }

    /// A circle.
    pub fn circle(center: Point, radius: f32) -> Self {
        Self::Circle { center, radius }
    }

    /// An open line through these points.
    pub fn line(points: &[Point]) -> Self {
        let step =
            |(index, &point)| if index == 0 { Segment::Move(point) } else { Segment::Line(point) };
        Self::Path(points.iter().enumerate().map(step).collect())
    }

    /// A closed polygon with rounded corners.
    pub fn polygon(points: &[Point], radius: f32) -> Self {
        let corners: Vec<Corner> =
            points.iter().map(|&at| Corner { at, round: radius > 0.0 }).collect();
        let mut steps = Vec::new();
        trace(&corners, true, radius, &mut steps);
        Self::Path(steps)
    }
}

/// A point where a line bends, sharply or smoothly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub at: Point,
    pub round: bool,
}

/// Draws a line through corners. A round corner begins to bend `reach` before the point, or
/// where the neighboring corner leaves off, so that a box of round corners becomes an oval.
pub(super) fn trace(corners: &[Corner], closed: bool, reach: f32, steps: &mut Vec<Segment>) {
    /// At this share of the way to the corner a cubic curve is closest to a circular arc.
    const ARC: f32 = 0.5523;
    let count = corners.len();
    let mut last: Option<Point> = None;
    for (index, corner) in corners.iter().enumerate() {
        let inner = closed || (index > 0 && index + 1 < count);
        if !corner.round || !inner {
            steps.extend(go(last.replace(corner.at), corner.at));
            continue;
        }
        let leave = |other: Corner| {
            let length = corner.at.distance(other.at);
            let room = if other.round { length / 2.0 } else { length };
            corner.at.toward(other.at, room.min(reach) / length.max(f32::EPSILON))
        };
        let start = leave(corners[(index + count - 1) % count]);
        let end = leave(corners[(index + 1) % count]);
        steps.extend(go(last.replace(end), start));
        steps.push(Segment::Curve(start.toward(corner.at, ARC), end.toward(corner.at, ARC), end));
    }
    if closed {
        steps.push(Segment::Close);
    }
}

/// The straight segment to a point; none if the pen is already there.
fn go(from: Option<Point>, to: Point) -> Option<Segment> {
    match from {
        None => Some(Segment::Move(to)),
        Some(from) if from.distance(to) > 1e-4 => Some(Segment::Line(to)),
        Some(_) => None,
    }
}

/// How a shape is colored.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Paint {
    /// Its inside.
    Fill(Color),
    /// Its line, with round ends and joints.
    Stroke(Color, f32),
}

/// A colored shape.
#[derive(Clone, PartialEq, Debug)]
pub struct Mark {
    /// The shape.
    pub outline: Outline,
    /// Its color.
    pub paint: Paint,
}

/// A picture made of marks on a plain background.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// Extent to the right, in whole pixels.
    pub width: u32,
    /// Extent down, in whole pixels.
    pub height: u32,
    /// The color behind all marks.
    pub background: Color,
    /// A text description for screen readers.
    pub title: String,
    marks: Vec<Mark>,
    labels: Vec<String>,
}

impl Scene {
    /// An empty picture; both sides are at least one pixel.
    pub fn new(width: f32, height: f32, background: Color, title: impl Into<String>) -> Self {
        let side = |length: f32| length.ceil().max(1.0) as u32;
        let (width, height) = (side(width), side(height));
        Self {
            width,
            height,
            background,
            title: title.into(),
            marks: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// The marks, from back to front.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// The texts drawn, from back to front. Letters are lines, so no mark contains them.
    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Notes a text that was drawn.
    pub(super) fn label(&mut self, text: &str) {
        self.labels.push(text.to_owned());
    }

    /// The widths and heights of all rectangles.
    #[cfg(test)]
    pub(super) fn rectangles(&self) -> Vec<(f32, f32)> {
        let rectangle = |mark: &Mark| match mark.outline {
            Outline::Rect { width, height, .. } => Some((width, height)),
            _ => None,
        };
        self.marks.iter().filter_map(rectangle).collect()
    }

    /// Adds another picture with its upper left corner here.
    pub fn place(&mut self, other: &Scene, corner: Point) {
        let sheet = Outline::Rect {
            corner,
            width: other.width as f32,
            height: other.height as f32,
            radius: 0.0,
        };
        self.fill(sheet, other.background);
        let moved = |mark: &Mark| Mark {
            outline: mark.outline.moved(corner.x, corner.y),
            paint: mark.paint,
        };
        self.marks.extend(other.marks.iter().map(moved));
        self.labels.extend_from_slice(&other.labels);
    }

    /// Adds a shape filled with a color.
    pub fn fill(&mut self, outline: Outline, color: Color) {
        self.marks.push(Mark { outline, paint: Paint::Fill(color) });
    }

    /// Adds the outline of a shape.
    pub fn stroke(&mut self, outline: Outline, color: Color, width: f32) {
        self.marks.push(Mark { outline, paint: Paint::Stroke(color, width) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_mix_and_fade() {
        let (black, white) = (Color::hex(0), Color::hex(0xff_ffff));
        assert_eq!(black.mix(white, 0.5), Color::hex(0x80_8080));
        assert_eq!(white.fade(0.2).alpha, 51);
        assert!(black.brightness() < 0.01 && white.brightness() > 0.99);
    }

    #[test]
    fn a_box_of_round_corners_becomes_an_oval() {
        let corners = [(0.0, 0.0), (8.0, 0.0), (8.0, 14.0), (0.0, 14.0)]
            .map(|(x, y)| Corner { at: Point::new(x, y), round: true });
        let mut steps = Vec::new();
        trace(&corners, true, 7.0, &mut steps);
        let curves = steps.iter().filter(|step| matches!(step, Segment::Curve(..))).count();
        let lines = steps.iter().filter(|step| matches!(step, Segment::Line(_))).count();
        assert_eq!((curves, lines), (4, 0));
    }
}
