//! Decision trees: how they are drawn. The server walks them, so that every kind of question is answered.

import type { Artifact, TreeNode } from '../../api/types.ts';
import { BLANK, COVERED, FLAGGED, type Face } from '../../game/face.ts';

export type Tree = NonNullable<Artifact['tree']>;

/** A cell outside the board, on the board that windows are painted on. */
export const OUTSIDE = BLANK;

/** The rows of a painted window, as the server reads them. */
export function windowRows(faces: Uint8Array): string[] {
  const symbol = (face: Face) => (face === OUTSIDE ? '-' : face === COVERED || face === FLAGGED ? '#' : String(face));
  return [0, 1, 2, 3, 4].map((row) => Array.from(faces.slice(5 * row, 5 * row + 5), symbol).join(''));
}

/** The class that a probability of a mine belongs to: four of equal width. */
export function decisionOf(classes: readonly string[], risk: number): string {
  return classes[Math.min(classes.length - 1, Math.max(0, Math.ceil(risk * classes.length) - 1))] ?? '';
}

/** Breaks a text into lines of at most `most` letters. */
export function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

export interface Drawn {
  index: number;
  node: TreeNode;
  x: number;
  y: number;
  parent: number | null;
  answer: 'yes' | 'no' | null;
  /** Has children that are not drawn. */
  folded: boolean;
}

/** Places the nodes that are unfolded: leaves side by side, parents above the middle of theirs. */
export function placeNodes(tree: Tree, unfolded: ReadonlySet<number>): { nodes: Drawn[]; width: number; depth: number } {
  const nodes: Drawn[] = [];
  let leaves = 0;
  let depth = 0;
  const place = (index: number, level: number, parent: number | null, answer: Drawn['answer']): number => {
    const node = tree.nodes[index]!;
    depth = Math.max(depth, level);
    const inner = node.yes != null && node.no != null;
    let x: number;
    if (inner && unfolded.has(index)) {
      const left = place(node.yes!, level + 1, index, 'yes');
      const right = place(node.no!, level + 1, index, 'no');
      x = (left + right) / 2;
    } else {
      x = leaves;
      leaves += 1;
    }
    nodes.push({ index, node, x, y: level, parent, answer, folded: inner && !unfolded.has(index) });
    return x;
  };
  place(0, 0, null, null);
  return { nodes, width: leaves, depth };
}
