//! The files of the site: the same relative addresses on a static host and on a `deminer serve`.

import { ApiError, isAbort } from './fault.ts';
import type { AgentEntry, Artifact, ArtifactSummary, Leaderboard, Table, TableSummary } from './types.ts';

/** Which site this is. */
export interface Site {
  version: string;
  commit: string | null;
  agents: number;
  /** Whether a server answers beside the files. */
  server: boolean;
}

/** A file below `weights/`. */
export interface Weight {
  bytes: number;
  hash: string;
  /** The agent that plays with it, such as `cnn-5x5:orig` or `tree:lowest-risk`. */
  agent?: string;
  /** The board it was made for. */
  board?: string;
}

async function load(path: string, signal?: AbortSignal, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { ...init, signal: signal ?? null });
  } catch (fault) {
    if (isAbort(fault)) throw fault;
    throw new ApiError('This part of the page could not be loaded', 'It is loaded when you first open it. Check your connection and try again.', 0);
  }
  if (!answer.ok) throw new ApiError('This file could not be loaded', `${path} (${answer.status})`, answer.status);
  return answer;
}

async function json<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await load(path, signal)).json() as Promise<T>;
}

const named = encodeURIComponent;

/** Never answered from a cache: a server that was there may be gone. */
export const site = async (): Promise<Site> => (await load('site.json', undefined, { cache: 'no-store' })).json() as Promise<Site>;

let agents: Promise<AgentEntry[]> | null = null;

export const files = {
  /** The roster, asked for once. */
  agents(): Promise<AgentEntry[]> {
    agents ??= json<{ agents: AgentEntry[] }>('data/agents.json').then(
      (answer) => answer.agents,
      (fault: unknown) => {
        agents = null;
        throw fault;
      },
    );
    return agents;
  },

  leaderboard: (signal?: AbortSignal) => json<Leaderboard>('data/leaderboard.json', signal),
  tables: (signal?: AbortSignal) => json<{ tables: TableSummary[] }>('data/tables.json', signal).then(({ tables }) => tables),
  table: (id: string, signal?: AbortSignal) =>
    json<{ table: Table; pictures: string[] }>(`data/tables/${named(id)}.json`, signal).then(({ table, pictures }) => ({ ...table, pictures })),
  tablePicture: (id: string, name: string) => `data/tables/${named(id)}/${named(name)}`,

  artifacts: (signal?: AbortSignal) => json<{ artifacts: ArtifactSummary[] }>('data/artifacts.json', signal).then(({ artifacts }) => artifacts),
  artifact: (name: string, signal?: AbortSignal) => json<Artifact>(`data/artifacts/${named(name)}.json`, signal),
  artifactDrawing: (name: string, drawing: string) => `data/artifacts/${named(name)}/${named(drawing)}`,
  /** An artifact's own text. */
  artifactText: async ({ kind, name }: ArtifactSummary, signal?: AbortSignal) => (await load(weightAddress(`${kind}/${name}`), signal)).text(),

  weights: (signal?: AbortSignal) => json<Record<string, Weight>>('data/weights.json', signal),
  weight: (path: string, signal?: AbortSignal) => load(weightAddress(path), signal),
};

function weightAddress(path: string): string {
  return `weights/${path.split('/').map(named).join('/')}`;
}
