//! Which cells a board has and which of them touch. Cells are numbers, row by row.

export type Form = 'rect' | 'torus' | 'hex';
export const FORMS: readonly Form[] = ['rect', 'torus', 'hex'];

/** A cell as the engine writes it: row and column from 0. */
export type Place = [row: number, column: number];

type Step = readonly [down: number, right: number];
const EIGHT: readonly Step[] = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];
const SIX_EVEN: readonly Step[] = [[-1, -1], [-1, 0], [0, -1], [0, 1], [1, -1], [1, 0]];
const SIX_ODD: readonly Step[] = [[-1, 0], [-1, 1], [0, -1], [0, 1], [1, 0], [1, 1]];

/**
 * A rectangle of cells with their neighbors; `torus` wraps both ways, `hex` shifts odd rows half a
 * cell to the right. Neighbor lists are sorted and hold neither the cell itself nor a cell twice.
 */
export class Shape {
  readonly size: number;
  readonly #near: number[][] = [];

  constructor(readonly form: Form, readonly width: number, readonly height: number) {
    this.size = width * height;
  }

  neighbors(cell: number): readonly number[] {
    return (this.#near[cell] ??= this.#listNeighbors(cell));
  }

  place(cell: number): Place {
    return [Math.floor(cell / this.width), cell % this.width];
  }

  cell([row, column]: Place): number {
    return row * this.width + column;
  }

  contains([row, column]: Place): boolean {
    return row >= 0 && row < this.height && column >= 0 && column < this.width;
  }

  same(other: Shape): boolean {
    return this.form === other.form && this.width === other.width && this.height === other.height;
  }

  #listNeighbors(cell: number): number[] {
    const [row, column] = this.place(cell);
    const steps = this.form !== 'hex' ? EIGHT : row % 2 === 0 ? SIX_EVEN : SIX_ODD;
    const near = new Set<number>();
    for (const [down, right] of steps) {
      let place: Place = [row + down, column + right];
      if (this.form === 'torus') {
        place = [(place[0] + this.height) % this.height, (place[1] + this.width) % this.width];
      }
      if (this.contains(place)) near.add(this.cell(place));
    }
    near.delete(cell);
    return [...near].sort((a, b) => a - b);
  }
}
