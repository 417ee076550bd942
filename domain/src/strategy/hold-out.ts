import { isRefusal, type Refusal, refuse } from '../kernel/refusal.ts';
import { readDate } from './backtest-terms.ts';
import type { StrategyEvent } from './events.ts';

/** From which day on all batches of a strategy are ranked without their results. Dates are `YYYY-MM-DD`. */
export interface HoldOut {
  /** First day that is held out; null: none, or taken off again. */
  readonly date: string | null;
  /** The days before it were held out once and given away by a later date: they cannot be held out again. */
  readonly givenAwayUntil: string | null;
}

/** Of a strategy that never had one. */
export const NO_HOLD_OUT: HoldOut = { date: null, givenAwayUntil: null };

/** A batch of the strategy's lineage that has ranked days, or will. */
export interface LineageLook {
  readonly batchId: string;
  /** Null for a batch of somebody else, whose name is not told. */
  readonly name: string | null;
  /** Last day that its rows are ranked over, `YYYY-MM-DD`. */
  readonly until: string;
}

const MOST_NAMED = 5;
const DAY_MS = 86_400_000;

/**
 * Sets, moves or takes off a hold-out. A first or an earlier date is a promise about days that nobody has
 * ranked, and is refused where a batch has; a later one gives days away, and taking it off promises nothing any more.
 */
export function holdOutEvents(
  { date, looks }: { readonly date: string | null; readonly looks: readonly LineageLook[] },
  strategy: { readonly strategyId: string; readonly holdOut?: HoldOut },
): readonly StrategyEvent[] | Refusal {
  const { strategyId, holdOut: now = NO_HOLD_OUT } = strategy;
  const set = (givenAwayUntil: string | null): readonly StrategyEvent[] => [
    { type: 'StrategyHoldOutSet', data: { strategyId, date, givenAwayUntil } },
  ];
  if (date === now.date) return [];
  if (date === null) return set(now.givenAwayUntil);
  const read = readDate(date, 'date');
  if (isRefusal(read)) return read;
  if (now.date !== null && date > now.date) return set(date);
  if (now.givenAwayUntil !== null && date < now.givenAwayUntil)
    return refuse(
      409,
      'hold_out_given_away',
      `The days before ${now.givenAwayUntil} were held out once and given away: they cannot be held out again`,
      { data: { given_away_until: now.givenAwayUntil } },
    );
  const seen = looks.filter(({ until }) => until >= date);
  return seen.length === 0 ? set(now.givenAwayUntil) : refuseSeen(date, seen);
}

function refuseSeen(date: string, seen: readonly LineageLook[]): Refusal {
  const own = seen.flatMap(({ batchId, name, until }) =>
    name === null ? [] : [{ id: batchId, name, until }],
  );
  const others = seen.length - own.length;
  const named = own.slice(0, MOST_NAMED).map(({ name, until }) => `"${name}" (until ${until})`);
  const unnamed = own.length - named.length;
  const parts = [
    ...named,
    ...(unnamed > 0 ? [`${unnamed} more of yours`] : []),
    ...(others > 0 ? [others === 1 ? 'a batch of somebody else' : `${others} batches of other people`] : []),
  ];
  const last =
    seen
      .map(({ until }) => until)
      .sort()
      .at(-1) ?? date;
  const freeFrom = new Date(Date.parse(last) + DAY_MS).toISOString().slice(0, 10);
  return refuse(
    409,
    'hold_out_seen',
    `Days from ${date} on are ranked already, by ${parts.join(', ')}. No batch has ranked the days from ${freeFrom} on`,
    { data: { batches: own, others, free_from: freeFrom } },
  );
}
