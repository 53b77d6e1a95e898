//! Lanes of requests, with stand-ins for their workers.

import { describe, expect, test } from 'vitest';
import { DeminerError, type EngineWorker } from '../../../npm/src/index.ts';
import { Lane } from '../../src/engine/workers.ts';

const worker = {} as EngineWorker;
const later = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis));

describe('a lane', () => {
  test('answers, and starts its worker once', async () => {
    let started = 0;
    const lane = new Lane(async () => ((started += 1), worker));
    expect(await Promise.all([lane.ask(async () => 1), lane.ask(async () => 2)])).toEqual([1, 2]);
    expect(started).toBe(1);
  });

  test('drops what is no longer wanted at once, and cancels it only if it takes long', async () => {
    const lane = new Lane(async () => worker, 20);
    for (const [needs, cancelled] of [[5, false], [60, true]] as const) {
      const abort = new AbortController();
      let wasCancelled = false;
      const asked = lane.ask(async (_, late) => {
        await later(needs);
        wasCancelled = late.aborted;
      }, abort.signal);
      await later(1);
      abort.abort();
      await expect(asked).rejects.toThrow('aborted');
      expect(wasCancelled).toBe(false);
      await later(needs + 10);
      expect(wasCancelled).toBe(cancelled);
    }
  });

  test('asks nothing for someone who has gone', async () => {
    const lane = new Lane(async () => Promise.reject(new Error('started')));
    await expect(lane.ask(async () => 1, AbortSignal.abort())).rejects.toThrow('aborted');
  });

  test('tells faults in words', async () => {
    const lane = new Lane(async () => worker);
    const refused = lane.ask(async () => Promise.reject(new DeminerError('invalid', 'no such cell', 'rows')));
    await expect(refused).rejects.toMatchObject({ title: 'This is not valid', detail: 'no such cell', at: 'rows' });
    await expect(lane.ask(async () => Promise.reject(new DeminerError('crashed', 'panicked')))).rejects.toMatchObject({ title: 'The engine failed' });
  });

  test('an engine that cannot be loaded is tried again', async () => {
    let tries = 0;
    const lane = new Lane(async () => {
      tries += 1;
      throw new TypeError('no network');
    });
    await expect(lane.ask(async () => 1)).rejects.toThrow('no network');
    await expect(lane.ask(async () => 1)).rejects.toThrow('no network');
    expect(tries).toBe(2);
  });
});
