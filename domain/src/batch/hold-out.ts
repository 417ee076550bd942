import type { BacktestConfig } from '../contracts/backtest.ts';
import { type Refusal, refuse } from '../kernel/refusal.ts';

/** Which date a batch locks its future away from, where its strategy has a hold-out. */
export interface BatchHoldOut {
  /** The strategy's date when the batch was made, `YYYY-MM-DD`. */
  readonly date: string;
  /** `strategy`: its date holds. `batch`: the batch names an earlier one. `not_reached`: the period ends before. */
  readonly holds: 'strategy' | 'batch' | 'not_reached';
}

/** What a batch says about its strategy's hold-out; null where there is none. */
export function batchHoldOut(
  date: string | null | undefined,
  { end_date: end, out_of_sample_date: split }: Pick<BacktestConfig, 'end_date' | 'out_of_sample_date'>,
): BatchHoldOut | null {
  if (!date) return null;
  if (end < date) return { date, holds: 'not_reached' };
  return { date, holds: split !== undefined && split < date ? 'batch' : 'strategy' };
}

/**
 * The configuration of a batch under its strategy's hold-out: the date is filled in where the period crosses
 * it, and no batch ranks a day from it on.
 */
export function withHoldOut<Config extends BacktestConfig>(
  config: Config,
  date: string | null,
): Config | Refusal {
  const { start_date: start, end_date: end, out_of_sample_date: split } = config;
  if (date === null || end < date) return config;
  if (start >= date)
    return refuse(
      409,
      'period_held_out',
      `The strategy holds out the days from ${date} on, and the period from ${start} to ${end} has ` +
        'no day before. Start earlier, or change the hold-out of the strategy',
      { data: { hold_out: date } },
    );
  if (split === undefined) return { ...config, out_of_sample_date: date };
  if (split <= date) return config;
  return refuse(
    409,
    'after_hold_out',
    `The batch's out-of-sample date ${split} is later than ${date}, from which on the strategy ` +
      `holds its days out. Leave it out, or choose ${date} or an earlier day`,
    { data: { hold_out: date, out_of_sample_date: split } },
  );
}
