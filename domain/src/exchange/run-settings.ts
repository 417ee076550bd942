import { parseDay } from '../market-data/day.ts';
import { field, isRecord } from '../strategy/values.ts';
import type { ReportWriter } from './fidelity-report.ts';
import type { FoundStrategy } from './find-strategy.ts';
import { shifted, sourceNumber } from './numbers.ts';
import { readTicker } from './source-ticker.ts';

/** What a request or an answer of a backtest says about the run around its strategy. */
export interface SourceSettings {
  readonly start_date?: string;
  readonly end_date?: string;
  readonly starting_balance?: number;
  readonly slippage_bps?: number;
  readonly benchmark_ticker?: string;
}

const DAY = 86_400_000;

/** Settings of the run that stand around a strategy, each told. */
export function readSettings(
  report: ReportWriter,
  tool: 'Composer' | 'QuantMage',
  { around, value, path }: Pick<FoundStrategy, 'around' | 'value' | 'path'>,
  id: string,
): SourceSettings {
  return tool === 'Composer' ? ofRequest(report, around, id) : ofSpell(report, value, path, id);
}

function ofSpell(report: ReportWriter, value: unknown, path: string, id: string): SourceSettings {
  const source = isRecord(value) ? value : {};
  const slippage = sourceNumber(field(source, 'slippage_bps'));
  const benchmark = readTicker(field(source, 'benchmark_ticker')).ticker;
  const words = [
    ...(slippage === null ? [] : [`slippage of ${slippage} bps`]),
    ...(benchmark === '' ? [] : [`benchmark ${benchmark}`]),
  ];
  if (words.length > 0)
    report.add(
      'taken',
      path,
      words.join(', '),
      'settings of the run, beside the strategy',
      'None on the strategy',
      id,
    );
  return {
    ...(slippage !== null && { slippage_bps: slippage }),
    ...(benchmark !== '' && { benchmark_ticker: benchmark }),
  };
}

function ofRequest(
  report: ReportWriter,
  around: readonly Readonly<Record<string, unknown>>[],
  id: string,
): SourceSettings {
  const read = (name: string): unknown =>
    around.map((record) => field(record, name)).find((value) => value !== undefined);
  /** Days since 1970 in older requests, a text in newer ones. */
  const date = (name: 'start' | 'end'): string | undefined => {
    const text = read(`${name}-date`) ?? read(`${name}_date`);
    if (typeof text === 'string' && parseDay(text.slice(0, 10)) !== null) return text.slice(0, 10);
    const days = sourceNumber(read(`${name}-date-in-epoch-days`));
    return days === null || days < -100_000 || days > 100_000 ? undefined : isoDate(days);
  };
  const slippage = sourceNumber(read('slippage-percent') ?? read('slippage_percent'));
  const capital = sourceNumber(read('capital'));
  const [start, end] = [date('start'), date('end')];
  const settings: SourceSettings = {
    ...(start !== undefined && { start_date: start }),
    ...(end !== undefined && { end_date: end }),
    ...(capital !== null && { starting_balance: capital }),
    ...(slippage !== null && { slippage_bps: shifted(slippage, 4) }),
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
  for (const fee of ['apply-reg-fee?', 'apply-taf-fee?', 'apply_reg_fee', 'apply_taf_fee'])
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
