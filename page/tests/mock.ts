//! The engine, played back: serves the built page and answers the HTTP contract from fixtures.
//!
//! With RECORD set to the path of the program, answers that no fixture holds are made with it and
//! kept; without it the mock says that it has none. Tables are the repository's own results.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Analysis, Artifact, Decision, Hint, Order, PositionBody, Review, ReviewMove, Run, RunList, Table } from '../src/api/types.ts';
import { Board } from '../src/game/board.ts';
import { Layout } from '../src/game/layout.ts';
import { parsePosition, positionText, rowsOf, facesOf } from '../src/game/notation.ts';
import type { GameRecord } from '../src/game/record.ts';
import { shapeOf, type Rules } from '../src/game/rules.ts';
import { Shape, type Place } from '../src/game/shape.ts';
import { symbol } from '../src/game/face.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const DIST = here('../dist');
const FIXTURES = here('./fixtures');
const RESULTS = here('../../results');
/** What the mock does not count. */
const UNTOLD = { cpu_seconds: 1, games_per_cpu_second: 1, guesses_per_game: 1, open_rate: 0.9, stuck: 0, survival: {}, undecided: 0 };
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.webmanifest': 'application/manifest+json',
};
/** The headers of the real server: what they refuse must fail here too. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Keeps answers by what was asked. */
class Fixtures {
  readonly #kept = new Map<string, Record<string, unknown>>();

  get<T>(kind: string, question: string, make: (() => T) | null): T {
    const file = join(FIXTURES, `${kind}.json`);
    let kept = this.#kept.get(kind);
    if (!kept) {
      kept = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {};
      this.#kept.set(kind, kept);
    }
    const key = question.length < 60 ? question : createHash('sha256').update(question).digest('hex').slice(0, 16);
    if (!(key in kept)) {
      if (!make || !process.env.RECORD) throw new Fault(501, `no fixture for ${kind} ${key}`);
      kept[key] = make();
      mkdirSync(FIXTURES, { recursive: true });
      const lines = Object.keys(kept).sort().map((name) => `${JSON.stringify(name)}:${JSON.stringify(kept[name])}`);
      writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
    }
    return kept[key] as T;
  }
}

class Fault extends Error {
  constructor(readonly status: number, message: string, readonly at?: string) {
    super(message);
  }
}

function deminer(args: string[], input = ''): string {
  try {
    return execFileSync(process.env.RECORD!, args, { input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'ignore'], maxBuffer: 1 << 26 });
  } catch (fault) {
    // Exit code 1 is an answer: no layout fits.
    const output = (fault as { stdout?: string }).stdout;
    if (output) return output;
    throw new Fault(400, 'the position cannot be read');
  }
}

const rounded = (_: string, value: unknown) => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value);

export interface Mock {
  url: string;
  close(): Promise<void>;
  /** When set, every answer of the engine is this fault. */
  broken: { status: number; problem: unknown } | null;
}

export async function startMock(): Promise<Mock> {
  const engine = new Engine();
  const mock: Mock = { url: '', broken: null, close: async () => undefined };
  const server: Server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://mock');
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    handle(engine, mock, request, response, url).catch((fault: unknown) => {
      const status = fault instanceof Fault ? fault.status : 500;
      const at = fault instanceof Fault ? fault.at : undefined;
      send(response, status, { type: 'about:blank', title: status === 400 ? 'The request cannot be read' : 'The mock has no answer', status, detail: String((fault as Error).message), ...(at ? { at } : {}) }, 'application/problem+json');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  mock.url = `http://127.0.0.1:${address.port}/`;
  mock.close = () => new Promise((resolve) => {
    server.closeAllConnections();
    server.close(() => resolve());
  });
  return mock;
}

function send(response: ServerResponse, status: number, body: unknown, type = 'application/json'): void {
  response.writeHead(status, { 'content-type': type });
  response.end(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<any> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return parts.length === 0 ? {} : JSON.parse(Buffer.concat(parts).toString('utf8'));
}

async function handle(engine: Engine, mock: Mock, request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
  if (!url.pathname.startsWith('/api/v1/')) return file(response, url.pathname);
  if (mock.broken) return send(response, mock.broken.status, mock.broken.problem, 'application/problem+json');
  const path = url.pathname.slice('/api/v1'.length);
  const [, head, id, tail] = path.split('/').map(decodeURIComponent);
  const body = request.method === 'POST' ? await bodyOf(request) : null;
  switch (`${request.method} /${head}`) {
    case 'GET /version':
      return send(response, 200, { version: '0.1.0', commit: '602f6c5a1b2c', rustc: '1.95.0', agents: 16, schema_version: 1 });
    case 'GET /agents':
      return send(response, 200, engine.agents());
    case 'POST /analyze':
      return send(response, 200, engine.analyze(body));
    case 'POST /hint':
      return send(response, 200, engine.hint(body));
    case 'POST /boards':
      return send(response, 200, engine.deal(body));
    case 'POST /coach':
      return send(response, 200, engine.coach(body.record));
    case 'POST /play':
      return engine.play(body, request, response);
    case 'POST /convert':
      return engine.convert(body, url.searchParams.get('to'), response);
    case 'POST /picture':
      return send(response, 200, '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml');
    case 'GET /leaderboard':
      return send(response, 200, engine.table('arena'));
    case 'GET /tables':
      if (tail) return send(response, 200, readFileSync(join(RESULTS, id!, tail)), 'image/svg+xml');
      return send(response, 200, id ? { table: engine.table(id), pictures: engine.table(id).pictures } : engine.tables());
    case 'GET /records':
      return send(response, 200, { records: [] });
    case 'POST /records':
      return send(response, 201, { id: 'r1' });
    case 'GET /runs':
      if (tail) return engine.watchRun(id!, response);
      return send(response, 200, id ? engine.run(id) : engine.listRuns());
    case 'POST /runs':
      if (tail === 'stop' || tail === 'resume') {
        engine.run(id!).state = tail === 'stop' ? 'stopped' : 'running';
        return send(response, 202, engine.run(id!));
      }
      return send(response, 201, engine.startRun(body));
    case 'DELETE /runs':
      engine.runs.splice(engine.runs.indexOf(engine.run(id!)), 1);
      response.writeHead(204).end();
      return;
    case 'GET /artifacts':
      if (tail) return send(response, 200, '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="#789"/></svg>', 'image/svg+xml');
      return send(response, 200, id ? engine.artifact(id) : engine.artifacts());
    default:
      throw new Fault(404, `${path} is not known`);
  }
}

function file(response: ServerResponse, path: string): void {
  const name = join(DIST, normalize(path === '/' ? '/index.html' : path));
  if (!name.startsWith(DIST) || !existsSync(name)) return send(response, 404, 'not found', 'text/plain');
  send(response, 200, readFileSync(name), TYPES[extname(name)] ?? 'application/octet-stream');
}

class Engine {
  readonly #fixtures = new Fixtures();
  readonly runs: Run[] = [];

  agents(): unknown {
    return this.#fixtures.get('agents', 'all', () => JSON.parse(deminer(['agents', '--json'])));
  }

  analyze(body: PositionBody & { why?: boolean; around?: Place }): Analysis {
    const width = body.rows[0]?.length ?? 0;
    if (width === 0 || body.rows.some((row) => row.length !== width)) throw new Fault(400, 'rows differ in length', 'rows');
    const shape = new Shape((body.shape ?? 'rect') as Shape['form'], width, body.rows.length);
    const text = positionText({ shape, mines: body.mines, clues: body.clues ?? 'exact', faces: facesOf(shape, body.rows) });
    const around = body.around ? ['--around', body.around.join(',')] : [];
    return this.#fixtures.get('analyze', `${text}${around.join(' ')}`, () => {
      const analysis = JSON.parse(deminer(['analyze', '-', '--why', '--json', ...around], text), rounded) as Analysis;
      return { ...analysis, ...this.#alternatives(analysis) };
    });
  }

  /** What the server adds to what the command line prints. */
  #alternatives(analysis: Analysis): Partial<Analysis> {
    if (!analysis.best || !analysis.mine_probability) return { dead: [], fifty_fifty: [] };
    const risks = analysis.mine_probability.flatMap((row, r) => row.map((risk, c) => ({ cell: [r, c] as Place, risk })));
    const alternatives = risks
      .filter(({ risk }) => risk !== null)
      .sort((a, b) => a.risk! - b.risk!)
      .slice(0, 5)
      .map(({ cell, risk }) => ({ cell, safety: 1 - risk!, win: analysis.best!.safety === 1 ? null : 0.52 * (1 - risk!) }));
    const win = analysis.best.safety === 1 ? null : 0.52 * analysis.best.safety;
    return { best: { ...analysis.best, win, agent: 'best', alternatives }, dead: [], fifty_fifty: [] };
  }

  hint(body: PositionBody & { level: number }): Hint {
    const { level, ...position } = body;
    const analysis = this.analyze({ ...position, why: true });
    const proof = analysis.proofs?.find(({ fact }) => fact === 'safe');
    const cell = proof?.cell ?? analysis.best!.cell;
    const shape = new Shape('rect', analysis.width, analysis.height);
    const around = shape.neighbors(shape.cell(cell)).map((near) => shape.place(near));
    return {
      level,
      safe_exists: analysis.safe.length > 0,
      ...(level >= 2 ? { area: [cell, ...around] } : {}),
      ...(level >= 3 ? { cell, safety: analysis.safe.length > 0 ? 1 : analysis.best!.safety } : {}),
      ...(level >= 4 ? { why: proof?.why ?? analysis.best!.why, clues: proof?.clues ?? [] } : {}),
    };
  }

  deal(body: { rules: Rules; first?: Place; seed?: number }): unknown {
    const shape = shapeOf(body.rules);
    const first = body.first ?? [0, 0];
    const board = new Board(body.rules, { seed: 7n, game: 0n });
    board.act('open', shape.cell(first));
    return { seed: 7, game: 0, first, three_bv: board.layout!.threeBv(), rows: board.layout!.rows(), rules: body.rules, difficulty: 'medium', hardest: 'pair', tries: 3, repaired: false };
  }

  coach(record: GameRecord): Review {
    const shape = shapeOf(record.rules);
    const layout = Layout.fromRows(shape, record.layout ?? []);
    const board = new Board(record.rules, { layout, ...(record.seed === undefined ? {} : { seed: BigInt(record.seed), game: 0n }) });
    const moves: ReviewMove[] = [];
    record.moves.forEach((move, index) => {
      const cell = move.cell!;
      const base = { number: index + 1, action: move.action, cell, win_before: null, win_after: null };
      if (board.state === 'fresh' || move.action !== 'open') {
        moves.push({ ...base, risk: 0, safest: 0, best: null, cost: 0, verdict: 'start', sentence: board.state === 'fresh' ? 'The first click.' : 'A flag.' });
      } else {
        const analysis = this.analyze({ rows: rowsOf(shape, board.faces), mines: board.mines, shape: record.rules.shape });
        const risk = analysis.mine_probability![cell[0]]![cell[1]]!;
        const safest = 1 - analysis.best!.safety;
        const cost = Math.max(0, risk - safest);
        const verdict = risk === 0 ? 'proved' : cost === 0 ? 'best' : cost < 0.03 ? 'good' : cost < 0.1 ? 'inaccuracy' : cost < 0.3 ? 'mistake' : 'blunder';
        const sentence = risk === 0 ? 'Proved safe.' : cost === 0 ? 'A guess was needed, and this was the best one.' : `A cell with ${(100 * safest).toFixed(0)} % risk was there.`;
        moves.push({ ...base, risk, safest, best: analysis.best!.cell, win_before: analysis.best!.win, win_after: null, cost, verdict, sentence });
      }
      if (move.action !== 'decline') board.act(move.action, shape.cell(cell));
    });
    const unneeded = moves.filter(({ risk, safest }) => (risk ?? 0) > 0 && safest === 0).length;
    return {
      schema_version: 1, player: record.player,
      moves, undone: [], hints: 0, odds: false, practice: false, luck: 0.1, kept: 0.8, guesses: moves.filter(({ risk }) => (risk ?? 0) > 0).length, unneeded, blunders: moves.filter(({ verdict }) => verdict === 'blunder').length, outcome: record.outcome,
      summary: [unneeded === 0 ? 'No guess was made while a safe cell was there.' : `${unneeded} ${unneeded === 1 ? 'guess was' : 'guesses were'} made while a safe cell was there.`],
    };
  }

  play(body: { agent: string; rules: Rules; seed: number }, request: IncomingMessage, response: ServerResponse): void {
    const { agent, rules, seed } = body;
    const played = this.#fixtures.get('play', `${agent} ${rules.board} ${rules.shape} ${rules.start} ${seed}`, () => this.#record(agent, rules, seed));
    const after = Number(request.headers['last-event-id'] ?? -1);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    if (after < 0) response.write(`event: begin\ndata: ${JSON.stringify({ rules, rows: [] })}\n\n`);
    for (const decision of played.decisions) {
      if (decision.number > after) response.write(`event: decision\nid: ${decision.number}\ndata: ${JSON.stringify(decision)}\n\n`);
    }
    response.end(`event: end\ndata: ${JSON.stringify({ outcome: played.record.outcome, record: played.record })}\n\n`);
  }

  #record(agent: string, rules: Rules, seed: number): { record: GameRecord; decisions: Decision[] } {
    const record = JSON.parse(deminer(['play', '--agent', agent, '--board', rules.board, '--shape', rules.shape, '--start', rules.start, '--seed', String(seed), '--json'])) as GameRecord;
    const shape = shapeOf(rules);
    const board = new Board(rules, { seed: BigInt(seed), game: 0n });
    const decisions = record.moves.map((move, index): Decision => {
      const number = index + 1;
      const before = board.faces.slice();
      const guess = agent === 'lowest-risk' || move.why.kind === 'risk' || move.why.kind === 'blind';
      const analysis = guess && board.state === 'live' ? (JSON.parse(deminer(['analyze', '-', '--json'], positionText({ shape, mines: board.mines, clues: rules.clues, faces: before })), rounded) as Analysis) : null;
      if (move.action !== 'decline' && move.cell) board.act(move.action, shape.cell(move.cell));
      const opened = [...board.faces.keys()].filter((cell) => before[cell] !== board.faces[cell] && move.action !== 'flag');
      const why = move.why;
      const sentence = why.kind === 'proved' ? `proved by ${why.rule}` : why.kind === 'rule' ? `by ${why.name}` : why.kind === 'risk' ? `the least risk, ${(100 * why.risk).toFixed(1)} %` : why.kind === 'start' ? 'the first click' : 'a blind guess';
      return {
        number, by: move.by, action: move.action, cell: move.cell ?? null, why, sentence,
        risk: why.kind === 'risk' ? why.risk : null,
        estimates: analysis?.mine_probability ?? null,
        alternatives: [],
        opened: opened.map((cell) => ({ cell: shape.place(cell), shown: board.faces[cell] === 0 ? '0' : symbol(board.faces[cell]!) })),
        micros: move.micros ?? 0,
      };
    });
    return { record, decisions };
  }

  convert(body: { base64: string; name?: string }, to: string | null, response: ServerResponse): void {
    const text = Buffer.from(body.base64, 'base64').toString('utf8');
    if (to) return send(response, 200, to === 'mine' ? '4x3x3\nHHHH\nH12H\nHHHH\n' : text, 'text/plain');
    if (text.startsWith('{')) return send(response, 200, { kind: 'record', record: JSON.parse(text), formats: ['record'] });
    try {
      const position = parsePosition(text.replace(/^(\d+)x(\d+)x(\d+)/, 'mines $3').replaceAll('H', '#'));
      send(response, 200, { kind: 'position', position: { rows: rowsOf(position.shape, position.faces), mines: position.mines }, formats: ['text', 'mine'] });
    } catch (fault) {
      throw new Fault(400, (fault as Error).message, 'base64');
    }
  }

  table(id: string): Table {
    const name = join(RESULTS, id, 'table.json');
    if (!/^[\w-]+$/.test(id) || !existsSync(name)) throw new Fault(404, `there is no table ${id}`);
    return JSON.parse(readFileSync(name, 'utf8')) as Table;
  }

  tables(): unknown {
    const ids = readdirSync(RESULTS).filter((id) => existsSync(join(RESULTS, id, 'table.json')));
    const tables = ids.map((id) => {
      const { title, paper, about, lines, pictures } = this.table(id);
      const verdicts: Record<string, number> = {};
      for (const { verdict } of lines) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1;
      return { id, title, paper, about, verdicts, pictures };
    });
    return { tables };
  }

  run(id: string): Run {
    const run = this.runs.find((other) => other.id === id);
    if (!run) throw new Fault(404, `there is no run ${id}`);
    return run;
  }

  listRuns(): RunList {
    const options: RunList['learners'][number]['options'] = [{ name: 'of', values: 'agent', about: '', default: '' }, { name: 'games', values: 'number', about: '', default: '' }, { name: 'depth', values: 'number', about: '', default: '' }, { name: 'prune', values: 'flag', about: '', default: '' }];
    return { runs: this.runs, learners: [{ name: 'tree', about: 'a decision tree that imitates another agent', options }, { name: 'gp', about: 'a tree of checks that evolves', options: [{ name: 'iterations', values: 'number', about: '', default: '' }, { name: 'seed', values: 'number', about: '', default: '' }] }], allowed: true };
  }

  startRun(body: Order): Run {
    const run: Run = {
      ...body, id: `run-${this.runs.length + 1}`, state: 'running', created: 1_794_800_000, version: 1,
      progress: { done: 0, total: body.kind === 'tournament' ? body.spec.games : Number(body.options?.iterations ?? 8), share: 0 },
      agents: [],
      curve: [],
      log: [],
    };
    this.runs.unshift(run);
    return run;
  }

  watchRun(id: string, response: ServerResponse): void {
    const run = this.run(id);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const step = () => {
      if (run.state !== 'running' || response.destroyed) return response.end();
      run.progress.done = Math.min(run.progress.total, run.progress.done + Math.ceil(run.progress.total / 8));
      const share = run.progress.done / run.progress.total;
      run.progress.share = share;
      run.version += 1;
      if (run.kind === 'tournament') {
        run.agents = run.spec.agents.map((agent, i) => {
          const rate = 0.8 - i * 0.07;
          const half = 1.96 * Math.sqrt((rate * (1 - rate)) / run.progress.done);
          return { agent, games: run.progress.done, won: Math.round(rate * run.progress.done), rate, low: rate - half, high: rate + half, ...UNTOLD };
        });
      } else run.curve.push({ done: run.progress.done, total: run.progress.total, values: { best: 1 - 0.3 * Math.exp(-3 * share), mean: 0.8 - 0.3 * Math.exp(-2 * share) } });
      if (share === 1) run.state = 'finished';
      response.write(`event: run\nid: ${run.version}\ndata: ${JSON.stringify(run)}\n\n`);
      if (share === 1) response.end();
      else setTimeout(step, run.kind === 'train' ? 900 : 150);
    };
    step();
  }

  artifacts(): unknown {
    const { tree: _, ...summary } = this.artifact('lowest-risk-depth-8.tree') as Artifact;
    return { artifacts: [summary] };
  }

  artifact(name: string): unknown {
    const tree = this.#fixtures.get('artifacts', name, () => {
      const whole = JSON.parse(deminer(['tree', name.replace('.tree', ''), '--json']), rounded) as { nodes: { yes?: number; no?: number; question?: string }[] };
      const nodes: { yes?: number; no?: number; question?: string }[] = [];
      const copy = (index: number, depth: number): number => {
        const { question, yes, no, ...rest } = whole.nodes[index]!;
        const at = nodes.push({ ...rest }) - 1;
        if (question !== undefined && depth < 4) Object.assign(nodes[at]!, { question, yes: copy(yes!, depth + 1), no: copy(no!, depth + 1) });
        return at;
      };
      copy(0, 0);
      return { ...whole, nodes };
    }) as Record<string, unknown>;
    const header = Object.fromEntries(['agent', 'rules', 'games', 'seed', 'command'].map((key) => [key, String(tree[key])]));
    return { name, kind: 'trees', bytes: 14558, header, drawings: ['tree.svg', 'importances.svg'], tree };
  }
}
