//! Requests to `/api/v1` of a `deminer serve`, where there is one.

import { ApiError, isAbort, problemError } from './fault.ts';
import { stream } from './sse.ts';
import type { Problem } from './types.ts';

/** Relative, so that the page works under any path. */
export const BASE = 'api/v1';

export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(`${BASE}${path}`, init);
  } catch (fault) {
    if (isAbort(fault)) throw fault;
    throw new ApiError('The server cannot be reached', 'Is deminer serve still running? Everything but runs, trainings and saved games works without it.', 0);
  }
  if (answer.ok) return answer;
  if (answer.status === 503) {
    const wait = Number(answer.headers.get('retry-after') ?? 1);
    throw new ApiError('The server is busy', `Try again in ${wait} s.`, 503);
  }
  const problem = (await answer.json().catch(() => null)) as Problem | null;
  throw problem ? problemError(problem) : new ApiError(`The server answered ${answer.status}`, '', answer.status);
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await send(path, { signal: signal ?? null })).json() as Promise<T>;
}

export async function post<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
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

export async function streamed(path: string, options: Parameters<typeof stream>[1]): Promise<void> {
  try {
    await stream((init) => openStream(path, init), options);
  } catch (fault) {
    if (fault instanceof TypeError) throw new ApiError('The server cannot be reached', 'The connection was lost and could not be restored.', 0);
    throw fault;
  }
}
