//! What a history of games amounts to: win rates, streaks and best times by level and rules.

import { LEVELS } from '../../../game/rules.ts';
import { levelName, ruleWords } from '../rule-words.ts';
import { efficiencyOf, isUnaided, speedOf, ziniEfficiencyOf, type FinishedGame } from './finished.ts';

/** Games of one level under one set of rules. */
export interface Group {
  name: string;
  games: FinishedGame[];
}

/** Figures of the games that were played without help; those with help are only counted. */
export interface Figures {
  games: number;
  wins: number;
  winRate: number | null;
  /** Wins in a row up to the last game. */
  streak: number;
  bestStreak: number;
  bestTime: number | null;
  meanTime: number | null;
  bestSpeed: number | null;
  efficiency: number | null;
  ziniEfficiency: number | null;
  helped: number;
  helpedWins: number;
}

export function groupName({ rules, wishes }: Pick<FinishedGame, 'rules' | 'wishes'>): string {
  return [levelName(rules.board), ...ruleWords(rules, wishes)].join(' · ');
}

/** Groups in the order of levels, other sizes after them; games in the order of time. */
export function groupsOf(games: readonly FinishedGame[]): Group[] {
  const groups = new Map<string, FinishedGame[]>();
  for (const game of inOrder(games)) {
    const name = groupName(game);
    const group = groups.get(name);
    if (group) group.push(game);
    else groups.set(name, [game]);
  }
  const rank = ([name, [game]]: [string, FinishedGame[]]) => {
    const level = LEVELS.findIndex(({ board }) => board === game!.rules.board);
    return [level < 0 ? LEVELS.length : level, name.includes('·') ? 1 : 0] as const;
  };
  const sorted = [...groups].sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1] || a[0].localeCompare(b[0]));
  return sorted.map(([name, games]) => ({ name, games }));
}

export function inOrder(games: readonly FinishedGame[]): FinishedGame[] {
  return [...games].sort((a, b) => a.finished.localeCompare(b.finished) || a.id.localeCompare(b.id));
}

/** Figures of games that are in the order of time. */
export function figuresOf(games: readonly FinishedGame[]): Figures {
  const counted = games.filter(isUnaided);
  const helped = games.filter((game) => !isUnaided(game));
  const won = counted.filter(isWon);
  const streaks = streaksOf(counted);
  return {
    games: counted.length,
    wins: won.length,
    winRate: counted.length > 0 ? won.length / counted.length : null,
    streak: streaks.at(-1) ?? 0,
    bestStreak: Math.max(0, ...new Set(streaks)),
    bestTime: least(won.map(({ millis }) => millis)),
    meanTime: mean(won.map(({ millis }) => millis)),
    bestSpeed: most(known(won.map(speedOf))),
    efficiency: mean(known(counted.map(efficiencyOf))),
    ziniEfficiency: mean(known(won.map(ziniEfficiencyOf))),
    helped: helped.length,
    helpedWins: helped.filter(isWon).length,
  };
}

/** The best time of the other games of its group, to compare a game with. */
export function bestBefore(games: readonly FinishedGame[], game: FinishedGame): number | null {
  return figuresOf(games.filter((other) => other.id !== game.id && groupName(other) === groupName(game))).bestTime;
}

/** The share won among the last `window` games, after each game. */
export function rollingWinRate(games: readonly FinishedGame[], window: number): number[] {
  const counted = games.filter(isUnaided);
  return counted.map((_, i) => {
    const last = counted.slice(Math.max(0, i + 1 - window), i + 1);
    return last.filter(isWon).length / last.length;
  });
}

export function isWon({ outcome }: FinishedGame): boolean {
  return outcome === 'won';
}

/** How many wins in a row stand after each game. */
function streaksOf(games: readonly FinishedGame[]): number[] {
  let streak = 0;
  return games.map((game) => (streak = isWon(game) ? streak + 1 : 0));
}

function known(values: readonly (number | null)[]): number[] {
  return values.filter((value) => value !== null);
}

function least(values: readonly number[]): number | null {
  return values.reduce<number | null>((low, value) => (low === null || value < low ? value : low), null);
}

function most(values: readonly number[]): number | null {
  return values.reduce<number | null>((high, value) => (high === null || value > high ? value : high), null);
}

function mean(values: readonly number[]): number | null {
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}
