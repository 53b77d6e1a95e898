//! Runs in words.

import type { Run } from '../../api/types.ts';

/** The color of a state's badge. */
export const TONES: Readonly<Record<Run['state'], string>> = { queued: '', running: 'accent', stopped: 'warn', finished: 'good', failed: 'bad' };

/** What a run is, in a line. */
export function titleOf(run: Run): string {
  if (run.kind !== 'tournament') return `Training ${run.learner ?? ''}`;
  const agents = run.spec?.agents ?? [];
  return `${agents.length === 1 ? agents[0] : `${agents.length} agents`} on ${run.spec?.board ?? 'beginner'}`;
}

/** The words of a fault that is about one field, such as `spec.board`, or null. */
export function faultAt(fault: { detail: string; at?: string | null } | null, field: string): string | null {
  const at = fault?.at ?? '';
  return at === field || at.startsWith(`${field}[`) || at.startsWith(`${field}.`) ? fault!.detail : null;
}
