//! What one cell looks like, as a small number: 0 to 8 are open numbers.

export type Face = number;

export const COVERED: Face = 9;
export const FLAGGED: Face = 10;
/** Open, but shows nothing. */
export const BLANK: Face = 11;
/** A mine that is shown. */
export const MINE: Face = 12;
/** The mine that ended the game. */
export const EXPLODED: Face = 13;
/** A flag that was wrong, shown after the end. */
export const WRONG_FLAG: Face = 14;

export function isOpen(face: Face): boolean {
  return face <= 8 || face === BLANK;
}

export function isCovered(face: Face): boolean {
  return face === COVERED || face === FLAGGED;
}

const SYMBOLS = '.12345678#F?***';

/** The symbol of the engine's notation. */
export function symbol(face: Face): string {
  return SYMBOLS[face]!;
}

/** Reads a symbol; null if it is none. `H` is an old way to write a covered cell. */
export function faceOf(text: string): Face | null {
  if (text === '.' || text === '0') return 0;
  if (text >= '1' && text <= '8') return Number(text);
  switch (text) {
    case '#':
    case 'H':
      return COVERED;
    case 'F':
      return FLAGGED;
    case '?':
      return BLANK;
    case '*':
      return MINE;
    default:
      return null;
  }
}

/** How a screen reader says it as the state of a cell. */
export function spoken(face: Face): string {
  return isOpen(face) ? `open, ${describeFace(face)}` : describeFace(face);
}

/** What a screen reader says when cells were opened: how many, and what the cell that was chosen shows. */
export function describeOpened(face: Face, opened: number): string {
  return `${opened > 1 ? `Opened ${opened} cells` : 'Opened'}: ${describeFace(face)}.`;
}

/** What a cell shows, in words. */
export function describeFace(face: Face): string {
  if (face === 0) return 'empty, no mines around';
  if (face <= 8) return String(face);
  switch (face) {
    case COVERED:
      return 'covered';
    case FLAGGED:
      return 'flag';
    case BLANK:
      return 'shows nothing';
    case MINE:
      return 'mine';
    case EXPLODED:
      return 'mine, exploded';
    default:
      return 'flag, wrong';
  }
}
