//! Opening a file, or pasted text, from any room: the page goes where it is shown, or says why not.

import { ApiError } from '../api/fault.ts';
import { addressOf, type Opened } from '../parts/open.ts';
import { go } from './route.svelte.ts';

interface Opening {
  busy: boolean;
  /** What could not be opened, and why. */
  refused: { name: string; why: string } | null;
}

export const opening: Opening = $state({ busy: false, refused: null });

export async function open(name: string, opened: Promise<Opened>): Promise<void> {
  opening.busy = true;
  opening.refused = null;
  try {
    go(await addressOf(await opened));
  } catch (fault) {
    opening.refused = { name, why: reason(fault) };
  } finally {
    opening.busy = false;
  }
}

/** The engine says in the detail why it cannot read a file, and at which line or byte. */
function reason(fault: unknown): string {
  if (fault instanceof ApiError && fault.status === 422) return fault.at ? `${fault.at}: ${fault.detail}` : fault.detail;
  return fault instanceof Error ? fault.message : String(fault);
}
