//! Each room's main paths in Chromium, by mouse, by keyboard alone and by touch.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Layout } from '../../src/game/layout.ts';
import { PURPOSE, derive } from '../../src/game/rng.ts';
import { Shape } from '../../src/game/shape.ts';
import { REAL, startEngine, type Engine } from '../engine.ts';
import { startMock } from '../mock.ts';
import { DESKTOP, OUT, PHONE, cell, launch, visit, type Visit } from './chromium.ts';

let engine: Engine;
let browser: Browser;
let seen: Visit;

beforeAll(async () => {
  engine = await startEngine();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await engine.close();
});

/** Opens the page, does something, and expects that the browser had nothing to complain about. */
async function on(place: string, options: typeof DESKTOP, act: (page: Page) => Promise<void>, tolerated: RegExp = /^$/, url = engine.url): Promise<void> {
  seen = await visit(browser, url + place, options);
  try {
    await act(seen.page);
    expect(seen.faults.filter((fault) => !tolerated.test(fault))).toEqual([]);
  } finally {
    await seen.close();
  }
}

const shot = (page: Page, name: string) => page.screenshot({ path: `${OUT}${name}.png` });

async function scan(page: Page): Promise<void> {
  const axe = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: { run: (options: unknown) => Promise<{ violations: { id: string; impact: string; nodes: { target: unknown; failureSummary: string }[] }[] }> } }).axe.run({ resultTypes: ['violations'] });
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${JSON.stringify(target)} ${failureSummary}`).join('; ')}`);
  });
  expect(found).toEqual([]);
}

/** The mines of `#/play?seed=3` once row 4, column 4 is opened. */
const layout = Layout.deal(new Shape('rect', 9, 9), 10, 'open', derive(3n, 0n, PURPOSE.layout), 40);
const aMine = layout.shape.place(Array.from({ length: 81 }, (_, at) => at).find((at) => layout.isMine(at))!);

async function playOut(page: Page, press: (row: number, column: number) => Promise<void>): Promise<void> {
  for (let at = 0; at < 81; at += 1) {
    if (layout.isMine(at)) continue;
    const [row, column] = layout.shape.place(at);
    const label = await cell(page, row, column).getAttribute('aria-label');
    if (label?.includes('covered')) await press(row, column);
  }
}

describe('Play', () => {
  test('a board is there at once and can be played, hinted, lost, taken back and reviewed', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await cell(page, 4, 4).click();
      await page.getByText('3BV').waitFor();
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      for (const step of ['Is there a safe move?', 'Where should I look?', 'Which cell?', 'Why?']) {
        await page.getByRole('button', { name: step }).click();
        await page.waitForTimeout(80);
      }
      await page.getByText('Yes, there is a safe move.').waitFor();
      await shot(page, 'play-hint-desktop');
      await page.getByLabel('Show how likely each cell is a mine').check();
      await page.waitForTimeout(250);
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toMatch(/% mine/);
      await shot(page, 'play-odds-desktop');
      await cell(page, ...aMine).click();
      await page.getByRole('heading', { name: 'Lost' }).waitFor();
      await page.getByRole('button', { name: 'Review this game' }).click();
      await page.getByText('Move 2: open').waitFor();
      await page.getByText('Luck', { exact: true }).waitFor();
      await page.waitForTimeout(250);
      await shot(page, 'play-review-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'What if not?' }).click();
      await page.getByText('What if', { exact: true }).waitFor();
      await playOut(page, (row, column) => cell(page, row, column).click());
      await page.getByRole('heading', { name: 'Won' }).waitFor();
    });
  });

  test('everything works by keyboard alone', async () => {
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await page.keyboard.press('Tab');
      while (!(await page.evaluate(() => document.activeElement?.localName === 'mine-board'))) await page.keyboard.press('Tab');
      await page.keyboard.press('Control+Home');
      for (let step = 0; step < 4; step += 1) {
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowRight');
      }
      await page.keyboard.press('Space');
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      await page.keyboard.press('Control+Home');
      await page.keyboard.press('f');
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
      await page.keyboard.press('f');
      await page.keyboard.press('h');
      await page.getByText('Yes, there is a safe move.').waitFor();
      await shot(page, 'play-keyboard-desktop');
      await page.keyboard.press('End');
      await page.keyboard.press('Control+End');
      expect(await page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('aria-label'))).toContain('row 8, column 8');
      const moves = async (row: number, column: number) => {
        await page.keyboard.press('Control+Home');
        for (let step = 0; step < row; step += 1) await page.keyboard.press('ArrowDown');
        for (let step = 0; step < column; step += 1) await page.keyboard.press('ArrowRight');
        await page.keyboard.press('Enter');
      };
      await moves(...aMine);
      await page.getByRole('heading', { name: 'Lost' }).waitFor();
      await page.keyboard.press('z');
      await page.getByText('What if', { exact: true }).waitFor();
      await page.keyboard.press('n');
      await page.waitForTimeout(60);
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('covered');
    });
  });

  test('on a phone: tap, long press, open and flag', async () => {
    await on('#/play?seed=3', PHONE, async (page) => {
      await cell(page, 4, 4).tap();
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      await page.getByRole('button', { name: 'Flag' }).tap();
      await cell(page, 0, 0).tap();
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
      await page.getByRole('button', { name: 'Open', exact: true }).tap();
      const box = (await cell(page, 0, 1).boundingBox())!;
      expect(box.width).toBeGreaterThanOrEqual(36);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      const touch = await page.context().newCDPSession(page);
      const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] });
      await page.waitForTimeout(520);
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      expect(await cell(page, 0, 1).getAttribute('aria-label')).toContain('flag');
      await shot(page, 'play-phone');
      await scan(page);
      // Two fingers make cells larger.
      const width = async () => (await cell(page, 4, 4).boundingBox())!.width;
      const before = await width();
      const pinch = (spread: number) => [{ x: 195 - spread, y: 400, id: 0 }, { x: 195 + spread, y: 400, id: 1 }];
      await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: pinch(40) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: pinch(60) });
      await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
      expect(await width()).toBeGreaterThan(before);
      await cell(page, ...aMine).evaluate((element) => element.scrollIntoView());
    });
  });

  test('losing and reviewing on a phone', async () => {
    await on(`#/play?seed=3&first=4,4`, PHONE, async (page) => {
      await cell(page, ...aMine).tap();
      await page.getByRole('button', { name: 'Review this game' }).tap();
      await page.getByText('Move 2: open').waitFor();
      await page.waitForTimeout(250);
      await page.screenshot({ path: `${OUT}play-review-phone.png`, fullPage: true });
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  });

  test('a link brings the same board, a wish asks the engine, another shape plays', async () => {
    await on('#/play?seed=3&first=4,4', DESKTOP, async (page) => {
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      await page.getByRole('button', { name: 'Rules' }).click();
      await page.getByLabel('No guesses needed').check();
      const wish = page.waitForResponse((answer) => answer.url().endsWith('/api/v1/boards'));
      await cell(page, 4, 4).click();
      expect((await wish).ok()).toBe(true);
      await page.waitForTimeout(100);
      expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
      await page.getByLabel('No guesses needed').uncheck();
      await page.getByLabel('Shape').selectOption('hex');
      await cell(page, 4, 4).click();
      await page.waitForTimeout(100);
      await shot(page, 'play-hex-desktop');
    });
  });

  test('without the engine the board still plays, and help says kindly what is missing', async () => {
    const mock = await startMock();
    mock.broken = { status: 503, problem: { title: 'busy', status: 503 } };
    await on('#/play?seed=3', DESKTOP, async (page) => {
      await cell(page, 4, 4).click();
      await page.getByRole('button', { name: 'Is there a safe move?' }).click();
      await page.getByText('The engine is busy').waitFor();
      await shot(page, 'play-fault-desktop');
    }, /503/, mock.url);
    await mock.close();
  });

  test('dark, on a large screen, expert', async () => {
    await on('#/play?board=30x16x99&seed=12&first=7,15', { viewport: { width: 1680, height: 1000 }, colorScheme: 'dark' }, async (page) => {
      await page.waitForTimeout(200);
      await shot(page, 'play-expert-dark');
      await scan(page);
    });
  });
});

describe('Analyse', () => {
  test('odds, proofs, painting, undo, contradictions', async () => {
    await on('#/analyse', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'row 4, column 1' }).waitFor();
      await cell(page, 4, 1).hover();
      await page.getByText('2 clues, 2 steps deep.').waitFor();
      await cell(page, 4, 1).click();
      await page.getByText('If it is safe, it shows').waitFor();
      await shot(page, 'analyse-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'Number 8' }).click();
      await cell(page, 1, 1).click();
      await page.getByRole('heading', { name: 'No layout fits' }).waitFor();
      await shot(page, 'analyse-conflict-desktop');
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await page.getByRole('button', { name: 'row 4, column 1' }).waitFor();
      await page.getByLabel('Examples').selectOption('2');
      await page.getByText('guess').waitFor();
      await page.waitForTimeout(150);
      await shot(page, 'analyse-guess-desktop');
    });
  });

  test('text is pasted and typed, faults are told, the address holds the position', async () => {
    await on('#/analyse', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'Text' }).first().click();
      await page.getByRole('textbox', { name: /position as text/ }).fill('mines 3\n####\n#1x#');
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.getByText('is not a cell').waitFor();
      await page.getByRole('textbox', { name: /position as text/ }).fill('mines 3\n# # # #\n# 1 2 #\n# # # #');
      await page.getByRole('button', { name: 'Read it' }).click();
      await page.getByText('row 0, column 1').first().waitFor();
      expect(page.url()).toContain('rows=D-A12A-D');
      await cell(page, 0, 0).click();
      await page.keyboard.press('1');
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('open, 1');
      await page.keyboard.press('Control+z');
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('covered');
    });
  });

  test('on a phone numbers come from the palette', async () => {
    await on('#/analyse', PHONE, async (page) => {
      await page.getByRole('button', { name: 'row 4, column 1' }).waitFor();
      await shot(page, 'analyse-phone');
      await page.getByRole('button', { name: 'Number 2' }).tap();
      await cell(page, 0, 8).tap();
      expect(await cell(page, 0, 8).getAttribute('aria-label')).toContain('open, 2');
      await scan(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  });
});

describe('Watch', () => {
  const place = '#/watch?agents=lowest-risk~single-point&board=9x9x10&start=safe&seed=3&move=3';

  test('two agents on the same board, stepped and scrubbed', async () => {
    await on(place, DESKTOP, async (page) => {
      await page.getByText('3/21').waitFor();
      await page.waitForTimeout(150);
      await shot(page, 'watch-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'One move on' }).click();
      await page.getByText('4/21').waitFor();
      await page.getByRole('button', { name: 'Frontier' }).click();
      await page.getByRole('slider', { name: 'Move' }).fill('12');
      await page.getByText('12/21').waitFor();
      await page.waitForTimeout(150);
      await shot(page, 'watch-frontier-desktop');
      await page.getByRole('button', { name: 'Play', exact: true }).click();
      await page.waitForTimeout(500);
      await page.getByRole('button', { name: 'Pause' }).click();
      await page.getByRole('slider', { name: 'Move' }).fill('21');
      await page.getByText('won', { exact: true }).first().waitFor();
    });
  });

  test('on a phone', async () => {
    await on(place, PHONE, async (page) => {
      await page.getByText('3/21').waitFor();
      await page.waitForTimeout(150);
      await shot(page, 'watch-phone');
      await scan(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    });
  });
});

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
      await page.getByRole('link', { name: 'Analyse it' }).first().click();
      await page.getByRole('heading', { name: 'Best move' }).waitFor();
    });
  });
});

describe('Everywhere', () => {
  test('settings: theme, keys, palette', async () => {
    await on('#/play?seed=3&first=4,4', DESKTOP, async (page) => {
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Dark' }).click();
      expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(16, 20, 24)');
      await page.getByRole('button', { name: /^Change Flag: F/ }).click();
      await page.keyboard.press('x');
      await page.getByRole('button', { name: /^Change Flag: X or F/ }).waitFor();
      await shot(page, 'settings-dark');
      await scan(page);
      await page.keyboard.press('Escape');
      await cell(page, 0, 0).focus();
      await page.keyboard.press('x');
      expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
    });
  });

  test('the narrowest phone scrolls only downward', async () => {
    for (const room of ['#/play', '#/analyse', '#/watch?agents=lowest-risk~single-point&board=9x9x10&start=safe&seed=3', '#/lab', '#/lab/runs', '#/lab/papers/s000-t2', '#/lab/artifacts/lowest-risk-depth-8.tree', ...(REAL ? ['#/watch?agents=tree~mio&board=9x9x10&start=safe&seed=3'] : [])]) {
      await on(room, { ...PHONE, viewport: { width: 360, height: 740 } }, async (page) => {
        await page.waitForTimeout(room.includes('tree~mio') ? 1500 : 400);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), room).toBeLessThanOrEqual(360);
      });
    }
  });

  test('a reload keeps the game, and the page opens without the server', async () => {
    const server = await startEngine();
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    await page.goto(`${server.url}#/play?seed=3`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await cell(page, 4, 4).click();
    await cell(page, 0, 0).click({ button: 'right' });
    await page.reload();
    expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
    await server.close();
    await page.reload();
    expect(await cell(page, 0, 0).getAttribute('aria-label')).toContain('flag');
    await page.getByRole('button', { name: 'New board' }).click();
    await cell(page, 4, 4).click();
    expect(await cell(page, 4, 4).getAttribute('aria-label')).toContain('open');
    await page.getByRole('link', { name: 'Analyse', exact: true }).click();
    await page.getByRole('alert').getByText('The engine cannot be reached').waitFor();
    await page.screenshot({ path: `${OUT}analyse-offline.png` });
    await context.close();
  });

  test('with system colors forced', async () => {
    await on('#/play?seed=3&first=4,4', { ...DESKTOP, forcedColors: 'active', reducedMotion: 'reduce' }, async (page) => {
      await page.waitForTimeout(200);
      await shot(page, 'play-forced-colors');
    });
  });
});
