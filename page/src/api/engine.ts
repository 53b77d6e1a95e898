//! The engine: rules, odds, hints, review, boards, agents.

import type { GameRecord } from '../game/record.ts';
import { rowsOf, type Position } from '../game/notation.ts';
import type { Place } from '../game/shape.ts';
import { problemError } from './fault.ts';
import { get, post, send, streamed } from './http.ts';
import type { ServerEvent } from './sse.ts';
import type {
  AgentEntry, Analysis, Converted, DealtBoard, Decision, Hint, Measures, PlayBody, PlayEnd, PositionBody, Problem, Review, Walk,
} from './types.ts';
import type { Rules, Start } from '../game/rules.ts';

export function positionBody({ shape, mines, clues, faces }: Position): PositionBody {
  return {
    rows: rowsOf(shape, faces),
    mines,
    ...(shape.form === 'rect' ? {} : { shape: shape.form }),
    ...(clues === 'exact' ? {} : { clues }),
  };
}

function base64(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

let agents: Promise<AgentEntry[]> | null = null;

export const engine = {
  /** The roster, asked for once. */
  agents(): Promise<AgentEntry[]> {
    agents ??= get<{ agents: AgentEntry[] }>('/agents').then(
      (answer) => answer.agents,
      (fault: unknown) => {
        agents = null;
        throw fault;
      },
    );
    return agents;
  },

  analyze: (position: Position, options: { why?: boolean; around?: Place; start?: Start } = {}, signal?: AbortSignal) =>
    post<Analysis>('/analyze', { ...positionBody(position), ...options }, signal),

  hint: (position: Position, level: 1 | 2 | 3 | 4, signal?: AbortSignal) =>
    post<Hint>('/hint', { ...positionBody(position), level }, signal),

  deal: (rules: Rules, options: { seed?: string; no_guess?: boolean; difficulty?: string; first?: Place }, signal?: AbortSignal) =>
    post<DealtBoard>('/boards', { rules, ...options }, signal),

  coach: (record: GameRecord, signal?: AbortSignal) => post<Review>('/coach', { record }, signal),

  measure: (record: GameRecord, signal?: AbortSignal) => post<Measures>('/measure', { record }, signal),

  async play(
    body: PlayBody,
    handlers: { begin?: () => void; decision: (decision: Decision) => void; end: (end: PlayEnd) => void },
    signal: AbortSignal,
  ): Promise<void> {
    await streamed('/play', {
      body, signal, last: ({ event }) => event === 'end',
      on({ event, data }: ServerEvent) {
        if (event === 'begin') handlers.begin?.();
        else if (event === 'decision') handlers.decision(JSON.parse(data) as Decision);
        else if (event === 'end') handlers.end(JSON.parse(data) as PlayEnd);
        else if (event === 'error') throw problemError(JSON.parse(data) as Problem);
      },
    });
  },

  read: (bytes: Uint8Array, name?: string, signal?: AbortSignal) =>
    post<Converted>('/convert', { base64: base64(bytes), ...(name ? { name } : {}) }, signal),

  /** The file in another format. */
  async write(text: string, format: string): Promise<Blob> {
    const body = JSON.stringify({ base64: base64(new TextEncoder().encode(text)) });
    const answer = await send(`/convert?to=${encodeURIComponent(format)}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    return answer.blob();
  },

  walk: (name: string, rows: string[], signal?: AbortSignal) => post<Walk>(`/artifacts/${encodeURIComponent(name)}/walk`, { rows }, signal),
};
