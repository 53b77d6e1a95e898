//! The colors of a board, read from the custom properties `--mb-…` of the page around it.

import type { Theme } from './tiles.ts';

/** What a page that says nothing gets. */
const USUAL = {
  covered: '#bec9d3',
  edge: 'rgb(0 0 0 / 0.10)',
  shine: 'rgb(255 255 255 / 0.5)',
  open: '#f5f7f8',
  line: '#d5dce2',
  ink: '#1b2026',
  muted: '#5a6570',
  accent: '#0e6f8c',
  flag: '#b8341b',
  danger: '#c0321a',
  safe: '#10714c',
  trail: '#a3228f',
};
const DIGITS = ['#1f5bb5', '#10714c', '#b8341b', '#5b3aa8', '#85480a', '#0b6675', '#23272b', '#626a73'];

/**
 * Reads the theme at an element. A canvas takes no `var()`, no `light-dark()` and no names of
 * system colors, so the browser resolves them as the color of a probe.
 */
export function readTheme(host: HTMLElement, forced: boolean): Theme {
  const probe = document.createElement('span');
  host.shadowRoot!.append(probe);
  const resolve = (color: string) => {
    probe.style.color = color;
    return getComputedStyle(probe).color;
  };
  const font = getComputedStyle(host).fontFamily || 'system-ui, sans-serif';
  const theme = forced ? systemTheme(resolve, font) : ownTheme(resolve, font);
  probe.remove();
  return theme;
}

function ownTheme(resolve: (color: string) => string, font: string): Theme {
  const read = (name: string, usual: string) => resolve(`var(--mb-${name}, ${usual})`);
  const colors = Object.fromEntries(Object.entries(USUAL).map(([name, usual]) => [name, read(name, usual)]));
  return { ...(colors as typeof USUAL), digits: DIGITS.map((usual, i) => read(`digit-${i + 1}`, usual)), font };
}

/** The colors of those who force theirs on every page. */
function systemTheme(resolve: (color: string) => string, font: string): Theme {
  const [canvas, text, face, mark] = ['Canvas', 'CanvasText', 'ButtonFace', 'Highlight'].map(resolve) as [string, string, string, string];
  return {
    covered: face, edge: text, shine: text, open: canvas, line: text, ink: text, muted: text,
    accent: mark, flag: text, danger: text, safe: text, trail: mark, digits: Array<string>(8).fill(text), font,
  };
}
