//! What a person chose, kept in the browser.

import { DEFAULT_KEYS, type KeyMap } from '../board/keys.ts';
import type { Palette } from '../board/heat.ts';

export interface Settings {
  theme: 'system' | 'light' | 'dark';
  palette: Palette;
  numbers: boolean;
  ruler: boolean;
  chords: boolean;
  /** Whether numbers whose chord is possible are outlined in Play. */
  chordHints: boolean;
  /** Touch only: ask before opening a cell that was not tapped just before. */
  twoTaps: boolean;
  player: string;
  keys: KeyMap;
}

const DEFAULTS: Settings = {
  theme: 'system', palette: 'cividis', numbers: true, ruler: false, chords: true, chordHints: false, twoTaps: false, player: 'me', keys: DEFAULT_KEYS,
};
const NAME = 'deminer-settings';

function load(): Settings {
  try {
    const kept = JSON.parse(localStorage.getItem(NAME) ?? '{}') as Partial<Settings>;
    return { ...DEFAULTS, ...kept, keys: { ...DEFAULT_KEYS, ...kept.keys } };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings: Settings = $state(load());

export function changeSettings(change: Partial<Settings>): void {
  Object.assign(settings, change);
  try {
    localStorage.setItem(NAME, JSON.stringify(settings));
  } catch {
    // A private window keeps nothing; the choice holds until it is closed.
  }
  applyTheme();
}

/** How the engine should draw pictures. */
export function pictureLook(): { heat: string; percentages: boolean; dark: boolean } {
  const dark = settings.theme === 'dark' || (settings.theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  return { heat: settings.palette === 'papers' ? 'green-purple' : 'blue-orange', percentages: settings.numbers, dark };
}

export function resetKeys(): void {
  changeSettings({ keys: DEFAULT_KEYS });
}

export function applyTheme(): void {
  const root = document.documentElement;
  if (settings.theme === 'system') root.removeAttribute('data-theme');
  else root.dataset.theme = settings.theme;
  for (const board of document.querySelectorAll('mine-board')) board.refreshTheme();
}
