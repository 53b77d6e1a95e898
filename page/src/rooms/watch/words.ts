//! What is said of an agent's moves.

import type { Decision } from '../../api/types.ts';
import { percent } from '../../board/heat.ts';
import type { Why } from '../../game/record.ts';
import { counted, placeText } from '../../parts/analysis.ts';
import type { Replay } from './replay.svelte.ts';

export function moveText({ action, cell }: Decision): string {
  return cell ? `${action} ${placeText(cell)}` : action;
}

export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A reason in a few words, where the engine gave no sentence. */
function whyText(why: Why): string {
  switch (why.kind) {
    case 'proved':
      return `proved: ${why.rule}`;
    case 'rule':
      return why.name;
    case 'risk':
      return `a guess with ${percent(why.risk, 1)} risk`;
    case 'start':
      return 'the first click';
    case 'blind':
      return 'a blind guess';
    case 'nothing':
      return '';
  }
}

/** The reason alone: the move and the badge stand before it. */
export function reasonText(decision: Decision): string {
  if (decision.why.kind === 'nothing') return '';
  const sentence = decision.sentence || whyText(decision.why);
  const prefix = `${moveText(decision)}: `;
  const suffix = ` (${reasonBadge(decision)?.text})`;
  const reason = sentence.startsWith(prefix) ? sentence.slice(prefix.length) : sentence;
  return capital(reason.endsWith(suffix) ? reason.slice(0, -suffix.length) : reason);
}

/** The kind of reason, as a badge; null where there is none. */
export function reasonBadge({ why }: Decision): { text: string; tone: 'good' | 'warn' | '' } | null {
  switch (why.kind) {
    case 'proved':
      return { text: why.rule, tone: 'good' };
    case 'rule':
      return { text: why.name, tone: 'good' };
    case 'risk':
      return { text: 'guess', tone: 'warn' };
    case 'blind':
      return { text: 'blind guess', tone: 'warn' };
    case 'start':
      return { text: 'first click', tone: '' };
    case 'nothing':
      return null;
  }
}

const EFFORT: Readonly<Record<string, string>> = { pool: 'in the pool', iterations: 'iterations', genes: 'cells evolved', parts: 'parts', errors: 'errors in total' };

/** What else is known of a decision: other cells it considered, and how much work it did. */
export function asideText({ alternatives, effort }: Decision): string {
  const others = (alternatives ?? []).length > 1 ? `Also considered: ${alternatives.slice(0, 3).map(({ cell, safety }) => `${placeText(cell)} (${percent(safety)} safe)`).join('; ')}.` : '';
  const names = effort ? [...Object.keys(EFFORT).filter((name) => name in effort), ...Object.keys(effort).filter((name) => !(name in EFFORT))] : [];
  const work = names.map((name) => `${effort![name]!.toLocaleString('en-US')} ${EFFORT[name] ?? name}`).join(', ');
  return [others, work && `${work}.`].filter(Boolean).join(' ');
}

/** How a game ended, with the guesses and the time it took. */
export function endText({ outcome, decisions }: Replay): { headline: string; details: string } {
  const words = { won: 'Won', lost: 'Lost', stuck: 'Stuck', undecided: 'Stopped without a decision' };
  const guesses = decisions.filter(({ why }) => why.kind === 'risk' || why.kind === 'blind').length;
  const millis = decisions.reduce((sum, { micros }) => sum + micros, 0) / 1000;
  return {
    headline: `${words[outcome!]} after ${counted(decisions.length, 'move')}`,
    details: `${counted(guesses, 'guess', 'guesses')}, ${millis.toFixed(millis < 10 ? 2 : 0)} ms thinking time.`,
  };
}
