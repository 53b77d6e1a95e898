import { describe, expect, test } from 'vitest';
import { COVERED, MINE, describeOpened, spoken } from '../../src/game/face.ts';
import { NotationError, parsePosition, positionText } from '../../src/game/notation.ts';
import { parseSize, sizeFault } from '../../src/game/rules.ts';
import { Shape, type Form } from '../../src/game/shape.ts';

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
