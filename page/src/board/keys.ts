//! Keys of the board, all of which a person may change.

export type BoardCommand = 'open' | 'flag' | 'chord' | 'up' | 'down' | 'left' | 'right';
export type RoomCommand = 'hint' | 'undo' | 'redo' | 'new' | 'again';
export type Command = BoardCommand | RoomCommand;
export type KeyMap = Readonly<Record<Command, readonly string[]>>;

export const DEFAULT_KEYS: KeyMap = {
  open: [' ', 'Enter'],
  flag: ['f'],
  chord: ['c'],
  up: ['ArrowUp', 'w'],
  down: ['ArrowDown', 's'],
  left: ['ArrowLeft', 'a'],
  right: ['ArrowRight', 'd'],
  hint: ['h'],
  undo: ['z', 'u'],
  redo: ['y'],
  new: ['n'],
  again: ['r'],
};

export const COMMAND_WORDS: Readonly<Record<Command, string>> = {
  open: 'Open',
  flag: 'Flag',
  chord: 'Chord',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  hint: 'Next hint',
  undo: 'Undo',
  redo: 'Redo',
  new: 'New board',
  again: 'Restart',
};

function normal(key: string): string {
  return key.length === 1 ? key.toLowerCase() : key;
}

/** What a key press means, if anything. Keys held with Ctrl, Alt or Meta mean nothing here. */
export function commandOf(keys: KeyMap, event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>): Command | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const pressed = normal(event.key);
  const found = (Object.keys(keys) as Command[]).find((command) => keys[command].includes(pressed));
  return found ?? null;
}

/** Gives a key to a command, and takes it from any other. */
export function bind(keys: KeyMap, command: Command, key: string): KeyMap {
  const pressed = normal(key);
  const entries = (Object.keys(keys) as Command[]).map((name) => {
    const others = keys[name].filter((other) => other !== pressed);
    return [name, name === command ? [pressed, ...others].slice(0, 2) : others];
  });
  return Object.fromEntries(entries) as KeyMap;
}

export function keyName(key: string): string {
  return { ' ': 'Space', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' }[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}
