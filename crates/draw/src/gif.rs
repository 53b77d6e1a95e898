//! Scenes as an animated GIF.
//!
//! A frame stores only the rectangle that changed, with unchanged pixels transparent. All frames
//! share one palette: the colors of marks are exact, the shades along smooth edges are rounded.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use ::gif::{DisposalMethod, Encoder, Frame, Repeat};

use super::png::paint;
use super::scene::{Color, Paint, Scene};

/// A color as `0xRRGGBB`.
type Rgb = u32;

/// The palette index for unchanged pixels.
const CLEAR: u8 = 0;
/// Number of other palette entries.
const COLORS: usize = 255;
/// How many colors are kept exactly when there are too many: those of marks first, then the
/// most frequent ones.
const EXACT: usize = 160;
/// How many colors of marks are kept exactly at most; edges need some places, too.
const EXACT_INKS: usize = 208;

/// An animation, built frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Animation {
    width: usize,
    height: usize,
    /// The pixels after the last frame.
    canvas: Vec<Rgb>,
    /// The colors of marks and backgrounds.
    inks: HashSet<Rgb>,
    frames: Vec<Change>,
}

fn rgb(color: Color) -> Rgb {
    Rgb::from_be_bytes([0, color.red, color.green, color.blue])
}

/// The pixels that a frame changes, in order.
#[derive(Clone, Debug)]
struct Change {
    hold: Duration,
    pixels: Vec<(usize, Rgb)>,
}

impl Animation {
    /// Adds a frame, shown for this time. The first frame sets the size; larger ones are cut off.
    pub fn push(&mut self, scene: &Scene, hold: Duration) {
        let picture = paint(scene, 1.0);
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        if self.frames.is_empty() {
            (self.width, self.height) = (width, height);
            // No pixel has this color, so all of them change.
            self.canvas = vec![Rgb::MAX; width * height];
        }
        let marks = scene.marks().iter().map(|mark| match mark.paint {
            Paint::Fill(color) | Paint::Stroke(color, _) => color,
        });
        self.inks.extend(marks.chain([scene.background]).map(rgb));
        let mut pixels = Vec::new();
        let rows =
            picture.pixels().chunks_exact(width).zip(self.canvas.chunks_exact_mut(self.width));
        for (row, (painted, shown)) in rows.enumerate() {
            for (column, (painted, shown)) in painted.iter().zip(shown).enumerate() {
                let color = Rgb::from_be_bytes([0, painted.red(), painted.green(), painted.blue()]);
                if *shown != color {
                    *shown = color;
                    pixels.push((row * self.width + column, color));
                }
            }
        }
        self.frames.push(Change { hold, pixels });
    }

    /// The GIF file. It repeats forever; the same frames give the same bytes.
    pub fn finish(self) -> Vec<u8> {
        let palette = Palette::new(&self.frames, &self.inks);
        let side = |length: usize| u16::try_from(length.max(1)).expect("scenes are painted small");
        let (width, height) = (side(self.width), side(self.height));
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette.bytes())
            .expect("the palette fits and a vector takes all bytes");
        encoder.set_repeat(Repeat::Infinite).expect("a vector takes all bytes");
        for change in &self.frames {
            let frame = change.frame(self.width, &palette);
            encoder.write_frame(&frame).expect("the frame lies within the picture");
        }
        encoder.into_inner().expect("a vector takes all bytes")
    }
}

impl Change {
    /// The smallest rectangle around the changed pixels, at least one pixel.
    fn frame(&self, stride: usize, palette: &Palette) -> Frame<'static> {
        let places = || self.pixels.iter().map(|&(place, _)| (place % stride, place / stride));
        let left = places().map(|(x, _)| x).min().unwrap_or(0);
        let right = places().map(|(x, _)| x).max().unwrap_or(0);
        let top = places().map(|(_, y)| y).min().unwrap_or(0);
        let bottom = places().map(|(_, y)| y).max().unwrap_or(0);
        let (width, height) = (right - left + 1, bottom - top + 1);
        let mut buffer = vec![CLEAR; width * height];
        for &(place, color) in &self.pixels {
            let (x, y) = (place % stride, place / stride);
            buffer[(y - top) * width + x - left] = palette.index(color);
        }
        let short = |length: usize| u16::try_from(length).expect("scenes are painted small");
        Frame {
            // In hundredths of a second; viewers slow down what is faster than two.
            delay: u16::try_from(self.hold.as_millis() / 10).unwrap_or(u16::MAX).max(2),
            dispose: DisposalMethod::Keep,
            transparent: Some(CLEAR),
            left: short(left),
            top: short(top),
            width: short(width),
            height: short(height),
            buffer: buffer.into(),
            ..Frame::default()
        }
    }
}

/// The colors of an animation and the palette index of each color.
struct Palette {
    colors: Vec<Rgb>,
    places: HashMap<Rgb, u8>,
}

impl Palette {
    fn new(frames: &[Change], inks: &HashSet<Rgb>) -> Self {
        let mut counts: HashMap<Rgb, u64> = HashMap::new();
        for &(_, color) in frames.iter().flat_map(|change| &change.pixels) {
            *counts.entry(color).or_default() += 1;
        }
        let mut seen: Vec<(Rgb, u64)> = counts.into_iter().collect();
        // By color where counts are equal, so that the order never depends on the map.
        seen.sort_unstable_by_key(|&(color, count)| {
            (!inks.contains(&color), std::cmp::Reverse(count), color)
        });
        let painted = seen.iter().filter(|(color, _)| inks.contains(color)).count();
        let exact = match seen.len() {
            few if few <= COLORS => few,
            _ => painted.clamp(EXACT, EXACT_INKS),
        };
        let mut colors: Vec<Rgb> = seen[..exact].iter().map(|&(color, _)| color).collect();
        colors.extend(rounded(&seen[exact..], COLORS - exact));
        let places = seen.iter().map(|&(color, _)| (color, nearest(&colors, color))).collect();
        Self { colors, places }
    }

    fn index(&self, color: Rgb) -> u8 {
        self.places[&color]
    }

    /// Red, green and blue of each place, the clear one first.
    fn bytes(&self) -> Vec<u8> {
        let colors = std::iter::once(&0).chain(&self.colors);
        colors.flat_map(|color| color.to_be_bytes().into_iter().skip(1)).collect()
    }
}

/// The most frequent colors after similar ones are merged.
fn rounded(seen: &[(Rgb, u64)], count: usize) -> Vec<Rgb> {
    const KEPT_BITS: Rgb = 0xf0_f0f0;
    // The first color met in a bucket is its most frequent one and stands for it.
    let mut buckets: BTreeMap<Rgb, (u64, Rgb)> = BTreeMap::new();
    for &(color, number) in seen {
        buckets.entry(color & KEPT_BITS).or_insert((0, color)).0 += number;
    }
    let mut buckets: Vec<(u64, Rgb)> = buckets.into_values().collect();
    buckets.sort_unstable_by_key(|&(number, color)| (std::cmp::Reverse(number), color));
    buckets.into_iter().take(count).map(|(_, color)| color).collect()
}

/// The palette index of the most similar color.
fn nearest(colors: &[Rgb], color: Rgb) -> u8 {
    let distance = |other: Rgb| -> i32 {
        let parts = color.to_be_bytes().into_iter().zip(other.to_be_bytes());
        parts.map(|(one, two)| (i32::from(one) - i32::from(two)).pow(2)).sum()
    };
    let best = (0..colors.len()).min_by_key(|&index| distance(colors[index]));
    // Place 0 is the clear one.
    best.map_or(CLEAR, |index| index as u8 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Outline, Point};

    fn dot(x: f32) -> Scene {
        let mut scene = Scene::new(40.0, 20.0, Color::hex(0xff_ffff), "a dot");
        scene.fill(Outline::square(Point::new(x, 10.0), 4.0, 0.0), Color::hex(0xc0_1020));
        scene
    }

    /// Size, places and colors of the frames, read back.
    fn decode(bytes: &[u8]) -> (u16, u16, Vec<Frame<'static>>) {
        let mut options = ::gif::DecodeOptions::new();
        options.set_color_output(::gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let mut frames = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            frames.push(frame.clone());
        }
        (decoder.width(), decoder.height(), frames)
    }

    #[test]
    fn frames_hold_only_what_changed() {
        let mut animation = Animation::default();
        for x in [10.0, 20.0, 20.0] {
            animation.push(&dot(x), Duration::from_millis(300));
        }
        let (width, height, frames) = decode(&animation.finish());
        assert_eq!((width, height), (40, 20));
        let places: Vec<_> = frames
            .iter()
            .map(|frame| (frame.left, frame.top, frame.width, frame.height, frame.delay))
            .collect();
        assert_eq!(places, [(0, 0, 40, 20, 30), (8, 8, 14, 4, 30), (0, 0, 1, 1, 30)]);
        // The dot's colors are exact; between its old and new place nothing is painted.
        let row = &frames[1].buffer[..14 * 4];
        assert_eq!(row[..4], [0xff, 0xff, 0xff, 0xff]);
        assert_eq!(row[5 * 4 + 3], 0);
        assert_eq!(row[13 * 4..], [0xc0, 0x10, 0x20, 0xff]);
    }

    #[test]
    fn many_colors_are_rounded_and_the_frequent_ones_kept() {
        let mut scene = Scene::new(64.0, 64.0, Color::hex(0x12_3456), "all colors");
        for index in 0..1000u32 {
            let at = Point::new((index % 32) as f32 + 0.5, (index / 32) as f32 + 0.5);
            scene.fill(Outline::square(at, 1.0, 0.0), Color::hex(index * 16_777));
        }
        let mut animation = Animation::default();
        animation.push(&scene, Duration::ZERO);
        let bytes = animation.clone().finish();
        assert_eq!(bytes, animation.finish());
        let (_, _, frames) = decode(&bytes);
        let last = frames[0].buffer.len() - 4;
        assert_eq!(frames[0].buffer[last..], [0x12, 0x34, 0x56, 0xff]);
    }

    #[test]
    fn later_frames_keep_to_the_size_of_the_first() {
        let mut animation = Animation::default();
        animation.push(&dot(10.0), Duration::ZERO);
        animation.push(&Scene::new(80.0, 5.0, Color::hex(0), "wide"), Duration::ZERO);
        let (width, height, frames) = decode(&animation.finish());
        assert_eq!((width, height, frames.len()), (40, 20, 2));
        assert_eq!((frames[1].width, frames[1].height), (40, 5));
        assert!(decode(&Animation::default().finish()).2.is_empty());
    }
}
