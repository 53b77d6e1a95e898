//! Playing and drawing by keys.

import { BLANK, COVERED, FLAGGED, MINE } from '../game/face.ts';
import { paint, primary, secondary, type Hands } from './hands.ts';
import { commandOf } from './keys.ts';

/** Listens to the keys that reach the grid. */
export function listenToKeys(hands: Hands): void {
  hands.grid.element.addEventListener('keydown', (event) => {
    hands.grid.showFocus(true);
    if (navigate(hands, event) || (hands.mode === 'edit' && paintKey(hands, event)) || command(hands, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

function navigate(hands: Hands, event: KeyboardEvent): boolean {
  const { width, height, form } = hands.scene.shape;
  const [row, column] = hands.scene.shape.place(hands.grid.focus);
  const wrap = (at: number, size: number) =>
    form === 'torus' ? (at + size) % size : Math.max(0, Math.min(size - 1, at));
  const go = (r: number, c: number) => hands.focusCell(wrap(r, height) * width + wrap(c, width));
  const page = Math.max(1, Math.floor(hands.scroller.clientHeight / hands.scene.geometry.rowHeight) - 1);
  switch (event.key) {
    case 'Home':
      go(event.ctrlKey ? 0 : row, 0);
      return true;
    case 'End':
      go(event.ctrlKey ? height - 1 : row, width - 1);
      return true;
    case 'PageUp':
      hands.focusCell(Math.max(0, row - page) * width + column);
      return true;
    case 'PageDown':
      hands.focusCell(Math.min(height - 1, row + page) * width + column);
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

function paintKey(hands: Hands, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey) return false;
  const faces: Record<string, number> = {
    '#': COVERED, Backspace: COVERED, Delete: COVERED, '.': 0, f: FLAGGED, F: FLAGGED, '?': BLANK, '*': MINE, m: MINE,
  };
  const face = /^[0-8]$/.test(event.key) ? Number(event.key) : faces[event.key];
  if (face === undefined) return false;
  paint(hands, hands.grid.focus, face);
  return true;
}
