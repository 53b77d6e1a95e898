//! The shapes of the HTTP API, `/api/v1`.

import type { GameRecord, Why } from '../game/record.ts';
import type { Rules } from '../game/rules.ts';
import type { Place } from '../game/shape.ts';

export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail?: string;
  at?: string;
}

export interface PositionBody {
  rows: string[];
  mines: number;
  shape?: string;
  clues?: string;
  start?: string;
  cascade?: string;
}

export interface Alternative {
  cell: Place;
  safety: number;
  win: number | null;
}

export interface Proof {
  cell: Place;
  fact: 'safe' | 'mine';
  rule: string;
  clues: Place[];
  mine_total: boolean;
  minimum: boolean;
  depth: number;
  why?: string;
}

export interface Analysis {
  width: number;
  height: number;
  mines: number;
  consistent: boolean;
  conflict?: Place[];
  conflict_total?: boolean;
  exact: boolean;
  reason?: string;
  standard_error?: number;
  log10_layouts: number | null;
  layouts?: string;
  mine_probability: (number | null)[][] | null;
  safe: Place[];
  mine: Place[];
  /** Flags on cells that are proved safe. */
  wrong_flags?: Place[];
  best: null | { cell: Place; safety: number; win: number | null; why: string; action?: 'open' | 'unflag'; agent?: string; alternatives?: Alternative[] };
  proofs?: Proof[];
  around?: number[];
  dead?: Place[];
  fifty_fifty?: [Place, Place][];
}

export interface Hint {
  safe_exists: boolean;
  area?: Place[];
  cell?: Place;
  /** `unflag` where a wrong flag must go first. */
  action?: 'open' | 'unflag';
  /** How likely the cell is safe, where it is a guess. */
  safety?: number;
  why?: string;
  clues?: Place[];
}

export interface AgentEntry {
  name: string;
  kind: string;
  about: string;
  paper: string | null;
  options: { name: string; usage: string; about: string }[];
  shapes: string[];
  clues: string[];
  cascade_off: boolean;
}

export interface DealtBoard {
  seed: number | string;
  game: number | string;
  first: Place;
  three_bv: number;
  rows: string[];
  rules: Rules;
  no_guess?: { difficulty: string; hardest: string; tries: number; repaired: boolean };
}

export interface Decision {
  number: number;
  by: 'start' | 'agent';
  action: 'open' | 'flag' | 'unflag' | 'chord' | 'decline';
  cell: Place | null;
  why: Why;
  sentence: string;
  risk: number | null;
  estimates: (number | null)[][] | null;
  alternatives?: Alternative[];
  opened: { cell: Place; shown: string }[];
  /** What the agent tells of how it decided, by name. */
  measures?: Record<string, number>;
  micros: number;
  chains?: { cell: Place; depth: number; from: Place[] }[];
}

export interface PlayBody {
  agent: string;
  rules: Rules;
  seed: number;
  game: number;
  at: string;
}

export interface PlayEnd {
  outcome: GameRecord['outcome'];
  record: GameRecord;
}

export interface Converted {
  kind: 'position' | 'layout' | 'replay' | 'record';
  position?: PositionBody;
  layout?: { rows: string[]; shape?: string };
  record?: GameRecord;
  formats?: string[];
}

export type Verdict = 'start' | 'none' | 'proved' | 'best' | 'good' | 'inaccuracy' | 'mistake' | 'blunder';

export interface ReviewMove {
  number: number;
  action: string;
  cell: Place | null;
  risk: number | null;
  safest: number | null;
  best: Place | null;
  win_before: number | null;
  win_after: number | null;
  cost: number | null;
  verdict: Verdict;
  sentence: string;
}

export interface Review {
  moves: ReviewMove[];
  /** How likely all risks that were survived were to be survived. */
  luck: number;
  /** The share of the winning chances that the moves kept. */
  kept: number;
  guesses: number;
  unneeded: number;
  blunders: number;
  summary: string[];
  outcome: string;
}

export interface Estimate {
  value: number;
  low: number;
  high: number;
  games: number;
}

export interface TableLine {
  setting: string;
  agent: string;
  measure: string;
  unit: 'percent' | 'number' | string;
  target: 'none' | Record<string, { paper?: number; tolerance?: number; games?: number }>;
  ours: Estimate | null;
  verdict: 'match' | 'beat' | 'faithful' | 'missed' | 'shown' | string;
}

export interface TableRun {
  run: string;
  agent: string;
  rules: string;
  games: number;
  guesses_per_game?: number;
  unneeded_per_game?: number;
  milliseconds_per_game?: number;
}

export interface Provenance {
  version: string;
  commit: string;
  rustc?: string;
  cpu?: string;
  command?: string;
  date?: string;
}

export interface Table {
  id: string;
  title: string;
  paper: string | null;
  about: string;
  lines: TableLine[];
  runs?: TableRun[];
  notes?: string[];
  pictures: string[];
  provenance?: Provenance;
}

export interface TableSummary {
  id: string;
  title: string;
  paper: string | null;
  about: string;
  /** How many numbers have each verdict. */
  verdicts: Record<string, number>;
  pictures: string[];
}

export interface Tally {
  agent: string;
  games: number;
  won?: number | null;
  rate: number | null;
  low: number | null;
  high: number | null;
  games_per_cpu_second?: number;
}

export interface TournamentSpec {
  agents: string[];
  board: string;
  shape?: string;
  start?: string;
  at?: string;
  cascade?: string;
  clues?: string;
  seed?: number;
  games: number;
}

export type OptionValue = string | number | boolean;

/** How a training stood once. */
export interface CurvePoint {
  done: number;
  total: number;
  values: Record<string, number>;
}

export interface Run {
  id: string;
  kind: 'tournament' | 'train';
  spec?: TournamentSpec;
  learner?: string;
  options?: Record<string, OptionValue>;
  state: 'queued' | 'running' | 'stopped' | 'finished' | 'failed';
  /** Seconds since 1970. */
  created: number;
  version: number;
  progress: { done: number; total: number; share: number; words?: string };
  agents: Tally[];
  /** How a training stood on its way. */
  curve: CurvePoint[];
  /** The last lines a training said. */
  log: string[];
  artifact?: string;
  error?: string;
}

export interface Learner {
  name: string;
  about: string;
  options: { name: string; values: 'flag' | 'number' | 'word' | 'agent' }[];
}

export interface RunList {
  runs: Run[];
  learners: Learner[];
  /** Whether runs may be started here. */
  allowed: boolean;
}

export interface TreeNode {
  question?: string | null;
  yes?: number | null;
  no?: number | null;
  entropy: number;
  samples: number;
  counts: number[];
  class: string;
  risk: number;
}

export interface ArtifactSummary {
  name: string;
  /** The folder: `trees`, `networks`, `theories`, `genomes`. */
  kind: string;
  bytes: number;
  /** Where it comes from. */
  header: Record<string, string>;
  drawings: string[];
  /** The agent that plays with it. */
  agent?: string;
  /** The board it was made for. */
  board?: string;
}

export interface Branch {
  name: string;
  tree: string;
  /** Each before its arguments. */
  nodes: { label: string; arity: number }[];
}

export interface Genome {
  kind: string;
  score: number;
  branches: Branch[];
}

export interface Rule {
  name: string;
  target: 'safe' | 'mine';
  text: string;
  words: string;
  board: { rows: string[]; mines: number; cell: Place; clues: Place[] } | null;
}

export interface Theory {
  rules: Rule[];
}

export interface Artifact extends ArtifactSummary {
  tree?: { features: string; classes: string[]; importances: { column: string; words: string; importance: number }[]; nodes: TreeNode[] } | null;
  genome?: Genome | null;
  theory?: Theory | null;
}

export interface KeptRecord {
  id: string;
  player: string;
  board: string;
  shape: string;
  outcome: string;
  moves: number;
  /** Seconds since 1970. */
  kept: number;
}

export interface Version {
  version: string;
  commit: string;
  rustc: string;
  agents: number;
  schema_version: number;
}
