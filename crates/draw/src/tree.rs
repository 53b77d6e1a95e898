//! Draws decision trees: every node with its question, its samples and its risk class.

use deminer_learn::trees::{Artifact, Class, Judged, Tree};

use super::lettering::{Anchor, Lettering};
use super::scene::{Color, Outline, Point, Scene};
use super::theme::{Heat, Theme};

/// A tree to draw, from the root to some depth.
#[derive(Clone, Debug)]
pub struct TreePicture<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// What came to each node on boards held out; empty where it was not judged.
    pub judged: &'a [Judged],
    /// Number of levels to draw.
    pub depth: usize,
    /// The title, one line.
    pub title: String,
    /// Light or dark.
    pub theme: Theme,
}

const NODE: (f32, f32) = (196.0, 106.0);
const GAP: (f32, f32) = (18.0, 46.0);
const MARGIN: f32 = 24.0;
const HEAD: f32 = 64.0;
const TEXT: f32 = 9.0;
const LINE: f32 = 16.0;

/// Where a node is drawn, and the number of its parent's place with the answer that leads here.
struct PlacedNode {
    node: usize,
    center: f32,
    level: usize,
    parent: Option<(usize, bool)>,
}

impl<'a> TreePicture<'a> {
    /// The first questions of a tree.
    pub fn of(artifact: &'a Artifact, depth: usize, theme: Theme) -> Self {
        Self { tree: &artifact.tree, judged: &[], depth, title: artifact.origin.title(), theme }
    }
}

impl TreePicture<'_> {
    /// The drawing.
    pub fn scene(&self) -> Scene {
        let mut places = Vec::new();
        let mut slots = 0;
        self.place(0, 0, None, &mut slots, &mut places);
        let levels = places.iter().map(|place| place.level).max().unwrap_or(0) + 1;
        let width = MARGIN * 2.0 + slots as f32 * (NODE.0 + GAP.0) - GAP.0;
        let height = MARGIN * 2.0 + HEAD + levels as f32 * (NODE.1 + GAP.1) - GAP.1;
        let colors = self.theme.colors();
        let title = Lettering { size: 14.0, weight: 0.12, color: colors.ink };
        let width = width.max(2.0 * MARGIN + title.width(&self.title));
        let mut scene = Scene::new(width, height, colors.page, self.title.clone());
        title.draw(&mut scene, &self.title, Point::new(MARGIN, MARGIN + 7.0), Anchor::Left);
        draw_legend(&mut scene, Point::new(MARGIN, MARGIN + 34.0), self.theme);
        for place in &places {
            self.draw_edge(&mut scene, place, &places);
        }
        for place in &places {
            self.draw_node(&mut scene, place);
        }
        scene
    }

    /// Places leaves next to each other and every other node above the middle of its children.
    fn place(
        &self,
        node: usize,
        level: usize,
        parent: Option<(usize, bool)>,
        slots: &mut usize,
        places: &mut Vec<PlacedNode>,
    ) -> f32 {
        let at = places.len();
        places.push(PlacedNode { node, center: 0.0, level, parent });
        let split = self.tree.nodes()[node].split.filter(|_| level < self.depth);
        let center = match split {
            None => {
                *slots += 1;
                MARGIN + (*slots - 1) as f32 * (NODE.0 + GAP.0) + NODE.0 / 2.0
            }
            Some(split) => {
                let yes = self.place(node + 1, level + 1, Some((at, true)), slots, places);
                let no = self.place(split.no, level + 1, Some((at, false)), slots, places);
                (yes + no) / 2.0
            }
        };
        places[at].center = center;
        center
    }

    fn top(level: usize) -> f32 {
        MARGIN + HEAD + level as f32 * (NODE.1 + GAP.1)
    }

    fn draw_edge(&self, scene: &mut Scene, place: &PlacedNode, places: &[PlacedNode]) {
        let Some((parent, yes)) = place.parent else { return };
        let colors = self.theme.colors();
        let from = Point::new(places[parent].center, Self::top(place.level - 1) + NODE.1);
        let to = Point::new(place.center, Self::top(place.level));
        let bend = (from.y + to.y) / 2.0;
        let line = [from, Point::new(from.x, bend), Point::new(to.x, bend), to];
        scene.stroke(Outline::line(&line), colors.faint, 1.2);
        let pen = Lettering { size: TEXT, weight: 0.12, color: colors.faint };
        let word = if yes { "yes" } else { "no" };
        pen.draw(scene, word, Point::new(to.x + 6.0, bend + 11.0), Anchor::Left);
    }

    fn draw_node(&self, scene: &mut Scene, place: &PlacedNode) {
        let colors = self.theme.colors();
        let tally = &self.tree.nodes()[place.node].tally;
        let class = tally.class();
        // The purer a node, the stronger its color.
        let share = tally.classes[class as usize] as f32 / tally.samples().max(1) as f32;
        let purity = ((share - 0.25) / 0.75).clamp(0.0, 1.0);
        let tint = colors.page.mix(color(class), 0.15 + 0.55 * purity);
        let ink =
            if tint.brightness() > 0.5 { Color::hex(0x1c_2430) } else { Color::hex(0xf2_f5f9) };
        let (left, top) = (place.center - NODE.0 / 2.0, Self::top(place.level));
        let card = Outline::Rect {
            corner: Point::new(left, top),
            width: NODE.0,
            height: NODE.1,
            radius: 6.0,
        };
        scene.fill(card.clone(), tint);
        scene.stroke(card, colors.faint, 1.0);
        let pen = Lettering { size: TEXT, weight: 0.12, color: ink };
        let bold = Lettering { weight: 0.18, ..pen };
        let room = NODE.0 - 14.0;
        let mut lines: Vec<(String, &Lettering)> = Vec::new();
        if let Some(question) = self.tree.question(place.node) {
            let asked = bold.wrap(&format!("{question}?"), room);
            lines.extend(asked.into_iter().map(|line| (line, &bold)));
        }
        let samples = tally.samples();
        let entropy = self.tree.entropy(place.node);
        lines.push((format!("entropy {entropy:.3}, {samples} samples"), &pen));
        let counts: Vec<String> = tally.classes.iter().map(u64::to_string).collect();
        lines.push((counts.join(" / "), &pen));
        let risk = 100.0 * tally.mean_risk();
        lines.push((format!("{}, risk {risk:.1} %", class.name()), &pen));
        if let Some(judged) = self.judged.get(place.node) {
            let count = judged.tally.samples();
            lines.push(match judged.fidelity() {
                Some(share) => (format!("{:.1} % of {count} held out", 100.0 * share), &bold),
                None => ("nothing held out".to_owned(), &pen),
            });
        }
        let step = LINE.min((NODE.1 - 10.0) / lines.len() as f32);
        let mut y = top + NODE.1 / 2.0 - step * (lines.len() - 1) as f32 / 2.0;
        for (line, pen) in lines {
            // Long counts are written smaller.
            let size = pen.size * (room / pen.width(&line).max(1.0)).min(1.0);
            let at = Point::new(left + 7.0, y);
            Lettering { size, ..*pen }.draw(scene, &line, at, Anchor::Left);
            y += step;
        }
    }
}

/// The classes with their colors, from this point to the right.
pub(super) fn draw_legend(scene: &mut Scene, mut at: Point, theme: Theme) {
    let pen = Lettering { size: TEXT, weight: 0.12, color: theme.colors().ink };
    for class in Class::ALL {
        scene.fill(Outline::square(at.moved(6.0, 0.0), 12.0, 2.0), color(class));
        pen.draw(scene, class.name(), at.moved(18.0, 0.0), Anchor::Left);
        at = at.moved(40.0 + pen.width(class.name()), 0.0);
    }
}

/// The color of the mean risk of a class.
pub(super) fn color(class: Class) -> Color {
    Heat::BlueOrange.color([0.0, 0.25, 0.7, 1.0][class as usize])
}

#[cfg(test)]
mod tests {
    use deminer_game::View;
    use deminer_learn::trees::{Growth, Samples, grow, judge_nodes};

    use super::*;

    #[test]
    fn a_drawing_shows_the_questions_down_to_its_depth() {
        let view: View = "mines 2\n# 1 . 1 #\n# 1 . 1 #".parse().unwrap();
        let estimates = deminer_game::Estimates::of(10, view.covered().zip([0.0, 1.0, 0.3, 0.6]));
        let mut samples = Samples::default();
        samples.see(&view, &estimates).unwrap();
        let tree = grow(&samples, &Growth::default());
        let judged = judge_nodes(&tree, &samples);
        let picture = |depth, judged| {
            let title = "four windows".to_owned();
            TreePicture { tree: &tree, judged, depth, title, theme: Theme::Light }.scene()
        };
        let (all, root) = (picture(8, &judged), picture(0, &[]));
        assert!(all.width > root.width && all.height > root.height);
        assert!(all.svg().contains("four windows"));
        let says = |scene: &Scene, text: &str| scene.labels().iter().any(|label| label == text);
        assert!(says(&all, "100.0 % of 4 held out") && !says(&root, "100.0 % of 4 held out"));
        assert!(says(&root, "1 / 1 / 1 / 1") == says(&all, "1 / 1 / 1 / 1"));
    }
}
