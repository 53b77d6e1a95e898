import { describe, expect, test } from 'vitest';
import type { AgentEntry } from '../../src/api/types.ts';
import { PLAIN } from '../../src/game/rules.ts';
import { entryOf, fieldsOf, grouped, specOf, unavailable, valuesOf } from '../../src/parts/agents.ts';

const entry = (name: string, options: [string, string][] = [], more: Partial<AgentEntry> = {}): AgentEntry => ({
  name, kind: 'odds', about: 'does something', options: options.map(([option, usage]) => ({ name: option, usage, about: option })),
  shapes: ['rect'], clues: ['exact'], cascade_off: false, ...more,
});
const CS = entry('cs520x', [['with', 'with=WORD+WORD… of sound cache odds'], ['order', 'order=queue|flags|near'], ['margin', 'margin=NUMBER from 0 to 0.5'], ['deep', 'deep']]);
const GP = entry('gp', [['genome', '<genome>']], { kind: 'evolution', paper: 'J. Park, 2019' });

describe('agents', () => {
  test('options become fields of their kind', () => {
    expect(fieldsOf(CS).map(({ kind }) => kind)).toEqual(['words', 'choice', 'text', 'flag']);
    expect(fieldsOf(CS)[2]).toMatchObject({ hint: 'from 0 to 0.5', positional: false });
    expect(fieldsOf(GP)[0]).toMatchObject({ kind: 'text', positional: true });
  });

  test.each(['cs520x', 'cs520x:with=sound+odds,order=near,margin=0.1,deep', 'cs520x:deep'])('%s is read and written back', (spec) => {
    expect(specOf(CS, valuesOf(CS, spec)!)).toBe(spec);
  });

  test('a positional option needs no name, an unknown one is not read', () => {
    expect(valuesOf(GP, 'gp:fields')).toEqual({ genome: 'fields' });
    expect(specOf(GP, { genome: 'fields' })).toBe('gp:fields');
    expect(valuesOf(CS, 'cs520x:other')).toBeNull();
    expect(entryOf([CS, GP], 'gp:fields')).toBe(GP);
  });

  test('all words of a search are found in name, kind, description or paper', () => {
    const names = (query: string) => grouped([CS, GP], query).flatMap(({ entries }) => entries.map(({ name }) => name));
    expect(names('')).toEqual(['cs520x', 'gp']);
    expect(names('park evolved')).toEqual(['gp']);
    expect(names('nothing')).toEqual([]);
  });

  test('rules that are not played are named', () => {
    expect(unavailable(CS, PLAIN)).toBeNull();
    expect(unavailable(CS, { ...PLAIN, shape: 'hex' })).toContain('hexagons');
    expect(unavailable(CS, { ...PLAIN, clues: 'blind:0.1' })).toContain('10 % hidden');
    expect(unavailable(CS, { ...PLAIN, cascade: 'off' })).toContain('zeros');
  });
});
