//! Draws the trees of evolved genomes.

use deminer_learn::evolve::{Artifact, LabeledTree};
use deminer_learn::header::ReadArtifactError;

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

/// Where the label of a node is drawn: its center, and the number of its parent.
struct PlacedLabel {
    at: Point,
    parent: Option<usize>,
}

impl GenomePicture {
    /// All trees of a genome.
    pub fn of(artifact: &Artifact, theme: Theme) -> Result<Self, ReadArtifactError> {
        let title = format!("{}: {}", artifact.kind, artifact.about);
        Ok(Self { trees: LabeledTree::all(artifact)?, title, theme })
    }

    /// The drawing, with the trees below each other.
    pub fn scene(&self) -> Scene {
        let colors = self.theme.colors();
        let title = Lettering { size: 13.0, weight: 0.12, color: colors.ink };
        let mut top = MARGIN + HEAD;
        let mut width = 2.0 * MARGIN + title.width(&self.title);
        let mut drawn = Vec::new();
        for tree in &self.trees {
            let (mut places, mut right) = (Vec::new(), MARGIN);
            self.place(tree, None, top + HEAD, &mut right, &mut places);
            let bottom = places.iter().map(|place| place.at.y).fold(top, f32::max);
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

    /// Places the next node and all below it: leaves next to each other, and functions above the
    /// middle of their arguments. Returns the middle of the node.
    fn place(
        &self,
        tree: &LabeledTree,
        parent: Option<usize>,
        y: f32,
        right: &mut f32,
        places: &mut Vec<PlacedLabel>,
    ) -> f32 {
        let node = places.len();
        let (label, arity) = &tree.nodes[node];
        let (start, wide) = (*right, self.pen().width(label));
        places.push(PlacedLabel { at: Point::new(0.0, y), parent });
        let arguments = 0..*arity;
        let middles: Vec<f32> =
            arguments.map(|_| self.place(tree, Some(node), y + LEVEL, right, places)).collect();
        let least = start + wide / 2.0;
        let x = match (middles.first(), middles.last()) {
            (Some(first), Some(last)) => ((first + last) / 2.0).max(least),
            _ => least,
        };
        *right = right.max(start + wide + GAP).max(x + wide / 2.0 + GAP);
        places[node].at.x = x;
        x
    }

    fn draw(&self, scene: &mut Scene, tree: &LabeledTree, places: &[PlacedLabel]) {
        let colors = self.theme.colors();
        for (place, (label, arity)) in places.iter().zip(&tree.nodes) {
            if let Some(parent) = place.parent {
                let line = [places[parent].at.moved(0.0, TEXT), place.at.moved(0.0, -TEXT)];
                scene.stroke(Outline::line(&line), colors.faint, 1.0);
            }
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
