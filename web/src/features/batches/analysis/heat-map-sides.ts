import type { getHeatMap } from '@quantloom/domain/contracts/http/analysis';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import { formatCount, plural } from '../../../lib/format.ts';
import type { ColumnFilter } from '../model/filters.ts';

export type HeatMapAnswer = AnswerOf<typeof getHeatMap>;
export type Side = HeatMapAnswer['x'];
export type Over = 'best' | 'mean' | 'worst';
/** Places among the ordered values of a side, half open. */
export type Span = readonly [number, number];
export interface Cell {
  readonly x: number;
  readonly y: number;
}

/** More values than this are not read one by one: tickers stand by their mean, and a part can be enlarged. */
export const MOST_PARTED = 24;

export const cellsOf = ({ values, step }: Side): number => Math.ceil(values.length / step);
const valuesOf = ({ values, step }: Side, cell: number) => values.slice(cell * step, (cell + 1) * step);

/** A cell's values: the value, or the first and the last of several. */
export function labelOf(side: Side, cell: number): string {
  const values = valuesOf(side, cell);
  return values.length > 1 ? `${values[0]} … ${values.at(-1)}` : String(values[0]);
}

export const filterOf = (side: Side, cell: number): ColumnFilter => ({
  column: side.name,
  op: 'in',
  text: valuesOf(side, cell).join(', '),
});

const wholeOf = (side: Side): Span => [side.from, side.from + side.values.length];

/** The places under some cells, both ends included; all of the side where there are none. */
export function spanOf(side: Side, cells: readonly [number, number] | null): Span {
  if (cells === null) return wholeOf(side);
  const [first, last] = [Math.min(...cells), Math.max(...cells)];
  return [side.from + first * side.step, side.from + Math.min(side.values.length, (last + 1) * side.step)];
}

/** Numbers grow upwards; tickers stand in their order from the top. */
export const growsUpwards = ({ values }: Side): boolean => values.every((value) => typeof value === 'number');

/** Where a metric is best; null: no cell has a result. */
export function bestCell(
  grid: readonly (readonly (number | null)[])[],
  isHigherBetter: boolean,
): (Cell & { readonly value: number }) | null {
  const sign = isHigherBetter ? 1 : -1;
  let best: (Cell & { readonly value: number }) | null = null;
  for (const [y, row] of grid.entries())
    for (const [x, value] of row.entries())
      if (value !== null && (best === null || sign * value > sign * best.value)) best = { x, y, value };
  return best;
}

/** The cells of a side that lie in a span; null where it does not begin and end with cells. */
function cellsWithin(side: Side, [from, to]: Span): readonly [number, number] | null {
  const [first, last] = [(from - side.from) / side.step, (to - side.from) / side.step];
  const isEnd = to === side.from + side.values.length;
  if (first < 0 || !Number.isInteger(first) || (!isEnd && !Number.isInteger(last))) return null;
  return last > first && to <= side.from + side.values.length ? [first, Math.ceil(last)] : null;
}

/** A part of a map, in the cells that are there already; null where they do not say what is in it. */
export function croppedTo(
  answer: HeatMapAnswer,
  part: { readonly x: Span; readonly y: Span },
): HeatMapAnswer | null {
  const [across, down] = [cellsWithin(answer.x, part.x), cellsWithin(answer.y, part.y)];
  if (across === null || down === null) return null;
  const side = (whole: Side, [from, to]: Span): Side => ({
    ...whole,
    values: whole.values.slice(from - whole.from, to - whole.from),
    from,
  });
  const grid = <Value>(rows: readonly (readonly Value[])[]) =>
    rows.slice(...down).map((row) => row.slice(...across));
  return {
    ...answer,
    x: side(answer.x, part.x),
    y: side(answer.y, part.y),
    count: grid(answer.count),
    best: grid(answer.best),
    mean: grid(answer.mean),
    worst: grid(answer.worst),
  };
}

/** What of an axis is shown, where it is not every value in the order of the batch. */
export function sideText({ name, values, step, from, total, empty }: Side): string {
  const part =
    values.length === 1 && total > 1
      ? `value ${formatCount(from + 1)} of ${formatCount(total)}`
      : values.length < total
        ? `${formatCount(from + 1)} to ${formatCount(from + values.length)} of ${formatCount(total)} values`
        : plural(total, 'value');
  const order =
    total > MOST_PARTED && values.some((value) => typeof value !== 'number')
      ? ', by their mean, the best first'
      : '';
  const without = empty > 0 ? ` (${formatCount(empty)} without a result left out)` : '';
  if (step === 1 && values.length === total && order + without === '') return '';
  return `${name}: ${part}${without}${order}${step > 1 ? `, ${step} to a cell` : ''}. `;
}

export interface Tick {
  readonly cell: number;
  readonly text: string;
}

/** Width of a digit and of a capital letter of a label, and room between two labels, in pixels. */
const DIGIT = 7;
const LETTER = 9;
const GAP = 8;
const LINE = 14;

/** The labels that fit along `pixels`, upright or on their side: of many cells some are named, by their first value. */
export function ticksOf(
  side: Side,
  pixels: number,
  direction: 'across' | 'down',
): { readonly ticks: readonly Tick[]; readonly areTurned: boolean; readonly longest: number } {
  const cells = cellsOf(side);
  const texts = Array.from({ length: cells }, (_, cell) => String(side.values[cell * side.step]));
  const areNumbers = growsUpwards(side);
  const longest =
    (areNumbers ? DIGIT : LETTER) * texts.reduce((most, text) => Math.max(most, text.length), 1);
  const each = pixels / Math.max(1, cells);
  const isFlat = direction === 'across' && each >= longest + GAP;
  // Between two numbers a reader knows what lies there; between two tickers he does not.
  const areTurned = direction === 'across' && !isFlat && !areNumbers;
  const room = direction === 'down' || areTurned ? LINE : longest + GAP;
  const every = Math.max(1, Math.ceil(room / Math.max(each, 0.1)));
  return {
    ticks: texts.flatMap((text, cell) => (cell % every === 0 ? [{ cell, text }] : [])),
    areTurned,
    longest,
  };
}
