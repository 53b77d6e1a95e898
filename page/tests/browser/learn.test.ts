//! Learn: the course by mouse, by keyboard alone and by touch, with hints, mistakes and progress, in Chromium.

import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { startEngine } from '../engine.ts';
import { engine as core } from '../core.ts';
import { DESKTOP, OUT, PHONE, cell, label, settled } from './chromium.ts';
import { expectPainted } from './pixels.ts';
import { browser, engine, on, scan, shot } from './room.ts';
import { expectLargeTargets, expectNoSideways } from './touch.ts';

type Place = [number, number];

/** The right and the wrong cells of an exercise. */
function answers(chapter: string, seed: number): { right: Place[]; wrong: Place[] } {
  const { rows } = core.answer('lesson', { chapter, seed });
  const cells = rows.flatMap((row, r) => [...row].flatMap((symbol, c) => (symbol === '#' ? [[r, c] as Place] : [])));
  const { verdicts } = core.answer('lesson', { chapter, seed, cells });
  const of = (right: boolean) => verdicts.filter((verdict) => verdict.right === right).map(({ cell }) => cell as Place);
  return { right: of(true), wrong: of(false) };
}

const { chapters } = core.answer('lessons', {});
const answerCard = (page: Page) => page.getByRole('region', { name: 'Your answer' });
const ready = (page: Page) => page.getByText(/Which (one|ones|one is the best guess|\d cells)/).waitFor();

describe('Learn', () => {
  test('all chapters are listed, each with a picture, and the course begins', async () => {
    for (const [kind, options] of [['desktop', DESKTOP], ['phone', PHONE]] as const) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await on('#/learn', { ...options, colorScheme }, async (page) => {
          const list = page.getByRole('list', { name: 'Chapters' });
          await list.getByRole('heading').first().waitFor();
          expect(await list.getByRole('heading').count()).toBe(chapters.length);
          await page.getByText(`0 of ${chapters.length * 5} solved`).waitFor();
          await page.waitForTimeout(500);
          await page.screenshot({ path: `${OUT}learn-course-${kind}-${colorScheme}.png`, fullPage: kind === 'phone' });
          await scan(page);
          if (kind === 'phone') {
            await expectNoSideways(page);
            await expectLargeTargets(page);
          }
          await page.getByRole('link', { name: 'Start', exact: true }).click();
          await page.waitForURL(/#\/learn\/one-clue\/1$/);
          await ready(page);
        });
      }
    }
  });

  test('a mistake is explained, three hints help, and the next exercise follows', async () => {
    const { right, wrong } = answers('two-clues', 1);
    await on('#/learn/two-clues/1', DESKTOP, async (page) => {
      await ready(page);
      await cell(page, ...wrong[0]!).click();
      await answerCard(page).getByRole('heading', { name: 'Not this one' }).waitFor();
      const why = core.answer('lesson', { chapter: 'two-clues', seed: 1, cells: [wrong[0]!] }).verdicts[0]!.reasons[0]!;
      expect((await answerCard(page).locator('.words p').first().textContent())!.replace('\u202f', ' ')).toBe(why);
      expect(await label(page, ...wrong[0]!)).toContain('not right');
      const hints = page.getByRole('region', { name: 'Hints' });
      await hints.getByRole('button', { name: 'Where should I look?' }).click();
      await hints.getByText('Look at the tinted cells.').waitFor();
      await page.keyboard.press('h');
      await hints.getByText('Compare these numbers').waitFor();
      await expectPainted(page);
      await shot(page, 'learn-hint-desktop');
      await hints.getByRole('button', { name: 'Show me a cell' }).click();
      await hints.getByText(/^Choose row/).waitFor();
      expect(await hints.getByRole('button').count()).toBe(0);
      await scan(page);
      for (const place of right) {
        await settled(page);
        await cell(page, ...place).click();
      }
      await answerCard(page).getByRole('heading', { name: 'Solved' }).waitFor();
      await answerCard(page).getByText('1 mistake, 3 hints').waitFor();
      for (const place of right) expect(await label(page, ...place)).toMatch(/open.*found/);
      await expectPainted(page);
      await shot(page, 'learn-solved-desktop');
      await page.getByRole('link', { name: 'Exercise 1, solved with help' }).waitFor();
      await answerCard(page).getByRole('link', { name: 'Next', exact: true }).click();
      await page.waitForURL(/#\/learn\/two-clues\/2$/);
      await ready(page);
      await page.reload();
      await page.getByRole('link', { name: 'Exercise 1, solved with help' }).waitFor();
      await page.getByRole('link', { name: 'Chapters' }).click();
      await page.getByText(/^1 of \d+ solved/).waitFor();
    });
  });

  test('by keyboard alone, with notes, to the next exercise', async () => {
    const { right } = answers('one-clue', 2);
    await on('#/learn/one-clue/2', DESKTOP, async (page) => {
      await ready(page);
      const [row, column] = right[0]!;
      await cell(page, 0, 0).focus();
      for (let i = 0; i < row; i += 1) await page.keyboard.press('ArrowDown');
      for (let i = 0; i < column; i += 1) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('f');
      expect(await label(page, row, column)).toContain('flag');
      await page.keyboard.press('Space');
      await page.keyboard.press('f');
      expect(await label(page, row, column)).toContain('covered');
      for (const place of right) {
        await cell(page, ...place).focus();
        await page.keyboard.press('Space');
        await settled(page);
      }
      await answerCard(page).getByRole('heading', { name: 'Solved' }).waitFor();
      await answerCard(page).getByText('without help').waitFor();
      await page.keyboard.press('n');
      await page.waitForURL(/#\/learn\/one-clue\/3$/);
      await page.getByRole('link', { name: 'Exercise 2, solved', exact: true }).waitFor();
    });
  });

  test('every chapter can be solved by touch', { timeout: 120_000 }, async () => {
    await on('#/learn', PHONE, async (page) => {
      for (const { name } of chapters) {
        await page.goto(`${engine.url}#/learn/${name}/1`);
        await ready(page);
        const { right } = answers(name, 1);
        const { asked } = core.answer('lesson', { chapter: name, seed: 1 });
        await page.waitForTimeout(150);
        await page.screenshot({ path: `${OUT}learn-${name}-phone.png`, fullPage: true });
        await expectNoSideways(page);
        await expectLargeTargets(page);
        for (const place of right.slice(0, asked)) {
          await settled(page);
          await cell(page, ...place).tap();
        }
        await answerCard(page).getByRole('heading', { name: 'Solved' }).waitFor();
        await page.screenshot({ path: `${OUT}learn-${name}-solved-phone.png`, fullPage: true });
        await scan(page);
      }
      await page.goto(`${engine.url}#/learn`);
      await page.getByText(`${chapters.length} of ${chapters.length * 5} solved`).waitFor();
    });
  });

  test('in the dark, a guess is compared with the best one', async () => {
    const { right, wrong } = answers('best-guess', 2);
    await on('#/learn/best-guess/2', { ...DESKTOP, colorScheme: 'dark' }, async (page) => {
      await ready(page);
      await cell(page, ...wrong[0]!).click();
      await answerCard(page).getByText(/win chance .* lower/).waitFor();
      await scan(page);
      await shot(page, 'learn-guess-dark');
      await cell(page, ...right[0]!).click();
      await answerCard(page).getByRole('heading', { name: 'Solved' }).waitFor();
      await shot(page, 'learn-guess-solved-dark');
    });
  });

  test('practice goes on without end, and the last exercise ends the course', async () => {
    await on('#/learn/one-clue/77', DESKTOP, async (page) => {
      await ready(page);
      await page.getByText('Practice', { exact: true }).waitFor();
      for (const place of answers('one-clue', 77).right) {
        await settled(page);
        await cell(page, ...place).click();
      }
      await page.getByRole('link', { name: 'Another one' }).click();
      await page.waitForURL(/#\/learn\/one-clue\/(?!77$)\d+$/);
      const last = chapters.at(-1)!;
      await page.goto(`${engine.url}#/learn/${last.name}/${last.exercises}`);
      await ready(page);
      await cell(page, ...answers(last.name, last.exercises).right[0]!).click();
      await page.getByText('That was the last exercise of the course.').waitFor();
    });
  });

  test('progress can be forgotten, and finishing everything is told', async () => {
    await on('#/learn', DESKTOP, async (page) => {
      const all = Object.fromEntries(chapters.map(({ name, exercises }) => [name, Object.fromEntries(Array.from({ length: exercises }, (_, i) => [i + 1, i % 2 ? 'alone' : 'helped']))]));
      await page.evaluate((kept) => localStorage.setItem('deminer-lessons', JSON.stringify(kept)), all);
      await page.reload();
      await page.getByRole('heading', { name: 'You finished the course' }).waitFor();
      await page.waitForTimeout(400);
      await shot(page, 'learn-finished-desktop');
      await scan(page);
      await page.getByRole('button', { name: 'Begin anew' }).click();
      await page.getByRole('button', { name: 'Forget it' }).click();
      await page.getByText(`0 of ${chapters.length * 5} solved`).waitFor();
    });
  });

  test('addresses of no exercise say so', async () => {
    await on('#/learn/nonsense/1', DESKTOP, async (page) => {
      await page.getByText('There is no chapter nonsense.').waitFor();
      await page.goto(`${engine.url}#/learn/one-clue/x`);
      await page.getByText('An exercise has a whole number below 2⁶⁴, not x.').waitFor();
      await page.goto(`${engine.url}#/learn/one-clue/1/2`);
      await page.getByText('There is no page at #/learn/one-clue/1/2.').waitFor();
    });
  });

  test('without a network', async () => {
    const server = await startEngine();
    const context = await browser.newContext(DESKTOP);
    const page = await context.newPage();
    await page.goto(`${server.url}#/learn`);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await server.close();
    await page.goto(`${server.url}#/learn/mines-left/3`);
    await page.reload();
    await ready(page);
    const { right } = answers('mines-left', 3);
    for (const place of right) {
      await settled(page);
      await cell(page, ...place).click();
    }
    await answerCard(page).getByRole('heading', { name: 'Solved' }).waitFor();
    await context.close();
  });
});
