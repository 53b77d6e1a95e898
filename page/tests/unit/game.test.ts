import { describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { Board } from '../../src/game/board.ts';
import { COVERED, MINE, describeOpened, isOpen, spoken, symbol } from '../../src/game/face.ts';
import { Layout } from '../../src/game/layout.ts';
import { NotationError, parsePosition, positionText, rowsOf } from '../../src/game/notation.ts';
import { boardOf, recordOf, type GameRecord } from '../../src/game/record.ts';
import { PURPOSE, Rng, derive } from '../../src/game/rng.ts';
import { PLAIN, parseSize, sizeFault, type Rules } from '../../src/game/rules.ts';
import { Shape, type Form } from '../../src/game/shape.ts';

const picture = (text: string) => text.trim().split('\n').map((row) => row.replaceAll(' ', ''));

/** Acts on a layout and compares what is seen. Steps are a verb with row and column. */
function check(form: Form, layout: string, steps: ['open' | 'flag' | 'unflag' | 'chord', number, number][], view: string): Board {
  const rows = picture(layout);
  const shape = new Shape(form, rows[0]!.length, rows.length);
  const mines = Layout.fromRows(shape, rows);
  const rules: Rules = { ...PLAIN, shape: form, board: `${shape.width}x${shape.height}x${mines.total}`, start: 'unsafe' };
  const board = new Board(rules, { layout: mines });
  for (const [action, row, column] of steps) board.act(action, shape.cell([row, column]));
  expect(rowsOf(shape, board.faces)).toEqual(picture(view));
  return board;
}

describe('faces', () => {
  test('opened cells are described by what they show', () => {
    expect(describeOpened(3, 1)).toBe('Opened: 3.');
    expect(describeOpened(0, 12)).toBe('Opened 12 cells: empty, no mines around.');
    expect(spoken(3)).toBe('open, 3');
    expect(spoken(COVERED)).toBe('covered');
  });
});

describe('shape', () => {
  test('neighbors follow the form', () => {
    const near = (form: Form, width: number, height: number, cell: number) => new Shape(form, width, height).neighbors(cell);
    expect(near('rect', 3, 2, 0)).toEqual([1, 3, 4]);
    expect(near('torus', 4, 2, 0)).toEqual([1, 3, 4, 5, 7]);
    expect(near('hex', 3, 3, 0)).toEqual([1, 3]);
    expect(near('hex', 3, 3, 4)).toEqual([1, 2, 3, 5, 7, 8]);
    expect(near('torus', 1, 1, 0)).toEqual([]);
  });
});

describe('random numbers', () => {
  test('are those of the engine', () => {
    const rng = new Rng(42n);
    expect(Array.from({ length: 8 }, () => rng.below(480))).toEqual([390, 153, 472, 336, 380, 282, 60, 290]);
    expect(derive(1n, 2n, PURPOSE.layout)).toBe(11_526_686_802_003_757_459n);
  });

  test('deal the layouts of the engine', () => {
    const shape = new Shape('rect', 9, 5);
    const deal = (start: Rules['start'], first: number) => Layout.deal(shape, 10, start, 1n, first).rows();
    const plain = ['....*.*..', '..*.*....', '........*', '.*....**.', '*.......*'];
    expect(deal('unsafe', 4)).toEqual(plain);
    expect(deal('safe', 0)).toEqual(plain);
    expect(deal('safe', 4)).toEqual(['......*..', '..*.*....', '........*', '.*....**.', '*.....*.*']);
    expect(deal('open', 4)).toEqual(['......*..', '..*......', '....*...*', '.*....**.', '*.....*.*']);
  });

  test('fill the neighbors of the first cell last', () => {
    const shape = new Shape('rect', 3, 3);
    const layout = Layout.deal(shape, 7, 'open', 9n, 0);
    expect(layout.total).toBe(7);
    expect(layout.isMine(0)).toBe(false);
    expect([2, 5, 6, 7, 8].every((cell) => layout.isMine(cell))).toBe(true);
  });
});

describe('board', () => {
  test('a zero opens its neighbors', () => {
    check('rect', '. . . *\n. . . .\n. . . .', [['open', 2, 0]], '. . 1 #\n. . 1 1\n. . . .');
    check('hex', '. . . *\n. . . .\n. . . .', [['open', 2, 0]], '. . 1 #\n. . 1 1\n. . . .');
  });

  test('a cascade goes around a torus', () => {
    const board = check('torus', '* . . . .\n. . . . .\n. . . . .\n. . . . .\n. . . . .', [['open', 2, 2]], '# 1 . . 1\n1 1 . . 1\n. . . . .\n. . . . .\n1 1 . . 1');
    expect(board.state).toBe('won');
  });

  test('a chord needs its flags, and a wrong one loses', () => {
    const layout = '* . .\n. . .\n. . *';
    check('rect', layout, [['open', 0, 1], ['chord', 0, 1]], '# 1 #\n# # #\n# # #');
    const right = check('rect', layout, [['open', 0, 1], ['flag', 0, 0], ['chord', 0, 1]], 'F 1 .\n1 2 1\n# # #');
    expect(right.state).toBe('live');
    const wrong = check('rect', layout, [['open', 0, 1], ['flag', 0, 2], ['chord', 0, 1]], '* 1 F\n# # #\n# # #');
    expect(wrong.state).toBe('lost');
  });

  test('flags protect, and the game ends when all safe cells are open', () => {
    const board = check('rect', '* . .\n. . .', [['flag', 0, 0], ['open', 0, 0], ['open', 0, 2], ['open', 1, 0]], 'F 1 .\n1 1 .');
    expect(board.state).toBe('won');
    expect(board.act('open', 0)).toBe(false);
  });

  test('a lost game can be taken back, with the same mines', () => {
    const board = new Board({ ...PLAIN, board: '8x5x9' }, { seed: 3n, game: 0n });
    board.act('open', 0);
    const mine = [...board.faces.keys()].find((cell) => board.layout!.isMine(cell))!;
    board.act('open', mine);
    expect(board.state).toBe('lost');
    const back = board.after(1);
    expect(back.state).toBe('live');
    expect(back.layout!.rows()).toEqual(board.layout!.rows());
    expect(board.shownFaces().filter((face) => face === MINE).length).toBe(8);
  });

  test('3BV counts openings and cells apart from them', () => {
    const rows = ['...*', '....', '...*'];
    expect(Layout.fromRows(new Shape('rect', 4, 3), rows).threeBv()).toBe(2);
  });

  test('games of the engine are seen alike, on every shape with every clue', () => {
    const games = JSON.parse(readFileSync(new URL('../fixtures/engine.json', import.meta.url), 'utf8')) as { record: GameRecord; rows: string[] }[];
    for (const { record, rows } of games) {
      const { layout: _, ...dealt } = record;
      const board = boardOf(dealt);
      const what = `${record.rules.shape} ${record.rules.clues}`;
      expect(board.layout!.rows(), what).toEqual(record.layout);
      expect(board.state, what).toBe(record.outcome);
      rows.forEach((row, r) =>
        [...row].forEach((shown, c) => {
          const face = board.faces[board.shape.cell([r, c])]!;
          if (shown !== '*' && shown !== '#' && shown !== 'F') expect(symbol(face), `${what} ${r},${c}`).toBe(shown);
          else expect(isOpen(face), `${what} ${r},${c}`).toBe(false);
        }),
      );
    }
  });
});

describe('records', () => {
  test('hold the whole game and play again', () => {
    const board = new Board({ ...PLAIN, board: '8x5x9' }, { seed: 3n, game: 0n });
    board.act('open', 0, 10);
    board.act('flag', [...board.faces.keys()].find((cell) => board.layout!.isMine(cell))!, 250.5);
    const record = recordOf(board, 'me');
    expect(record).toMatchObject({ schema_version: 1, kind: 'record', player: 'me', seed: 3, game: 0, outcome: 'undecided' });
    expect(record.moves.map(({ by, micros }) => [by, micros])).toEqual([['start', 10_000], ['agent', 240_500]]);
    expect(boardOf(record).faces).toEqual(board.faces);
  });

  test('write numbers that JavaScript cannot count as text', () => {
    const board = new Board(PLAIN, { seed: (1n << 63n) + 1n, game: 0n });
    expect(recordOf(board, 'me').seed).toBe('9223372036854775809');
  });
});

describe('notation', () => {
  test('reads and writes positions', () => {
    const text = 'mines 3\nshape hex\n# 1 .\nF ? *\n';
    const position = parsePosition(text);
    expect(position.shape.form).toBe('hex');
    expect([...position.faces]).toEqual([COVERED, 1, 0, 10, 11, MINE]);
    expect(positionText(position)).toBe(text);
    expect(parsePosition('mines 1\n#1\n1.').shape.width).toBe(2);
  });

  test('tells what is wrong', () => {
    const fault = (text: string) => {
      try {
        parsePosition(text);
      } catch (error) {
        expect(error).toBeInstanceOf(NotationError);
        return (error as Error).message;
      }
      return '';
    };
    expect(fault('# #')).toContain('mines');
    expect(fault('mines 1\n##\n#')).toBe('row 1 has 1 cells, the others 2');
    expect(fault('mines 1\n#x')).toContain('row 0, column 1');
    expect(fault('mines 9\n##')).toContain('do not fit');
    expect(fault('mines 1\nshape ball\n##')).toContain('line 2');
  });

  test('sizes are bounded', () => {
    expect(parseSize('30x16x99')).toEqual({ width: 30, height: 16, mines: 99 });
    expect(parseSize('101x2x1')).toBeNull();
    expect(parseSize('1e9x1x1')).toBeNull();
    expect(sizeFault({ width: 3, height: 3, mines: 9 })).toContain('At most 8');
  });
});
