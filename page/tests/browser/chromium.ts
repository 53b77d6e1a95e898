//! Chromium, opened on the engine under test; any fault on the page fails the test that met it.

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

export const OUT = fileURLToPath(new URL('./out/', import.meta.url));
mkdirSync(OUT, { recursive: true });

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--force-color-profile=srgb'] });
}

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

export interface Visit {
  page: Page;
  /** Faults and refusals that the browser reported. */
  faults: string[];
  close(): Promise<void>;
}

export async function visit(browser: Browser, url: string, options: BrowserContextOptions = DESKTOP): Promise<Visit> {
  const context = await browser.newContext({ ...options, serviceWorkers: 'block' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (fault) => faults.push(String(fault)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(url).origin) && !request.url().startsWith('blob:')) faults.push(`foreign request ${request.url()}`);
  });
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

/** Waits until the engine has answered what was done. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
}

/** What a screen reader says of a cell, once the engine has answered what was done. */
export async function label(page: Page, row: number, column: number, board = 0): Promise<string> {
  const there = cell(page, row, column, board);
  await there.waitFor({ state: 'attached' });
  await settled(page);
  return (await there.getAttribute('aria-label'))!;
}

/** The cell of the board at this place. */
export function cell(page: Page, row: number, column: number, board = 0) {
  return page.getByRole('grid').nth(board).getByRole('gridcell', { name: new RegExp(`^row ${row}, column ${column},`) });
}
