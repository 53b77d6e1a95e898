//! What learned agents play with: files that are loaded when an agent first needs them, with
//! progress, and kept in this browser from then on.

import { ApiError } from './fault.ts';
import { files, type Weight } from './files.ts';

const CACHE = 'deminer-weights';

class Weights {
  /** The file that is being loaded, how much of it is here, and its length in bytes. */
  loading: { path: string; loaded: number; bytes: number } | null = $state.raw(null);
  #listed: Promise<Record<string, Weight>> | null = null;
  readonly #asked = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

  /** The files that an agent plays with on a board. */
  async pathsOf(agent: string, board: string): Promise<string[]> {
    return weightsFor(await this.#list(), agent, board);
  }

  /** The bytes of a file such as `networks/sla-small.safetensors`. */
  async load(path: string): Promise<Uint8Array<ArrayBuffer>> {
    let asked = this.#asked.get(path);
    if (!asked) {
      asked = this.#find(path);
      this.#asked.set(path, asked);
      asked.finally(() => this.#asked.delete(path)).catch(() => undefined);
    }
    return asked;
  }

  async #find(path: string): Promise<Uint8Array<ArrayBuffer>> {
    const weight = (await this.#list())[path];
    if (!weight) throw new ApiError('This agent cannot play here', `The site has no file weights/${path}.`, 404);
    // The hash is part of the name: a file that changed is loaded again.
    const name = `weights/${path}?${weight.hash}`;
    const cache = await openCache();
    const kept = await cache?.match(name);
    if (kept) return new Uint8Array(await kept.arrayBuffer());
    const bytes = await this.#download(path, weight.bytes);
    await keep(cache, path, name, bytes);
    return bytes;
  }

  async #list(): Promise<Record<string, Weight>> {
    this.#listed ??= files.weights();
    try {
      return await this.#listed;
    } catch (fault) {
      this.#listed = null;
      throw fault;
    }
  }

  async #download(path: string, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(length);
    const reader = (await files.weight(path)).body!.getReader();
    let loaded = 0;
    try {
      for (;;) {
        this.loading = { path, loaded, bytes: length };
        const { value, done } = await reader.read();
        if (done) break;
        if (loaded + value.length > length) throw tooLong(path);
        bytes.set(value, loaded);
        loaded += value.length;
      }
    } finally {
      this.loading = null;
    }
    if (loaded !== length) throw tooLong(path);
    return bytes;
  }
}

/**
 * The files that an agent plays with on a board: the one that it names, or else all of its design
 * and variant. Of those made for this very board no other is needed.
 */
export function weightsFor(listed: Readonly<Record<string, Weight>>, agent: string, board: string): string[] {
  const [name, options] = optionsOf(agent);
  const design = Object.keys(listed).filter((path) => optionsOf(listed[path]!.agent ?? '')[0] === name);
  const named = design.filter((path) => options.includes(path.replace(/^.*\/|\.[^.]*$/g, '')));
  if (named.length > 0) return named;
  const variant = design.filter((path) => {
    const [, trained] = optionsOf(listed[path]!.agent!);
    return !path.startsWith('networks/') || (trained.includes('orig') === options.includes('orig') && options.filter((option) => option.startsWith('teacher=')).every((teacher) => trained.includes(teacher)));
  });
  const exact = variant.filter((path) => listed[path]!.board === board);
  return exact.length > 0 ? exact : variant;
}

/** `mio:paper+prob` is the agent `mio` with the option `paper`. */
function optionsOf(agent: string): [name: string, options: string[]] {
  const [, name, options = ''] = /^([^:]*)(?::(.*))?$/.exec(agent)!;
  return [name!, options.split(',').map((option) => option.replace(/\+prob$/, ''))];
}

function tooLong(path: string): ApiError {
  return new ApiError('A file is damaged', `weights/${path} does not have the length that the site lists. Reload the page.`, 500);
}

/** Pages without a secure connection have no such store; they load anew each time. */
async function openCache(): Promise<Cache | null> {
  return 'caches' in globalThis ? caches.open(CACHE).catch(() => null) : null;
}

/** Keeps the file in place of its older versions. A full disk does not stop an agent. */
async function keep(cache: Cache | null, path: string, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  try {
    await cache?.delete(`weights/${path}`, { ignoreSearch: true });
    await cache?.put(name, new Response(bytes));
  } catch {
    // Loaded again when it is needed again.
  }
}

export const weights = new Weights();
