//! Draws evolved genomes: every tree from its root down.

use deminer_learn::evolve::LabeledTree;

use super::lettering::{Anchor, Lettering};
use super::scene::{Outline, Point, Scene};
use super::theme::Theme;

/// A genome to draw.
#[derive(Clone, PartialEq, Debug)]
pub struct GenomePicture {
    /// Its trees.
    pub trees: Vec<LabeledTree>,
    /// The title, one line.
    pub title: String,
    /// Light or dark.
    pub theme: Theme,
}

const TEXT: f32 = 8.0;
const LEVEL: f32 = 38.0;
const GAP: f32 = 12.0;
const MARGIN: f32 = 24.0;
const HEAD: f32 = 30.0;

/// Where a label is drawn: its center, and that of its parent.
struct PlacedLabel {
    at: Point,
    parent: Option<Point>,
    node: usize,
}

impl GenomePicture {
    /// The drawing, with the trees below each other.
    pub fn scene(&self) -> Scene {
        let colors = self.theme.colors();
        let title = Lettering { size: 13.0, weight: 0.12, color: colors.ink };
        let mut top = MARGIN + HEAD;
        let mut width = 2.0 * MARGIN + title.width(&self.title);
        let mut drawn = Vec::new();
        for tree in &self.trees {
            let (mut places, mut right, mut bottom) = (Vec::new(), MARGIN, top);
            self.place(tree, &mut 0, top + HEAD, &mut right, &mut bottom, &mut places);
            width = width.max(right + MARGIN);
            drawn.push((tree, top, places));
            top = bottom + LEVEL;
        }
        let mut scene = Scene::new(width, top + MARGIN, colors.page, self.title.clone());
        title.draw(&mut scene, &self.title, Point::new(MARGIN, MARGIN), Anchor::Left);
        for (tree, top, places) in &drawn {
            let name = Lettering { size: 10.0, weight: 0.16, color: colors.faint };
            name.draw(&mut scene, &tree.name, Point::new(MARGIN, *top), Anchor::Left);
            self.draw(&mut scene, tree, places);
        }
        scene
    }

    fn pen(&self) -> Lettering {
        Lettering { size: TEXT, weight: 0.12, color: self.theme.colors().ink }
    }

    /// Places leaves next to each other and functions above the middle of their arguments.
    fn place(
        &self,
        tree: &LabeledTree,
        next: &mut usize,
        y: f32,
        right: &mut f32,
        bottom: &mut f32,
        places: &mut Vec<PlacedLabel>,
    ) -> Point {
        let node = *next;
        *next += 1;
        *bottom = bottom.max(y);
        let (label, arity) = &tree.nodes[node];
        let wide = self.pen().width(label);
        let start = *right;
        let at = places.len();
        places.push(PlacedLabel { at: Point::new(0.0, y), parent: None, node });
        let mut arguments = Vec::new();
        let mut middles = Vec::new();
        for _ in 0..*arity {
            arguments.push(places.len());
            middles.push(self.place(tree, next, y + LEVEL, right, bottom, places).x);
        }
        *right = right.max(start + wide + GAP);
        let x = match (middles.first(), middles.last()) {
            (Some(first), Some(last)) => ((first + last) / 2.0).max(start + wide / 2.0),
            _ => start + wide / 2.0,
        };
        *right = right.max(x + wide / 2.0 + GAP);
        let middle = Point::new(x, y);
        places[at].at = middle;
        for argument in arguments {
            places[argument].parent = Some(middle);
        }
        middle
    }

    fn draw(&self, scene: &mut Scene, tree: &LabeledTree, places: &[PlacedLabel]) {
        let colors = self.theme.colors();
        for place in places {
            if let Some(parent) = place.parent {
                let line = [
                    Point::new(parent.x, parent.y + TEXT),
                    Point::new(place.at.x, place.at.y - TEXT),
                ];
                scene.stroke(Outline::line(&line), colors.faint, 1.0);
            }
            let (label, arity) = &tree.nodes[place.node];
            let weight = if *arity > 0 { 0.17 } else { 0.11 };
            let pen = Lettering { weight, ..self.pen() };
            pen.draw(scene, label, place.at, Anchor::Center);
        }
    }
}

#[cfg(test)]
mod tests {
    use deminer_learn::evolve::Tree;
    use deminer_learn::evolve::gp::Node;

    use super::*;

    #[test]
    fn deeper_trees_make_higher_drawings() {
        let picture = |text: &str| {
            let tree: Tree<Node> = Tree::read(text).unwrap();
            let trees = vec![LabeledTree::of("main", &tree)];
            GenomePicture { trees, title: "a genome".into(), theme: Theme::Light }.scene()
        };
        let flat = picture("(numCheck (0,1) (1,1))");
        let deep = picture("(numCheck (0,1) (edgeCheck (1,1) (fullCheck (2,0) (0,-1))))");
        assert!(deep.height > flat.height && deep.width > flat.width);
        assert!(deep.svg().contains("a genome"));
    }
}
