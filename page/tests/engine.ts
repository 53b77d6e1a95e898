//! The program under test, on a port and a data folder of its own: the one that DEMINER names, or
//! the last debug build.

import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { serveFolder, type StaticHost } from './static.ts';

const PROGRAM = process.env.DEMINER ?? fileURLToPath(new URL('../../target/debug/deminer', import.meta.url));

export interface Engine {
  url: string;
  /** The folder of its data. */
  data: string;
  close(): Promise<void>;
  /** Kills the program without a warning and starts it again on the same port and data. */
  restart(): Promise<void>;
}

export async function startEngine(): Promise<Engine> {
  const data = mkdtempSync(join(tmpdir(), 'deminer-page-'));
  let { program, url } = await serve(data, '127.0.0.1:0');
  return {
    url,
    data,
    async restart() {
      await ended(program, 'SIGKILL');
      ({ program } = await serve(data, new URL(url).host));
    },
    async close() {
      await ended(program, 'SIGTERM');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The page as `deminer site` writes it, on a static host below a path: no deminer runs. */
export async function startSite(): Promise<StaticHost & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'deminer-site-'));
  execFileSync(PROGRAM, ['site', folder, '--quiet'], { stdio: 'pipe' });
  const host = await serveFolder(folder);
  return {
    ...host,
    folder,
    async close() {
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the program; its first line is its address. */
async function serve(data: string, address: string): Promise<{ program: ChildProcess; url: string }> {
  const program = spawn(PROGRAM, ['serve', '--listen', address, '--data', data, '--no-open'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(program.stdout!).once('line', resolve);
    program.once('error', reject);
    program.once('exit', (code) => reject(new Error(`deminer serve ended with ${code}`)));
  });
  return { program, url: `${url}/` };
}

function ended(program: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    program.removeAllListeners('exit');
    if (program.exitCode !== null) return resolve();
    program.once('exit', () => resolve());
    program.kill(signal);
  });
}
