//! How a training stood on its way, as lines to draw.

import type { CurvePoint } from '../../api/types.ts';

export interface Line {
  name: string;
  kind: 'first' | 'second';
  points: readonly (readonly [x: number, y: number])[];
}

/** A point of the first line with something to say. */
export interface Mark {
  x: number;
  y: number;
  words: string;
}

export interface Drawing {
  title: string;
  /** What lies along the bottom. */
  axis: string;
  lines: Line[];
  marks: Mark[];
}

interface Chart {
  title: string;
  axis: string;
  /** What is drawn together, by the names that learners give. */
  lines: readonly (readonly [key: string, name: string])[];
  /** The value along the bottom, where it is not how much is done. */
  over?: string;
  /** Where this value grows, it is shown. */
  marks?: string;
}

const CHARTS: readonly Chart[] = [
  { title: 'Loss', axis: '', lines: [['loss', 'training'], ['validation', 'held out']] },
  { title: 'Fitness', axis: '', lines: [['best', 'best'], ['mean', 'mean']] },
  { title: 'Fidelity on boards held out', axis: 'questions asked', lines: [['fidelity', 'fidelity']] },
  { title: 'Examples that the rules explain', axis: 'clauses tried', lines: [['covered', 'explained']], over: 'clauses', marks: 'rules' },
  { title: 'Faults of the theory in a game', axis: 'rounds', lines: [['unneeded', 'unneeded'], ['wrong', 'wrong']] },
];

/** The first chart that the points tell of, or null if they tell of none twice. */
export function drawingOf(curve: readonly CurvePoint[]): Drawing | null {
  for (const { title, axis, lines, over, marks } of CHARTS) {
    const x = ({ done, values }: CurvePoint) => (over === undefined ? done : (values[over] ?? 0));
    const drawn = lines.map(([key, name], at): Line => ({
      name,
      kind: at === 0 ? 'first' : 'second',
      points: curve.flatMap((point) => (point.values[key] === undefined ? [] : [[x(point), point.values[key]] as const])),
    }));
    if (drawn[0]!.points.length <= 1) continue;
    return { title, axis, lines: drawn.filter(({ points }) => points.length > 1), marks: marks ? marksOf(curve, lines[0]![0], marks, x) : [] };
  }
  return null;
}

function marksOf(curve: readonly CurvePoint[], line: string, counted: string, x: (point: CurvePoint) => number): Mark[] {
  let most = 0;
  return curve.flatMap((point) => {
    const count = point.values[counted] ?? 0;
    if (count <= most) return [];
    most = count;
    return [{ x: x(point), y: point.values[line] ?? 0, words: `${count} ${count === 1 ? counted.replace(/s$/, '') : counted}` }];
  });
}

/** A round number that is not below. */
export function niceAbove(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value || 1));
  return [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10].map((step) => step * power).find((step) => step >= value * (1 - 1e-9)) ?? value;
}
