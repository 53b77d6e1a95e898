//! The colors of a board, read from the custom properties `--mb-…` of the page around it.

/** What a page that says nothing gets. */
const USUAL = {
  covered: '#7b91a6',
  edge: 'rgb(0 0 0 / 0.22)',
  shine: 'rgb(255 255 255 / 0.35)',
  open: '#f7f9fa',
  line: '#d3dbe1',
  ink: '#171c21',
  muted: '#545f69',
  accent: '#0b7391',
  flag: '#b8341b',
  danger: '#c0321a',
  safe: '#10714c',
  /** The tile of a cell that is proved safe, where odds are shown. */
  proved: '#0c8a72',
  /** The way of a recorded mouse. */
  trail: '#a3228f',
  focus: '#b3540b',
};
const DIGITS = ['#1f5bb5', '#10714c', '#b8341b', '#5b3aa8', '#85480a', '#0b6675', '#23272b', '#626a73'];

export type Theme = typeof USUAL & { digits: readonly string[]; font: string };

/**
 * Reads the theme at an element. A canvas takes no `var()`, no `light-dark()` and no names of
 * system colors, so the browser resolves them as the color of a probe.
 */
export function readTheme(host: HTMLElement, forced = matchMedia('(forced-colors: active)').matches): Theme {
  const probe = document.createElement('span');
  (host.shadowRoot ?? host).append(probe);
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
    covered: face, edge: text, shine: text, open: canvas, line: text, ink: text, muted: text, accent: mark, flag: text, danger: text,
    safe: text, proved: face, trail: mark, focus: mark, digits: Array<string>(8).fill(text), font,
  };
}
