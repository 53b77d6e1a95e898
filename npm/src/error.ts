//! Errors of the engine.

import type { components } from './schema.ts';

type RequestError = components['schemas']['RequestError'];

/** What kind of error it is. `crashed` is a fault of the engine, which then starts anew. */
export type ErrorKind = RequestError['kind'] | 'crashed';

/** A request without an answer: what is wrong, and at which field. */
export class DeminerError extends Error {
  override readonly name = 'DeminerError';

  constructor(readonly kind: ErrorKind, readonly detail: string, readonly at?: string) {
    super(at === undefined ? detail : `${at}: ${detail}`);
  }

  /** The error as a plain value, which can be sent between threads. */
  toJSON(): { kind: ErrorKind; detail: string; at?: string } {
    return { kind: this.kind, detail: this.detail, ...(this.at === undefined ? {} : { at: this.at }) };
  }

  static of({ kind, detail, at }: { kind: ErrorKind; detail: string; at?: string | null }): DeminerError {
    return new DeminerError(kind, detail, at ?? undefined);
  }
}
