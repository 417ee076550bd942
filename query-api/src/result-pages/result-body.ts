import { conceptAddress, type MetricConcept } from '@quantloom/domain/contracts/metric-concepts';
import { type Html, html } from '@quantloom/domain/kernel/html';
import { indicatorPricesInWords } from '@quantloom/domain/market-data/price-basis';
import type { ResultSnapshot } from '@quantloom/domain/shared-result/snapshot';
import { curveFigure } from './curve-figure.ts';
import { decidedWords } from './decided-words.ts';

const NONE = '–';
/** `12.3%` of 0.123. */
export const percent = (value: number | null): string =>
  value === null ? NONE : `${(value * 100).toFixed(1).replace(/^-0\.0$/, '0.0')}%`;
const ratio = (value: number | null): string => (value === null ? NONE : value.toFixed(2));

/** What a result came to, in one sentence: for search engines and link previews. */
export function resultSentence({ figures, firstDay, lastDay, isSimulated }: ResultSnapshot): string {
  return (
    `${percent(figures.annualized_return)} a year, Sharpe ${ratio(figures.sharpe)}, largest drawdown ` +
    (`${percent(figures.max_drawdown)}, from ${firstDay} to ` +
      `${lastDay}${isSimulated ? ', on simulated prices' : ''}. A backtest.`)
  );
}

/** The name of a figure, with a link to what the guide says about it. */
const explained = (concept: MetricConcept, name: string): Html =>
  html`<a class="explained" href="${conceptAddress(concept)}">${name}</a>`;

/**
 * The result as a page shows it: figures, curve, years, drawdowns, and what it was computed with.
 *
 * @param showsStrategy whether the page shows the strategy, too; otherwise nothing tells what it looks at
 */
export function resultBody(result: ResultSnapshot, showsStrategy: boolean): Html {
  const { figures, benchmarkFigures, terms } = result;
  const lines: readonly (readonly [MetricConcept, string, string, string])[] = [
    [
      'annualized_return',
      'Return a year',
      percent(figures.annualized_return),
      percent(benchmarkFigures?.annualized_return ?? null),
    ],
    [
      'cumulative_return',
      'Return in all',
      percent(figures.cumulative_return),
      percent(benchmarkFigures?.cumulative_return ?? null),
    ],
    [
      'max_drawdown',
      'Largest drawdown',
      percent(figures.max_drawdown),
      percent(benchmarkFigures?.max_drawdown ?? null),
    ],
    [
      'standard_deviation',
      'Standard deviation',
      percent(figures.standard_deviation),
      percent(benchmarkFigures?.standard_deviation ?? null),
    ],
    ['sharpe', 'Sharpe ratio', ratio(figures.sharpe), ratio(benchmarkFigures?.sharpe ?? null)],
    ['calmer', 'Calmar ratio', ratio(figures.calmer), ratio(benchmarkFigures?.calmer ?? null)],
  ];
  return html`
  ${result.isSimulated && html`<p class="notice" role="note">These prices are simulated: the figures say nothing about any market.</p>`}
  <dl class="figures">
    <div><dt>${explained('annualized_return', 'Return a year')}</dt><dd>${percent(figures.annualized_return)}</dd></div>
    <div><dt>${explained('sharpe', 'Sharpe ratio')}</dt><dd>${ratio(figures.sharpe)}</dd></div>
    <div><dt>${explained('max_drawdown', 'Largest drawdown')}</dt><dd>${percent(figures.max_drawdown)}</dd></div>
  </dl>
  ${curveFigure(result)}
  ${sinceBody(result)}
  <h2>Beside ${terms.benchmark_ticker}</h2>
  <div class="scroll" tabindex="0" role="region" aria-label="Figures"><table>
    <thead><tr><th scope="col">Figure</th><th scope="col" class="num">Strategy</th><th scope="col" class="num">${terms.benchmark_ticker}</th></tr></thead>
    <tbody>${lines.map(
      ([concept, name, value, other]) =>
        html`<tr><th scope="row">${explained(concept, name)}</th><td class="num">${value}</td><td class="num">${benchmarkFigures ? other : NONE}</td></tr>`,
    )}</tbody>
  </table></div>
  <p class="lead">${furtherWords(result)}</p>
  <h2>Years</h2>
  <div class="scroll" tabindex="0" role="region" aria-label="Years"><table>
    <thead><tr><th scope="col">Year</th><th scope="col" class="num">Strategy</th><th scope="col" class="num">${terms.benchmark_ticker}</th></tr></thead>
    <tbody>${result.years.map(
      ({ year, isPartial, value, benchmark }) =>
        html`<tr><th scope="row">${year}${isPartial && ' (part)'}</th><td class="num">${percent(value)}</td><td class="num">${percent(benchmark)}</td></tr>`,
    )}</tbody>
  </table></div>
  ${
    result.drawdowns.length > 0 &&
    html`<h2>Largest drawdowns</h2>
  <div class="scroll" tabindex="0" role="region" aria-label="Largest drawdowns"><table>
    <thead><tr><th scope="col" class="num">Depth</th><th scope="col">From</th><th scope="col">Lowest</th><th scope="col">Recovered</th></tr></thead>
    <tbody>${result.drawdowns.map(
      ({ depth, peak, trough, recovery }) =>
        html`<tr><td class="num">${percent(depth)}</td><td>${peak}</td><td>${trough}</td><td>${recovery ?? 'not yet'}</td></tr>`,
    )}</tbody>
  </table></div>`
  }
  <h2>How it was computed</h2>
  <p>${termsWords(result, showsStrategy)}</p>
  <dl class="provenance">
    <dt>Prices</dt><dd>version <code>${result.dataVersion}</code></dd>
    <dt>Engine</dt><dd>version <code>${result.engineVersion}</code></dd>
    <dt>Result hash</dt><dd><code>${result.resultHash}</code></dd>
  </dl>`;
}

function sinceBody({ since, terms }: ResultSnapshot): Html | null {
  if (!since) return null;
  const { cumulativeReturn, maxDrawdown, benchmarkReturn, days, firstDay, lastDay } = since;
  const beside = benchmarkReturn === null ? '' : `, ${terms.benchmark_ticker} ${percent(benchmarkReturn)}`;
  const caution = days < 250 ? ' So few days say little about whether it works.' : '';
  return html`<h2>Out of sample</h2>
  <p>Since it was published as it is, from ${firstDay} to ${lastDay} (${days} ${days === 1 ? 'day' : 'days'} of trading), the strategy
  returned <b>${percent(cumulativeReturn)}</b>${beside}, with a largest drawdown of ${percent(maxDrawdown)}. Nobody knew these days when it was
  made.${caution}</p>`;
}

function furtherWords({ further }: ResultSnapshot): string {
  const words = [
    further.sortino !== null && `Sortino ratio ${ratio(further.sortino)}`,
    further.ulcerIndex !== null && `ulcer index ${ratio(further.ulcerIndex)}`,
    further.beta !== null && `beta ${ratio(further.beta)}`,
    further.correlation !== null && `correlation ${ratio(further.correlation)}`,
    further.turnoverPerYear !== null && `turnover ${ratio(further.turnoverPerYear)} times a year`,
    further.exposure !== null && `invested ${percent(further.exposure)}`,
    `traded on ${further.trades.toLocaleString('en-US')} days`,
  ].filter((word) => word !== false);
  const text = words.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function termsWords(
  { terms, firstDay, lastDay, firstDayDecidedBy }: ResultSnapshot,
  showsStrategy: boolean,
): string {
  const cash =
    terms.cash === undefined
      ? 'cash earns nothing'
      : 'rate' in terms.cash
        ? `cash earns ${terms.cash.rate}% a year`
        : `cash earns what ${terms.cash.ticker} does`;
  const decided =
    showsStrategy && firstDayDecidedBy.length > 0
      ? ` It begins where ${decidedWords(firstDayDecidedBy)} begins.`
      : '';
  const decidedOn = terms.indicator_prices
    ? ` Decisions were read from ${indicatorPricesInWords(terms.indicator_prices)}.`
    : '';
  return (
    `From ${firstDay} to ${lastDay}, on daily closes, traded at ` +
    `${terms.fill === 'next-close' ? 'the next close' : 'the same close'}, ` +
    `with ${terms.slippage_bps} basis points of slippage on everything traded; ${cash}.${decidedOn}${decided}`
  );
}

/** The strategy in the tree's own language. */
export function strategyBody(text: string): Html {
  return html`<h2>The strategy</h2><pre tabindex="0" aria-label="The strategy">${text}</pre>`;
}
