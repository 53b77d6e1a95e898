//! Files and text given to the page as people give them: dropped and pasted.

import type { Page } from 'playwright-core';

/** Drops a file in the middle of the page. */
export async function dropFile(page: Page, name: string, content: Uint8Array): Promise<void> {
  const transfer = await page.evaluateHandle(({ name, content }) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], name));
    return transfer;
  }, { name, content: Buffer.from(content).toString('base64') });
  await page.dispatchEvent('main', 'dragenter', { dataTransfer: transfer });
  await page.getByText('Drop a replay, record, position or board').waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer: transfer });
}

/** Pastes text outside of all text fields. */
export async function pasteText(page: Page, text: string): Promise<void> {
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}
