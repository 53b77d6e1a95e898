//! Playing and drawing by keys. In `edit` mode a key goes into the cell under the mouse, or else into
//! the one with the focus.

import { BLANK, COVERED, FLAGGED, MINE } from '../game/face.ts';
import { paint, primary, secondary, type Hands } from './hands.ts';
import { commandOf } from './keys.ts';

/** Listens to the keys that reach the grid. */
export function listenToKeys(hands: Hands): void {
  hands.grid.element.addEventListener('keydown', (event) => {
    hands.grid.showFocus(true);
    if (navigate(hands, event) || (hands.mode === 'edit' && paintKey(hands, hands.scene.hover ?? hands.grid.focus, event)) || command(hands, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

/** Listens to the keys of the whole page: what is typed over a cell goes into it, wherever the focus is. */
export function listenToTyping(hands: Hands, signal: AbortSignal): void {
  document.addEventListener('pointerdown', () => hands.grid.showFocus(false), { capture: true, signal });
  document.addEventListener('keydown', (event) => {
    hands.grid.expectKeys();
    const cell = hands.scene.hover;
    if (hands.mode !== 'edit' || cell === null || isWriting(event)) return;
    if (!paintKey(hands, cell, event)) return;
    event.preventDefault();
    event.stopPropagation();
  }, { capture: true, signal });
}

/** Whether a key belongs to a field or a dialog. */
function isWriting(event: Event): boolean {
  const target = event.composedPath()[0] as Element | undefined;
  return Boolean(target?.closest?.('input:not([type=checkbox], [type=radio], [type=range]), select, textarea, [contenteditable], dialog'));
}

function navigate(hands: Hands, event: KeyboardEvent): boolean {
  const { width, height, form } = hands.scene.shape;
  const [row, column] = hands.scene.shape.place(hands.grid.focus);
  const wrap = (at: number, size: number) =>
    form === 'torus' ? (at + size) % size : Math.max(0, Math.min(size - 1, at));
  const focus = (cell: number) => {
    hands.hover(null);
    hands.focusCell(cell);
  };
  const go = (r: number, c: number) => focus(wrap(r, height) * width + wrap(c, width));
  const page = Math.max(1, Math.floor(hands.scroller.clientHeight / hands.scene.geometry.rowHeight) - 1);
  switch (event.key) {
    case 'Home':
      go(event.ctrlKey ? 0 : row, 0);
      return true;
    case 'End':
      go(event.ctrlKey ? height - 1 : row, width - 1);
      return true;
    case 'PageUp':
      focus(Math.max(0, row - page) * width + column);
      return true;
    case 'PageDown':
      focus(Math.min(height - 1, row + page) * width + column);
      return true;
  }
  switch (commandOf(hands.keys, event)) {
    case 'up':
      go(row - 1, column);
      return true;
    case 'down':
      go(row + 1, column);
      return true;
    case 'left':
      go(row, column - 1);
      return true;
    case 'right':
      go(row, column + 1);
      return true;
    default:
      return false;
  }
}

function command(hands: Hands, event: KeyboardEvent): boolean {
  const cell = hands.grid.focus;
  switch (commandOf(hands.keys, event)) {
    case 'open':
      primary(hands, cell);
      return true;
    case 'flag':
      secondary(hands, cell);
      return true;
    case 'chord':
      if (hands.mode === 'play') hands.tell('cellchord', { cell });
      return hands.mode === 'play';
    default:
      if (event.key !== '+' && event.key !== '-') return false;
      hands.zoomBy(event.key === '+' ? 1.15 : 0.87);
      hands.reveal(cell);
      return true;
  }
}

function paintKey(hands: Hands, cell: number, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const faces: Record<string, number> = {
    '#': COVERED, Backspace: COVERED, Delete: COVERED, '.': 0, f: FLAGGED, F: FLAGGED, '?': BLANK, '*': MINE, m: MINE,
  };
  const face = /^[0-8]$/.test(event.key) ? Number(event.key) : faces[event.key];
  if (face === undefined) return false;
  paint(hands, cell, face);
  return true;
}
