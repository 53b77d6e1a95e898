//! A position being edited, with the way back and forth.

import { emptyPosition, parsePosition, type Position } from '../../game/notation.ts';
import { Shape } from '../../game/shape.ts';
import { EXAMPLES } from './examples.ts';

export class Editor {
  position: Position = $state.raw(parsePosition(EXAMPLES[0]!.text));
  #past: Position[] = $state.raw([]);
  #future: Position[] = $state.raw([]);
  #stroke: Position | null = null;

  get canUndo(): boolean {
    return this.#past.length > 0;
  }

  get canRedo(): boolean {
    return this.#future.length > 0;
  }

  /** Another position, as one step. */
  replace(position: Position): void {
    this.#past = [...this.#past.slice(-199), this.#stroke ?? this.position];
    this.#future = [];
    this.#stroke = null;
    this.position = position;
  }

  /** Paints a cell; all cells of a stroke are one step. */
  paint(cell: number, face: number): void {
    if (this.position.faces[cell] === face) return;
    this.#stroke ??= this.position;
    const faces = this.position.faces.slice();
    faces[cell] = face;
    this.position = { ...this.position, faces };
  }

  endStroke(): void {
    if (!this.#stroke) return;
    const after = this.position;
    this.position = this.#stroke;
    this.#stroke = null;
    this.replace(after);
  }

  undo(): void {
    const before = this.#past.at(-1);
    if (!before) return;
    this.#past = this.#past.slice(0, -1);
    this.#future = [...this.#future, this.position];
    this.position = before;
  }

  redo(): void {
    const after = this.#future.at(-1);
    if (!after) return;
    this.#future = this.#future.slice(0, -1);
    this.#past = [...this.#past, this.position];
    this.position = after;
  }

  /** The same cells in another size or shape; what no longer fits is lost, what is new is covered. */
  reshape(shape: Shape): void {
    const { faces, mines, clues, shape: old } = this.position;
    const next = emptyPosition(shape, Math.min(mines, shape.size), clues);
    for (let cell = 0; cell < shape.size; cell += 1) {
      const place = shape.place(cell);
      if (old.contains(place)) next.faces[cell] = faces[old.cell(place)]!;
    }
    this.replace(next);
  }

  clear(): void {
    const { shape, mines, clues } = this.position;
    this.replace(emptyPosition(shape, mines, clues));
  }
}
