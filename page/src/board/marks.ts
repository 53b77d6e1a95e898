//! Marks on single cells: proofs, the best move, clues, 50/50s.

import type { Geometry } from './geometry.ts';
import type { Theme } from './theme.ts';

/**
 * - `safe` tick, `mine` cross: proved;
 * - `best` ring: the best move; `guess` thin ring: an alternative;
 * - `clue`: a clue that a reason rests on; `premise`: an earlier conclusion that it rests on;
 * - `look`: an area to look at;
 * - `conflict`: a clue that cannot hold; `dead`: opening it gives no information (a line below); `fifty`: of a 50/50;
 * - `last`: the cell just played; `select`: the cell chosen.
 */
export type MarkKind =
  | 'safe' | 'mine' | 'best' | 'guess' | 'clue' | 'premise' | 'look' | 'conflict' | 'dead' | 'fifty' | 'last' | 'select';

export interface Mark {
  cell: number;
  kind: MarkKind;
}

/** What a mark lies on. */
interface Ground {
  /** The cell has the color of a risk. */
  heated: boolean;
  flagged: boolean;
}

/** Strokes twice, light under dark, so that the line reads on any ground. */
export function stroke(context: CanvasRenderingContext2D, color: string, width: number, halo: string): void {
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.strokeStyle = halo;
  context.lineWidth = width + 2;
  context.stroke();
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

/** Fills lightly, so that what is below can be read. */
function tint(context: CanvasRenderingContext2D, color: string, strength: number): void {
  context.fillStyle = color;
  context.globalAlpha = strength;
  context.fill();
  context.globalAlpha = 1;
}

/** Strokes with dashes. */
function dash(context: CanvasRenderingContext2D, dashes: number[], ...line: [color: string, width: number, halo: string]): void {
  context.setLineDash(dashes);
  stroke(context, ...line);
  context.setLineDash([]);
}

/** Ticks, crosses and lines in smaller cells would only be spots: the color of a cell says enough. */
const SMALLEST = 8;

export function drawMark(context: CanvasRenderingContext2D, geometry: Geometry, { cell, kind }: Mark, theme: Theme, { heated, flagged }: Ground): void {
  if (geometry.unit < SMALLEST && (kind === 'safe' || kind === 'mine' || kind === 'dead')) return;
  if (kind === 'safe' || kind === 'mine') {
    drawProof(context, geometry, cell, kind, theme, { heated, flagged });
    return;
  }
  const box = geometry.box(cell);
  const [x, y] = geometry.center(cell);
  const u = geometry.unit / 24;
  context.beginPath();
  switch (kind) {
    case 'best':
    case 'guess':
      context.arc(x, y, geometry.unit * 0.4, 0, 2 * Math.PI);
      dash(
        context, kind === 'guess' ? [3 * u, 4 * u] : [], heated ? '#ffffff' : theme.accent,
        kind === 'best' ? Math.max(2, 2.6 * u) : Math.max(1, 1.4 * u), heated ? 'rgb(0 0 0 / 0.75)' : theme.open,
      );
      break;
    case 'clue':
      geometry.trace(context, box, Math.max(1, 1.2 * u));
      tint(context, theme.accent, 0.16);
      stroke(context, theme.accent, Math.max(1.5, 1.8 * u), theme.open);
      break;
    case 'premise':
      geometry.trace(context, box, Math.max(1, 1.2 * u));
      dash(context, [4 * u, 3 * u], theme.accent, Math.max(1.5, 1.8 * u), theme.open);
      break;
    case 'look':
      geometry.trace(context, box, 0.5);
      tint(context, theme.accent, 0.3);
      break;
    case 'conflict':
      geometry.trace(context, box, Math.max(1, 1.2 * u));
      tint(context, theme.danger, 0.2);
      stroke(context, theme.danger, Math.max(2, 2.2 * u), theme.open);
      break;
    case 'dead':
      context.moveTo(x - 5 * u, y + 9 * u);
      context.lineTo(x + 5 * u, y + 9 * u);
      stroke(context, theme.ink, Math.max(1.5, 2 * u), theme.open);
      break;
    case 'fifty':
      geometry.trace(context, box, Math.max(1.5, 2 * u));
      dash(context, [3 * u, 2.5 * u], theme.ink, Math.max(1, 1.4 * u), theme.open);
      break;
    case 'last':
      geometry.trace(context, box, Math.max(1, u));
      stroke(context, theme.ink, Math.max(1.5, 1.8 * u), theme.open);
      break;
    case 'select':
      geometry.trace(context, box, Math.max(1, u));
      stroke(context, theme.accent, Math.max(2, 2.4 * u), theme.open);
      break;
  }
}

/**
 * A tick or a cross. A tick beside a flag is small and in the corner, so that both can be read. A flag
 * on a proved mine is right and gets no cross: players know a crossed flag as a wrong one.
 */
function drawProof(context: CanvasRenderingContext2D, geometry: Geometry, cell: number, kind: 'safe' | 'mine', theme: Theme, { heated, flagged }: Ground): void {
  if (flagged && kind === 'mine') return;
  const [cx, cy] = geometry.center(cell);
  const cellUnit = geometry.unit / 24;
  const [x, y, u] = flagged ? [cx + 6.2 * cellUnit, cy + 5.6 * cellUnit, 0.62 * cellUnit] : [cx, cy, cellUnit];
  context.beginPath();
  if (kind === 'safe') {
    context.moveTo(x - 5.5 * u, y + 0.5 * u);
    context.lineTo(x - 1.5 * u, y + 5 * u);
    context.lineTo(x + 6 * u, y - 5 * u);
  } else {
    context.moveTo(x - 4.5 * u, y - 4.5 * u);
    context.lineTo(x + 4.5 * u, y + 4.5 * u);
    context.moveTo(x + 4.5 * u, y - 4.5 * u);
    context.lineTo(x - 4.5 * u, y + 4.5 * u);
  }
  const thick = Math.max(1.5, 2.6 * u);
  if (!heated) stroke(context, kind === 'safe' ? theme.safe : theme.danger, thick, theme.open);
  else if (kind === 'safe') stroke(context, '#ffffff', thick, 'rgb(0 30 25 / 0.6)');
  else stroke(context, '#1b1400', thick, 'rgb(255 255 255 / 0.7)');
}
