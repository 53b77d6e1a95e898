import { test } from 'vitest';
import { startEngine } from '../engine.ts';
import { launch, visit, cell } from './chromium.ts';

// SIZE list "1280x800 1920x1080 390x844", LOOK address, DO steps
test('wlook', { timeout: 200_000 }, async () => {
  const engine = await startEngine();
  const browser = await launch();
  for (const place of process.env.LOOK!.split(' ')) for (const size of (process.env.SIZE ?? '1280x800 1920x1080 390x844').split(' ')) for (const scheme of (process.env.SCHEME ?? 'light').split(' ')) {
    const [width, height] = size.split('x').map(Number) as [number, number];
    const phone = width < 600;
    const seen = await visit(browser, engine.url + place, { viewport: { width, height }, colorScheme: scheme as 'light', ...(phone ? { hasTouch: true, isMobile: true, deviceScaleFactor: 2 } : {}) });
    await seen.page.waitForTimeout(1500);
    for (const step of (process.env.DO ?? '').split(';').filter(Boolean)) {
      const [what, ...args] = step.split('|') as [string, ...string[]];
      if (what === 'cell') await cell(seen.page, Number(args[0]), Number(args[1])).click();
      else if (what === 'button') await seen.page.getByRole('button', { name: args[0]! }).first().click();
      else if (what === 'fill') await seen.page.getByLabel(args[0]!).first().fill(args[1]!);
      else if (what === 'wait') await seen.page.waitForTimeout(Number(args[0]));
      else if (what === 'key') await seen.page.keyboard.press(args[0]!);
      await seen.page.waitForTimeout(300);
    }
    const units = await seen.page.evaluate(() => [...document.querySelectorAll('mine-board')].map((board) => (board as unknown as { unit: number }).unit));
    const name = `${process.env.NAME ?? 'w'}-${size}-${scheme}`;
    await seen.page.screenshot({ path: `/tmp/h/wtmp/${name}.png`, fullPage: Boolean(process.env.FULL) });
    console.log(name, units.join(' '), seen.faults, await seen.page.evaluate(() => `${document.documentElement.scrollWidth}x${document.documentElement.scrollHeight}`));
    await seen.close();
  }
  await browser.close();
  await engine.close();
});
