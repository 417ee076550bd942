import { type Html, html } from '@quantloom/domain/kernel/html';
import { expectedMaximum } from '@quantloom/domain/statistics/sharpe';
import {
  drawWorthlessStrategies,
  type WorthlessStrategies,
} from '@quantloom/domain/statistics/worthless-strategies';

const STRATEGIES = 500;
const YEARS = 10;
const CURVES = 40;
/** Seeds that can be asked for, so that what is kept stays small. */
export const LUCK_SEEDS = 50;

const WIDTH = 720;
const HEIGHT = 220;
const LEFT = 40;
const BOTTOM = 24;

const round = (value: number) => Math.round(value * 10) / 10;

function histogram({ sharpe, best }: WorthlessStrategies): Html {
  const [low, high, step] = [-1.25, 1.5, 0.125];
  const bins = Array.from({ length: Math.round((high - low) / step) }, () => 0);
  for (const value of sharpe) {
    const bin = Math.min(bins.length - 1, Math.max(0, Math.floor((value - low) / step)));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const x = (value: number) => LEFT + ((value - low) / (high - low)) * (WIDTH - LEFT - 8);
  const tallest = Math.max(...bins);
  const y = (count: number) => 8 + (1 - count / tallest) * (HEIGHT - BOTTOM - 8);
  const bestBin = Math.min(bins.length - 1, Math.floor((best - low) / step));
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Histogram of the Sharpe ratios of ${STRATEGIES} worthless strategies; the best has ${best.toFixed(2)}">
    ${bins.map(
      (count, bin) =>
        html`<rect class="${bin === bestBin ? 'bar best' : 'bar'}" x="${round(x(low + bin * step) + 1)}" y="${round(y(count))}" width="${round(x(low + step) - x(low) - 2)}" height="${round(HEIGHT - BOTTOM - y(count))}"></rect>`,
    )}
    <line class="axis" x1="${LEFT}" x2="${WIDTH - 8}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"></line>
    ${[-1, -0.5, 0, 0.5, 1, 1.5].map(
      (tick) =>
        html`<text class="tick" x="${round(x(tick))}" y="${HEIGHT - 6}" text-anchor="${tick === 1.5 ? 'end' : 'middle'}">${tick}</text>`,
    )}
  </svg>`;
}

function curves({ bestCurve, otherCurves, best }: WorthlessStrategies): Html {
  const all = [bestCurve, ...otherCurves];
  const [low, high] = [Math.log(Math.min(...all.flat())), Math.log(Math.max(...all.flat()))];
  const path = (curve: readonly number[]) =>
    curve
      .map((value, month) => {
        const x = LEFT + (month / (curve.length - 1)) * (WIDTH - LEFT - 8);
        const y = 8 + ((high - Math.log(value)) / (high - low)) * (HEIGHT - BOTTOM - 8);
        return `${month === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`;
      })
      .join('');
  const years = Array.from({ length: YEARS / 2 + 1 }, (_, index) => index * 2);
  return html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Growth of the best of ${STRATEGIES} worthless strategies, Sharpe ratio ${best.toFixed(2)}, among ${CURVES} others">
    ${otherCurves.map((curve) => html`<path class="path" d="${path(curve)}"></path>`)}
    <path class="path best" d="${path(bestCurve)}"></path>
    <line class="axis" x1="${LEFT}" x2="${WIDTH - 8}" y1="${HEIGHT - BOTTOM}" y2="${HEIGHT - BOTTOM}"></line>
    ${years.map(
      (year) =>
        html`<text class="tick" x="${round(LEFT + (year / YEARS) * (WIDTH - LEFT - 8))}" y="${HEIGHT - 6}" text-anchor="${year === YEARS ? 'end' : 'middle'}">${year === YEARS ? `${year} years` : year}</text>`,
    )}
  </svg>`;
}

/** The seed that a query asks for: a whole number from 1 to {@link LUCK_SEEDS}; anything else is 1. */
export function luckSeedOf(text: string | undefined): number {
  const seed = Number(text);
  return Number.isInteger(seed) && seed >= 1 && seed <= LUCK_SEEDS ? seed : 1;
}

/** The experiment of the page about luck: strategies without any edge, and what the best of them looks like. */
export function createLuckFigure(): (seed: number) => Html {
  const drawn = new Map<number, Html>();
  return (seed) => {
    const known = drawn.get(seed);
    if (known) return known;
    const result = drawWorthlessStrategies({ seed, strategies: STRATEGIES, years: YEARS, curves: CURVES });
    const expected = expectedMaximum(STRATEGIES) / Math.sqrt(YEARS);
    const next = (seed % LUCK_SEEDS) + 1;
    const figure = html`<figure id="draw">
      <dl class="figures">
        <div><dt>Strategies without any edge</dt><dd>${STRATEGIES}</dd></div>
        <div><dt>Sharpe ratio of the best</dt><dd>${result.best.toFixed(2)}</dd></div>
        <div><dt>What theory expects of it</dt><dd>${expected.toFixed(2)}</dd></div>
      </dl>
      ${histogram(result)}
      ${curves(result)}
      <figcaption>Daily returns drawn at random, mean 0, over ${YEARS} years; draw ${seed} of ${LUCK_SEEDS}. Above: all Sharpe ratios, the best one's bar marked. Below: its curve among ${CURVES} others.</figcaption>
      <form class="draw" method="get" action="/docs/verdict#draw"><input type="hidden" name="draw" value="${next}"><button>Draw ${STRATEGIES} others</button></form>
    </figure>`;
    drawn.set(seed, figure);
    return figure;
  };
}
