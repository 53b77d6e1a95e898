//! Boards of the Play room that the tests know.

import type { Page } from 'playwright-core';
import { PLAIN } from '../../src/game/rules.ts';
import type { Shape } from '../../src/game/shape.ts';
import { TestGame } from '../core.ts';
import { label } from './chromium.ts';

/** A board with its mines. */
export interface Known {
  shape: Shape;
  isMine: (cell: number) => boolean;
  /** Cells whose openings, one after another, win the game. */
  clicks: () => number[];
}

/** The mines of a seed once a cell is opened. */
function dealt(board: string, seed: number, first: [number, number]): Known {
  const open = () => {
    const game = new TestGame({ ...PLAIN, board }, { seed: String(seed), game: 0 });
    game.act('open', game.board.shape.cell(first));
    return game;
  };
  const { mines, board: { shape } } = open();
  const hidden = new Set(mines);
  return {
    shape,
    isMine: (at) => hidden.has(at),
    clicks() {
      const game = open();
      const cells = [...game.board.faces.keys()].filter((at) => !hidden.has(at));
      return [shape.cell(first), ...cells.filter((at) => game.act('open', at))];
    },
  };
}

/** The mines of `#/play?seed=3` once row 4, column 4 is opened. */
export const layout = dealt('9x9x10', 3, [4, 4]);
export const aMine = mineOf(layout);
/** The mines of `#/play?board=30x16x99&seed=12` once row 7, column 15 is opened. */
export const expert = dealt('30x16x99', 12, [7, 15]);
export const EXPERT = '#/play?board=30x16x99&seed=12';

/** The first mine of a board. */
export function mineOf({ shape, isMine }: Known): [number, number] {
  return shape.place(Array.from({ length: shape.size }, (_, at) => at).find((at) => isMine(at))!);
}

/** Opens every safe cell that is still covered. */
export async function playOut(page: Page, press: (row: number, column: number) => Promise<void>, mines = layout): Promise<void> {
  for (const at of mines.clicks()) {
    const [row, column] = mines.shape.place(at);
    if ((await label(page, row, column)).includes('covered')) await press(row, column);
  }
}
