//! What needs a machine of one's own: runs, trainings and saved games of a `deminer serve`. A page
//! on a static host works without all of it.

import type { GameRecord } from '../game/record.ts';
import { site } from './files.ts';
import { problemError } from './fault.ts';
import { BASE, get, post, send, streamed } from './http.ts';
import type { ServerEvent } from './sse.ts';
import type { Decision, KeptRecord, OptionValue, PlayBody, PlayEnd, Problem, Run, RunList, TournamentSpec } from './types.ts';

/** Whether a run goes on by itself. */
export function isLive({ state }: Run): boolean {
  return state === 'queued' || state === 'running';
}

class Server {
  /** Whether one answers; null while that is not known. */
  answers: boolean | null = $state(null);

  /** Asks whether a server is there. */
  async look(): Promise<void> {
    this.answers = await site().then((found) => found.server, () => false);
  }

  records = () => get<{ records: KeptRecord[] }>('/records').then((answer) => answer.records);
  record = (id: string) => get<GameRecord>(`/records/${encodeURIComponent(id)}`);
  keep = (record: GameRecord) => post<{ id: string }>('/records', record);
  forget = (id: string) => send(`/records/${encodeURIComponent(id)}`, { method: 'DELETE' });

  runs = (signal?: AbortSignal) => get<RunList>('/runs', signal);
  run = (id: string, signal?: AbortSignal) => get<Run>(`/runs/${encodeURIComponent(id)}`, signal);
  startTournament = (spec: TournamentSpec) => post<Run>('/runs', { kind: 'tournament', spec });
  startTraining = (learner: string, options: Record<string, OptionValue>) => post<Run>('/runs', { kind: 'train', learner, options });
  stopRun = (id: string) => post<Run>(`/runs/${encodeURIComponent(id)}/stop`, {});
  resumeRun = (id: string) => post<Run>(`/runs/${encodeURIComponent(id)}/resume`, {});
  removeRun = (id: string) => send(`/runs/${encodeURIComponent(id)}`, { method: 'DELETE' });
  runArtifact = (id: string) => `${BASE}/runs/${encodeURIComponent(id)}/artifact`;

  async watchRun(id: string, on: (run: Run) => void, lost: () => void, signal: AbortSignal): Promise<void> {
    await streamed(`/runs/${encodeURIComponent(id)}/events`, {
      signal,
      lost,
      last: ({ data }) => !isLive(JSON.parse(data) as Run),
      on: ({ data }: ServerEvent) => on(JSON.parse(data) as Run),
    });
  }

  /** A game of an agent that was trained on the server. */
  async play(body: PlayBody, on: (decisions: Decision[]) => void, signal: AbortSignal): Promise<PlayEnd> {
    let end: PlayEnd | null = null;
    await streamed('/play', {
      body, signal, last: ({ event }) => event === 'end',
      on({ event, data }: ServerEvent) {
        if (event === 'decision') on([JSON.parse(data) as Decision]);
        else if (event === 'end') end = JSON.parse(data) as PlayEnd;
        else if (event === 'error') throw problemError(JSON.parse(data) as Problem);
      },
    });
    return end!;
  }

  /** A drawing of a position (SVG) or a game (GIF). */
  async picture(body: Record<string, unknown>): Promise<Blob> {
    const answer = await send('/picture', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    return answer.blob();
  }
}

export const server = new Server();
