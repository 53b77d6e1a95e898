//! What the tests of all rooms share: an engine, a browser, a visit without complaints.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { startEngine, type Engine } from '../engine.ts';
import { DESKTOP, OUT, launch, visit } from './chromium.ts';

export let engine: Engine;
export let browser: Browser;

beforeAll(async () => {
  engine = await startEngine();
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await engine.close();
});

/** Opens the page, acts on it, and expects no error in the browser's console. */
export async function on(place: string, options: typeof DESKTOP, act: (page: Page) => Promise<void>, tolerated: RegExp = /^$/, url = engine.url): Promise<void> {
  const seen = await visit(browser, url + place, options);
  try {
    await act(seen.page);
    expect(seen.faults.filter((fault) => !tolerated.test(fault))).toEqual([]);
  } finally {
    await seen.close();
  }
}

export const shot = (page: Page, name: string) => page.screenshot({ path: `${OUT}${name}.png` });

/** Expects no serious accessibility fault. */
export async function scan(page: Page): Promise<void> {
  const axe = readFileSync(fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)), 'utf8');
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: { run: (options: unknown) => Promise<{ violations: { id: string; impact: string; nodes: { target: unknown; failureSummary: string }[] }[] }> } }).axe.run({ resultTypes: ['violations'] });
    return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => `${id}: ${nodes.map(({ target, failureSummary }) => `${JSON.stringify(target)} ${failureSummary}`).join('; ')}`);
  });
  expect(found).toEqual([]);
}
