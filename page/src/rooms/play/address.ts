//! Boards in addresses: what a link asks for, and what is wrong with it.

import { MAX_SIDE, PLAIN, isClueRule, isForm, isStart, shapeOf, sizeFault, type Rules } from '../../game/rules.ts';
import type { Place } from '../../game/shape.ts';
import { formatRoute, queryOfRules, rulesFromQuery, seedFromQuery } from '../../state/url.ts';
import { DIFFICULTIES, type Game, type Wishes } from './game.svelte.ts';

export interface Asked {
  rules: Rules;
  wishes: Wishes;
  seed: bigint | null;
  /** The cell that has to be opened first. */
  first: Place | null;
  /** What is wrong with the link, a sentence each. */
  faults: string[];
}

/** What a link asks for; where it is wrong, the default. */
export function readAddress(query: URLSearchParams): Asked {
  const rules = rulesFromQuery(query);
  const difficulty = DIFFICULTIES.find((name) => name === query.get('difficulty')) ?? '';
  return {
    rules,
    wishes: { noGuess: query.get('noguess') === '1', difficulty },
    seed: seedFromQuery(query),
    first: placeOf(query.get('first')),
    faults: faultsOf(query, rules),
  };
}

export function addressOf(game: Game): string {
  const first = game.firstCell;
  return formatRoute('play', [], {
    ...queryOfRules(game.rules),
    seed: String(game.seed),
    first: first === null ? undefined : game.board.shape.place(first).join(','),
    noguess: game.wishes.noGuess ? 1 : undefined,
    difficulty: game.wishes.difficulty || undefined,
  });
}

function placeOf(text: string | null): Place | null {
  const match = /^(\d{1,3}),(\d{1,3})$/.exec(text ?? '');
  return match ? [Number(match[1]), Number(match[2])] : null;
}

/** What each word of a link may be. */
const WORDS: Readonly<Record<string, { allowed: (text: string) => boolean; hint: string }>> = {
  shape: { allowed: isForm, hint: 'use rect, torus or hex' },
  start: { allowed: isStart, hint: 'use open, safe or unsafe' },
  cascade: { allowed: (text) => text === 'on' || text === 'off', hint: 'use on or off' },
  clues: { allowed: isClueRule, hint: 'use exact, blind:0.1, optimistic, cautious or cautious:degree' },
  seed: { allowed: (text) => seedFromQuery(new URLSearchParams({ seed: text })) !== null, hint: 'use a whole number from 0 to 18446744073709551615' },
  noguess: { allowed: (text) => text === '0' || text === '1', hint: 'use 1 or leave it out' },
  difficulty: { allowed: (text) => (DIFFICULTIES as readonly string[]).includes(text), hint: `use ${DIFFICULTIES.join(', ')}` },
};

function faultsOf(query: URLSearchParams, rules: Rules): string[] {
  const faults = Object.entries(WORDS).flatMap(([name, { allowed, hint }]) => {
    const text = query.get(name);
    return text && !allowed(text) ? [`\`${name}=${text}\` is not known: ${hint}.`] : [];
  });
  return [...boardFault(query.get('board')), ...faults, ...firstFault(query.get('first'), rules)];
}

function boardFault(text: string | null): string[] {
  if (!text) return [];
  const match = /^(\d+)x(\d+)x(\d+)$/.exec(text);
  if (!match) return [`\`board=${text}\` is not a board: write width x height x mines, such as ${PLAIN.board}, with sides up to ${MAX_SIDE}.`];
  const fault = sizeFault({ width: Number(match[1]), height: Number(match[2]), mines: Number(match[3]) });
  return fault ? [`\`board=${text}\` cannot be dealt. ${fault}`] : [];
}

function firstFault(text: string | null, rules: Rules): string[] {
  if (!text) return [];
  const place = placeOf(text);
  if (!place) return [`\`first=${text}\` is not a cell: write row,column, such as 4,4.`];
  const { width, height } = shapeOf(rules);
  return place[0] < height && place[1] < width ? [] : [`\`first=${text}\` is not on the board: rows go from 0 to ${height - 1}, columns from 0 to ${width - 1}.`];
}
