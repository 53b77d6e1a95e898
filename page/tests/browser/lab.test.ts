//! Lab, in Chromium.

import { describe, expect, test } from 'vitest';
import { REAL } from '../engine.ts';
import { DESKTOP, OUT, PHONE, cell } from './chromium.ts';
import { engine, on, scan, shot } from './room.ts';

describe('Lab', () => {
  test('the leaderboard is filtered', async () => {
    await on('#/lab', DESKTOP, async (page) => {
      await page.getByRole('link', { name: 'cs520x' }).waitFor();
      await shot(page, 'lab-leaderboard-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'beginner' }).click();
      await page.getByLabel('Kind of agent').selectOption('baseline');
      expect(await page.getByRole('row').count()).toBe(3);
    });
    await on('#/lab', PHONE, async (page) => {
      await page.getByRole('link', { name: 'cs520x' }).waitFor();
      await shot(page, 'lab-phone');
      await scan(page);
    });
  });

  test('papers stand beside ours', async () => {
    await on('#/lab/papers', DESKTOP, async (page) => {
      await page.getByRole('link', { name: 'Linear equations and a local guess' }).click();
      await page.getByRole('columnheader', { name: 'Verdict' }).waitFor();
      await page.waitForTimeout(200);
      await page.screenshot({ path: `${OUT}lab-paper-desktop.png`, fullPage: true });
      await scan(page);
    });
  });

  test('a tournament is started, seen live, and found again after a reload', async () => {
    await on('#/lab/runs', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'pseq' }).click();
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByText('of 1,000').waitFor();
      await page.waitForTimeout(400);
      await shot(page, 'lab-run-desktop');
      await page.reload();
      await page.getByText('finished').first().waitFor();
      await scan(page);
    });
  });

  test('a training draws its curve and outlives a reload and a kill of the server', async () => {
    await on('#/lab/runs', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'Training' }).click();
      await page.getByLabel('Learner').selectOption('gp');
      await page.getByLabel('iterations').fill('100000');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      const chart = page.getByRole('img', { name: /^Fitness goes from/ });
      await chart.waitFor();
      await page.waitForTimeout(600);
      await shot(page, 'lab-train-desktop');
      await scan(page);
      const done = async () => Number((await page.getByText(/^[\d,]+ of 100,000/).textContent())!.split(' ')[0]!.replaceAll(',', ''));
      const before = await done();
      expect(before).toBeGreaterThan(0);
      await page.reload();
      await chart.waitFor();
      await engine.restart();
      await page.reload();
      await chart.waitFor();
      await page.getByText('running').first().waitFor();
      await expect.poll(done, { timeout: 20_000 }).toBeGreaterThan(before);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('stopped').first().waitFor();
      await page.getByRole('button', { name: 'Remove' }).click();
      // Its own page closes, and then its line leaves the list.
      await page.getByRole('heading', { name: 'Training gp' }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: /Training gp/ }).waitFor({ state: 'detached' });
    }, /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/);
  });

  test('a tree is unfolded and walked', async () => {
    await on('#/lab/artifacts', DESKTOP, async (page) => {
      await page.getByRole('link', { name: /lowest-risk-depth-8/ }).click();
      await page.getByText(/after \d questions/).waitFor();
      await page.screenshot({ path: `${OUT}lab-tree-desktop.png`, fullPage: true });
      await scan(page);
      const before = await page.getByText(/after \d questions/).textContent();
      await page.getByRole('button', { name: 'Number 2' }).click();
      for (const [row, column] of [[2, 1], [2, 3], [1, 2], [3, 2]] as const) await cell(page, row, column).click();
      expect(await page.getByText(/after \d questions/).textContent()).not.toBe(before);
    });
  });

  test.runIf(REAL)('a program is unfolded, and rules are shown on boards', async () => {
    await on('#/lab/artifacts/fields.genome', DESKTOP, async (page) => {
      await page.getByRole('heading', { name: 'Where it looks' }).waitFor();
      await page.getByRole('button', { name: 'numCheck' }).first().click();
      await shot(page, 'lab-genome-desktop');
      await scan(page);
      await page.getByRole('link', { name: 'Watch it play' }).click();
      await page.getByRole('article', { name: 'gp:fields plays' }).waitFor();
    });
    await on('#/lab/artifacts/paper.pl', DESKTOP, async (page) => {
      await page.getByRole('grid', { name: /rule S-1 applies/ }).waitFor();
      await page.waitForTimeout(200);
      await shot(page, 'lab-theory-desktop');
      await scan(page);
      await page.getByRole('link', { name: 'Analyze it' }).first().click();
      await page.getByRole('heading', { name: 'Best move' }).waitFor();
    });
  });
});
