//! Evolved programs as trees that can be walked.

import type { Branch } from '../../api/types.ts';

export interface Gene {
  label: string;
  /** Its place among the nodes. */
  index: number;
  /** Nodes of it and all below. */
  size: number;
  parts: Gene[];
}

/** The tree of a branch: nodes are listed each before its arguments. */
export function treeOf({ nodes }: Branch): Gene | null {
  let next = 0;
  const read = (): Gene | null => {
    const index = next;
    const node = nodes[index];
    if (!node) return null;
    next += 1;
    const parts: Gene[] = [];
    for (let part = 0; part < node.arity; part += 1) {
      const below = read();
      if (below) parts.push(below);
    }
    return { label: node.label, index, size: next - index, parts };
  };
  return read();
}

/** The cells that a part looks at, as rows and columns from the cell it judges. */
export function offsetsOf(gene: Gene): [row: number, column: number][] {
  const own = /^\((-?\d+),(-?\d+)\)$/.exec(gene.label);
  const found: [number, number][] = own ? [[Number(own[1]), Number(own[2])]] : [];
  for (const part of gene.parts) found.push(...offsetsOf(part));
  const keys = new Set<string>();
  return found.filter((offset) => !keys.has(offset.join()) && keys.add(offset.join()));
}
