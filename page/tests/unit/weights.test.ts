import { describe, expect, test } from 'vitest';
import { weightsFor } from '../../src/api/weights.svelte.ts';

const weight = (agent: string, board?: string) => ({ bytes: 1, hash: '', agent, ...(board ? { board } : {}) });
const LISTED = {
  'networks/cnn-7x7x5.safetensors': weight('cnn', '7x7x5'),
  'networks/cnn-9x9x9.safetensors': weight('cnn', '9x9x9'),
  'networks/cnn-orig.safetensors': weight('cnn:orig', '7x7x5'),
  'networks/msla-exact.safetensors': weight('msla:teacher=exact'),
  'networks/msla-other.safetensors': weight('msla:teacher=other'),
  'networks/none.json': { bytes: 1, hash: '' },
  'theories/paper.pl': weight('mio:paper'),
  'trees/deep.tree': weight('tree:deep'),
  'trees/small.tree': weight('tree:small'),
};

describe('the files of an agent', () => {
  const files = (agent: string, board = '30x16x99') => weightsFor(LISTED, agent, board);

  test('are none for an agent that learned nothing', () => {
    expect(files('best')).toEqual([]);
    expect(files('best:deep')).toEqual([]);
  });

  test('are the one that it names', () => {
    expect(files('tree:small')).toEqual(['trees/small.tree']);
    expect(files('mio:paper+prob')).toEqual(['theories/paper.pl']);
  });

  test('are all of its design and variant, or the one made for the board', () => {
    expect(files('cnn')).toEqual(['networks/cnn-7x7x5.safetensors', 'networks/cnn-9x9x9.safetensors']);
    expect(files('cnn', '9x9x9')).toEqual(['networks/cnn-9x9x9.safetensors']);
    expect(files('cnn:orig')).toEqual(['networks/cnn-orig.safetensors']);
    expect(files('msla:teacher=exact')).toEqual(['networks/msla-exact.safetensors']);
    expect(files('msla')).toHaveLength(2);
    expect(files('tree')).toHaveLength(2);
  });
});
