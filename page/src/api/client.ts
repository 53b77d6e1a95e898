//! The engine behind the page. Every fault comes out as an `ApiError` with words for people.

import type { GameRecord } from '../game/record.ts';
import { rowsOf, type Position } from '../game/notation.ts';
import type { Place } from '../game/shape.ts';
import { stream, type ServerEvent } from './sse.ts';
import type {
  AgentEntry, Analysis, Artifact, ArtifactSummary, Converted, DealtBoard, Decision, Hint, KeptRecord, Leaderboard, Measures, OptionValue, PlayBody,
  PlayEnd, PositionBody, Problem, Review, Run, RunList, Table, TableSummary, TournamentSpec, Version, Walk,
} from './types.ts';
import type { Rules, Start } from '../game/rules.ts';

/** Relative, so that the page works under any path. */
const BASE = 'api/v1';

export class ApiError extends Error {
  constructor(readonly title: string, readonly detail: string, readonly status: number, readonly at?: string | null) {
    super(detail ? `${title}: ${detail}` : title);
  }

  /** The server cannot be reached at all. */
  get offline(): boolean {
    return this.status === 0;
  }
}

export function isAbort(fault: unknown): boolean {
  return fault instanceof DOMException && fault.name === 'AbortError';
}

/** What to tell a person about a fault. */
export function faultWords(fault: unknown): { title: string; detail: string } {
  if (fault instanceof ApiError) return { title: fault.title, detail: [fault.detail, fault.at ? `(${fault.at})` : ''].join(' ').trim() };
  return { title: 'Something went wrong', detail: fault instanceof Error ? fault.message : String(fault) };
}

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(`${BASE}${path}`, init);
  } catch (fault) {
    if (isAbort(fault)) throw fault;
    throw new ApiError('The engine cannot be reached', 'Is deminer serve still running? Boards can be played meanwhile.', 0);
  }
  if (answer.ok) return answer;
  if (answer.status === 503) {
    const wait = Number(answer.headers.get('retry-after') ?? 1);
    throw new ApiError('The engine is busy', `Try again in ${wait} s.`, 503);
  }
  const problem = (await answer.json().catch(() => null)) as Problem | null;
  throw problem ? problemError(problem) : new ApiError(`The engine answered ${answer.status}`, '', answer.status);
}

async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, { signal: signal ?? null })).json() as Promise<T>;
}

async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal: signal ?? null };
  return (await send(path, init)).json() as Promise<T>;
}

/** Streams open through `send`, whose network faults must look like such to be tried again. */
async function openStream(path: string, init: RequestInit): Promise<Response> {
  try {
    return await send(path, init);
  } catch (fault) {
    if (fault instanceof ApiError && fault.offline) throw new TypeError(fault.message);
    throw fault;
  }
}

async function streamed(path: string, options: Parameters<typeof stream>[1]): Promise<void> {
  try {
    await stream((init) => openStream(path, init), options);
  } catch (fault) {
    if (fault instanceof TypeError) throw new ApiError('The engine cannot be reached', 'The connection broke and could not be taken up again.', 0);
    throw fault;
  }
}

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

/** Whether a run goes on by itself. */
export function isLive({ state }: Run): boolean {
  return state === 'queued' || state === 'running';
}

function problemError(problem: Problem): ApiError {
  return new ApiError(problem.title, problem.detail, problem.status, problem.at);
}

let agents: Promise<AgentEntry[]> | null = null;

export const api = {
  version: (signal?: AbortSignal) => get<Version>('/version', signal),

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

  async picture(body: Record<string, unknown>): Promise<Blob> {
    const answer = await send('/picture', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return answer.blob();
  },

  leaderboard: (signal?: AbortSignal) => get<Leaderboard>('/leaderboard', signal),
  tables: (signal?: AbortSignal) => get<{ tables: TableSummary[] }>('/tables', signal).then(({ tables }) => tables),
  table: (id: string, signal?: AbortSignal) =>
    get<{ table: Table; pictures: string[] }>(`/tables/${encodeURIComponent(id)}`, signal).then(({ table, pictures }) => ({ ...table, pictures })),
  tablePicture: (id: string, name: string) => `${BASE}/tables/${encodeURIComponent(id)}/${encodeURIComponent(name)}`,

  records: () => get<{ records: KeptRecord[] }>('/records').then((answer) => answer.records),
  record: (id: string) => get<GameRecord>(`/records/${encodeURIComponent(id)}`),
  keep: (record: GameRecord) => post<{ id: string }>('/records', record),
  forget: (id: string) => send(`/records/${encodeURIComponent(id)}`, { method: 'DELETE' }),

  runs: (signal?: AbortSignal) => get<RunList>('/runs', signal),
  run: (id: string, signal?: AbortSignal) => get<Run>(`/runs/${encodeURIComponent(id)}`, signal),
  startTournament: (spec: TournamentSpec) => post<Run>('/runs', { kind: 'tournament', spec }),
  startTraining: (learner: string, options: Record<string, OptionValue>) => post<Run>('/runs', { kind: 'train', learner, options }),
  stopRun: (id: string) => post<Run>(`/runs/${encodeURIComponent(id)}/stop`, {}),
  resumeRun: (id: string) => post<Run>(`/runs/${encodeURIComponent(id)}/resume`, {}),
  removeRun: (id: string) => send(`/runs/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  runArtifact: (id: string) => `${BASE}/runs/${encodeURIComponent(id)}/artifact`,
  async watchRun(id: string, on: (run: Run) => void, lost: () => void, signal: AbortSignal): Promise<void> {
    await streamed(`/runs/${encodeURIComponent(id)}/events`, {
      signal,
      lost,
      last: ({ data }) => !isLive(JSON.parse(data) as Run),
      on: ({ data }: ServerEvent) => on(JSON.parse(data) as Run),
    });
  },

  artifacts: (signal?: AbortSignal) => get<{ artifacts: ArtifactSummary[] }>('/artifacts', signal).then((answer) => answer.artifacts),
  artifact: (name: string, signal?: AbortSignal) => get<Artifact>(`/artifacts/${encodeURIComponent(name)}`, signal),
  artifactText: async (name: string, signal?: AbortSignal) => (await send(`/artifacts/${encodeURIComponent(name)}/text`, { signal: signal ?? null })).text(),
  walk: (name: string, rows: string[], signal?: AbortSignal) => post<Walk>(`/artifacts/${encodeURIComponent(name)}/walk`, { rows }, signal),
  artifactDrawing: (name: string, drawing: string) => `${BASE}/artifacts/${encodeURIComponent(name)}/${encodeURIComponent(drawing)}`,
};
