//! Boards in addresses: what a link asks for, and what is wrong with it.

import { shapeOf, type Rules } from '../../game/rules.ts';
import type { Place } from '../../game/shape.ts';
import { formatRoute, queryOfRules, ruleFaults, rulesFromQuery, seedFromQuery } from '../../state/url.ts';
import type { Game } from './game.svelte.ts';
import { DIFFICULTIES, type Wishes } from './wishes.ts';

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

function faultsOf(query: URLSearchParams, rules: Rules): string[] {
  const difficulty = query.get('difficulty');
  const known = !difficulty || (DIFFICULTIES as readonly string[]).includes(difficulty);
  return [
    ...ruleFaults(query),
    ...(known ? [] : [`The link says difficulty=${difficulty}, which is not known. Logic difficulties: ${DIFFICULTIES.join(', ')}.`]),
    ...firstFault(query.get('first'), rules),
  ];
}

function firstFault(text: string | null, rules: Rules): string[] {
  if (!text) return [];
  const place = placeOf(text);
  if (!place) return [`The link says first=${text}, which is not a cell. Write row,column, such as 4,4.`];
  const { width, height } = shapeOf(rules);
  const fits = place[0] < height && place[1] < width;
  return fits ? [] : [`The link says first=${text}, which is not on the board. Rows go from 0 to ${height - 1}, columns from 0 to ${width - 1}.`];
}
