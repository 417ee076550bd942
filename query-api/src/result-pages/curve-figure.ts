import { type Html, html } from '@quantloom/domain/kernel/html';
import type { ResultSnapshot } from '@quantloom/domain/shared-result/snapshot';

/** A curve's drawing in a box: the same for the page and for the picture of link previews. */
export interface CurvePlot {
  readonly value: readonly (readonly [x: number, y: number])[];
  readonly benchmark: readonly (readonly [x: number, y: number])[] | null;
  readonly ticks: readonly { readonly y: number; readonly label: string }[];
  readonly years: readonly { readonly x: number; readonly label: string }[];
  readonly isLogarithmic: boolean;
  /** Where the part begins that is told apart. */
  readonly since: number | null;
}

export interface PlotBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** From this many times the start on a linear axis would press the early years flat. */
const LOGARITHMIC_FROM = 5;
const CANDIDATES = [1, 2, 5];

const round = (value: number) => Math.round(value * 10) / 10;
const dayNumber = (day: string) => Date.parse(day) / 86_400_000;

/** Works out where everything of a curve lies in a box. */
export function plotCurve(
  { curve, since }: Pick<ResultSnapshot, 'curve' | 'since'>,
  box: PlotBox,
): CurvePlot {
  const all = [...curve.value, ...(curve.benchmark ?? [])].filter((value) => value > 0);
  const [low, high] = [Math.min(...all, 1), Math.max(...all, 1)];
  const isLogarithmic = high / low >= LOGARITHMIC_FROM;
  const scale = isLogarithmic ? Math.log : (value: number) => value;
  const [bottom, top] = [scale(low), scale(high)];
  const span = top - bottom || 1;
  const [first, last] = [dayNumber(curve.days[0] ?? ''), dayNumber(curve.days.at(-1) ?? '')];
  const x = (day: number) => round(box.left + ((day - first) / (last - first || 1)) * box.width);
  const y = (value: number) =>
    round(box.top + (1 - (scale(Math.max(value, low)) - bottom) / span) * box.height);
  const line = (values: readonly number[]) =>
    values.map((value, i) => [x(dayNumber(curve.days[i] ?? '')), y(value)] as const);
  return {
    value: line(curve.value),
    benchmark: curve.benchmark && line(curve.benchmark),
    ticks: ticksOf(low, high, isLogarithmic).map((value) => ({ y: y(value), label: growth(value) })),
    years: yearsOf(curve.days[0] ?? '', curve.days.at(-1) ?? '').map((year) => ({
      x: x(dayNumber(`${year}-01-01`)),
      label: String(year),
    })),
    isLogarithmic,
    since: since ? x(dayNumber(since.firstDay)) : null,
  };
}

const growth = (value: number) => `${Number(value.toPrecision(3))}×`;

/** At most six round values within the range. */
function ticksOf(low: number, high: number, isLogarithmic: boolean): number[] {
  const found: number[] = [];
  if (isLogarithmic) {
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
      for (const factor of CANDIDATES) found.push(factor * 10 ** power);
  } else {
    const rough = (high - low) / 5 || 0.2;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = (CANDIDATES.find((factor) => factor * power >= rough) ?? 10) * power;
    for (let value = Math.ceil(low / step) * step; value <= high; value += step)
      found.push(Number(value.toPrecision(8)));
  }
  const inside = found.filter((value) => value >= low && value <= high);
  const every = Math.ceil(inside.length / 6);
  return inside.filter((_, i) => i % every === 0);
}

/** At most eight years that begin within the days. */
function yearsOf(first: string, last: string): number[] {
  const [from, to] = [Number(first.slice(0, 4)) + 1, Number(last.slice(0, 4))];
  const step = Math.max(1, Math.ceil((to - from + 1) / 8));
  const found: number[] = [];
  for (let year = Math.ceil(from / step) * step; year <= to; year += step) found.push(year);
  return found;
}

const WIDTH = 880;
const HEIGHT = 320;
const BOX: PlotBox = { left: 64, top: 12, width: WIDTH - 76, height: HEIGHT - 44 };

const pathOf = (points: readonly (readonly [number, number])[]) =>
  points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y}`).join('');

/** The curve as a figure of the page. */
export function curveFigure(result: ResultSnapshot): Html {
  const plot = plotCurve(result, BOX);
  const bottom = BOX.top + BOX.height;
  const benchmark = result.terms.benchmark_ticker;
  const words =
    `Growth of the strategy from ${result.firstDay} to ` +
    `${result.lastDay}${plot.benchmark ? `, beside ${benchmark}` : ''}`;
  return html`<figure class="curve"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${words}">
    ${plot.ticks.map(
      ({ y, label }) =>
        html`<line class="axis" x1="${BOX.left}" x2="${WIDTH - 12}" y1="${y}" y2="${y}"></line><text class="tick" x="${BOX.left - 6}" y="${y + 4}" text-anchor="end">${label}</text>`,
    )}
    ${plot.years.map(
      ({ x, label }) =>
        html`<text class="tick" x="${x}" y="${bottom + 22}" text-anchor="${x > WIDTH - 32 ? 'end' : 'middle'}">${label}</text>`,
    )}
    ${plot.since !== null && html`<rect class="since" x="${plot.since}" y="${BOX.top}" width="${Math.max(2, round(BOX.left + BOX.width - plot.since))}" height="${BOX.height}"></rect>`}
    ${plot.benchmark && html`<path class="path" d="${pathOf(plot.benchmark)}"></path>`}
    <path class="path value" d="${pathOf(plot.value)}"></path>
  </svg>
  <figcaption><span class="key value"></span> The strategy${plot.benchmark ? html` <span class="key"></span> ${benchmark}` : null}. Value in units of the start${plot.isLogarithmic && ', on a logarithmic axis'}${plot.since !== null && '; shaded: since publication'}.</figcaption></figure>`;
}
