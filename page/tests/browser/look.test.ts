import { test } from 'vitest';
import { startEngine, startSite } from '../engine.ts';
import { DESKTOP, OUT, PHONE, launch, visit, cell } from './chromium.ts';

// A quick look at one address: LOOK='#/play #/watch' npx vitest run --config vitest.browser.config.ts look
test.skipIf(!process.env.LOOK)('look', { timeout: 120_000 }, async () => {
  const engine = await (process.env.SITE ? startSite() : startEngine());
  const browser = await launch();
  for (const [number, place] of process.env.LOOK!.split(' ').entries()) for (const [kind, options] of [['desktop', DESKTOP], ['phone', PHONE]] as const) {
    const name = `${number}-${kind}`;
    if (process.env.ONLY && process.env.ONLY !== kind) continue;
    const seen = await visit(browser, engine.url + place, { ...options, colorScheme: process.env.DARK ? 'dark' : 'light' });
    await seen.page.waitForTimeout(900);
    for (const step of (process.env.DO ?? '').split(';').filter(Boolean)) {
      const [what, ...args] = step.split('|') as [string, ...string[]];
      if (what === 'cell') await cell(seen.page, Number(args[0]), Number(args[1])).click();
      else if (what === 'button') await seen.page.getByRole('button', { name: args[0]! }).first().click();
      else if (what === 'check') await seen.page.getByLabel(args[0]!).first().check();
      else if (what === 'wait') await seen.page.waitForTimeout(Number(args[0]));
      else if (what === 'key') await seen.page.keyboard.press(args[0]!);
      await seen.page.waitForTimeout(250);
    }
    await seen.page.screenshot({ path: `${OUT}look-${name}.png`, fullPage: Boolean(process.env.FULL) });
    console.log(name, seen.faults);
    await seen.close();
  }
  await browser.close();
  await engine.close();
});
