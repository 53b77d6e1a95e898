//! Statistics as files: JSON to keep and to merge, CSV for tables.

import { isClueRule, isForm, isStart, parseSize } from '../../../game/rules.ts';
import { DIFFICULTIES } from '../wishes.ts';
import { efficiencyOf, speedOf, ziniEfficiencyOf, type FinishedGame } from './finished.ts';

/** A game with its moves, as `packGame` writes them, where they are still kept. */
export interface Exported extends FinishedGame {
  record?: string;
}

interface StatisticsFile {
  schema_version: 1;
  kind: 'statistics';
  exported: string;
  games: Exported[];
}

/** A file that cannot be imported; the message says what is wrong. */
export class ImportError extends Error {}

export function statisticsFile(games: readonly Exported[]): string {
  const file: StatisticsFile = { schema_version: 1, kind: 'statistics', exported: new Date().toISOString(), games: [...games] };
  return JSON.stringify(file) + '\n';
}

/** Reads what `statisticsFile` wrote; nothing of a file with a fault is taken. */
export function readStatistics(text: string): Exported[] {
  let file: Partial<StatisticsFile> | null;
  try {
    file = JSON.parse(text) as typeof file;
  } catch {
    throw new ImportError('This file is not JSON. Choose a file that was exported from this page.');
  }
  if (file?.kind !== 'statistics' || !Array.isArray(file.games)) {
    throw new ImportError('This file holds no statistics. Choose a file that was exported from this page.');
  }
  if (file.schema_version !== 1) throw new ImportError(`This file has version ${String(file.schema_version)}; this page reads version 1.`);
  return file.games.map((game, i) => {
    const fault = faultOf(game);
    if (fault) throw new ImportError(`Game ${i + 1} of this file: ${fault}.`);
    return clean(game);
  });
}

/** Each field with what it may hold. */
const FIELDS: Readonly<Record<keyof Exported, [is: (value: never) => boolean, words: string]>> = {
  id: [(id: string) => typeof id === 'string' && /^[\w.:+-]{1,80}$/.test(id), 'a short text'],
  finished: [(date: string) => typeof date === 'string' && !Number.isNaN(Date.parse(date)), 'a date'],
  rules: [isRules, 'rules of a board'],
  wishes: [isWishes, '`noGuess` and `difficulty`'],
  outcome: [(outcome: string) => outcome === 'won' || outcome === 'lost', '`won` or `lost`'],
  millis: [isCount, 'a number, 0 or more'],
  threeBv: [isCount, 'a number, 0 or more'],
  solved: [isCount, 'a number, 0 or more'],
  clicks: [isCount, 'a number, 0 or more'],
  undone: [isCount, 'a number, 0 or more'],
  hints: [isCount, 'a number, 0 or more'],
  odds: [(odds: boolean) => typeof odds === 'boolean', 'true or false'],
  replayed: [(replayed: boolean) => typeof replayed === 'boolean', 'true or false'],
  zini: [(zini?: number) => zini === undefined || isCount(zini), 'a number, 0 or more'],
  record: [(record?: string) => record === undefined || (typeof record === 'string' && /^[\w-]*$/.test(record)), 'a packed game'],
};

function faultOf(game: unknown): string | null {
  if (typeof game !== 'object' || game === null) return 'it is not an object';
  const fields = game as Record<string, never>;
  const wrong = Object.entries(FIELDS).find(([name, [is]]) => !is(fields[name]!));
  return wrong ? `\`${wrong[0]}\` must be ${wrong[1][1]}` : null;
}

/** The known fields only. */
function clean(game: Exported): Exported {
  const entries = Object.keys(FIELDS).map((name) => [name, game[name as keyof Exported]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as unknown as Exported;
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function isRules(rules: Partial<FinishedGame['rules']> | null): boolean {
  if (typeof rules !== 'object' || rules === null) return false;
  const { board, shape, start, cascade, clues } = rules;
  return [board, shape, start, cascade, clues].every((text) => typeof text === 'string')
    && parseSize(board!) !== null && isForm(shape!) && isStart(start!) && (cascade === 'on' || cascade === 'off') && isClueRule(clues!);
}

function isWishes(wishes: Partial<FinishedGame['wishes']> | null): boolean {
  if (typeof wishes !== 'object' || wishes === null) return false;
  return typeof wishes.noGuess === 'boolean' && (['', ...DIFFICULTIES] as unknown[]).includes(wishes.difficulty);
}

/** A line for each game, with its figures. */
export function csvOf(games: readonly FinishedGame[]): string {
  const rounded = (value: number | null) => (value === null ? '' : Number(value.toFixed(4)));
  const columns: Record<string, (game: FinishedGame) => string | number | boolean> = {
    finished: ({ finished }) => finished,
    board: ({ rules }) => rules.board,
    shape: ({ rules }) => rules.shape,
    start: ({ rules }) => rules.start,
    cascade: ({ rules }) => rules.cascade,
    clues: ({ rules }) => rules.clues,
    no_guess: ({ wishes }) => wishes.noGuess,
    difficulty: ({ wishes }) => wishes.difficulty,
    outcome: ({ outcome }) => outcome,
    seconds: ({ millis }) => millis / 1000,
    three_bv: ({ threeBv }) => threeBv,
    solved_three_bv: ({ solved }) => solved,
    three_bv_per_second: (game) => rounded(speedOf(game)),
    clicks: ({ clicks }) => clicks,
    efficiency: (game) => rounded(efficiencyOf(game)),
    zini: ({ zini }) => zini ?? '',
    zini_efficiency: (game) => rounded(ziniEfficiencyOf(game)),
    moves_undone: ({ undone }) => undone,
    hints: ({ hints }) => hints,
    odds_shown: ({ odds }) => odds,
    same_board_again: ({ replayed }) => replayed,
  };
  const lines = games.map((game) => Object.values(columns).map((value) => value(game)).join(','));
  return [Object.keys(columns).join(','), ...lines].join('\n') + '\n';
}
