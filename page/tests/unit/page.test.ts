import { describe, expect, test } from 'vitest';
import { EventParser, stream, type ServerEvent } from '../../src/api/sse.ts';
import { Geometry, fitUnit } from '../../src/board/geometry.ts';
import { chooseUnit } from '../../src/board/layout.ts';
import { chances, contrast, heatColor, heatStep, inkOn, luminance, percent, stepText } from '../../src/board/heat.ts';
import { DEFAULT_KEYS, bind, commandOf } from '../../src/board/keys.ts';
import { heatOf } from '../../src/parts/analysis.ts';
import type { Analysis } from '../../src/api/types.ts';
import { parsePosition } from '../../src/game/notation.ts';
import { Shape } from '../../src/game/shape.ts';
import { drawingOf, niceAbove } from '../../src/rooms/lab/curve.ts';
import { offsetsOf, treeOf } from '../../src/rooms/lab/genome.ts';
import { themed } from '../../src/rooms/lab/picture.ts';
import { faultAt } from '../../src/rooms/lab/runs.ts';
import { csvOf, jsonOf, placesOf, sorted, turned, type Column } from '../../src/rooms/lab/sheet.ts';
import { OUTSIDE, decisionOf, placeNodes, windowRows, wrapped, type Tree } from '../../src/rooms/lab/tree.ts';
import { formatRoute, packRows, parseRoute, positionFromQuery, queryOfPosition, queryOfRules, ruleFaults, rulesFromQuery, seedFromQuery, unpackRows } from '../../src/state/url.ts';

describe('heat', () => {
  test('gets lighter with the risk, so it reads without color', () => {
    const light = Array.from({ length: 21 }, (_, i) => luminance(heatColor('cividis', i / 20)));
    expect(light.every((value, i) => i === 0 || value > light[i - 1]!)).toBe(true);
  });

  test('leaves text readable on every color', () => {
    for (const palette of ['cividis', 'papers'] as const) {
      for (let risk = 0; risk <= 1; risk += 0.01) {
        const color = heatColor(palette, risk);
        expect(contrast(color, inkOn(color)), `${palette} ${risk}`).toBeGreaterThan(4.5);
      }
    }
  });

  test('the papers show safe cells green and mines purple', () => {
    const [r, g, b] = heatColor('papers', 0);
    expect(g).toBeGreaterThan(Math.max(r, b));
    const mine = heatColor('papers', 1);
    expect(mine[1]).toBeLessThan(Math.min(mine[0], mine[2]));
  });

  test('never rounds to certainty', () => {
    expect([0, 1e-9, 0.004, 0.5, 0.999999, 1].map((risk) => stepText(heatStep(risk)))).toEqual(['0', '<1', '<1', '50', '>99', '100']);
    expect([0, 1e-9, 0.125, 1 - 1e-9, 1].map((risk) => percent(risk))).toEqual(['0\u202f%', '<1\u202f%', '13\u202f%', '>99\u202f%', '100\u202f%']);
    expect(percent(0.1234, 1)).toBe('12.3\u202f%');
    expect([percent(null), chances({ win: 1 }, true), chances({ win: 1 }, false), chances({ win: null }, false)]).toEqual(['–', '100\u202f%', '>99\u202f%', '–']);
  });

  test('a cell is safe only if the engine proved it', () => {
    const analysis = { width: 3, height: 1, mine_probability: [[0, 0, null]], safe: [[0, 1]], mine: [] } as unknown as Analysis;
    const heat = heatOf(analysis)!;
    expect(heat[0]).toBeGreaterThan(0);
    expect(heat[1]).toBe(0);
    expect(heat[2]).toBeNaN();
  });
});

describe('the size of cells', () => {
  const expert = new Shape('rect', 30, 16);
  const space = { width: 900, height: 400, gutter: 0, scale: 1 };
  const wish = { zoom: null, least: null, most: 48, coarse: false, fill: false };

  test('suits a mouse or a finger unless the whole board is asked for', () => {
    expect(chooseUnit(expert, space, wish)).toBe(25);
    expect(chooseUnit(new Shape('rect', 100, 100), space, wish)).toBe(22);
    expect(chooseUnit(new Shape('rect', 100, 100), space, { ...wish, zoom: 'whole' })).toBe(4);
    expect(chooseUnit(expert, { ...space, width: 366, height: 544 }, { ...wish, coarse: true })).toBe(44);
    expect(chooseUnit(new Shape('rect', 9, 9), { ...space, width: 340, height: 544 }, { ...wish, coarse: true })).toBe(37);
  });

  test('fills a pane in both directions', () => {
    for (const [width, height, unit] of [[900, 340, 21], [600, 400, 20], [200, 400, 6]] as const) {
      expect(chooseUnit(expert, { ...space, width, height }, { ...wish, fill: true })).toBe(unit);
    }
    expect(chooseUnit(expert, { ...space, width: 200 }, { ...wish, fill: true, least: 10 })).toBe(10);
  });

  test('is a whole number of pixels on any screen', () => {
    for (const scale of [1, 1.25, 1.5, 2, 3]) for (const zoom of [null, 'whole' as const, 17, 21.3]) {
      const unit = chooseUnit(expert, { ...space, scale }, { ...wish, zoom });
      expect(unit * scale, `${scale} ${zoom}`).toBeCloseTo(Math.round(unit * scale), 9);
    }
  });
});

describe('geometry', () => {
  test('every cell is found at its center', () => {
    for (const form of ['rect', 'torus', 'hex'] as const) {
      const geometry = new Geometry(new Shape(form, 7, 5), 24, 20);
      for (let cell = 0; cell < 35; cell += 1) expect(geometry.cellAt(...geometry.center(cell)), `${form} ${cell}`).toBe(cell);
    }
  });

  test('odd rows of hexagons are shifted, and corners between them belong to the nearest', () => {
    const geometry = new Geometry(new Shape('hex', 4, 3), 20);
    expect(geometry.box(4).x).toBe(10);
    expect(geometry.cellAt(2, 22)).toBeNull();
    expect(geometry.cellAt(13, 24)).toBe(4);
    expect(geometry.cellAt(-1, 5)).toBeNull();
  });

  test('sides know their neighbors', () => {
    const geometry = new Geometry(new Shape('rect', 3, 2), 10);
    expect(geometry.sides(0).map(({ across }) => across)).toEqual([null, 1, 3, null]);
    const hex = new Geometry(new Shape('hex', 3, 3), 20);
    expect(new Set(hex.sides(4).map(({ across }) => across))).toEqual(new Set([1, 2, 3, 5, 7, 8]));
  });

  test('a window touches the rows and columns in sight', () => {
    const geometry = new Geometry(new Shape('rect', 100, 100), 20);
    expect(geometry.span({ x: 205, y: 0, width: 100, height: 59 })).toEqual({ top: 0, bottom: 2, left: 10, right: 15 });
  });

  test('cells are as large as fits', () => {
    expect(fitUnit(new Shape('rect', 9, 9), { width: 360, height: 900 }, { least: 10, most: 48 })).toBe(40);
    expect(fitUnit(new Shape('rect', 100, 100), { width: 360, height: 900 }, { least: 22, most: 48 })).toBe(22);
  });
});

describe('keys', () => {
  const press = (key: string, more = {}) => commandOf(DEFAULT_KEYS, { key, ctrlKey: false, altKey: false, metaKey: false, ...more });
  test('mean commands, but not with Ctrl', () => {
    expect(press(' ')).toBe('open');
    expect(press('F')).toBe('flag');
    expect(press('f', { ctrlKey: true })).toBeNull();
    expect(press('q')).toBeNull();
  });
  test('can be changed, and mean one thing each', () => {
    const keys = bind(DEFAULT_KEYS, 'flag', 'C');
    expect(keys.flag).toEqual(['c', 'f']);
    expect(keys.chord).toEqual([]);
  });
});

describe('address', () => {
  test('names rooms and what is in them', () => {
    expect(parseRoute('#/lab/papers/s001-e1?x=1')).toMatchObject({ room: 'lab', path: ['papers', 's001-e1'] });
    expect(parseRoute('').room).toBe('play');
    expect(parseRoute('#/nowhere').room).toBeNull();
    expect(parseRoute('#/play/nothing').room).toBeNull();
    expect(parseRoute('#/analyse?rows=1').room).toBe('analyze');
    expect(parseRoute('#/lab/%E0%A4%A').path).toEqual(['%E0%A4%A']);
    expect(formatRoute('play', [], { board: '9x9x10', first: '1,2', clues: 'blind:0.1', shape: undefined })).toBe('#/play?board=9x9x10&first=1,2&clues=blind:0.1');
  });

  test('holds rules, and forgives what is wrong', () => {
    const rules = { board: '30x16x99', shape: 'hex', start: 'safe', cascade: 'off', clues: 'blind:0.1' } as const;
    const { query } = parseRoute(formatRoute('play', [], queryOfRules(rules)));
    expect(rulesFromQuery(query)).toEqual(rules);
    expect(rulesFromQuery(new URLSearchParams('board=1e9x1e9x1&shape=ball&clues=blind:7'))).toEqual({ board: '9x9x10', shape: 'rect', start: 'open', cascade: 'on', clues: 'exact' });
    expect(ruleFaults(query)).toEqual([]);
    for (const [name, board] of [['beginner', '9x9x10'], ['intermediate', '16x16x40'], ['expert', '30x16x99']] as const) {
      const named = new URLSearchParams({ board: name });
      expect(ruleFaults(named)).toEqual([]);
      expect(rulesFromQuery(named).board).toBe(board);
    }
    expect(ruleFaults(new URLSearchParams('board=huge'))).toEqual([
      'The link says board=huge, which is not possible. A board is beginner, intermediate, expert, or width x height x mines, such as 30x16x99.',
    ]);
    expect(ruleFaults(new URLSearchParams('board=999x999x1&shape=ball&seed=-1'))).toEqual([
      'The link says board=999x999x1, which is not possible. Width and height go from 1 to 100.',
      'The link says shape=ball, which is not possible. Shapes: rect, torus, hex.',
      'The link says seed=-1, which is not possible. A seed is a whole number below 2⁶⁴.',
    ]);
    expect(seedFromQuery(new URLSearchParams('seed=18446744073709551615'))).toBe(18446744073709551615n);
    expect(seedFromQuery(new URLSearchParams('seed=18446744073709551616'))).toBeNull();
    expect(seedFromQuery(new URLSearchParams('seed=-1'))).toBeNull();
  });

  test('holds positions in few letters', () => {
    const position = parsePosition(`mines 4\nshape torus\n${'#'.repeat(30)}\nF?*.12345678${'#'.repeat(18)}`);
    expect(packRows(position.shape, position.faces)).toBe('ZD-fqm012345678R');
    const { query } = parseRoute(formatRoute('analyze', [], queryOfPosition(position)));
    expect(positionFromQuery(query)).toEqual(position);
    expect(unpackRows('AB-A')).toBeNull();
    expect(unpackRows('x')).toBeNull();
    expect(unpackRows('Z'.repeat(5))).toBeNull();
    expect(positionFromQuery(new URLSearchParams('rows=A&mines=2'))).toBeNull();
  });
});

describe('events', () => {
  const parse = (...pieces: string[]) => {
    const parser = new EventParser();
    return pieces.flatMap((piece) => parser.push(piece));
  };
  test('are cut out of any pieces', () => {
    const events = parse('event: deci', 'sion\nid: 4\nda', 'ta: {"a":1}\ndata: more\n', '\n: comment\n\ndata: x\r\n\r\n');
    expect(events).toEqual([{ event: 'decision', id: '4', data: '{"a":1}\nmore' }, { event: 'message', id: '4', data: 'x' }]);
  });

  test('a broken stream is taken up where it broke', async () => {
    const asked: (string | null)[] = [];
    const answers = ['event: a\nid: 1\ndata: one\n\n', 'event: end\nid: 2\ndata: two\n\n'];
    const seen: ServerEvent[] = [];
    const open = async (init: RequestInit) => {
      asked.push(new Headers(init.headers).get('last-event-id'));
      return new Response(answers[asked.length - 1]!);
    };
    await stream(open, { signal: new AbortController().signal, on: (event) => seen.push(event), last: ({ event }) => event === 'end', patience: 1 });
    expect(asked).toEqual([null, '1']);
    expect(seen.map(({ data }) => data)).toEqual(['one', 'two']);
  });

  test('a fault that is no broken connection is told at once', async () => {
    const open = async (): Promise<Response> => {
      throw new Error('no such agent');
    };
    await expect(stream(open, { signal: new AbortController().signal, on: () => undefined, last: () => true, patience: 1 })).rejects.toThrow('no such agent');
  });
});

describe('lab', () => {
  const tree: Tree = {
    schema_version: 1, agent: 'lowest-risk', command: '', criterion: 'class', depth: 2, fidelity: 1, games: 1, held_out_samples: 1, leaves: 3, rules: '', seed: 1,
    features: 'raw', classes: [],
    importances: [{ column: 'cell_2_1', words: 'the cell left', importance: 1 }, { column: 'cell_2_0', words: 'the cell two left', importance: 0.5 }],
    nodes: [
      { question: 'the cell left is outside the board or 0 to 6', yes: 1, no: 2, entropy: 1, samples: 10, counts: [], class: 'a mine', risk: 0.5 },
      { entropy: 0, samples: 4, counts: [], class: 'a mine', risk: 1 },
      { question: 'the cell two left is outside the board', yes: 3, no: 4, entropy: 0, samples: 6, counts: [], class: 'not a mine', risk: 0 },
      { entropy: 0, samples: 3, counts: [], class: 'not a mine', risk: 0 },
      { entropy: 0, samples: 3, counts: [], class: 'not a mine', risk: 0.1 },
    ],
  };

  test('a painted window is written for the server, and probabilities become decisions', () => {
    const faces = new Uint8Array(25).fill(9).with(0, OUTSIDE).with(7, 3);
    expect(windowRows(faces)).toEqual(['-####', '##3##', '#####', '#####', '#####']);
    const classes = ['not a mine', 'probably not a mine', 'probably a mine', 'a mine'];
    expect([0, 0.25, 0.26, 0.513, 0.75, 1].map((risk) => decisionOf(classes, risk))).toEqual([classes[0], classes[0], classes[1], classes[2], classes[2], classes[3]]);
  });

  test('labels of a tree are wrapped, not cut', () => {
    const label = 'The cell two above, two left is outside the board or 0 to 5?';
    expect(wrapped(label, 26).join(' ')).toBe(label);
    expect(Math.max(...wrapped(label, 26).map((line) => line.length))).toBeLessThanOrEqual(26);
  });

  test('unfolded nodes are placed side by side', () => {
    const { nodes, width, depth } = placeNodes(tree, new Set([0, 2]));
    expect([nodes.length, width, depth]).toEqual([5, 3, 2]);
    expect(placeNodes(tree, new Set()).nodes[0]).toMatchObject({ index: 0, folded: true });
  });

  test('a training is drawn by its losses, or else by its population', () => {
    const point = (done: number, values: Record<string, number>) => ({ done, total: 9, values });
    const loss = drawingOf([point(1, { loss: 0.5 }), point(2, { loss: 0.3, validation: 0.4 }), point(3, { loss: 0.2, validation: 0.35 })])!;
    expect(loss.lines.map(({ name, points }) => [name, points.length])).toEqual([['training', 3], ['held out', 2]]);
    expect(drawingOf([point(1, { best: 0.9, mean: 0.5 }), point(2, { best: 1, mean: 0.6 })])!.title).toBe('Fitness');
    const rules = drawingOf([point(1, { covered: 0, examples: 9, rules: 0, clauses: 30 }), point(2, { covered: 6, examples: 12, rules: 1, clauses: 1300 }), point(3, { covered: 9, examples: 14, rules: 1, clauses: 8000 })])!;
    expect(rules.lines[0]!.points).toEqual([[30, 0], [1300, 6], [8000, 9]]);
    expect(rules.marks).toEqual([{ x: 1300, y: 6, words: '1 rule' }]);
    expect(drawingOf([point(1, { loss: 1 })])).toBeNull();
    expect([0.7, 1, 13].map(niceAbove)).toEqual([0.8, 1, 16]);
  });

  test('a program is a tree whose parts look at cells', () => {
    const labels: [string, number][] = [['numCheck', 2], ['(0,1)', 0], ['edgeCheck', 2], ['(-2,0)', 0], ['(0,1)', 0]];
    const tree = treeOf({ name: 'main', tree: '', nodes: labels.map(([label, arity]) => ({ label, arity })) })!;
    expect([tree.size, tree.parts[1]!.label, tree.parts[1]!.size]).toEqual([5, 'edgeCheck', 3]);
    expect(offsetsOf(tree)).toEqual([[0, 1], [-2, 0]]);
  });
});

describe('tables of the Lab', () => {
  interface Row { agent: string; won: number | null }
  const columns: Column<Row>[] = [{ id: 'agent', title: 'Agent', value: ({ agent }) => agent }, { id: 'won', title: 'Won', value: ({ won }) => won, text: () => 'x', fields: ({ won }) => ({ won, low: won === null ? null : won - 0.1 }) }];
  const rows: Row[] = [{ agent: 'a,b', won: 0.5 }, { agent: 'c', won: null }, { agent: 'd "q"', won: 0.75 }];

  test('sort by a column, with nothing last', () => {
    const won = (down: boolean) => sorted(rows, columns, { id: 'won', down }).map(({ won }) => won);
    expect(won(true)).toEqual([0.75, 0.5, null]);
    expect(won(false)).toEqual([0.5, 0.75, null]);
    expect(turned(null, columns[1]!, rows)).toEqual({ id: 'won', down: true });
    expect(turned({ id: 'won', down: true }, columns[1]!, rows)).toEqual({ id: 'won', down: false });
    expect(turned(null, columns[0]!, rows)).toEqual({ id: 'agent', down: false });
  });

  test('are downloaded with raw numbers and quoted words', () => {
    expect(csvOf(rows, columns).split('\r\n')).toEqual(['agent,won,low', '"a,b",0.5,0.4', 'c,,', '"d ""q""",0.75,0.65', '']);
    expect(JSON.parse(jsonOf(rows, columns))).toEqual([{ agent: 'a,b', won: 0.5, low: 0.4 }, { agent: 'c', won: null, low: null }, { agent: 'd "q"', won: 0.75, low: 0.65 }]);
  });

  test('agents whose intervals overlap share their places', () => {
    const rates = [[0.42, 0.41, 0.43], [0.415, 0.4, 0.425], [0.3, 0.28, 0.32]].map(([value, low, high]) => ({ value: value!, low: low!, high: high! }));
    expect(placesOf(rates)).toEqual([[1, 2], [1, 2], [3, 3]]);
  });
});

describe('faults of a form', () => {
  test('stand at their field', () => {
    const fault = { detail: 'no board', at: 'options.board' };
    expect(faultAt(fault, 'options.board')).toBe('no board');
    expect(faultAt(fault, 'options.boards')).toBeNull();
    expect(faultAt({ detail: 'unknown', at: 'spec.agents[1]' }, 'spec.agents')).toBe('unknown');
    expect(faultAt(null, 'spec.agents')).toBeNull();
  });
});

describe('pictures of the server', () => {
  test('take the colors of the theme', () => {
    expect(['#FFFFFF', '#282828', '#E1E1E1', 'none', null].map(themed)).toEqual(['var(--surface)', 'var(--ink)', 'var(--line)', null, null]);
    expect(themed('#c02040')).toContain('color-mix');
  });
});
