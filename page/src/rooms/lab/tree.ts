//! Decision trees, walked on a window of 5x5 cells.

import type { Artifact, TreeNode } from '../../api/types.ts';
import { BLANK, COVERED, FLAGGED, type Face } from '../../game/face.ts';

export type Tree = NonNullable<Artifact['tree']>;

/** A cell outside the board, as trees see it. */
export const OUTSIDE = -1;
const COVERED_VALUE = 9;

export interface Question {
  row: number;
  column: number;
  /** Yes if the value of the cell is at most this. */
  most: number;
}

/** What a face is worth to a tree. */
export function valueOf(face: Face | typeof OUTSIDE): number {
  if (face === OUTSIDE) return OUTSIDE;
  return face === COVERED || face === FLAGGED || face === BLANK ? COVERED_VALUE : face;
}

/**
 * Reads a question such as "the cell above left is outside the board or 0 to 5"; null if it is not
 * about one cell of the window.
 */
export function parseQuestion(tree: Tree, text: string): Question | null {
  const named = tree.importances
    .filter(({ words }) => text.startsWith(`${words} is `))
    .sort((a, b) => b.words.length - a.words.length)[0];
  const place = /^cell_(\d)_(\d)$/.exec(named?.column ?? '');
  if (!named || !place) return null;
  const answer = text.slice(named.words.length + ' is '.length);
  const numbers = answer.match(/\d+/g);
  const most = /covered$/.test(answer) ? COVERED_VALUE : numbers ? Number(numbers.at(-1)) : OUTSIDE;
  return { row: Number(place[1]), column: Number(place[2]), most };
}

/** The nodes that a window leads through, from the root to a leaf. */
export function walk(tree: Tree, window: readonly number[]): number[] {
  const path = [0];
  for (;;) {
    const node = tree.nodes[path.at(-1)!]!;
    const next = follow(tree, node, window);
    if (next === null) return path;
    path.push(next);
  }
}

function follow(tree: Tree, node: TreeNode, window: readonly number[]): number | null {
  if (node.question == null || node.yes == null || node.no == null) return null;
  const question = parseQuestion(tree, node.question);
  if (!question) return null;
  return window[question.row * 5 + question.column]! <= question.most ? node.yes : node.no;
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
