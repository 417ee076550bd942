import type { ReactNode } from 'react';
import { fixed, formatCount, formatDate, formatPercent, formatSignedPercent } from '../../lib/format.ts';
import { Badge, StatusBadge, TickerChip } from '../../ui/Badge.tsx';
import { cx } from '../../ui/classes.ts';
import { Progress } from '../../ui/feedback.tsx';
import { LUCK_SAMPLE } from './luck-sample.ts';
import { SAMPLE_BATCH, SAMPLE_RUN } from './sample-run.ts';

/** A frame around a picture of the product, with a sentence for those who cannot see it. */
function Picture({ label, children, className }: { label: string; children: ReactNode; className?: string }) {
  return (
    <figure
      role="img"
      aria-label={label}
      className={cx('overflow-hidden rounded border border-line bg-canvas text-base', className)}
    >
      <div aria-hidden inert>
        {children}
      </div>
    </figure>
  );
}

const WIDTH = 640;
const HEIGHT = 220;
/** Room for the labels at the right, as wide as a phone needs it. */
const LABELS = 84;
/** Logarithmic, as growth over decades must be: equal distances are equal factors. */
function linePath(values: readonly number[], low: number, high: number): string {
  const scale = HEIGHT / (Math.log(high) - Math.log(low));
  return values
    .map((value, index) => {
      const x = (index / (values.length - 1)) * WIDTH;
      const y = HEIGHT - (Math.log(value) - Math.log(low)) * scale;
      return `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`;
    })
    .join('');
}

/** Strategy and benchmark over the whole span. */
function ChartPicture() {
  const all = [...SAMPLE_RUN.strategy, ...SAMPLE_RUN.benchmark];
  const [low, high] = [Math.min(...all) * 0.95, Math.max(...all) * 1.05];
  const ticks = [1, 2, 5, 10, 20].filter((tick) => tick > low && tick < high);
  const y = (value: number) =>
    HEIGHT - ((Math.log(value) - Math.log(low)) / (Math.log(high) - Math.log(low))) * HEIGHT;
  return (
    <div>
      <svg viewBox={`0 0 ${WIDTH + LABELS} ${HEIGHT + 4}`} className="w-full">
        <title>Growth of one dollar</title>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1="0" x2={WIDTH} y1={y(tick)} y2={y(tick)} stroke="var(--line)" />
            <text
              x={WIDTH + 8}
              y={y(tick)}
              dominantBaseline="middle"
              // The drawing shrinks with the window, its labels should not.
              className="fill-muted text-[22px] sm:text-[13px]"
            >
              {formatPercent(tick - 1).replace('.00', '')}
            </text>
          </g>
        ))}
        <path
          d={linePath(SAMPLE_RUN.benchmark, low, high)}
          fill="none"
          stroke="var(--series-2)"
          strokeWidth="1.5"
          strokeDasharray="4 3"
        />
        <path
          d={linePath(SAMPLE_RUN.strategy, low, high)}
          fill="none"
          stroke="var(--series-1)"
          strokeWidth="2"
        />
      </svg>
      <div className="mt-1 flex flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
        <span>{formatDate(SAMPLE_RUN.firstDay)}</span>
        <span className="flex gap-4">
          <span className="flex items-center gap-1.5">
            <svg width="20" height="8" aria-hidden="true">
              <line x1="0" x2="20" y1="4" y2="4" stroke="var(--series-1)" strokeWidth="2" />
            </svg>
            Strategy
          </span>
          <span className="flex items-center gap-1.5">
            <svg width="20" height="8" aria-hidden="true">
              <line
                x1="0"
                x2="20"
                y1="4"
                y2="4"
                stroke="var(--series-2)"
                strokeWidth="1.5"
                strokeDasharray="4 3"
              />
            </svg>
            SPY
          </span>
        </span>
        <span>{formatDate(SAMPLE_RUN.lastDay)}</span>
      </div>
    </div>
  );
}

function Line({
  depth,
  rail,
  children,
  share,
  doesWrap = false,
}: {
  depth: number;
  rail: string;
  children: ReactNode;
  share?: string;
  /** On several lines where it is too long for one, as conditions are. */
  doesWrap?: boolean;
}) {
  return (
    <div className="flex min-h-9 items-center gap-2 py-1" style={{ paddingLeft: depth * 18 }}>
      <span className={cx('h-5 w-0.5 shrink-0 rounded-full', rail)} />
      {share && <span className="num w-9 shrink-0 text-right text-xs text-faint">{share}</span>}
      <span className={cx('flex min-w-0 items-center gap-1.5', doesWrap ? 'flex-wrap' : 'truncate')}>
        {children}
      </span>
    </div>
  );
}

/** The strategy as the editor shows it: one line per block. */
function TreePicture() {
  return (
    <div className="px-4 py-2">
      <Line depth={0} rail="bg-kind-if" doesWrap>
        <b className="font-semibold text-kind-if">IF</b> current price of <TickerChip ticker="SPY" /> &gt;
        200-day average
      </Line>
      <Line depth={1} rail="bg-kind-if">
        <span className="text-xs font-semibold text-kind-if">THEN</span>
      </Line>
      <Line depth={2} rail="bg-kind-asset" share="100%">
        <TickerChip ticker="SPY" /> <span className="truncate text-muted">SPDR S&P 500 ETF Trust</span>
      </Line>
      <Line depth={1} rail="bg-kind-if">
        <span className="text-xs font-semibold text-kind-if">ELSE</span>
      </Line>
      <Line depth={2} rail="bg-kind-asset" share="100%">
        <TickerChip ticker="TLT" />{' '}
        <span className="truncate text-muted">iShares 20+ Year Treasury Bond ETF</span>
      </Line>
    </div>
  );
}

const FIGURES = [
  { label: 'Return', key: 'cumulative_return', signed: true },
  { label: 'Return p.a.', key: 'annualized_return', signed: true },
  { label: 'Std. dev.', key: 'standard_deviation', signed: false },
  { label: 'Max drawdown', key: 'max_drawdown', signed: false },
  { label: 'Sharpe', key: 'sharpe', signed: false },
] as const;

/** The editor in small: metrics beside chart and tree. */
export function EditorPicture() {
  const show = (
    key: (typeof FIGURES)[number]['key'],
    metrics: Readonly<Record<string, number>>,
    signed: boolean,
  ) => {
    const value = metrics[key];
    if (key === 'sharpe') return value === undefined ? '--' : fixed(value, 2);
    return signed ? formatSignedPercent(value) : formatPercent(value);
  };
  return (
    <Picture label="The editor: a trend-following strategy as a tree of blocks, its growth against SPY since 2002 and its metrics, on simulated prices">
      <div className="flex h-10 items-center gap-2 border-b border-line px-4">
        <span className="font-semibold">Trend filter</span>
        <Badge>Private</Badge>
        <span className="ml-auto hidden text-sm text-muted sm:block">Simulated prices</span>
      </div>
      <div className="grid md:grid-cols-[19rem_1fr]">
        <div className="border-line border-b p-4 md:border-r md:border-b-0">
          <span className="flex h-8 items-center justify-center rounded bg-brand font-medium text-on-brand">
            Run Backtest
          </span>
          <div className="mt-3 flex justify-between text-xs text-muted">
            <span />
            <span className="flex gap-2">
              <span className="w-20 text-right">Strategy</span>
              <span className="w-20 text-right">SPY</span>
            </span>
          </div>
          {FIGURES.map(({ label, key, signed }) => (
            <div key={key} className="flex h-8 items-center justify-between text-sm">
              <span className="truncate text-muted">{label}</span>
              <span className="num flex gap-2">
                <span className="w-20 text-right font-medium">{show(key, SAMPLE_RUN.metrics, signed)}</span>
                <span className="w-20 text-right text-muted">
                  {show(key, SAMPLE_RUN.benchmarkMetrics, signed)}
                </span>
              </span>
            </div>
          ))}
        </div>
        <div className="min-w-0">
          <div className="border-b border-line p-4 pb-2">
            <ChartPicture />
          </div>
          <TreePicture />
        </div>
      </div>
    </Picture>
  );
}

/** A template: the places that a batch fills in. */
export function TemplatePicture() {
  return (
    <Picture label="A template: if the price of $ASSET is above its $WINDOW-day average hold $ASSET, else $REFUGE">
      <div className="px-4 py-2">
        <Line depth={0} rail="bg-kind-if" doesWrap>
          <b className="font-semibold text-kind-if">IF</b> price of <TickerChip ticker="$ASSET" /> &gt;{' '}
          <TickerChip ticker="$WINDOW" />
          -day average
        </Line>
        <Line depth={1} rail="bg-kind-asset" share="THEN">
          <TickerChip ticker="$ASSET" />
        </Line>
        <Line depth={1} rail="bg-kind-asset" share="ELSE">
          <TickerChip ticker="$REFUGE" />
        </Line>
      </div>
    </Picture>
  );
}

/** A variable list. */
export function VariablesPicture() {
  const tickers = ['XLB', 'XLC', 'XLE', 'XLF', 'XLI', 'XLK', 'XLP', 'XLRE', 'XLU', 'XLV', 'XLY'];
  return (
    <Picture label="A variable list named Sector ETFs with eleven tickers">
      <div className="p-4">
        <div className="mb-3 flex items-center gap-2 font-medium">
          Sector ETFs <Badge>Private</Badge>
          <span className="num ml-auto text-sm font-normal text-muted">{tickers.length} variables</span>
        </div>
        <div className="flex flex-wrap gap-1.5">
          {tickers.map((ticker) => (
            <TickerChip key={ticker} ticker={ticker} />
          ))}
        </div>
      </div>
    </Picture>
  );
}

const COUNT = SAMPLE_BATCH.windows.length * SAMPLE_BATCH.thresholds.length;

/** The batch form's running count. */
export function ConfigurePicture() {
  const rows = [
    ['$WINDOW', SAMPLE_BATCH.windows.join(', ')],
    ['$THRESHOLD', SAMPLE_BATCH.thresholds.join(', ')],
  ] as const;
  return (
    <Picture label={`The batch form: ${COUNT} combinations of two variables`}>
      <div className="flex flex-col gap-2 p-4">
        {rows.map(([name, values]) => (
          <div key={name} className="flex items-center gap-3">
            <span className="w-28 shrink-0">
              <TickerChip ticker={name} />
            </span>
            <span className="num min-w-0 flex-1 truncate rounded border border-line px-2 py-1 text-sm text-muted">
              {values}
            </span>
          </div>
        ))}
        <p className="num mt-1 text-sm">
          {SAMPLE_BATCH.windows.length} × {SAMPLE_BATCH.thresholds.length} ={' '}
          <b className="font-semibold">{COUNT} combinations</b>
        </p>
      </div>
    </Picture>
  );
}

/** A batch under way. */
export function StatusPicture() {
  return (
    <Picture label="Status of two batches: one running, one finished">
      <div className="divide-y divide-line">
        {[
          { name: 'RSI switch, all windows', status: 'Running', percent: 64 },
          { name: 'Momentum pairs of sectors', status: 'Finished', percent: 100 },
        ].map((batch) => (
          <div key={batch.name} className="px-4 py-3">
            <div className="flex items-center justify-between gap-2">
              <span className="truncate font-medium">{batch.name}</span>
              <StatusBadge status={batch.status} />
            </div>
            <div className="mt-2">
              <Progress value={batch.percent} label={batch.name} />
            </div>
          </div>
        ))}
      </div>
    </Picture>
  );
}

/** Sharpe ratio by window and threshold. Lightness carries the value, so it reads in every colour vision. */
export function AnalyzePicture() {
  const values = SAMPLE_BATCH.sharpe.flat();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return (
    <Picture
      label={
        `A heat map of the Sharpe ratio of ${COUNT} backtests by window and threshold, beside the ` +
        'five best, on simulated prices'
      }
    >
      <div className="grid gap-5 p-4 md:grid-cols-2">
        <div>
          <div className="mb-2 text-sm text-muted">Sharpe ratio by $THRESHOLD and $WINDOW</div>
          <div
            className="grid gap-px"
            style={{ gridTemplateColumns: `2rem repeat(${SAMPLE_BATCH.windows.length}, 1fr)` }}
          >
            {SAMPLE_BATCH.sharpe.map((row, r) => (
              <HeatRow
                key={SAMPLE_BATCH.thresholds[r]}
                label={SAMPLE_BATCH.thresholds[r] ?? 0}
                row={row}
                low={low}
                high={high}
              />
            ))}
            <span />
            {SAMPLE_BATCH.windows.map((window) => (
              <span key={window} className="num text-center text-xs text-muted">
                {window}
              </span>
            ))}
          </div>
        </div>
        <table className="w-full self-start text-sm">
          <thead>
            <tr className="border-b border-line text-muted">
              <th className="py-1 text-right font-medium">$WINDOW</th>
              <th className="py-1 text-right font-medium">$THRESHOLD</th>
              <th className="py-1 text-right font-medium">Sharpe</th>
              <th className="py-1 text-right font-medium">Return p.a.</th>
            </tr>
          </thead>
          <tbody className="num">
            {SAMPLE_BATCH.best.map((row) => (
              <tr key={`${row.window}/${row.threshold}`} className="border-b border-line last:border-0">
                <td className="py-1.5 text-right">{formatCount(row.window)}</td>
                <td className="py-1.5 text-right">{formatCount(row.threshold)}</td>
                <td className="py-1.5 text-right font-medium">{fixed(row.sharpe, 4)}</td>
                <td className="py-1.5 text-right">{formatSignedPercent(row.annualized)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Picture>
  );
}

function HeatRow({
  label,
  row,
  low,
  high,
}: {
  label: number;
  row: readonly number[];
  low: number;
  high: number;
}) {
  return (
    <>
      <span className="num pr-2 text-right text-xs leading-6 text-muted">{label}</span>
      {row.map((value, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: columns are their place
          key={index}
          className="h-6 rounded-[2px]"
          style={{
            background:
              'color-mix(in oklab, var(--brand) ' +
              `${Math.round(8 + (92 * (value - low)) / (high - low))}%, var(--canvas))`,
          }}
        />
      ))}
    </>
  );
}

/** Histogram of the Sharpe ratios of strategies without any edge; the best one's bar is marked. */
export function LuckPicture() {
  const tallest = Math.max(...LUCK_SAMPLE.counts);
  const bestBin = Math.floor((LUCK_SAMPLE.best - LUCK_SAMPLE.low) / LUCK_SAMPLE.step);
  const [width, height] = [440, 130];
  const bar = width / LUCK_SAMPLE.counts.length;
  return (
    <svg viewBox={`0 0 ${width} ${height + 22}`} className="w-full" aria-hidden="true">
      {LUCK_SAMPLE.counts.map((count, bin) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
          key={bin}
          x={bin * bar + 1}
          width={bar - 2}
          y={height - (count / tallest) * (height - 14)}
          height={Math.max(count > 0 ? 3 : 0, (count / tallest) * (height - 14))}
          fill={bin === bestBin ? 'var(--series-4)' : 'var(--line-strong)'}
        />
      ))}
      <line x1="0" x2={width} y1={height} y2={height} stroke="var(--line)" />
      {[-1, -0.5, 0, 0.5, 1].map((tick) => (
        <text
          key={tick}
          x={((tick - LUCK_SAMPLE.low) / LUCK_SAMPLE.step) * bar}
          y={height + 16}
          textAnchor="middle"
          className="fill-muted text-[12px]"
        >
          {tick}
        </text>
      ))}
    </svg>
  );
}
