//! Scenes as pixels, and as PNG files.

use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint as Brush, Path, PathBuilder, Pixmap, Rect, Stroke, Transform,
};

use super::scene::{Color, Mark, Outline, Paint, Scene, Segment};

/// The longest side of a pixel picture; larger scales are cut down to it.
const LONGEST: f32 = 16_000.0;

impl Scene {
    /// The scene as a PNG file, `scale` pixels for each of the scene's; 2 suits dense screens.
    pub fn png(&self, scale: f32) -> Vec<u8> {
        paint(self, scale).encode_png().expect("a painted scene fits a PNG")
    }

    /// The scene as pixels: red, green and blue, row by row.
    pub fn pixels(&self, scale: f32) -> Pixels {
        let painted = paint(self, scale);
        // Backgrounds are opaque, so nothing is left to blend.
        let rgb = painted.data().chunks_exact(4).flat_map(|pixel| pixel[..3].to_vec()).collect();
        Pixels { width: painted.width() as usize, height: painted.height() as usize, rgb }
    }
}

/// A painted scene.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pixels {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green and blue of each pixel, row by row.
    pub rgb: Vec<u8>,
}

/// Paints a scene.
pub(super) fn paint(scene: &Scene, scale: f32) -> Pixmap {
    let (width, height) = (scene.width as f32, scene.height as f32);
    let wish = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
    let scale = wish.min(LONGEST / width.max(height));
    let pixels = |length: f32| ((length * scale).ceil() as u32).max(1);
    let mut pixmap =
        Pixmap::new(pixels(width), pixels(height)).expect("a scene has from 1 to LONGEST pixels");
    pixmap.fill(tint(scene.background));
    for mark in scene.marks() {
        paint_mark(&mut pixmap, mark, scale);
    }
    pixmap
}

fn paint_mark(pixmap: &mut Pixmap, mark: &Mark, scale: f32) {
    let transform = Transform::from_scale(scale, scale);
    let brush = |color| {
        let mut brush = Brush { anti_alias: true, ..Brush::default() };
        brush.set_color(tint(color));
        brush
    };
    // Shapes too small for the painter have no path and would be invisible.
    let Some(path) = path(&mark.outline) else { return };
    match mark.paint {
        Paint::Fill(color) => {
            pixmap.fill_path(&path, &brush(color), FillRule::Winding, transform, None);
        }
        Paint::Stroke(color, width) => {
            let stroke = Stroke {
                width,
                line_cap: LineCap::Round,
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            pixmap.stroke_path(&path, &brush(color), &stroke, transform, None);
        }
    }
}

fn tint(color: Color) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(color.red, color.green, color.blue, color.alpha)
}

fn path(outline: &Outline) -> Option<Path> {
    let mut path = PathBuilder::new();
    match *outline {
        Outline::Rect { corner, width, height, radius } => {
            let (right, bottom) = (corner.x + width, corner.y + height);
            if radius <= 0.0 {
                return Rect::from_ltrb(corner.x, corner.y, right, bottom)
                    .map(PathBuilder::from_rect);
            }
            let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
                .map(|(across, down)| corner.moved(across, down));
            return self::path(&Outline::polygon(&corners, radius));
        }
        Outline::Circle { center, radius } => path.push_circle(center.x, center.y, radius),
        Outline::Path(ref steps) => {
            for step in steps {
                match *step {
                    Segment::Move(to) => path.move_to(to.x, to.y),
                    Segment::Line(to) => path.line_to(to.x, to.y),
                    Segment::Curve(a, b, to) => path.cubic_to(a.x, a.y, b.x, b.y, to.x, to.y),
                    Segment::Close => path.close(),
                }
            }
        }
    }
    path.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Point;

    #[test]
    fn a_scene_is_painted_at_its_scale() {
        let mut scene = Scene::new(8.0, 6.0, Color::hex(0xff_ffff), "a square");
        scene.fill(Outline::square(Point::new(3.0, 3.0), 4.0, 0.0), Color::hex(0x12_3456));
        let picture = Pixmap::decode_png(&scene.png(2.0)).unwrap();
        assert_eq!((picture.width(), picture.height()), (16, 12));
        let color = |x, y| {
            let pixel = picture.pixel(x, y).unwrap();
            (pixel.red(), pixel.green(), pixel.blue())
        };
        assert_eq!(color(6, 6), (0x12, 0x34, 0x56));
        assert_eq!(color(15, 11), (0xff, 0xff, 0xff));
        assert_eq!(paint(&scene, f32::NAN).width(), 8);
        assert_eq!(scene.png(1.5), scene.png(1.5));
        let pixels = scene.pixels(2.0);
        assert_eq!((pixels.width, pixels.height), (16, 12));
        assert_eq!(pixels.rgb[3 * (6 * 16 + 6)..][..3], [0x12, 0x34, 0x56]);
    }
}
