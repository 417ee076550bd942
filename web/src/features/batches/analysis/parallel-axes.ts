import { type ColumnFilter, meetsFilter } from '../model/filters.ts';

type Value = string | number;
type Cell = Value | null;
export type Range = readonly [number, number];

/** A column as an axis of parallel coordinates: of a variable with its values in order, or of a metric. */
export interface Axis {
  readonly column: string;
  readonly label: string;
  /** Of a variable, numbers ascending, tickers as they were given; null for a metric. */
  readonly values: readonly Value[] | null;
  /** What a metric is multiplied with for its axis. */
  readonly factor: number;
}

export interface Dimension {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly tickvals?: readonly number[];
  readonly ticktext?: readonly string[];
  /** All values of a variable, with and without rows. */
  readonly range?: Range;
  readonly multiselect: boolean;
  readonly constraintrange?: readonly Range[];
}

const MOST_TICKS = 15;
/** How far a range reaches beyond its outermost values, in steps between values. */
const MARGIN = 0.3;

export function variableAxis(name: string, given: readonly Value[]): Axis {
  const distinct = [...new Set(given)];
  const areNumbers = distinct.every((value) => typeof value === 'number');
  return {
    column: name,
    label: name,
    values: areNumbers ? distinct.toSorted((a, b) => Number(a) - Number(b)) : distinct,
    factor: 1,
  };
}

/** Where a value stands: numbers at themselves, tickers at their place. */
function placeOf(values: readonly Value[]): (value: Value) => number | null {
  if (values.every((value) => typeof value === 'number'))
    return (value) => (typeof value === 'number' ? value : null);
  const places = new Map(values.map((value, place) => [value, place]));
  return (value) => places.get(value) ?? null;
}

/** An axis with the cells of all rows and what the filters leave of it. */
export function dimensionOf(axis: Axis, cells: readonly Cell[], filters: readonly ColumnFilter[]): Dimension {
  const { label, values, factor } = axis;
  const ranges = rangesOf(axis, filters);
  const narrowed = ranges.length > 0 && { constraintrange: ranges };
  if (values === null)
    return {
      label,
      values: cells.map((cell) => (typeof cell === 'number' ? cell * factor : null)),
      multiselect: false,
      ...narrowed,
    };
  const place = placeOf(values);
  const every = Math.ceil(values.length / MOST_TICKS);
  const areNumbers = values.every((value) => typeof value === 'number');
  // Many numbers get the ticks of a scale.
  const named = areNumbers && every > 1 ? [] : values.filter((_, at) => at % every === 0);
  return {
    label,
    values: cells.map((cell) => (cell === null ? null : place(cell))),
    ...(named.length > 0 && {
      tickvals: named.map((value) => place(value) ?? 0),
      ticktext: named.map((value) => String(typeof value === 'number' ? Number(value.toFixed(4)) : value)),
    }),
    // One without rows would stand above the axis, in its name.
    ...(values.length > 1 && {
      range: [place(values[0] ?? 0) ?? 0, place(values.at(-1) ?? 0) ?? 0] as const,
    }),
    multiselect: !areNumbers,
    ...narrowed,
  };
}

/** What filters leave of an axis, in its units; none: all of it. */
export function rangesOf(
  { column, values, factor }: Axis,
  filters: readonly ColumnFilter[],
): readonly Range[] {
  const own = filters.filter((filter) => filter.column === column);
  if (own.length === 0) return [];
  if (values === null) {
    const bounds = (op: string) =>
      own.filter((filter) => filter.op === op).map(({ text }) => Number(text.replace(/%$/, '')));
    const [low, high] = [Math.max(-1e9, ...bounds('gte')), Math.min(1e9, ...bounds('lte'))];
    return factor > 0 && low <= high ? [[low, high]] : [];
  }
  const place = placeOf(values);
  const places = values.map((value) => place(value) ?? 0);
  const isKept = values.map((value) => own.every((filter) => meetsFilter(filter, value)));
  const ranges: [number, number][] = [];
  for (const [at, here] of places.entries()) {
    if (!isKept[at]) continue;
    const [below, above] = [here - (places[at - 1] ?? here - 1), (places[at + 1] ?? here + 1) - here];
    const last = ranges.at(-1);
    if (last && isKept[at - 1]) last[1] = here + MARGIN * above;
    else ranges.push([here - MARGIN * below, here + MARGIN * above]);
  }
  return ranges;
}

/** The filters that ranges drawn on an axis stand for; none where they leave everything, or nothing that there is. */
export function filtersOfRanges({ column, values }: Axis, ranges: readonly Range[]): readonly ColumnFilter[] {
  const [first] = ranges;
  if (first === undefined) return [];
  if (values === null)
    return [
      { column, op: 'gte', text: (Math.floor(first[0] * 1e4) / 1e4).toFixed(4) },
      { column, op: 'lte', text: (Math.ceil(first[1] * 1e4) / 1e4).toFixed(4) },
    ];
  const place = placeOf(values);
  const isIn = (value: Value) => {
    const at = place(value);
    return at !== null && ranges.some(([from, to]) => at >= from && at <= to);
  };
  const kept = values.filter(isIn);
  if (kept.length === 0 || kept.length === values.length) return [];
  const [low, high] = [kept[0] as Value, kept.at(-1) as Value];
  const isRun = values.indexOf(high) - values.indexOf(low) === kept.length - 1;
  if (typeof low === 'number' && isRun && kept.length > 1)
    return [
      ...(low === values[0] ? [] : [{ column, op: 'gte' as const, text: String(low) }]),
      ...(high === values.at(-1) ? [] : [{ column, op: 'lte' as const, text: String(high) }]),
    ];
  return [{ column, op: 'in', text: kept.join(', ') }];
}
