import { Type } from 'typebox';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, DayText, exactly, Id, Text } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { derivedId } from '../kernel/ids.ts';
import { day as dayNumber } from '../market-data/day.ts';
import { nextOpening } from '../market-data/exchange-hours.ts';

/** Ticker → percent of the portfolio, as the engine answers it; what is not held is missing. */
const WeightsSchema = Type.Record(Type.String(), Type.Number());

const FlipSchema = exactly({ ticker: Id, price: Type.Number(), side: Type.Enum(['below', 'above']) });

/** What a decision was made with, and what it came to. */
const DecidedFields = {
  strategyId: Id,
  /** The strategy's revision that decided. */
  revision: Count,
  /** The last day whose closes were known. */
  day: DayText,
  /**
   * First day of the run: with the same start a backtest that ends on `day` holds the same, at the latest
   * with the next session's prices at hand (decision 0575).
   */
  runFrom: DayText,
  dataVersion: Id,
  engineVersion: Text,
  isSimulated: Type.Boolean(),
  weights: WeightsSchema,
  /**
   * Turnover of the day's trade: the sum of |weight − drifted weight|; 0: nothing is traded, however the
   * weights have drifted. Missing in earlier events.
   */
  turnover: Type.Optional(Type.Number()),
  /** Both sides of the conditions on that day: what is between them is the margin. */
  conditions: Type.Array(
    exactly({
      id: Id,
      lhs: Type.Number(),
      rhs: Type.Number(),
      holds: Type.Boolean(),
      /**
       * The next close from which on it is the opposite; null: no single price does it. Missing: it was not
       * worked out.
       */
      flip: Type.Optional(Type.Union([FlipSchema, Type.Null()])),
    }),
  ),
  branches: Type.Array(exactly({ id: Id, isThen: Type.Boolean() })),
  /** Ticker → close of the day. */
  closes: Type.Record(Type.String(), Type.Number()),
};

/** The events of a `decision-{strategyId}-{revision}-{day}` stream. */
export const DECISION_EVENTS = defineStream({
  category: 'decision',
  events: {
    DecisionMade: exactly({
      ...DecidedFields,
      /**
       * Made when the next session had opened, or closes of a later day were known: nobody could have traded
       * it at the closes it was made with.
       */
      isLate: Type.Boolean(),
    }),
    /** The same day comes out differently with prices that were changed since. What was decided stands. */
    DecisionCorrected: exactly({
      ...DecidedFields,
      previousDataVersion: Id,
      /**
       * The first closes up to that day that differ between the two versions; empty where the earlier one is
       * not kept.
       */
      restated: Type.Array(exactly({ ticker: Id, day: DayText, was: Type.Number(), is: Type.Number() })),
    }),
  },
});
export type DecisionEvent = EventOf<typeof DECISION_EVENTS>;
export type DecisionMade = EventOf<typeof DECISION_EVENTS, 'DecisionMade'>;
export type DecisionCorrected = EventOf<typeof DECISION_EVENTS, 'DecisionCorrected'>;
export type Decided = Omit<DecisionMade['data'], 'isLate'>;

export type DecisionCommand =
  | { readonly type: 'MakeDecision'; readonly decided: Decided; readonly isLate: boolean }
  | {
      readonly type: 'CorrectDecision';
      readonly decided: Decided;
      readonly restated: DecisionCorrected['data']['restated'];
    };

/** What the last event says; null: nothing was decided yet. */
export type DecisionState = Decided | null;

/**
 * Percentage points that holdings may differ by and still be the same. Closes that were computed anew (a
 * dividend re-bases all of the past) give the same returns but for their rounding, and nobody would trade on that.
 */
const SAME_WITHIN = 0.01;

/** Whether two decisions hold the same, as far as anybody could trade it. */
export function sameHoldings(one: Decided['weights'], other: Decided['weights']): boolean {
  const tickers = new Set([...Object.keys(one), ...Object.keys(other)]);
  return tickers.values().every((ticker) => {
    return Math.abs((one[ticker] ?? 0) - (other[ticker] ?? 0)) <= SAME_WITHIN;
  });
}

/**
 * Whether a decision that is made now could be traded: until the next session opens nobody knows a price that
 * came after the closes it was made with. One that is made later is no proof of anything, whatever the market
 * data know by then.
 *
 * @param day the last day whose closes the decision knows, `YYYY-MM-DD`
 */
export function isInTime(day: string, now: Date): boolean {
  return now < nextOpening(dayNumber(day));
}

/** One stream per strategy, revision and day: whoever comes second finds it decided, and no stream grows. */
export const decisionStream: StreamKind<DecisionCommand, DecisionState, DecisionEvent> = {
  ...DECISION_EVENTS,
  decider: {
    initialState: null,
    decide: (command, last) => {
      const { decided } = command;
      if (command.type === 'MakeDecision')
        return last ? [] : [{ type: 'DecisionMade', data: { ...decided, isLate: command.isLate } }];
      // Nobody can correct what was not decided; it is decided late instead.
      if (!last || last.dataVersion === decided.dataVersion || sameHoldings(last.weights, decided.weights))
        return [];
      const { restated } = command;
      const previousDataVersion = last.dataVersion;
      return [{ type: 'DecisionCorrected', data: { ...decided, previousDataVersion, restated } }];
    },
    evolve: (_, { data }) => data,
  },
};

type Key = Pick<Decided, 'strategyId' | 'revision' | 'day'>;

/** Id of a decision within the category. */
export const decisionId = ({ strategyId, revision, day }: Key): string => `${strategyId}-${revision}-${day}`;

/**
 * The command id of one evaluation: the same however often and by how many processes it is made.
 *
 * @param correcting version of the prices that the decision stood on so far; absent where it is made for the first time
 */
export function evaluationId(
  { strategyId, revision, day, dataVersion }: Key & { readonly dataVersion: string },
  correcting = '',
): string {
  const parts = [strategyId, String(revision), day, dataVersion, correcting];
  return derivedId(Date.parse(day), 'evaluation', ...parts);
}
