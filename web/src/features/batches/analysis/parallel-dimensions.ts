type Cell = string | number | null;

export interface Dimension {
  readonly label: string;
  readonly values: readonly (number | null)[];
  readonly tickvals?: readonly number[];
  readonly ticktext?: readonly string[];
}

const MOST_TICKS = 15;

/**
 * One axis of parallel coordinates: numbers as they are (times `factor`), tickers at places of their own in the order of their first row. `ticks`:
 * at the values that there are, where they are few, or those of a scale.
 */
export function dimensionOf(
  label: string,
  cells: readonly Cell[],
  factor: number,
  ticks: 'values' | 'scale',
): Dimension {
  if (cells.every((cell) => cell === null || typeof cell === 'number')) {
    const values = cells.map((cell) => (typeof cell === 'number' ? cell * factor : null));
    const distinct = [...new Set(values)].filter((value) => value !== null).toSorted((a, b) => a - b);
    return ticks === 'scale' || distinct.length > MOST_TICKS
      ? { label, values }
      : { label, values, tickvals: distinct, ticktext: distinct.map(tickText) };
  }
  const places = new Map<string, number>();
  const values = cells.map((cell) => {
    const text = String(cell ?? '');
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  });
  const every = Math.ceil(places.size / MOST_TICKS);
  const named = [...places].filter(([, place]) => place % every === 0);
  return {
    label,
    values,
    tickvals: named.map(([, place]) => place),
    ticktext: named.map(([text]) => text),
  };
}

const tickText = (value: number): string => String(Number(value.toFixed(4)));
