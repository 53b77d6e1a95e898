//! Tables that sort by a column and can be downloaded.

/** What a cell holds: a number, a word, or nothing. */
export type Value = number | string | null;

export interface Column<Row> {
  id: string;
  title: string;
  /** What rows are sorted by, and what is downloaded. */
  value: (row: Row) => Value;
  /** What is shown, where it is not the value itself. */
  text?: (row: Row) => string;
  /** What is downloaded in its place, by names. */
  fields?: (row: Row) => Record<string, Value>;
  /** What the column means. */
  about?: string;
  right?: boolean;
  /** Drawn by the room, not written. */
  drawn?: boolean;
  /** Stands in another column already: downloaded, but not shown. */
  unseen?: boolean;
}

export interface Order {
  id: string;
  down: boolean;
}

/** The rows in the order of a column; rows without a value come last either way. */
export function sorted<Row>(rows: readonly Row[], columns: readonly Column<Row>[], order: Order | null): Row[] {
  const column = columns.find(({ id }) => id === order?.id);
  if (!column) return [...rows];
  const sign = order?.down ? -1 : 1;
  return [...rows].sort((one, other) => {
    const [a, b] = [column.value(one), column.value(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en', { numeric: true }));
  });
}

/** The order after a click on a title: numbers begin with the greatest, words with the first. */
export function turned<Row>(order: Order | null, column: Column<Row>, rows: readonly Row[]): Order {
  if (order?.id === column.id) return { id: column.id, down: !order.down };
  return { id: column.id, down: rows.some((row) => typeof column.value(row) === 'number') };
}

function fieldsOf<Row>(row: Row, columns: readonly Column<Row>[]): Record<string, Value> {
  return Object.assign({}, ...columns.map((column) => column.fields?.(row) ?? { [column.id]: column.value(row) })) as Record<string, Value>;
}

export function csvOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  const table = rows.map((row) => fieldsOf(row, columns));
  const names = [...new Set(table.flatMap(Object.keys))];
  const cell = (value: Value | undefined) => {
    const text = value === null || value === undefined ? '' : String(value);
    return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names.join(','), ...table.map((row) => names.map((name) => cell(row[name])).join(','))].join('\r\n') + '\r\n';
}

export function jsonOf<Row>(rows: readonly Row[], columns: readonly Column<Row>[]): string {
  return `${JSON.stringify(rows.map((row) => fieldsOf(row, columns)), null, 2)}\n`;
}

/** Rows that can be ranked: a number and its interval. */
export interface Ranked {
  value: number;
  low: number;
  high: number;
}

/** The best and the worst place that each interval allows: those above surely, and those below surely. */
export function placesOf(all: readonly Ranked[]): [best: number, worst: number][] {
  return all.map((one) => [
    1 + all.filter((other) => other.low > one.high).length,
    all.length - all.filter((other) => other.high < one.low).length,
  ]);
}
