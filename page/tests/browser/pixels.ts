//! What is really painted on a board: its pixels, not its accessibility tree.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';

export interface Painted {
  /** Cells in sight. */
  cells: number;
  /** Cells in sight of which some inner pixel is not painted. */
  bare: number[];
  /** Open numbers and mines in sight that show nothing but one color. */
  blank: number[];
  /** Pixels of both layers that a full repaint draws differently. */
  differing: number;
  /** The size of a cell on the screen. */
  unit: number;
}

/** Reads the pixels of a board, the first of the page unless another is named. */
export async function painted(page: Page, board = 0): Promise<Painted> {
  return page.evaluate(async (board) => {
    const element = document.querySelectorAll('mine-board')[board]!;
    const canvases = [...element.shadowRoot!.querySelectorAll<HTMLCanvasElement>('.sheet canvas')];
    // An answer that just came in may still move the page: look once its layout has been at rest.
    const place = () => {
      const { clientWidth, clientHeight, scrollLeft, scrollTop } = element.shadowRoot!.querySelector('.scroller')!;
      return [clientWidth, clientHeight, scrollLeft, scrollTop, ...canvases.flatMap(({ width, height }) => [width, height])].join();
    };
    for (let rest = 0, before = place(); rest < 6; ) {
      await new Promise(requestAnimationFrame);
      const now = place();
      rest = now === before && element.isDrawn ? rest + 1 : 0;
      before = now;
    }
    const read = () => canvases.map((canvas) => canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height));
    const scroller = element.shadowRoot!.querySelector('.scroller')!;
    const [tiles, overlay] = read() as [ImageData, ImageData];
    element.repaint();
    const again = read();
    let differing = 0;
    [tiles, overlay].forEach((image, layer) => {
      const [a, b] = [new Uint32Array(image.data.buffer), new Uint32Array(again[layer]!.data.buffer)];
      for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) differing += 1;
    });

    const { geometry, shape } = element;
    const scale = tiles.width / scroller.clientWidth;
    const pixels = new Uint32Array(tiles.data.buffer);
    const found = { cells: 0, bare: [] as number[], blank: [] as number[], differing, unit: element.unit };
    for (let cell = 0; cell < shape.size; cell += 1) {
      // The inner part of the cell, clear of its border and of the corners of a hexagon.
      const box = geometry.box(cell);
      const inner = (start: number, size: number, scrolled: number) => [Math.round((start - scrolled + size * 0.25) * scale), Math.round((start - scrolled + size * 0.75) * scale)] as const;
      const [left, right] = inner(box.x, box.width, scroller.scrollLeft);
      const [top, bottom] = inner(box.y, box.height, scroller.scrollTop);
      if (left < 0 || top < 0 || right > tiles.width || bottom > tiles.height) continue;
      found.cells += 1;
      const colors = new Set<number>();
      for (let y = top; y < bottom; y += 1) for (let x = left; x < right; x += 1) colors.add(pixels[y * tiles.width + x]!);
      if ([...colors].some((color) => color >>> 24 !== 255)) found.bare.push(cell);
      const face = element.face(cell);
      const telling = (face >= 1 && face <= 8) || face >= 10;
      if (telling && element.unit >= 8 && colors.size < 2) found.blank.push(cell);
    }
    return found;
  }, board);
}

/** Expects that every cell in sight is painted, shows what it should, and is as a full repaint draws it. */
export async function expectPainted(page: Page, board = 0): Promise<Painted> {
  const found = await painted(page, board);
  expect(found.cells).toBeGreaterThan(0);
  expect({ bare: found.bare, blank: found.blank, differing: found.differing }).toEqual({ bare: [], blank: [], differing: 0 });
  return found;
}
