//! Faults of engine and server, with words for people.

import type { Problem } from './types.ts';

export class ApiError extends Error {
  constructor(readonly title: string, readonly detail: string, readonly status: number, readonly at?: string | null) {
    super(detail ? `${title}: ${detail}` : title);
  }

  /** The server cannot be reached at all. */
  get offline(): boolean {
    return this.status === 0;
  }
}

export function problemError(problem: Problem): ApiError {
  return new ApiError(problem.title, problem.detail, problem.status, problem.at);
}

export function isAbort(fault: unknown): boolean {
  return fault instanceof DOMException && fault.name === 'AbortError';
}

/** What to tell a person about a fault. */
export function faultWords(fault: unknown): { title: string; detail: string } {
  if (fault instanceof ApiError) return { title: fault.title, detail: [fault.detail, fault.at ? `(${fault.at})` : ''].join(' ').trim() };
  return { title: 'Something went wrong', detail: fault instanceof Error ? fault.message : String(fault) };
}
