//! The board element as people meet it: what is painted, what fingers, wheel and keys do.

import { expect, test } from 'vitest';
import type { CDPSession, Page } from 'playwright-core';
import { browser, engine, on } from './room.ts';
import { DESKTOP, PHONE, cell, visit, type Visit } from './chromium.ts';
import { contrast, type Rgb } from '../../src/board/heat.ts';
import { expectPainted } from './pixels.ts';

const EXPERT = '#/play?board=30x16x99&seed=3&first=8,15';

interface Alone {
  form?: 'rect' | 'torus' | 'hex';
  width: number;
  height: number;
  attributes?: Record<string, string>;
  maxHeight?: string;
  /** Style of the box around the element. */
  style: Record<string, string>;
}

/** Opens a page that shows nothing but a board, the first in the document, which notes its events. */
async function alone(options: typeof DESKTOP, { form = 'rect', width, height, attributes = {}, maxHeight = '', style }: Alone): Promise<Visit> {
  const seen = await visit(browser, engine.url, options);
  await seen.page.evaluate(({ form, width, height, attributes, maxHeight, style }) => {
    const box = document.createElement('div');
    const board = document.createElement('mine-board');
    const Shape = board.shape.constructor as new (form: string, width: number, height: number) => typeof board.shape;
    document.body.replaceChildren(box);
    Object.assign(box.style, style);
    for (const [name, value] of Object.entries(attributes)) board.setAttribute(name, value);
    board.style.maxHeight = maxHeight;
    box.append(board);
    board.setShape(new Shape(form, width, height));
    const told: string[] = [];
    for (const type of ['cellopen', 'cellflag', 'cellpaint', 'cellpaintend'] as const) {
      board.addEventListener(type, (event) => {
        const { cell, face } = (event as CustomEvent<{ cell: number; face?: number | null }>).detail;
        told.push(`${type} ${cell}${typeof face === 'number' ? ` ${face}` : ''}`);
      });
    }
    Object.assign(window, { told });
  }, { form, width, height, attributes, maxHeight, style });
  return seen;
}

const told = (page: Page) => page.evaluate(() => (window as unknown as { told: string[] }).told.splice(0));
const unit = (page: Page) => page.evaluate(() => document.querySelector('mine-board')!.unit);
const frames = (page: Page) => page.evaluate(async () => {
  for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame);
});

/** Where the middle of a cell is on the screen. */
function middle(page: Page, cell: number): Promise<{ x: number; y: number }> {
  return page.evaluate((cell) => {
    const board = document.querySelector('mine-board')!;
    const scroller = board.shadowRoot!.querySelector('.scroller')!;
    const box = scroller.getBoundingClientRect();
    const [x, y] = board.geometry.center(cell);
    return { x: box.x + x - scroller.scrollLeft, y: box.y + y - scroller.scrollTop };
  }, cell);
}

/** The color of a layer of the board at a point of a cell, from 0,0 to 1,1, with its opacity. */
function color(page: Page, layer: 0 | 1, cell: number, at: [number, number] = [0.5, 0.5]): Promise<{ rgb: Rgb; alpha: number }> {
  return page.evaluate(({ layer, cell, at }) => {
    const board = document.querySelector('mine-board')!;
    const canvas = board.shadowRoot!.querySelectorAll<HTMLCanvasElement>('.sheet canvas')[layer]!;
    const box = board.geometry.box(cell);
    const scale = canvas.width / board.shadowRoot!.querySelector('.scroller')!.clientWidth;
    const [r, g, b, alpha] = canvas.getContext('2d')!.getImageData(Math.floor((box.x + at[0] * box.width) * scale), Math.floor((box.y + at[1] * box.height) * scale), 1, 1).data;
    return { rgb: [r!, g!, b!] as const, alpha: alpha! };
  }, { layer, cell, at });
}

/** How many pixels of the overlay are painted. */
const overlaid = (page: Page) => page.evaluate(() => {
  const canvas = document.querySelector('mine-board')!.shadowRoot!.querySelectorAll<HTMLCanvasElement>('.sheet canvas')[1]!;
  return new Uint32Array(canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height).data.buffer).filter((pixel) => pixel !== 0).length;
});

interface Finger {
  x: number;
  y: number;
}

/** Moves fingers from their places by steps; `to` gives the places at a share of the way. */
async function gesture(session: CDPSession, to: (share: number) => Finger[], steps = 12): Promise<void> {
  const points = (share: number) => to(share).map((finger, id) => ({ ...finger, id }));
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: points(0) });
  for (let step = 1; step <= steps; step += 1) {
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: points(step / steps) });
    await new Promise((done) => setTimeout(done, 16));
  }
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}

test('an expert board stays painted when the odds come and go', async () => {
  await on(EXPERT, DESKTOP, async (page) => {
    await cell(page, 8, 15).click();
    await page.getByRole('gridcell', { name: /open/ }).first().waitFor();
    expect((await expectPainted(page)).cells).toBe(480);
    const odds = page.getByLabel('Odds: how likely each cell is a mine');
    await odds.check();
    await page.getByRole('gridcell', { name: /% mine/ }).first().waitFor();
    expect((await expectPainted(page)).cells).toBe(480);
    await odds.uncheck();
    await page.getByRole('gridcell', { name: /% mine/ }).first().waitFor({ state: 'detached' });
    expect((await expectPainted(page)).cells).toBe(480);
  });
});

test('a board follows the scale of its screen', async () => {
  const { page, close } = await alone(DESKTOP, { width: 30, height: 16, style: { width: '900px' } });
  const session = await page.context().newCDPSession(page);
  for (const deviceScaleFactor of [2, 1.25, 1]) {
    await session.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 800, deviceScaleFactor, mobile: false });
    await page.waitForFunction((scale) => devicePixelRatio === scale, deviceScaleFactor);
    // Browsers say so when a page is zoomed or moved to another screen; the emulation does not.
    await page.evaluate(() => window.dispatchEvent(new Event('resize')));
    await frames(page);
    await expectPainted(page);
    const pixels = await page.evaluate(() => document.querySelector('mine-board')!.shadowRoot!.querySelector<HTMLCanvasElement>('.sheet canvas')!.width);
    expect(pixels).toBe(Math.round((await unit(page)) * deviceScaleFactor) * 30);
  }
  await close();
});

test.each(['light', 'dark'] as const)('covered, open and proved cells differ clearly, %s', async (colorScheme) => {
  const { page, close } = await alone({ ...DESKTOP, colorScheme }, { width: 30, height: 16, style: { width: '620px' } });
  await page.evaluate(() => {
    const board = document.querySelector('mine-board')!;
    board.setZoom(20);
    board.setFaces(new Uint8Array(480).fill(9).fill(0, 0, 30));
    board.setHeatStyle('cividis', true);
    const heat = new Float64Array(480).fill(NaN);
    heat.set([0, 0.09, 0.08], 60);
    board.setHeat(heat);
  });
  await frames(page);
  const [open, covered, proved, nine] = await Promise.all([0, 30, 60, 61].map(async (cell) => (await color(page, 0, cell, [0.5, 0.2])).rgb));
  expect(contrast(open!, covered!)).toBeGreaterThanOrEqual(3);
  expect(contrast(proved!, nine!)).toBeGreaterThan(2.5);
  // Percents are written at the usual size of an expert board.
  const pictures = await page.evaluate(() => {
    const board = document.querySelector('mine-board')!;
    const canvas = board.shadowRoot!.querySelector<HTMLCanvasElement>('.sheet canvas')!;
    return [61, 62].map((cell) => {
      const { x, y, width, height } = board.geometry.box(cell);
      const { data } = canvas.getContext('2d')!.getImageData(x, y, width, height);
      // The height of the white digit.
      const rows = Array.from({ length: height }, (_, row) => Array.from({ length: width }, (_, column) => data[(row * width + column) * 4]! > 200).slice(3, -3).some(Boolean));
      return rows.slice(3, -3).filter(Boolean).length;
    });
  });
  for (const height of pictures) expect(height).toBeGreaterThanOrEqual(8);
  await close();
});

test('a finger that begins on the board scrolls the page', async () => {
  await on(EXPERT, PHONE, async (page) => {
    await cell(page, 8, 15).tap();
    await page.getByRole('gridcell', { name: /open/ }).first().waitFor();
    const session = await page.context().newCDPSession(page);
    const scrolled = () => page.evaluate(() => window.scrollY);
    for (let swipe = 0; swipe < 4; swipe += 1) {
      const box = (await page.locator('mine-board').boundingBox())!;
      const y = Math.max(120, Math.min(700, box.y + box.height * 0.7));
      await gesture(session, (share) => [{ x: 190, y: y - 240 * share }]);
      await page.waitForTimeout(400);
      if ((await scrolled()) > 100) break;
    }
    expect(await scrolled()).toBeGreaterThan(100);
  });
});

test('two fingers zoom, a tap opens and leaves no ring', async () => {
  const { page, close } = await alone(PHONE, { width: 30, height: 16, style: { width: '370px', height: '2000px' }, maxHeight: '500px' });
  const session = await page.context().newCDPSession(page);
  const before = await unit(page);
  await gesture(session, (share) => [{ x: 180 - 20 - 60 * share, y: 250 }, { x: 180 + 20 + 60 * share, y: 250 }]);
  expect(await unit(page)).toBeGreaterThan(before * 1.2);
  expect(await told(page)).toEqual([]);
  await expectPainted(page);

  await page.evaluate(() => {
    const board = document.querySelector('mine-board')!;
    board.setZoom(34);
    board.center(33);
  });
  await frames(page);
  const { x, y } = await middle(page, 33);
  await page.touchscreen.tap(x, y);
  await frames(page);
  expect(await told(page)).toEqual(['cellopen 33']);
  expect(await overlaid(page)).toBe(0);
  await close();
});

test('with a brush one finger paints and two scroll', async () => {
  const { page, close } = await alone(PHONE, { width: 30, height: 16, style: { width: '370px', height: '2000px' }, attributes: { mode: 'edit', paints: '' }, maxHeight: '500px' });
  const session = await page.context().newCDPSession(page);
  const [from, to] = [await middle(page, 30), await middle(page, 33)];
  await gesture(session, (share) => [{ x: from.x + (to.x - from.x) * share, y: from.y }]);
  expect(await told(page)).toEqual(['cellpaint 30', 'cellpaint 31', 'cellpaint 32', 'cellpaint 33', 'cellpaintend 33']);
  await gesture(session, (share) => [{ x: 220 - 100 * share, y: 300 - 60 * share }, { x: 300 - 100 * share, y: 300 - 60 * share }]);
  expect(await told(page)).toEqual([]);
  const scroll = await page.evaluate(() => document.querySelector('mine-board')!.shadowRoot!.querySelector('.scroller')!.scrollLeft);
  expect(scroll).toBeGreaterThan(60);
  await close();
});

test('what is typed or turned over a cell goes into it', async () => {
  const { page, close } = await alone(DESKTOP, { width: 9, height: 9, style: { width: '400px' }, attributes: { mode: 'edit' } });
  const [first, second] = [await middle(page, 12), await middle(page, 40)];
  await page.mouse.move(first.x, first.y);
  await page.keyboard.press('3');
  expect(await told(page)).toEqual(['cellpaint 12 3', 'cellpaintend 12']);
  await page.mouse.click(first.x, first.y);
  await told(page);
  await page.mouse.move(second.x, second.y);
  await page.keyboard.press('#');
  expect(await told(page)).toEqual(['cellpaint 40 9', 'cellpaintend 40']);

  // A covered cell lets the wheel scroll the page; an open number is turned.
  await page.mouse.wheel(0, -100);
  await page.waitForTimeout(400);
  expect(await told(page)).toEqual([]);
  await page.evaluate(() => document.querySelector('mine-board')!.setFaces(new Uint8Array(81).fill(9).fill(2, 40, 41)));
  await page.mouse.wheel(0, -100);
  await page.mouse.wheel(0, 100);
  await page.waitForTimeout(100);
  expect(await told(page)).toEqual(['cellpaint 40 3', 'cellpaintend 40', 'cellpaint 40 1', 'cellpaintend 40']);
  await page.mouse.move(first.x, first.y);
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, -100);
  await page.keyboard.up('Shift');
  await page.waitForTimeout(100);
  expect(await told(page)).toEqual(['cellpaint 12 0', 'cellpaintend 12']);
  await close();
});

test('the ring of the focus has the form of the cell', async () => {
  const { page, close } = await alone(DESKTOP, { form: 'hex', width: 9, height: 9, style: { width: '500px' } });
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  await frames(page);
  expect(await overlaid(page)).toBeGreaterThan(0);
  expect((await color(page, 1, 10, [0.5, 0.02])).alpha).toBeGreaterThan(0);
  expect((await color(page, 1, 10, [0.08, 0.05])).alpha).toBe(0);
  const { x, y } = await middle(page, 40);
  await page.mouse.click(x, y);
  await page.mouse.move(900, 700);
  await frames(page);
  expect(await overlaid(page)).toBe(0);
  await close();
});

test('a board of 100x100 fits when asked to, and has a map otherwise', async () => {
  const { page, close } = await alone(DESKTOP, { width: 100, height: 100, style: { width: '840px' }, maxHeight: '470px' });
  const look = () => page.evaluate(() => {
    const board = document.querySelector('mine-board')!;
    const { scrollLeft, scrollTop, scrollWidth, clientWidth, scrollHeight, clientHeight } = board.shadowRoot!.querySelector('.scroller')!;
    return { scrollLeft, scrollTop, whole: scrollWidth <= clientWidth && scrollHeight <= clientHeight, map: !board.shadowRoot!.querySelector<HTMLElement>('.map')!.hidden, height: board.offsetHeight };
  });
  await frames(page);
  expect(await look()).toMatchObject({ whole: false, map: true });
  expect((await look()).height).toBeLessThanOrEqual(470);
  const map = (await page.locator('mine-board .map').boundingBox())!;
  await page.mouse.click(map.x + map.width - 3, map.y + map.height / 2);
  await frames(page);
  const { scrollLeft, scrollTop } = await look();
  expect(scrollLeft).toBeGreaterThan(1000);
  expect(scrollTop).toBeGreaterThan(500);
  await expectPainted(page);
  await page.evaluate(() => document.querySelector('mine-board')!.fit());
  await frames(page);
  expect(await look()).toMatchObject({ whole: true, map: false });
  expect((await expectPainted(page)).cells).toBe(10_000);
  await close();
});

test('a board fills its pane', async () => {
  // Four panes of an expert board: 1920x1080 and 1280x800, less what stands around the boards.
  for (const [width, height, least] of [[900, 340, 20], [600, 270, 16]] as const) {
    const { page, close } = await alone(DESKTOP, { width: 30, height: 16, style: { width: `${width}px`, height: `${height}px` }, attributes: { fill: '', most: '36' } });
    await frames(page);
    expect(await unit(page)).toBe(Math.min(36, Math.floor(width / 30), Math.floor(height / 16)));
    expect(await unit(page)).toBeGreaterThanOrEqual(least);
    expect((await expectPainted(page)).cells).toBe(480);
    expect(await page.evaluate(() => document.querySelector('mine-board')!.offsetHeight)).toBe(height);
    await close();
  }
});
