//! The page as `deminer site` writes it, on a plain static host below a path: no deminer runs.

import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlayRequest, RequestName } from '../../../npm/src/types.ts';
import type { Call, Reply } from '../../../npm/src/worker.ts';
import type { Weight } from '../../src/api/files.ts';
import { parsePosition, positionBody, positionText } from '../../src/game/notation.ts';
import { EXAMPLES } from '../../src/rooms/analyze/examples.ts';
import { startSite } from '../engine.ts';
import type { StaticHost } from '../static.ts';
import { DESKTOP, PHONE, cell, label } from './chromium.ts';
import { dropFile, pasteText } from './files.ts';
import { expectPainted } from './pixels.ts';
import { browser, shot } from './room.ts';

const REPLAY = readFileSync(fileURLToPath(new URL('../fixtures/expert.rawvf', import.meta.url)));
const EXPERT = positionText(parsePosition(EXAMPLES.find(({ name }) => name.startsWith('Expert'))!.text));
const SIZES: [string, BrowserContextOptions][] = [['desktop', DESKTOP], ['phone', PHONE]];

let host: StaticHost & { folder: string };
beforeAll(async () => {
  host = await startSite();
}, 120_000);
afterAll(() => host.close());

/** Opens the site in a browser of its own, service worker included, and expects no fault. */
async function inSite(place: string | null, options: BrowserContextOptions, act: (page: Page, context: BrowserContext) => Promise<void>, tolerated = /^$/): Promise<void> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(String(fault)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(host.url) && !request.url().startsWith('blob:')) faults.push(`foreign request ${request.url()}`);
  });
  try {
    if (place !== null) await page.goto(host.url + place);
    await act(page, context);
    expect(faults.filter((fault) => !tolerated.test(fault))).toEqual([]);
  } finally {
    await context.close();
  }
}

async function playExpert(page: Page): Promise<void> {
  await page.goto(`${host.url}#/play?board=30x16x99&seed=12`);
  await cell(page, 7, 15).click();
  expect(await label(page, 7, 15)).toContain('open');
  await page.getByLabel('Odds: how likely each cell is a mine').check();
  await page.getByRole('gridcell', { name: /% mine|safe/ }).first().waitFor();
  for (const step of ['Is there a safe move?', 'Where should I look?', 'Which cell?', 'Why?']) await page.getByRole('button', { name: step }).click();
  await page.getByText(/^(Open|The best guess is) row/).waitFor();
  await expectPainted(page);
}

async function analyzePasted(page: Page): Promise<void> {
  await page.goto(`${host.url}#/analyze`);
  await page.getByRole('grid').first().waitFor();
  await pasteText(page, EXPERT);
  await page.waitForFunction(() => location.hash.includes('mines=99'));
  await page.getByRole('region', { name: 'Best move' }).getByRole('button', { name: /^row \d+, column \d+$/ }).first().waitFor();
  await expectPainted(page);
}

async function reviewReplay(page: Page): Promise<void> {
  await page.goto(`${host.url}#/review`);
  await page.getByRole('heading', { name: 'Review a game' }).waitFor();
  await dropFile(page, 'expert.rawvf', REPLAY);
  await page.getByText('159/159').waitFor();
  await page.getByRole('img', { name: /^Risk of each/ }).waitFor({ timeout: 60_000 });
}

async function watchFour(page: Page): Promise<void> {
  await page.goto(`${host.url}#/watch?agents=best~lowest-risk~tree:lowest-risk-depth-8~sla-small&board=30x16x99&start=safe&seed=3`);
  await expect.poll(() => page.getByRole('article').count()).toBe(4);
  // Each agent's record is there once its game has ended.
  await expect.poll(() => page.getByRole('button', { name: 'Review', exact: true }).and(page.locator(':enabled')).count(), { timeout: 60_000 }).toBe(4);
}

async function tournament(page: Page): Promise<void> {
  await page.goto(`${host.url}#/lab/tournament`);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText('1,000 of 1,000 games', { exact: true }).waitFor({ timeout: 120_000 });
  const table = page.getByRole('table', { name: 'Results' });
  await expect.poll(() => table.getByRole('row').count(), { timeout: 5000 }).toBe(3);
  expect(await table.textContent()).toMatch(/\d\d\.\d–\d\d\.\d/);
  await page.getByRole('heading', { name: 'Compared on the same games' }).waitFor();
}

describe('A site without a server', () => {
  test.each(SIZES)('is all that a player needs, on a %s', { timeout: 300_000 }, async (name, options) => {
    await inSite('', options, async (page) => {
      await playExpert(page);
      await shot(page, `site-play-${name}`);
      await analyzePasted(page);
      await shot(page, `site-analyze-${name}`);
      await reviewReplay(page);
      await shot(page, `site-review-${name}`);
      await watchFour(page);
      await shot(page, `site-watch-${name}`);
      await tournament(page);
      await shot(page, `site-tournament-${name}`);
    });
  });

  test.each(SIZES)('works offline after the first visit, on a %s', { timeout: 300_000 }, async (_, options) => {
    await inSite('#/watch?agents=tree:lowest-risk-depth-8&board=9x9x10&start=safe&seed=3', options, async (page, context) => {
      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      await page.getByRole('button', { name: 'Review', exact: true }).and(page.locator(':enabled')).waitFor();
      await page.waitForFunction(async () => (await caches.keys()).includes('deminer-documents'));
      await page.waitForTimeout(500);
      await context.setOffline(true);
      await page.reload();
      await playExpert(page);
      await analyzePasted(page);
      await reviewReplay(page);
      // The file of this agent was kept when it was first watched.
      await page.goto(`${host.url}#/watch?agents=tree:lowest-risk-depth-8&board=9x9x10&start=safe&seed=4`);
      await page.getByRole('button', { name: 'Review', exact: true }).and(page.locator(':enabled')).waitFor();
      await page.goto(`${host.url}#/lab/leaderboard`);
      await page.getByRole('table').first().waitFor();
    }, /ERR_INTERNET_DISCONNECTED|Failed to fetch|site\.json/);
  });

  test('says what needs a server, and shows the papers', async () => {
    await inSite('#/lab/runs', DESKTOP, async (page) => {
      await page.getByRole('heading', { name: 'Runs and trainings need a server' }).waitFor();
      const benches = page.getByRole('navigation', { name: 'Benches' });
      await expect.poll(() => benches.getByRole('link', { name: 'Games' }).count(), { timeout: 5000 }).toBe(0);
      await page.goto(`${host.url}#/lab/papers/s000-t2`);
      await page.getByRole('main').getByRole('table').first().waitFor();
      await page.goto(`${host.url}#/lab/artifacts/lowest-risk-depth-8.tree`);
      await page.getByRole('region', { name: 'Tree', exact: true }).waitFor();
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByText('Everything runs in this browser.').waitFor();
    });
  });

  test('a tournament is stopped when it is cancelled', async () => {
    await inSite('#/lab/tournament', DESKTOP, async (page) => {
      await page.getByLabel('Games', { exact: true }).fill('1000000');
      await page.getByRole('button', { name: 'Start' }).click();
      await page.getByRole('table', { name: 'Results' }).waitFor();
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText(/games, then stopped$/).waitFor();
      const played = await page.getByText(/games, then stopped$/).textContent();
      await page.waitForTimeout(500);
      expect(await page.getByText(/games, then stopped$/).textContent()).toBe(played);
    });
  });

  test('a new version is announced, and taken when the person wants it', async () => {
    await inSite('', DESKTOP, async (page) => {
      await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
      const path = join(host.folder, 'sw.js');
      const worker = readFileSync(path, 'utf8');
      await expect.poll(() => page.getByText('A new version is ready.').count(), { timeout: 5000 }).toBe(0);
      writeFileSync(path, worker.replace(/'deminer-page-\w+'/, "'deminer-page-next'"));
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())!.update());
      await page.getByText('A new version is ready.').waitFor();
      await shot(page, 'site-update-desktop');
      await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reload' }).click()]);
      await page.getByRole('grid').first().waitFor();
      expect(await page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('deminer-page-')))).toEqual(['deminer-page-next']);
      await expect.poll(() => page.getByText('A new version is ready.').count(), { timeout: 5000 }).toBe(0);
      writeFileSync(path, worker);
    });
  });
});

/** A call, or files of the site to play with. */
type Asked = Call | { kind: 'weights'; paths: string[] };

/** Asks the engine in a worker of the page, one call after another; replies come with their milliseconds. */
async function askWorker(page: Page, calls: readonly Asked[]): Promise<{ reply: Reply; parts: unknown[]; millis: number }[]> {
  const names = readdirSync(join(host.folder, 'assets'));
  const [worker, wasm] = [/^worker-.*\.js$/, /\.wasm$/].map((kind) => `assets/${names.find((name) => kind.test(name))}`) as [string, string];
  return page.evaluate(async ({ worker, wasm, calls }) => {
    const engine = new Worker(worker, { type: 'module' });
    let parts: unknown[] = [];
    const ask = (id: number, call: Call) => new Promise<Reply>((resolve) => {
      parts = [];
      engine.onmessage = ({ data }: MessageEvent<Reply>) => {
        if ('part' in data) parts.push(data.part);
        else if ('json' in data) resolve({ id: data.id, done: JSON.parse(data.json) });
        else resolve(data);
      };
      engine.postMessage({ id, call });
    });
    const bytes = async (path: string) => new Uint8Array(await (await fetch(`weights/${path}`)).arrayBuffer());
    await ask(0, { kind: 'load', source: await WebAssembly.compile(await (await fetch(wasm)).arrayBuffer()) });
    const replies = [];
    for (const [id, asked] of calls.entries()) {
      const call: Call = asked.kind === 'weights'
        ? { kind: 'artifacts', artifacts: await Promise.all(asked.paths.map(async (path) => ({ path, bytes: await bytes(path) }))) }
        : asked;
      const began = performance.now();
      const reply = await ask(id, call);
      replies.push({ reply, parts, millis: performance.now() - began });
    }
    engine.terminate();
    return replies;
  }, { worker, wasm, calls });
}

/** One case of the conformance set. */
interface Case {
  name: string;
  request: RequestName;
  body: unknown;
  answer?: unknown;
  error?: unknown;
}

const conformance = (name: string) => JSON.parse(readFileSync(fileURLToPath(new URL(`../../../conformance/${name}.json`, import.meta.url)), 'utf8')) as Case[];

/** The same but for rounding, and for the time that it took. */
function expectAlike(found: unknown, expected: unknown, at: string): void {
  if (typeof expected === 'number') {
    expect(typeof found === 'number' && Math.abs(found - expected) <= 1e-12, `${at}: ${String(found)} is not ${expected}`).toBe(true);
  } else if (expected !== null && typeof expected === 'object') {
    const [left, right] = [(found ?? {}) as Record<string, unknown>, expected as Record<string, unknown>];
    expect(Object.keys(left).sort(), at).toEqual(Object.keys(right).sort());
    for (const key of Object.keys(right)) if (key !== 'micros') expectAlike(left[key], right[key], `${at}.${key}`);
  } else {
    expect(found, at).toBe(expected);
  }
}

describe('The engine in Chromium', () => {
  test.each(['positions', 'errors', 'formats'])('answers the conformance set: %s', { timeout: 120_000 }, async (name) => {
    const cases = conformance(name);
    expect(cases.length).toBeGreaterThan(0);
    await inSite('#/nowhere', DESKTOP, async (page) => {
      const replies = await askWorker(page, cases.map(({ request, body }): Call => ({ kind: 'answer', name: request, request: body })));
      for (const [i, { name: about, answer, error }] of cases.entries()) {
        const { reply } = replies[i]!;
        if (error) expectAlike('error' in reply ? reply.error : reply, error, about);
        else expectAlike('done' in reply ? reply.done : reply, answer, about);
      }
    });
  });
});

/** One game of the conformance set. */
interface PlayedGame {
  name: string;
  play: PlayRequest & { agent: string };
  moves: [string, [number, number]][];
  outcome: string;
}

describe('The games of the conformance set in Chromium', () => {
  test('agents play as natively, learned ones too', { timeout: 300_000 }, async () => {
    const games = conformance('games') as unknown as PlayedGame[];
    await inSite('#/nowhere', DESKTOP, async (page) => {
      const listed = JSON.parse(readFileSync(join(host.folder, 'data/weights.json'), 'utf8')) as Record<string, Weight>;
      const agents = new Set(games.map(({ play }) => play.agent));
      const paths = Object.keys(listed).filter((path) => agents.has(listed[path]!.agent?.split(':')[0] ?? ''));
      expect(paths.length).toBeGreaterThan(10);
      const weights = paths.map((path): Asked => ({ kind: 'weights', paths: [path] }));
      const replies = await askWorker(page, [...weights, ...games.map(({ play }): Asked => ({ kind: 'play', request: play }))]);
      for (const [i, { name, moves, outcome }] of games.entries()) {
        const { reply, parts } = replies[weights.length + i]!;
        expect(reply, name).toHaveProperty('done');
        const events = parts.flat() as { event: string; data: { action: string; cell: [number, number]; outcome: string } }[];
        expect(events.filter(({ event }) => event === 'decision').map(({ data }) => [data.action, data.cell]), name).toEqual(moves);
        expect(events.find(({ event }) => event === 'end')?.data.outcome, name).toBe(outcome);
      }
    });
  });
});

interface TraceEvent {
  name: string;
  tid: number;
  pid: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The longest tasks of the page's own thread in milliseconds: by the clock, and of CPU time. */
function longestTasks(trace: Buffer): { wall: number; cpu: number } {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const main = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${pid} ${tid}`));
  const most = (values: number[]) => Math.max(0, ...values) / 1000;
  expect(tasks.length).toBeGreaterThan(100);
  return { wall: most(tasks.map(({ dur = 0 }) => dur)), cpu: most(tasks.map(({ tdur = 0 }) => tdur)) };
}

describe('Speed', () => {
  // Of up to three walks the least counts: a machine that does something else, or a browser that
  // collects garbage, makes one walk longer, but not all.
  test('the page never blocks for longer than 50 ms', { timeout: 600_000 }, async () => {
    const walks: [string, (page: Page) => Promise<void>][] = [['play', playExpert], ['analyze', analyzePasted], ['review', reviewReplay], ['watch', watchFour], ['tournament', tournament]];
    const least = new Map(walks.map(([name]) => [name, Infinity]));
    for (let round = 0; round < 3 && Math.max(...least.values()) >= 50; round++) {
      await inSite('', DESKTOP, async (page) => {
        for (const [name, walk] of walks) {
          await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', '__metadata'] });
          await walk(page);
          const { wall, cpu } = longestTasks(await browser.stopTracing());
          console.log(`longest task, ${name}: ${cpu.toFixed(1)} ms of CPU time, ${wall.toFixed(1)} ms by the clock`);
          least.set(name, Math.min(least.get(name)!, cpu));
        }
      });
    }
    for (const [name, cpu] of least) expect(cpu, name).toBeLessThan(50);
  });

  test('a board is usable soon after navigation, and positions are analyzed at once', { timeout: 120_000 }, async () => {
    await inSite(null, DESKTOP, async (page) => {
      const began = Date.now();
      await page.goto(`${host.url}#/play?board=expert&seed=12`);
      await cell(page, 7, 15).waitFor();
      const shown = Date.now() - began;
      await cell(page, 7, 15).click();
      expect(await label(page, 7, 15)).toContain('open');
      console.log(`cold: board shown after ${shown} ms, first cell open after ${Date.now() - began} ms`);
    });
  });

  test('positions of expert boards are analyzed in the worker', { timeout: 120_000 }, async () => {
    const corpus = readFileSync(fileURLToPath(new URL('../../../boards/corpus/positions.txt', import.meta.url)), 'utf8');
    const positions = corpus.split(/^> /m).filter((block) => block.startsWith('expert_guess')).map((block) => parsePosition(block.slice(block.indexOf('\n'))));
    expect(positions.length).toBe(200);
    const calls = positions.map((position): Call => ({ kind: 'answer', name: 'analyze', request: { ...positionBody(position), why: true } }));
    await inSite('#/nowhere', DESKTOP, async (page) => {
      const answers = await askWorker(page, calls);
      for (const { reply } of answers) expect(reply).toMatchObject({ done: { exact: true, consistent: true, best: expect.anything() } });
      const times = answers.slice(1).map(({ millis }) => millis).sort((a, b) => a - b);
      const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(2);
      console.log(`analysis in the worker, 200 expert positions with proofs and best move: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, first ${answers[0]!.millis.toFixed(1)} ms`);
    });
  });
});
