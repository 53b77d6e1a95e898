//! What the chooser needs to know of agents: their groups, their options, and the rules they play.

import type { AgentEntry } from '../api/types.ts';
import { FORM_NAMES, cluesName, type Rules } from '../game/rules.ts';

/** Kinds in the order in which they are listed, by names for people. */
const KINDS: Readonly<Record<string, string>> = {
  search: 'Search: looks ahead',
  odds: 'Probability: computes the odds',
  logic: 'Logic: combines clues',
  baseline: 'Baselines to compare with',
  induction: 'Learned rules',
  tree: 'Decision trees',
  evolution: 'Evolved programs',
  network: 'Neural networks',
};

export interface Group {
  name: string;
  entries: AgentEntry[];
}

/** Agents by kind; with a query, those whose name, kind, description or paper holds each of its words. */
export function grouped(roster: readonly AgentEntry[], query = ''): Group[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = roster.filter(({ name, kind, about, paper }) => {
    const text = `${name} ${kind} ${KINDS[kind] ?? ''} ${about} ${paper ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const kinds = [...Object.keys(KINDS), ...new Set(found.map(({ kind }) => kind).filter((kind) => !(kind in KINDS)))];
  return kinds
    .map((kind) => ({ name: KINDS[kind] ?? kind, entries: found.filter((entry) => entry.kind === kind) }))
    .filter(({ entries }) => entries.length > 0);
}

/** Why an agent cannot play these rules, or null if it can. */
export function unavailable({ shapes, clues, cascade_off }: AgentEntry, rules: Rules | undefined): string | null {
  if (!rules) return null;
  if (!shapes.includes(rules.shape)) return `Does not play this shape (${FORM_NAMES[rules.shape].toLowerCase()})`;
  const kind = rules.clues.startsWith('blind:') ? 'blind' : rules.clues;
  if (!clues.some((played) => played === kind)) return `Does not play these clues (${cluesName(rules.clues).toLowerCase()})`;
  if (rules.cascade === 'off' && !cascade_off) return 'Plays only where zeros open their neighbors';
  return null;
}

/** How an option of an agent is entered. */
export type Field =
  | { kind: 'flag'; name: string; about: string }
  | { kind: 'choice'; name: string; about: string; values: string[] }
  | { kind: 'words'; name: string; about: string; values: string[] }
  | { kind: 'text'; name: string; about: string; hint: string; positional: boolean };

/** Reads the usage of each option, such as `order=queue|flags` or `<genome>`. */
export function fieldsOf(entry: AgentEntry): Field[] {
  return entry.options.map(({ name, usage, about }): Field => {
    const value = usage.startsWith(`${name}=`) ? usage.slice(name.length + 1) : '';
    const words = /^WORD\+WORD… of (.+)$/.exec(value);
    if (usage === name) return { kind: 'flag', name, about };
    if (words) return { kind: 'words', name, about, values: words[1]!.split(' ') };
    if (value.includes('|')) return { kind: 'choice', name, about, values: value.split('|') };
    return { kind: 'text', name, about, hint: value.replace(/^NUMBER /, ''), positional: value === '' };
  });
}

/** Values by option; flags that are set have the value `on`. */
export type Values = Readonly<Record<string, string>>;

/** The name and options of `name:option,option=value`; null if an option is not known. */
export function valuesOf(entry: AgentEntry, spec: string): Values | null {
  const fields = fieldsOf(entry);
  const values: Record<string, string> = {};
  for (const word of spec.slice(entry.name.length + 1).split(',').filter(Boolean)) {
    const [name, ...rest] = word.split('=') as [string, ...string[]];
    const named = fields.find((field) => field.name === name && (field.kind === 'flag') === (rest.length === 0));
    const field = named ?? fields.find(({ kind, ...other }) => kind === 'text' && 'positional' in other && other.positional);
    if (!field) return null;
    values[field.name] = field.kind === 'flag' ? 'on' : field === named ? rest.join('=') : word;
  }
  return values;
}

/** The spec with these options: `cs520:aside=sound,margin=0.1`. */
export function specOf(entry: AgentEntry, values: Values): string {
  const words = fieldsOf(entry).flatMap((field) => {
    const value = values[field.name]?.trim();
    if (!value) return [];
    if (field.kind === 'flag') return [field.name];
    return [field.kind === 'text' && field.positional ? value : `${field.name}=${value}`];
  });
  return words.length === 0 ? entry.name : `${entry.name}:${words.join(',')}`;
}

/** The agent of a spec. */
export function entryOf(roster: readonly AgentEntry[], spec: string): AgentEntry | undefined {
  return roster.find(({ name }) => name === spec.split(':')[0]!.trim());
}
