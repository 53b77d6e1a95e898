//! Short messages at the edge of the page, read out politely.

export const toast: { text: string; tone: 'plain' | 'bad' } = $state({ text: '', tone: 'plain' });
let timer = 0;

export function say(text: string, tone: 'plain' | 'bad' = 'plain'): void {
  toast.text = text;
  toast.tone = tone;
  clearTimeout(timer);
  timer = window.setTimeout(() => (toast.text = ''), tone === 'bad' ? 7000 : 2600);
}
