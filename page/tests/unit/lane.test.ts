//! Workers with the engine, played by stand-ins that answer when they are told to.

import { describe, expect, test } from 'vitest';
import { Lane } from '../../src/engine/lane.ts';
import type { FromWorker, ToWorker } from '../../src/engine/protocol.ts';

class StandIn extends EventTarget {
  readonly asked: unknown[] = [];
  ended = false;

  postMessage(message: ToWorker): void {
    if ('question' in message) this.asked.push(message.question.ask);
  }

  terminate(): void {
    this.ended = true;
  }

  say(message: FromWorker): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: message }));
  }
}

function lane(grace = 0): { lane: Lane; workers: StandIn[] } {
  const workers: StandIn[] = [];
  const start = async () => {
    workers.push(new StandIn());
    return workers.at(-1) as unknown as Worker;
  };
  return { lane: new Lane(start, grace), workers };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const end = (game: number) => ({ game });

describe('a lane', () => {
  test('asks one question at a time', async () => {
    const { lane: one, workers } = lane();
    const [first, second] = [one.ask('end', end(1)), one.ask('end', end(2))];
    await settled();
    expect(workers[0]!.asked).toEqual([end(1)]);
    workers[0]!.say({ answer: null });
    await first;
    await settled();
    expect(workers[0]!.asked).toEqual([end(1), end(2)]);
    workers[0]!.say({ answer: null });
    await second;
    expect(workers).toHaveLength(1);
  });

  test('drops a question that waits, and keeps its worker', async () => {
    const { lane: one, workers } = lane();
    const abort = new AbortController();
    const [first, second] = [one.ask('end', end(1)), one.ask('end', end(2), abort.signal)];
    abort.abort();
    await expect(second).rejects.toThrow('No longer wanted');
    await settled();
    workers[0]!.say({ answer: null });
    await first;
    await settled();
    expect([workers.length, workers[0]!.asked]).toEqual([1, [end(1)]]);
  });

  test('replaces a worker whose answer is not wanted and does not come', async () => {
    const { lane: one, workers } = lane();
    const abort = new AbortController();
    const [first, second] = [one.ask('end', end(1), abort.signal), one.ask('end', end(2))];
    await settled();
    abort.abort();
    await expect(first).rejects.toThrow();
    await settled();
    expect(workers.map(({ ended, asked }) => [ended, asked])).toEqual([[true, [end(1)]], [false, [end(2)]]]);
    workers[1]!.say({ answer: null });
    await second;
  });

  test('waits a moment for an answer that is not wanted', async () => {
    const { lane: one, workers } = lane(1000);
    const abort = new AbortController();
    const [first, second] = [one.ask('end', end(1), abort.signal), one.ask('end', end(2))];
    await settled();
    abort.abort();
    await expect(first).rejects.toThrow();
    workers[0]!.say({ answer: null });
    await settled();
    expect([workers.length, workers[0]!.asked]).toEqual([1, [end(1), end(2)]]);
    workers[0]!.say({ answer: null });
    await second;
  });

  test('tells faults, and starts a fresh engine after one that broke it', async () => {
    const { lane: one, workers } = lane();
    const refused = one.ask('end', end(1));
    await settled();
    workers[0]!.say({ fault: { kind: 'invalid', detail: 'no such game', at: 'game' } });
    await expect(refused).rejects.toMatchObject({ title: 'This is not valid', detail: 'no such game', at: 'game' });
    const broken = one.ask('end', end(2));
    await settled();
    workers[0]!.say({ fault: { kind: 'fault', detail: 'panicked', broken: true } });
    await expect(broken).rejects.toThrow('panicked');
    const next = one.ask('end', end(3));
    await settled();
    expect(workers.map(({ ended }) => ended)).toEqual([true, false]);
    workers[1]!.say({ answer: null });
    await next;
  });

  test('an engine that cannot be loaded is told, and tried again', async () => {
    let tries = 0;
    const one = new Lane(async () => {
      tries += 1;
      throw new TypeError('no network');
    });
    await expect(one.ask('end', end(1))).rejects.toThrow('no network');
    await expect(one.ask('end', end(1))).rejects.toThrow('no network');
    expect(tries).toBe(2);
  });
});
