//! What people may do on a board, whatever they do it with.

import { COVERED, FLAGGED, isOpen } from '../game/face.ts';
import type { AriaGrid } from './aria-grid.ts';
import type { KeyMap } from './keys.ts';
import type { Scene } from './scene.ts';

export type Mode = 'play' | 'edit' | 'view';
export type Tool = 'open' | 'flag';

export interface BoardEvents {
  /** A covered cell should be opened. */
  cellopen: { cell: number };
  cellflag: { cell: number };
  cellchord: { cell: number };
  /** In `edit` mode: put the brush here, or `face` if a key named one. */
  cellpaint: { cell: number; face: number | null; drag: boolean };
  /** In `edit` mode: the stroke is over. */
  cellpaintend: { cell: number };
  /** In `view` mode: the cell was chosen. */
  cellpick: { cell: number };
  /** The pointer or the focus is on this cell, or on none. */
  cellhover: { cell: number | null };
}

/** The board as those see it who listen to pointers and keys. */
export interface Hands {
  readonly scene: Scene;
  readonly grid: AriaGrid;
  readonly scroller: HTMLElement;
  readonly mode: Mode;
  /** In `edit` mode: a finger paints, two scroll. */
  readonly paints: boolean;
  readonly tool: Tool;
  readonly chords: boolean;
  readonly keys: KeyMap;
  tell<K extends keyof BoardEvents>(type: K, detail: BoardEvents[K]): void;
  focusCell(cell: number, scroll?: boolean): void;
  reveal(cell: number): void;
  zoomBy(factor: number, at?: { x: number; y: number }): void;
  /** The pointer is on this cell, or on none. */
  hover(cell: number | null): void;
  /** These cells are shown sunk. */
  press(cells: readonly number[]): void;
}

/** The plain click, tap or key. */
export function primary(hands: Hands, cell: number): void {
  const face = hands.scene.faces[cell]!;
  if (hands.mode === 'view') hands.tell('cellpick', { cell });
  else if (hands.mode === 'edit') paint(hands, cell, null);
  else if (isOpen(face)) {
    if (hands.chords) hands.tell('cellchord', { cell });
  } else if (face === COVERED) hands.tell('cellopen', { cell });
}

/** The right click, long press or key for flags. */
export function secondary(hands: Hands, cell: number): void {
  const face = hands.scene.faces[cell]!;
  if (hands.mode === 'view') hands.tell('cellpick', { cell });
  else if (hands.mode === 'edit') paint(hands, cell, face === FLAGGED ? COVERED : FLAGGED);
  else hands.tell(isOpen(face) ? 'cellchord' : 'cellflag', { cell });
}

/** A stroke of one cell. */
export function paint(hands: Hands, cell: number, face: number | null): void {
  hands.tell('cellpaint', { cell, face, drag: false });
  hands.tell('cellpaintend', { cell });
}
