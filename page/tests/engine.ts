//! The engine under test: the program named by DEMINER on a port and a data folder of its own, or
//! the mock where none is named.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startMock } from './mock.ts';

export interface Engine {
  url: string;
  close(): Promise<void>;
  /** Kills the program without a warning and starts it again on the same port and data. */
  restart(): Promise<void>;
}

export const REAL = Boolean(process.env.DEMINER);

export async function startEngine(): Promise<Engine> {
  if (!process.env.DEMINER) {
    const { url, close } = await startMock();
    return { url, close, restart: async () => undefined };
  }
  const data = mkdtempSync(join(tmpdir(), 'deminer-page-'));
  let { program, url } = await serve(data, '127.0.0.1:0');
  return {
    url,
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

/** Starts the program; its first line is its address. */
async function serve(data: string, address: string): Promise<{ program: ChildProcess; url: string }> {
  const program = spawn(process.env.DEMINER!, ['serve', '--listen', address, '--data', data, '--no-open'], { stdio: ['ignore', 'pipe', 'ignore'] });
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
