//! Lab, in Chromium.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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
      await expect.poll(() => page.getByRole('row').count(), { timeout: 5000 }).toBe(3);
    });
    await on('#/lab', { ...DESKTOP, colorScheme: 'dark' }, async (page) => {
      await page.getByRole('link', { name: 'cs520x' }).waitFor();
      await shot(page, 'lab-leaderboard-dark');
      await scan(page);
    });
    await on('#/lab', PHONE, async (page) => {
      await page.getByRole('link', { name: 'cs520x' }).waitFor();
      await shot(page, 'lab-phone');
      await scan(page);
    });
  });

  test('the leaderboard sorts by column, shows intervals as numbers and downloads', async () => {
    await on('#/lab', DESKTOP, async (page) => {
      const table = page.getByRole('table', { name: /^Leaderboard/ });
      await table.waitFor();
      const won = page.getByRole('columnheader', { name: 'Won' });
      expect(await won.getAttribute('aria-sort')).toBe('descending');
      const column = async (index: number) => table.locator('tbody tr').evaluateAll((rows, at) => rows.map((row) => Number.parseFloat(row.children[at]!.textContent!)), index);
      const falling = await column(2);
      expect(falling).toEqual([...falling].sort((a, b) => b - a));
      await won.getByRole('button').click();
      expect(await won.getAttribute('aria-sort')).toBe('ascending');
      const rising = await column(2);
      expect(rising).toEqual([...rising].sort((a, b) => a - b));
      expect(await table.locator('tbody tr').first().locator('td').nth(3).textContent()).toMatch(/^[\d.]+–[\d.]+\s%$/);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: /as CSV$/ }).click();
      const path = await (await download).path();
      const [head, first] = readFileSync(path, 'utf8').split('\r\n');
      expect(head).toContain('agent,won,low,high,guesses_per_game');
      expect(first!.split(',').length).toBe(head!.split(',').length);
    });
  });

  test('agents without a number are named with the reason', async () => {
    await on('#/lab', DESKTOP, async (page) => {
      await page.getByText(/agents have no number here/).click();
      await page.getByText(/it does not play boards of more than/).waitFor();
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

  test('charts follow the theme and can be read on a phone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await on('#/lab/papers/best', { ...PHONE, colorScheme }, async (page) => {
        const chart = page.getByRole('img', { name: /The strongest player/ });
        await chart.locator('svg text').first().waitFor();
        const { ground, surface, height } = await chart.evaluate((picture) => ({
          ground: getComputedStyle(picture.querySelector('rect')!).fill,
          surface: getComputedStyle(picture.closest('.card')!).backgroundColor,
          height: Math.min(...[...picture.querySelectorAll('text')].filter((text) => /\S/.test(text.textContent ?? '')).map((text) => Math.min(text.getBoundingClientRect().height, text.getBoundingClientRect().width))),
        }));
        expect(ground).toBe(surface);
        expect(height).toBeGreaterThan(9);
        await page.getByText('Scroll sideways to see the whole chart.').waitFor();
        await shot(page, `lab-paper-phone-${colorScheme}`);
        await scan(page);
      });
    }
  });

  test('the server says at its field what is wrong, before a training starts', async () => {
    await on('#/lab/runs', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'Training' }).click();
      await page.getByRole('textbox', { name: /^board/ }).fill('banana');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      const fault = page.getByRole('alert').filter({ hasText: 'banana' });
      await fault.waitFor();
      const [above, below] = [await page.getByRole('textbox', { name: /^board/ }).boundingBox(), await fault.boundingBox()];
      expect(Math.abs(above!.x - below!.x)).toBeLessThan(8);
      expect(below!.y - above!.y).toBeLessThan(60);
      expect(await page.getByRole('textbox', { name: /^board/ }).getAttribute('aria-invalid')).toBe('true');
      await shot(page, 'lab-field-fault');
      await scan(page);
      await page.getByText('No run has been started here yet.').or(page.getByRole('region', { name: 'Runs' })).first().waitFor();
      await expect.poll(() => page.getByText('failed').count(), { timeout: 5000 }).toBe(0);
    }, /422/);
  });

  test('what was trained is watched and measured at once', async () => {
    await on('#/lab/runs', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'Training' }).click();
      await page.getByRole('spinbutton', { name: 'games' }).fill('20');
      await page.getByRole('spinbutton', { name: 'depth' }).fill('4');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      const watch = page.getByRole('link', { name: 'Watch it play' });
      await watch.waitFor({ timeout: 60_000 });
      await expect.poll(() => page.getByText('it goes on when this page is closed').count(), { timeout: 5000 }).toBe(0);
      await shot(page, 'lab-trained');
      await scan(page);
      const address = await watch.getAttribute('href');
      expect(decodeURIComponent(address!)).toMatch(/agents=tree:run-\d{6}/);
      await page.getByRole('button', { name: 'Measure it' }).click();
      await page.getByRole('table', { name: 'Paired differences' }).waitFor({ timeout: 90_000 });
      const names = await page.getByRole('table', { name: 'Results' }).locator('tbody tr td:first-child').allTextContents();
      expect(names).toHaveLength(3);
      expect(names).toEqual(expect.arrayContaining(['best', 'tree']));
      await shot(page, 'lab-measured');
      await scan(page);
      await page.goto(engine.url + address);
      await page.getByRole('article', { name: /tree:run-\d{6} plays/ }).waitFor();
    });
  });

  test('a server that is gone is told, and found again', async () => {
    await on('#/lab/runs', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'Training' }).click();
      await page.getByLabel('Learner').selectOption('gp');
      await page.getByLabel('iterations').fill('100000');
      await page.getByRole('button', { name: 'Start', exact: true }).click();
      await page.getByText('running').first().waitFor();
      await page.route('**/api/v1/runs/**', (route) => route.abort('connectionrefused'));
      await page.context().setOffline(true);
      await engine.restart();
      await page.getByText('connection lost').waitFor({ timeout: 20_000 });
      const run = page.getByRole('region', { name: 'Run', exact: true });
      await expect.poll(() => run.getByText('running', { exact: true }).count(), { timeout: 5000 }).toBe(0);
      await shot(page, 'lab-lost');
      await scan(page);
      await page.unroute('**/api/v1/runs/**');
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'Refresh' }).first().click();
      await run.getByText('running', { exact: true }).waitFor({ timeout: 20_000 });
      await page.getByRole('button', { name: 'Stop' }).click();
      await run.getByText('stopped', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Remove' }).click();
    }, /ERR_/);
  });

  test('the Lab on a phone: targets are large enough', async () => {
    for (const place of ['#/lab', '#/lab/papers', '#/lab/runs', '#/lab/artifacts', '#/lab/records']) {
      await on(place, PHONE, async (page) => {
        await page.locator('.lab .card').first().waitFor();
        await page.waitForTimeout(500);
        const small = await page.locator('.lab').evaluate((lab) => [...lab.querySelectorAll('button, a, select, summary, input')]
          .filter((target) => target.getClientRects().length > 0 && target.getBoundingClientRect().height < 43.5 && !(target instanceof HTMLInputElement && target.type === 'checkbox'))
          .map((target) => `${target.tagName} ${target.textContent?.trim().slice(0, 30)} ${target.getBoundingClientRect().height}`));
        expect(small).toEqual([]);
        await scan(page);
      });
    }
  });

  test('a tournament is started, seen live, and found again after a reload', async () => {
    await on('#/lab/runs', DESKTOP, async (page) => {
      await page.getByRole('button', { name: /^Add an agent/ }).click();
      await page.getByRole('combobox', { name: 'Search agents' }).fill('pseq');
      await page.getByRole('option', { name: /^pseq/ }).click();
      await page.getByRole('button', { name: 'Choose', exact: true }).click();
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
      await page.getByRole('button', { name: 'Remove', exact: true }).click();
      // Its own page closes, and then its line leaves the list.
      await page.getByRole('heading', { name: 'Training gp' }).waitFor({ state: 'detached' });
      await page.getByRole('link', { name: /Training gp/ }).waitFor({ state: 'detached' });
    }, /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE/);
  });

  test('a run with damaged files is named with the reason, and removed', async () => {
    const folder = join(engine.data, 'runs', 'run-000900');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'job.json'), '{"schema_version": 1, "order"');
    await engine.restart();
    await on('#/lab/runs', PHONE, async (page) => {
      await page.getByText(/Its files cannot be read: job\.json: EOF while parsing/).waitFor();
      await shot(page, 'lab-damaged-phone');
      await scan(page);
      await page.getByRole('button', { name: 'Remove run-000900' }).click();
      await page.getByText('run-000900').waitFor({ state: 'detached' });
    });
    expect(existsSync(folder)).toBe(false);
  });

  test('every shipped tree is unfolded and walked', async () => {
    for (const name of ['lowest-risk-depth-8.tree', 'lowest-risk.tree', 'cnn-5x5.tree']) {
      await on(`#/lab/artifacts/${name}`, DESKTOP, async (page) => {
        const answer = page.getByText(/mine probability: .*, after \d+ questions?\./);
        await answer.waitFor({ timeout: 30_000 });
        const before = await answer.textContent();
        expect(before).not.toContain('after 0 questions');
        await page.screenshot({ path: `${OUT}lab-tree-${name}.png`, fullPage: true });
        await scan(page);
        await page.getByRole('button', { name: 'Number 2' }).click();
        for (const [row, column] of [[2, 1], [2, 3], [1, 2], [3, 2]] as const) await cell(page, row, column).click();
        await expect.poll(() => answer.textContent()).not.toBe(before);
        // Words of a node stay inside its box.
        const outside = await page.locator('g .line').evaluateAll((lines) => lines.filter((line) => line.getBoundingClientRect().right > line.parentElement!.querySelector('.node')!.getBoundingClientRect().right + 1).map((line) => line.textContent));
        expect(outside).toEqual([]);
      });
    }
  });

  test('a program is unfolded, and rules are shown on boards', async () => {
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
