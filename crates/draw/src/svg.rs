//! Scenes as SVG: vector pictures for pages and papers, without fonts.

use std::fmt::{self, Display, Write};

use super::scene::{Color, Mark, Outline, Paint, Point, Scene, Segment};

impl Scene {
    /// The scene as an SVG document. Its title is read out by screen readers.
    pub fn svg(&self) -> String {
        let mut text = String::new();
        self.write_svg(&mut text).expect("writing to a string cannot fail");
        text
    }

    fn write_svg(&self, out: &mut String) -> fmt::Result {
        let (width, height, title) = (self.width, self.height, escaped(&self.title));
        writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{title}\">"
        )?;
        writeln!(out, "<title>{title}</title>")?;
        write!(out, "<rect width=\"100%\" height=\"100%\" ")?;
        write_fill(out, self.background)?;
        writeln!(out, "/>")?;
        // Neighboring marks of the same paint share a group, which keeps large boards small.
        for group in self.marks().chunk_by(|a, b| a.paint == b.paint) {
            write!(out, "<g ")?;
            match group[0].paint {
                Paint::Fill(color) => write_fill(out, color)?,
                Paint::Stroke(color, width) => {
                    out.push_str(
                        "fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"",
                    );
                    write!(out, " stroke-width=\"{}\" stroke=\"{}\"", Short(width), Hex(color))?;
                    write_opacity(out, "stroke-opacity", color)?;
                }
            }
            writeln!(out, ">")?;
            for mark in group {
                write_outline(out, mark)?;
            }
            writeln!(out, "</g>")?;
        }
        writeln!(out, "</svg>")
    }
}

fn write_fill(out: &mut String, color: Color) -> fmt::Result {
    write!(out, "fill=\"{}\"", Hex(color))?;
    write_opacity(out, "fill-opacity", color)
}

fn write_opacity(out: &mut String, name: &str, color: Color) -> fmt::Result {
    if color.alpha < 255 {
        write!(out, " {name}=\"{}\"", Short(f32::from(color.alpha) / 255.0))?;
    }
    Ok(())
}

fn write_outline(out: &mut String, mark: &Mark) -> fmt::Result {
    match &mark.outline {
        Outline::Rect { corner, width, height, radius } => {
            let (width, height) = (Short(*width), Short(*height));
            let (x, y) = (Short(corner.x), Short(corner.y));
            write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")?;
            if *radius > 0.0 {
                write!(out, " rx=\"{}\"", Short(*radius))?;
            }
            writeln!(out, "/>")
        }
        Outline::Circle { center, radius } => {
            let (x, y, radius) = (Short(center.x), Short(center.y), Short(*radius));
            writeln!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>")
        }
        Outline::Path(steps) => {
            write!(out, "<path d=\"")?;
            for step in steps {
                match step {
                    Segment::Move(to) => write!(out, "M{}", Pair(*to))?,
                    Segment::Line(to) => write!(out, "L{}", Pair(*to))?,
                    Segment::Curve(a, b, to) => {
                        write!(out, "C{} {} {}", Pair(*a), Pair(*b), Pair(*to))?;
                    }
                    Segment::Close => write!(out, "Z")?,
                }
            }
            writeln!(out, "\"/>")
        }
    }
}

/// A number with at most two decimals.
struct Short(f32);

impl Display for Short {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rounded = (f64::from(self.0) * 100.0).round() / 100.0;
        // No negative zero.
        write!(f, "{}", rounded + 0.0)
    }
}

/// Two coordinates.
struct Pair(Point);

impl Display for Pair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Short(self.0.x), Short(self.0.y))
    }
}

/// A color without its opacity.
struct Hex(Color);

impl Display for Hex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0.red, self.0.green, self.0.blue)
    }
}

/// Text inside XML. Control characters, which XML forbids, become blanks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            control if control.is_control() => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoardPicture;

    /// Checks that every tag is closed in order and every quote is paired.
    fn assert_well_formed(document: &str) {
        let mut open = Vec::new();
        for tag in document.split('<').skip(1) {
            let (tag, _) = tag.split_once('>').expect("a tag ends");
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name));
            } else if !tag.ends_with('/') {
                open.push(tag.split(' ').next().expect("a tag has a name"));
            }
        }
        assert!(open.is_empty(), "{open:?}");
    }

    #[test]
    fn a_scene_is_well_formed_and_short() {
        let mut scene = Scene::new(20.0, 10.0, Color::hex(0xff_ffff), "3 < 4 & \"so\" \u{1}on");
        let red = Color::hex(0xcc_0000);
        scene.fill(Outline::square(Point::new(5.0, 5.0), 4.0, 0.0), red);
        scene.fill(Outline::circle(Point::new(9.0, 5.0), 1.234_56), red);
        let line = Outline::line(&[Point::new(-0.001, 1.0), Point::new(2.5, 3.0)]);
        scene.stroke(line, red.fade(0.5), 1.0);
        let svg = scene.svg();
        assert_well_formed(&svg);
        assert_eq!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"20\" height=\"10\" \
             viewBox=\"0 0 20 10\" role=\"img\" aria-label=\"3 &lt; 4 &amp; &quot;so&quot;  on\">\n\
             <title>3 &lt; 4 &amp; &quot;so&quot;  on</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n\
             <g fill=\"#cc0000\">\n\
             <rect x=\"3\" y=\"3\" width=\"4\" height=\"4\"/>\n\
             <circle cx=\"9\" cy=\"5\" r=\"1.23\"/>\n\
             </g>\n\
             <g fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\" \
             stroke-width=\"1\" stroke=\"#cc0000\" stroke-opacity=\"0.5\">\n\
             <path d=\"M0 1L2.5 3\"/>\n\
             </g>\n\
             </svg>\n"
        );
    }

    #[test]
    fn a_board_is_well_formed() {
        let view = "mines 3\nshape hex\n# F 1\n. 2 *\n? # #".parse().unwrap();
        assert_well_formed(&BoardPicture::new(&view).caption("<lost>").scene().svg());
    }
}
