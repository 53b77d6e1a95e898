//! Review, in Chromium, with an expert game.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { PLAIN } from '../../src/game/rules.ts';
import { EXAMPLE } from '../../src/rooms/review/example.ts';
import { reviewAddress } from '../../src/state/games.ts';
import { TestGame } from '../core.ts';
import { DESKTOP, OUT, PHONE, label } from './chromium.ts';
import { engine, on, scan, shot } from './room.ts';
import { dropFile, pasteText } from './files.ts';
import { expectPainted } from './pixels.ts';

/** An expert game of 159 moves and 68.8 seconds, with a pause of six seconds, written by deminer. */
const REPLAY = readFileSync(fileURLToPath(new URL('../fixtures/expert.rawvf', import.meta.url)));
const WIDE = { viewport: { width: 1920, height: 1080 } };

const at = (page: Page, move: number) => page.getByText(`${move}/159`).waitFor();

describe('Review', () => {
  test('a replay dropped in any room opens here', async () => {
    for (const room of ['#/play', '#/analyze', '#/review', '#/watch?agents=single-point&board=9x9x10&seed=3', '#/lab', '#/nowhere']) {
      await on(room, DESKTOP, async (page) => {
        await page.getByRole('main').waitFor();
        await dropFile(page, 'expert.rawvf', REPLAY);
        await at(page, 159);
        expect(page.url(), room).toContain('#/review?game=');
      });
    }
  });

  test('moves are stepped, scrubbed and chosen; the coach says what each was worth', async () => {
    await on('#/review', DESKTOP, async (page) => {
      await page.getByText('Review a game').waitFor();
      await shot(page, 'review-start-desktop');
      await scan(page);
      await page.locator('.hero input[type=file]').setInputFiles({ name: 'expert.rawvf', mimeType: '', buffer: REPLAY });
      await at(page, 159);
      // The last move hit a certain mine; the board shows what was known before it.
      await page.getByText(/was certainly a mine/).first().waitFor();
      expect(await label(page, 15, 2)).toContain('covered');
      expect(await label(page, 15, 2)).toContain('the move made');
      await expect.poll(() => label(page, 15, 2)).toContain('proved mine');
      await expectPainted(page);
      await shot(page, 'review-desktop');
      await scan(page);
      await page.getByRole('button', { name: /^After/ }).click();
      expect(await label(page, 15, 2)).toContain('mine');
      await expectPainted(page);
      await page.keyboard.press('b');
      // By button, key, scrubber, list and chart.
      await page.getByRole('button', { name: 'Previous move' }).click();
      await at(page, 158);
      await page.keyboard.press('ArrowLeft');
      await at(page, 157);
      await page.keyboard.press('Home');
      await at(page, 0);
      await page.getByText('All cells are covered.').waitFor();
      await page.getByRole('slider', { name: 'Move' }).fill('80');
      await at(page, 80);
      await expectPainted(page);
      await page.getByRole('region', { name: 'Moves' }).getByRole('button', { name: /^154/ }).click();
      await at(page, 154);
      await page.getByRole('region', { name: 'Move', exact: true }).getByText('blunder').waitFor();
      const chart = page.getByRole('img', { name: /^Risk of each of 159 moves/ });
      const box = (await chart.boundingBox())!;
      await page.mouse.click(box.x + 44, box.y + 40);
      await at(page, 1);
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await expect.poll(() => page.getByRole('region', { name: 'Moves' }).getByRole('listitem').count(), { timeout: 5000 }).toBe(159);
      await expectPainted(page);
      // A person gives no reasons, so none are missed.
      expect(await page.locator('.badge').allTextContents()).not.toContain('nothing');
      expect(await page.getByRole('main').textContent()).not.toMatch(/no reason given/i);
    });
  });

  test('plays at the recorded speed, with pauses shortened', async () => {
    await on('#/review', DESKTOP, async (page) => {
      await dropFile(page, 'expert.rawvf', REPLAY);
      await at(page, 159);
      await page.getByText('1:08.8 of 1:08.8').waitFor();
      const move = async () => Number((await page.locator('.count').textContent())!.split('/')[0]);
      await page.getByRole('slider', { name: 'Move' }).fill('19');
      const started = Date.now();
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await expect.poll(move, { timeout: 9000 }).toBeGreaterThanOrEqual(21);
      // Half a second, six seconds that take two, half a second.
      expect((Date.now() - started) / 1000).toBeGreaterThan(2);
      expect((Date.now() - started) / 1000).toBeLessThan(5.5);
      await page.getByLabel('Speed').selectOption('8x');
      const before = await move();
      await page.waitForTimeout(1500);
      expect(await move() - before).toBeGreaterThan(12);
      await page.getByRole('button', { name: 'Pause' }).click();
      const paused = await move();
      await page.waitForTimeout(300);
      expect(await move()).toBe(paused);
      expect(page.url()).toContain(`move=${paused}`);
      await expectPainted(page);
      // To the end, where it stops by itself.
      await page.getByRole('slider', { name: 'Move' }).fill('150');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await at(page, 159);
      await page.getByRole('button', { name: 'Play', exact: true }).waitFor();
    });
  });

  test('the address holds the game and the move, through reloads and other rooms', async () => {
    await on('#/play', DESKTOP, async (page) => {
      await dropFile(page, 'expert.rawvf', REPLAY);
      await at(page, 159);
      await page.getByRole('slider', { name: 'Move' }).fill('80');
      await at(page, 80);
      const address = page.url();
      expect(address).toContain('move=80');
      expect(address.length).toBeLessThan(8000);
      await page.reload();
      await at(page, 80);
      await page.getByRole('link', { name: 'Analyze this position' }).click();
      await page.getByRole('heading', { name: 'Best move' }).waitFor();
      await page.goBack();
      await at(page, 80);
      expect(page.url()).toBe(address);
      await page.goForward();
      await page.getByRole('heading', { name: 'Best move' }).waitFor();
      await page.getByRole('link', { name: 'Review', exact: true }).click();
      await at(page, 80);
      // A broken link says so.
      await page.goto(`${engine.url}#/review?game=${EXAMPLE.slice(0, 300)}`);
      await page.getByText('The link holds no game that can be read.').waitFor();
      await page.goto(`${engine.url}#/review`);
      await page.getByRole('button', { name: /Expert fixture/ }).first().click();
      await at(page, 159);
    });
  });

  test('the way of the mouse is drawn', async () => {
    await on('#/review', DESKTOP, async (page) => {
      // A mouse that moves to each cell before it clicks.
      const traced = REPLAY.toString().replace('Program: deminer', 'Program: Arbiter 0.52').replace(/^(\S+) lc (.*)$/gm, '$1 mv $2\n$1 lc $2');
      await dropFile(page, 'expert.rawvf', Buffer.from(traced));
      await at(page, 159);
      await page.getByText('Played with Arbiter 0.52.').waitFor();
      await page.getByRole('slider', { name: 'Move' }).fill('21');
      const picture = () => page.evaluate(() => document.querySelector('mine-board')!.shadowRoot!.querySelectorAll<HTMLCanvasElement>('.sheet canvas')[1]!.toDataURL());
      await page.waitForTimeout(500);
      await expectPainted(page);
      await shot(page, 'review-mouse-desktop');
      const drawn = await picture();
      await page.getByText('Mouse', { exact: true }).click();
      await page.waitForTimeout(100);
      expect(await picture()).not.toBe(drawn);
      // The trace is found again after a reload, since the browser keeps it.
      await page.reload();
      await page.getByText('Played with Arbiter 0.52.').waitFor();
    });
  });

  test('exports a record, a replay, a picture and a link', async () => {
    await on(`#/review?game=${EXAMPLE}&move=40`, DESKTOP, async (page) => {
      await at(page, 40);
      for (const [name, begins] of [['Record', '{"schema_version":1'], ['RawVF', 'RawVF_Version']] as const) {
        const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name, exact: true }).click()]);
        const bytes = readFileSync(await file.path());
        expect(bytes.subarray(0, begins.length).toString('latin1')).toBe(begins);
      }
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.getByText('It holds the whole game.').waitFor();
      const link = await page.evaluate(() => navigator.clipboard.readText());
      await page.goto('about:blank');
      await page.goto(link);
      await at(page, 40);
      await page.goto(`${engine.url}#/play`);
      await pasteText(page, link);
      await at(page, 40);
    });
    // The film of a large board takes long, so that of a small one is made.
    const game = new TestGame(PLAIN);
    game.act('open', 40);
    await on(await reviewAddress(game.record), DESKTOP, async (page) => {
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'GIF', exact: true }).click()]);
      expect(readFileSync(await file.path()).subarray(0, 6).toString()).toBe('GIF89a');
    });
  });

  test('a kept game is reviewed, also through its old link', async () => {
    await on(`#/review?game=${EXAMPLE}`, DESKTOP, async (page) => {
      await at(page, 159);
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Record', exact: true }).click()]);
      const answer = await page.request.post(`${engine.url}api/v1/records`, { headers: { 'content-type': 'application/json', origin: new URL(engine.url).origin }, data: readFileSync(await file.path()) });
      const { id } = (await answer.json()) as { id: string };
      await page.goto(`${engine.url}#/review?record=${id}&move=30`);
      await at(page, 30);
      await page.goto(`${engine.url}#/review`);
      await page.getByRole('region', { name: 'Kept games' }).getByRole('link', { name: /single-point/ }).click();
      await at(page, 159);
      await page.goto(`${engine.url}#/watch?record=${id}`);
      await page.getByRole('grid').first().waitFor();
    });
  });

  test('help that was taken is shown', async () => {
    await on('#/review', DESKTOP, async (page) => {
      await page.getByRole('link', { name: 'Example game' }).click();
      await at(page, 159);
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Record', exact: true }).click()]);
      const record = JSON.parse(readFileSync(await file.path(), 'utf8')) as Record<string, unknown> & { moves: unknown[] };
      const help = { undone: [{ at: 5, move: { by: 'agent', action: 'open', cell: [0, 3], why: { kind: 'nothing' } } }], hints: [{ at: 9, level: 3 }], odds: true };
      const address = await page.evaluate(async (text) => {
        const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
        const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
        return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
      }, JSON.stringify({ ...record, help }));
      await page.goto(`${engine.url}#/review?game=${address}`);
      await page.getByText('practice', { exact: true }).waitFor();
      await page.getByText('1 hint used. The odds were shown.').waitFor();
      const moves = page.getByRole('region', { name: 'Moves' });
      await moves.getByText('undone').waitFor();
      await moves.getByText('hint used').waitFor();
      await moves.getByRole('button', { name: /row 0, column 3/ }).click();
      await at(page, 5);
    });
  });

  test('what cannot be opened says why', async () => {
    await on('#/play', DESKTOP, async (page) => {
      await dropFile(page, 'notes.bin', Buffer.from([1, 2, 3, 250, 251, 0, 7]));
      const alert = page.getByRole('alert');
      await alert.getByText('notes.bin could not be opened').waitFor();
      await shot(page, 'open-refused-desktop');
      await scan(page);
      await dropFile(page, 'huge.avf', Buffer.alloc((4 << 20) + 1));
      await alert.getByText('huge.avf is too large: it has 4.0 MiB. Files up to 4 MiB can be opened.').waitFor();
      await dropFile(page, 'empty.rmv', Buffer.alloc(0));
      await alert.getByText('empty.rmv is empty.').waitFor();
      await alert.getByRole('button', { name: 'Close' }).click();
      await expect.poll(() => alert.count(), { timeout: 5000 }).toBe(0);
      // More than 48 kB, as most replays of expert games have.
      const text = REPLAY.toString();
      const moved = text.replace(/^68\.800 lc/m, `${Array.from({ length: 3000 }, (_, i) => `68.500 mv 3 16 (${i % 480} 248)`).join('\n')}\n68.800 lc`);
      expect(moved.length).toBeGreaterThan(80_000);
      await dropFile(page, 'long.rawvf', Buffer.from(moved));
      await at(page, 159);
    }, /422/);
  });

  test('positions go to the Analyze room', async () => {
    await on('#/lab', DESKTOP, async (page) => {
      await page.getByRole('main').waitFor();
      await pasteText(page, 'mines 3\n# # # #\n# 1 2 #\n# # # #');
      await page.getByRole('heading', { name: 'Best move' }).waitFor();
      expect(page.url()).toContain('rows=D-A12A-D');
      await page.goto(`${engine.url}#/play`);
      await pasteText(page, '# # # #\n# 1 2 #\n# # # #');
      await page.waitForURL(/analyze/);
    });
  });

  test('on a phone', async () => {
    await on(`#/review?game=${EXAMPLE}`, PHONE, async (page) => {
      await at(page, 159);
      await page.getByText(/was certainly a mine/).first().waitFor();
      await page.waitForTimeout(400);
      await expectPainted(page);
      await shot(page, 'review-phone');
      await scan(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      // Board, playback and the coach's sentence come first; nothing lies under the bar of the rooms.
      const small = await page.evaluate(() => [...document.querySelectorAll<HTMLElement>('main button, main select, main a, nav a, header button')]
        .filter((one) => one.offsetParent !== null && one.getBoundingClientRect().height < 44).map((one) => one.textContent));
      expect(small).toEqual([]);
      await page.getByRole('button', { name: 'Previous move' }).tap();
      await at(page, 158);
      await page.getByRole('region', { name: 'Moves' }).getByRole('button', { name: /^3 / }).tap();
      await at(page, 3);
      // Answers that come in may still make the page longer.
      await expect.poll(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        const last = (await page.getByRole('button', { name: 'GIF' }).boundingBox())!;
        const bar = (await page.getByRole('navigation', { name: 'Rooms' }).boundingBox())!;
        return bar.y - last.y - last.height;
      }).toBeGreaterThanOrEqual(0);
      await page.screenshot({ path: `${OUT}review-phone-full.png`, fullPage: true });
    });
  });

  test('on a large screen, light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await on(`#/review?game=${EXAMPLE}&move=154`, { ...WIDE, colorScheme }, async (page) => {
        await page.getByRole('region', { name: 'Move', exact: true }).getByText(/26\.1/).first().waitFor();
        await page.waitForTimeout(400);
        await expectPainted(page);
        await shot(page, `review-wide-${colorScheme}`);
        await scan(page);
      });
    }
  });
});
