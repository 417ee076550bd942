import type { Algorithm } from '../../strategy/tree.ts';
import { nodesOf } from '../../strategy/tree-walk.ts';
import { field } from '../../strategy/values.ts';
import type { ReportWriter } from '../fidelity-report.ts';
import { sourceNumber } from '../numbers.ts';

/** What a request or an answer of a backtest says about the run around its strategy. */
export interface SourceSettings {
  readonly start_date?: string;
  readonly end_date?: string;
  readonly starting_balance?: number;
  readonly slippage_bps?: number;
}

const DAY = 86_400_000;

/** What computes differently in every strategy of that tool. */
export function tellWholeStrategy(report: ReportWriter, algorithm: Algorithm, path: string): void {
  const { id } = algorithm;
  const hasIndicators = [...nodesOf(algorithm)].some(
    ({ node }) => node.node_type === 'condition' || node.node_type === 'filter',
  );
  if (hasIndicators)
    report.add(
      'differs',
      path,
      'indicators on prices that were not adjusted for dividends in 2022, and are by that tool’s help today',
      'indicators on prices adjusted for splits and dividends',
      'Measured in 2022: 200-day mean of SPY 412.04 there, 409.21 adjusted; RSI(10) of SHY 41.72 there, 43.13 adjusted. Most for bonds and funds with high dividends',
      id,
    );
  report.add(
    'differs',
    path,
    'an annualised return that counts the first day too (exponent 252 / (n + 1))',
    'exponent 252 / n',
    'The annualised return alone, and most on short runs: after one year by about 0.4 % of itself',
    id,
  );
}

/** Settings of the run that stand around a strategy, each told. */
export function readSettings(
  report: ReportWriter,
  around: readonly Readonly<Record<string, unknown>>[],
  id: string,
): SourceSettings {
  const read = (name: string): unknown =>
    around.map((record) => field(record, name)).find((value) => value !== undefined);
  const date = (name: string): string | undefined => {
    const days = sourceNumber(read(name));
    return days === null || days < -100_000 || days > 100_000 ? undefined : isoDate(days);
  };
  const slippage = sourceNumber(read('slippage-percent') ?? read('slippage_percent'));
  const capital = sourceNumber(read('capital'));
  const [start, end] = [date('start-date-in-epoch-days'), date('end-date-in-epoch-days')];
  const settings: SourceSettings = {
    ...(start !== undefined && { start_date: start }),
    ...(end !== undefined && { end_date: end }),
    ...(capital !== null && { starting_balance: capital }),
    ...(slippage !== null && { slippage_bps: Math.round(slippage * 10_000) }),
  };
  const words = Object.entries(settings).map(([name, value]) => `${name.replaceAll('_', ' ')} ${value}`);
  if (words.length > 0)
    report.add(
      'taken',
      '',
      words.join(', '),
      'settings of the run, beside the strategy',
      'None on the strategy',
      id,
    );
  for (const fee of ['apply-reg-fee?', 'apply-taf-fee?'])
    if (read(fee) === true)
      report.add(
        'differs',
        `/${fee}`,
        `${fee} true`,
        'no such fee',
        'Cents a trade; slippage can be raised instead',
        id,
      );
  return settings;
}

function isoDate(epochDays: number): string {
  return new Date(Math.floor(epochDays) * DAY).toISOString().slice(0, 10);
}
