//! The painter draws only what changed; here random changes are compared, pixel by pixel, with
//! boards that are drawn in full: the same element repainted, and a new element with the same state.

import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { browser, engine } from './room.ts';
import { visit } from './chromium.ts';

interface Walk {
  form: 'rect' | 'torus' | 'hex';
  width: number;
  height: number;
  seed: number;
  steps: number;
}

/** Takes random steps on a board alone on the page and returns the steps after which pixels differ from a full repaint. */
function walk(page: Page, walk: Walk): Promise<string[]> {
  return page.evaluate(async ({ form, width, height, seed, steps }: Walk) => {
    type Board = HTMLElementTagNameMap['mine-board'];
    let state = seed;
    const random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
    const below = (limit: number) => Math.floor(random() * limit);
    const either = <T>(...choices: T[]): T => choices[below(choices.length)]!;
    const frames = async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
    };
    const scrollerOf = (board: Board) => board.shadowRoot!.querySelector<HTMLElement>('.scroller')!;
    const read = (board: Board) => [...board.shadowRoot!.querySelectorAll<HTMLCanvasElement>('.sheet canvas')].map((canvas) => {
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return { width: canvas.width, height: canvas.height, pixels: new Uint32Array(data.buffer) };
    });
    const difference = (board: Board, picture: ReturnType<typeof read>) => {
      const other = read(board);
      return picture.map(({ width, height, pixels }, layer) => {
        const { width: w, height: h, pixels: now } = other[layer]!;
        if (w !== width || h !== height) return `${width}x${height} against ${w}x${h}`;
        let count = 0;
        for (let i = 0; i < pixels.length; i += 1) if (pixels[i] !== now[i]) count += 1;
        return count === 0 ? '' : `${count} pixels`;
      });
    };

    const made = () => {
      const board = document.createElement('mine-board');
      Object.assign(board.style, { position: 'fixed', top: '0', left: '0', zIndex: '99' });
      return board;
    };
    const board = made();
    const Shape = board.shape.constructor as new (form: string, width: number, height: number) => typeof board.shape;
    // What was put on the board, to be put on another.
    let shape = new Shape(form, width, height);
    let faces = new Uint8Array(shape.size).fill(9);
    let heat: Float64Array | null = null;
    let overlay: Parameters<Board['setOverlay']>[0] = {};
    let style: Parameters<Board['setHeatStyle']> = ['cividis', true, false];
    let ruler = false;
    let zoom: number | null = null;
    let pressed: [x: number, y: number] | null = null;
    // Fewer pixels of the page where each has many of the screen.
    const window = devicePixelRatio < 2 ? { width: 720, height: 440 } : { width: 440, height: 280 };
    const size = { width: `${window.width}px`, maxHeight: `${window.height}px` };
    Object.assign(board.style, size);
    document.body.append(board);
    board.setShape(shape);

    const aim = (target: Board, type: string, [x, y]: [number, number]) => {
      const box = scrollerOf(target).getBoundingClientRect();
      scrollerOf(target).dispatchEvent(new PointerEvent(type, {
        clientX: box.x + x, clientY: box.y + y, pointerType: 'mouse', pointerId: 1, button: type === 'pointermove' ? -1 : 0, buttons: type === 'pointerup' ? 0 : 1,
      }));
    };
    const setFaces = (change: (faces: Uint8Array) => void) => {
      faces = faces.slice();
      change(faces);
      board.setFaces(faces);
    };
    const around = (cell: number, reach: number) => Array.from(faces.keys()).filter((other) => {
      const [[r, c], [row, column]] = [shape.place(cell), shape.place(other)];
      return Math.abs(r - row) <= reach && Math.abs(c - column) <= reach;
    });
    const oddsOf = () => Float64Array.from(faces, (face) => (face !== 9 && face !== 10 ? NaN : either(NaN, 0, 1, random(), random(), 0.003)));
    const release = () => {
      if (pressed) aim(board, 'pointerup', [-5, -5]);
      pressed = null;
    };
    const act: Record<string, () => void> = {
      one: () => setFaces((next) => { next[below(next.length)] = below(15); }),
      cascade: () => setFaces((next) => { for (const cell of around(below(next.length), 1 + below(12))) next[cell] = below(9); }),
      scattered: () => setFaces((next) => { for (let i = 0; i < 5; i += 1) next[below(next.length)] = below(15); }),
      most: () => setFaces((next) => { for (const cell of next.keys()) if (random() < 0.7) next[cell] = below(15); }),
      cover: () => setFaces((next) => next.fill(9)),
      odds: () => board.setHeat((heat = oddsOf())),
      oddsOff: () => board.setHeat((heat = null)),
      marks: () => {
        const kinds = ['safe', 'mine', 'best', 'guess', 'clue', 'premise', 'look', 'conflict', 'dead', 'fifty', 'last', 'select'] as const;
        overlay = {
          marks: Array.from({ length: below(40) }, () => ({ cell: below(shape.size), kind: either(...kinds) })),
          arrows: Array.from({ length: below(3) }, () => ({ from: below(shape.size), to: below(shape.size) })),
          outline: random() < 0.5 ? [] : around(below(shape.size), 2),
          trail: Array.from({ length: below(30) }, () => ({ x: random() * shape.width, y: random() * shape.height })),
          pointer: random() < 0.5 ? null : { x: random() * shape.width, y: random() * shape.height, pressed: random() < 0.5 },
        };
        board.setOverlay(overlay);
      },
      ruler: () => board.setRuler((ruler = !ruler)),
      style: () => board.setHeatStyle(...(style = [either('cividis', 'papers'), random() < 0.7, random() < 0.5])),
      theme: () => {
        document.documentElement.dataset.theme = either('light', 'dark');
        board.refreshTheme();
      },
      size: () => Object.assign(board.style, Object.assign(size, { width: `${window.width + below(400) - 250}px`, maxHeight: `${window.height + below(200) - 130}px` })),
      zoom: () => board.setZoom((zoom = either(null, 6 + below(40), 6 + below(40)))),
      scroll: () => scrollerOf(board).scrollTo(random() * 2000, random() * 2000),
      nudge: () => scrollerOf(board).scrollBy(random() * 60 - 30, random() * 60 - 30),
      press: () => {
        release();
        pressed = [30 + below(200), 30 + below(150)];
        aim(board, 'pointermove', pressed);
        aim(board, 'pointerdown', pressed);
      },
      release,
      move: () => {
        board.remove();
        document.body.append(board);
        board.style.width = size.width;
      },
      shape: () => {
        release();
        // As a room does it: the board's state is replaced as a whole.
        shape = new Shape(form, Math.max(3, shape.width + below(5) - 2), Math.max(3, shape.height + below(5) - 2));
        faces = new Uint8Array(shape.size).fill(9);
        [heat, overlay, zoom] = [null, {}, null];
        board.setShape(shape);
        board.setHeat(heat);
        board.setOverlay(overlay);
        board.setFaces(faces);
      },
    };
    const names = Object.keys(act);

    const wrong: string[] = [];
    const check = (when: string, found: string[]) => {
      if (found.some(Boolean)) wrong.push(`${form} ${width}x${height}, ${when}: tiles ${found[0] || 'same'}, overlay ${found[1] || 'same'}`);
    };
    // The fault that every large board once had comes first: odds on and off again.
    const script = ['cascade', 'odds', 'oddsOff', 'most', 'cover'];
    for (let step = 0; step < steps; step += 1) {
      const name = script[step] ?? either(...names);
      // Now and then the board is hidden while it changes, as in a room that is not shown.
      const hidden = random() < 0.12;
      if (hidden) board.style.display = 'none';
      if (hidden) await frames();
      act[name]!();
      // Several changes in one frame, now and then.
      const second = random() < 0.3 ? either(...names) : '';
      if (second) act[second]!();
      if (hidden) await frames();
      if (hidden) board.style.display = '';
      await frames();
      const when = `step ${step} ${name} ${second}${hidden ? ' hidden' : ''}`;
      const picture = read(board);
      board.repaint();
      check(when, difference(board, picture));
      if (step % 5 !== 4) continue;

      const fresh = made();
      Object.assign(fresh.style, size);
      document.body.append(fresh);
      fresh.setShape(shape);
      fresh.setFaces(faces);
      fresh.setHeat(heat);
      fresh.setHeatStyle(...style);
      fresh.setOverlay(overlay);
      fresh.setRuler(ruler);
      fresh.setZoom(zoom);
      scrollerOf(fresh).scrollTo(scrollerOf(board).scrollLeft, scrollerOf(board).scrollTop);
      release();
      aim(board, 'pointermove', [-5, -5]);
      await frames();
      check(`${when}, new element`, difference(fresh, read(board)));
      fresh.remove();
    }
    board.remove();
    return wrong;
  }, walk);
}

const BOARDS: Omit<Walk, 'seed' | 'steps'>[] = [
  { form: 'rect', width: 9, height: 9 },
  { form: 'rect', width: 30, height: 16 },
  { form: 'rect', width: 100, height: 100 },
  { form: 'torus', width: 30, height: 16 },
  { form: 'hex', width: 9, height: 9 },
  { form: 'hex', width: 30, height: 16 },
];

test.each([1, 1.25, 2, 3])('random changes draw what a full repaint draws, device scale %s', { timeout: 120_000 }, async (scale) => {
  const { page, close } = await visit(browser, engine.url, { viewport: { width: 900, height: 600 }, deviceScaleFactor: scale });
  const wrong: string[] = [];
  for (const [seed, board] of BOARDS.entries()) wrong.push(...(await walk(page, { ...board, seed: 100 * scale + seed, steps: scale < 2 ? 15 : 10 })));
  await close();
  expect(wrong).toEqual([]);
});
