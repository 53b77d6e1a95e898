//! How a training stood on its way, as lines to draw.

import type { CurvePoint } from '../../api/types.ts';

export interface Line {
  name: string;
  kind: 'first' | 'second';
  points: readonly (readonly [x: number, y: number])[];
}

/** What is drawn together, by the names that learners give. */
const PAIRS = [
  { title: 'Loss', lines: [['loss', 'training'], ['validation', 'held out']] },
  { title: 'Fitness', lines: [['best', 'best'], ['mean', 'mean']] },
] as const;

/** The first pair that the points tell of, or null if they tell of none twice. */
export function linesOf(curve: readonly CurvePoint[]): { title: string; lines: Line[] } | null {
  for (const { title, lines } of PAIRS) {
    const drawn = lines.map(([key, name], at): Line => ({
      name,
      kind: at === 0 ? 'first' : 'second',
      points: curve.flatMap(({ done, values }) => (values[key] === undefined ? [] : [[done, values[key]] as const])),
    }));
    if (drawn[0]!.points.length > 1) return { title, lines: drawn.filter(({ points }) => points.length > 1) };
  }
  return null;
}

/** A round number that is not below. */
export function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value * (1 - 1e-9)) ?? value;
}
