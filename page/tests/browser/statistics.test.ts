//! Statistics of finished games, in Chromium: kept across reloads, exported, imported, deleted.

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Exported } from '../../src/rooms/play/statistics/transfer.ts';
import { DESKTOP, OUT, PHONE, cell } from './chromium.ts';
import { aMine, playOut } from './game.ts';
import { on, scan, shot } from './room.ts';
import { expectLargeTargets } from './touch.ts';

/** ZiNi and 3BV of the known board. */
const ZINI = 9;
const THREE_BV = '9';

/** Deals the known board anew, as a new attempt. */
async function deal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New board' }).click();
  await page.evaluate(() => (location.hash = '#/play?seed=3'));
  await page.waitForFunction(() => location.hash.includes('board='));
}

async function win(page: Page): Promise<void> {
  await deal(page);
  await cell(page, 4, 4).click();
  await playOut(page, (row, column) => cell(page, row, column).click());
  await page.getByRole('heading', { name: 'Won' }).waitFor();
}

async function lose(page: Page): Promise<void> {
  await deal(page);
  await cell(page, 4, 4).click();
  await cell(page, ...aMine).click();
  await page.getByRole('heading', { name: 'Lost' }).waitFor();
}

const figure = (page: Page, name: string) => page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd').first().innerText();
const history = (page: Page) => page.getByRole('table', { name: 'Games, newest first' }).locator('tbody tr');

async function openStatistics(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Statistics' }).click();
  await page.getByRole('heading', { name: 'Your data' }).waitFor();
}

/** Games as an export holds them, `days` ago. */
function exported(number: number): Exported[] {
  return Array.from({ length: number }, (_, i) => {
    const finished = new Date(Date.UTC(2026, 0, 1) + i * 3_600_000).toISOString();
    const outcome = i % 3 === 0 ? 'lost' : 'won';
    return {
      id: `${finished}-t`, finished, rules: { board: i % 4 === 0 ? '9x9x10' : '30x16x99', shape: 'rect', start: 'open', cascade: 'on', clues: 'exact' }, wishes: { noGuess: i % 8 === 1, difficulty: '' },
      outcome, millis: 90_000 + ((i * 7919) % 60_000), threeBv: 150, solved: outcome === 'won' ? 150 : 60, clicks: 200, undone: i % 9 === 0 ? 1 : 0, hints: 0, odds: false, replayed: false, zini: 110,
    };
  });
}

const file = (games: unknown) => ({ name: 'statistics.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify({ schema_version: 1, kind: 'statistics', exported: '2026-02-01T00:00:00Z', games })) });

/** Imports a file, and waits for what the page says of it. */
async function importGames(page: Page, content: ReturnType<typeof file>, answer: string): Promise<void> {
  await page.getByLabel('Statistics file').setInputFiles(content);
  await page.getByLabel('Your data').getByRole('status').getByText(answer).waitFor();
}

describe('Statistics', () => {
  test('finished games are counted, reloaded, reviewed, exported, deleted and imported', { timeout: 120_000 }, async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await win(page);
      await page.getByText('Best time', { exact: true }).waitFor();
      await page.getByText('ZiNi', { exact: true }).waitFor();
      await expect.poll(() => figure(page, 'ZiNi')).toBe(String(ZINI));
      expect(await figure(page, '3BV')).toBe(THREE_BV);
      await lose(page);
      // A loss stays a loss; what follows is practice.
      await page.getByRole('button', { name: 'Undo and keep playing' }).click();
      await playOut(page, (row, column) => cell(page, row, column).click());
      await page.getByRole('heading', { name: 'Won' }).waitFor();
      await expect.poll(() => page.getByText('Best time', { exact: true }).count(), { timeout: 5000 }).toBe(0);
      await win(page);
      await win(page);
      await openStatistics(page);
      const check = async () => {
        await page.getByRole('heading', { name: 'Beginner' }).waitFor();
        expect(await figure(page, 'Games')).toBe('4');
        expect(await figure(page, 'Won')).toBe('3 (75\u202f%)');
        expect(await figure(page, 'Streak now')).toBe('2');
        expect(await figure(page, 'Best streak')).toBe('2');
        expect(await figure(page, 'With help')).toBe('1 (1 won)');
        await expect.poll(() => history(page).count(), { timeout: 5000 }).toBe(5);
        const times = await history(page).locator('td:nth-child(3)').allInnerTexts();
        const unaided = [times[0]!, times[1]!, times[4]!].map(Number);
        expect(await figure(page, 'Best time')).toBe(`${Math.min(...unaided).toFixed(2)} s`);
      };
      await check();
      await page.reload();
      await check();
      await shot(page, 'statistics-desktop');
      await scan(page);

      await history(page).nth(3).getByRole('button', { name: 'Review' }).click();
      await page.waitForURL(/#\/review\?/);
      await page.goBack();

      const saved = async (name: string) => {
        const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
        return { name: download.suggestedFilename(), text: readFileSync(await download.path(), 'utf8') };
      };
      const json = await saved('Export JSON');
      const games = (JSON.parse(json.text) as { games: Exported[] }).games;
      expect(json.name).toMatch(/^deminer-statistics-[\d-]+\.json$/);
      expect(games.map(({ outcome, undone, zini }) => [outcome, undone, zini])).toEqual([['won', 0, ZINI], ['lost', 0, ZINI], ['won', 1, ZINI], ['won', 0, ZINI], ['won', 0, ZINI]]);
      expect(games.every(({ record }) => record)).toBe(true);
      expect((await saved('Export CSV')).text.trim().split('\n')).toHaveLength(6);

      await history(page).first().getByRole('button', { name: 'Delete this game' }).click();
      await history(page).first().getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByText('4 games', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Delete all' }).click();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => history(page).count(), { timeout: 5000 }).toBe(4);
      await page.getByRole('button', { name: 'Delete all' }).click();
      await page.getByRole('button', { name: 'Delete 4 games' }).click();
      await page.getByText('No games yet.').waitFor();

      await importGames(page, file(games), '5 games imported.');
      await check();
      await importGames(page, file(games), '0 games imported. 5 games were already here.');
      await importGames(page, { ...file([]), buffer: Buffer.from('\u0001\u0002') }, 'not JSON');
      await importGames(page, file([{ ...games[0], millis: 'fast' }]), 'Game 1 of this file: `millis`');
      await check();
      await history(page).nth(4).getByRole('button', { name: 'Review' }).click();
      await page.waitForURL(/#\/review\?/);
    });
  });

  test('games kept without their ZiNi get it later', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await win(page);
      await expect.poll(() => figure(page, 'ZiNi')).toBe(String(ZINI));
      // As versions kept it that could not reach an engine.
      await page.evaluate(() => new Promise<void>((resolve) => {
        const request = indexedDB.open('deminer-statistics', 1);
        request.onsuccess = () => {
          const change = () => {
            const games = request.result.transaction('games', 'readwrite').objectStore('games');
            games.getAll().onsuccess = (event) => {
              const [kept] = (event.target as IDBRequest<{ zini?: number }[]>).result;
              // A game is on the page before it is kept.
              if (kept?.zini === undefined) return void setTimeout(change, 50);
              const { zini: _, ...game } = kept;
              games.put(game).onsuccess = () => resolve();
            };
          };
          change();
        };
      }));
      await openStatistics(page);
      await expect.poll(() => history(page).first().locator('td').nth(7).textContent()).toBe(String(ZINI));
    });
  });

  test('thousands of games are shown at once, on a desktop and on a phone, light and dark', async () => {
    const games = exported(4000);
    for (const [name, options] of [['desktop-dark', { ...DESKTOP, colorScheme: 'dark' as const }], ['phone', PHONE]] as const) {
      await on('#/play/statistics', options, async (page) => {
        await importGames(page, file(games), '4,000 games imported.');
        await page.getByRole('button', { name: 'Expert', exact: true }).click();
        const counted = games.filter(({ rules, wishes, undone }) => rules.board === '30x16x99' && !wishes.noGuess && undone === 0);
        const won = counted.filter(({ outcome }) => outcome === 'won');
        expect(await figure(page, 'Games')).toBe(String(counted.length));
        expect(await figure(page, 'Best time')).toBe(`${(Math.min(...won.map(({ millis }) => millis)) / 1000).toFixed(2)} s`);
        await expect.poll(() => history(page).count(), { timeout: 5000 }).toBe(25);
        await page.getByRole('img', { name: /^Times of the last 60 wins/ }).waitFor();
        await page.evaluate(() => scrollTo(0, 0));
        await page.screenshot({ path: `${OUT}statistics-${name}.png`, fullPage: true });
        await page.getByRole('button', { name: 'Win rate' }).click();
        await page.getByRole('img', { name: /^Share won/ }).waitFor();
        await page.getByRole('button', { name: 'Show more' }).click();
        await expect.poll(() => history(page).count(), { timeout: 5000 }).toBe(50);
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
        if (options === PHONE) await expectLargeTargets(page);
        await scan(page);
        await page.getByRole('link', { name: 'Back to the game' }).click();
        await cell(page, 0, 0).waitFor();
      });
    }
  });
});
