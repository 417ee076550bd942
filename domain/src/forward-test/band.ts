import { Type } from 'typebox';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, DayText, exactly, Id, Text } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';
import { derivedId } from '../kernel/ids.ts';
import { type PathBandQuestion, pathBandInSteps } from '../statistics/path-band.ts';

/** Trading days that a band is for: a year. Then the next one is fixed. */
export const BAND_DAYS = 252;
/** Days of returns without which nothing is said about the next ones: a year. */
export const LEAST_SAMPLE_DAYS = 252;
/** Share of the paths that stay within the whole band for all of its days, and within its inner half. */
export const BAND_LEVELS = [0.9, 0.5] as const;
const DRAWS = 2000;
/** Edges are kept to a millionth: nobody is told anything by less. */
const PLACES = 1e6;
/** What rounding may make of an edge, and of a value that lies on it. */
const ON_THE_EDGE = 1e-6;

const Edge = Type.Array(Type.Number());
const BandKey = {
  strategyId: Id,
  /** Since when its followers follow: each of them sees the record, and its bands, from his own day on. */
  startDay: DayText,
  /** 1: the first year of these followers, 2: the second one. */
  number: Type.Integer({ minimum: 1 }),
};

/** The events of a `band-{strategyId}-{startDay}-{number}` stream. */
export const BAND_EVENTS = defineStream({
  category: 'band',
  events: {
    /**
     * What the strategy is expected to do from now on, if things go on as in its backtest up to now. Never
     * changed afterwards.
     */
    BandFixed: exactly({
      ...BandKey,
      /** The newest day whose closes were known; 1 stands for what the record had come to on it. */
      day: DayText,
      /** The strategy's revision whose backtest it is drawn from. */
      revision: Count,
      dataVersion: Id,
      engineVersion: Text,
      isSimulated: Type.Boolean(),
      /** First day of that backtest; it ends on `day`. */
      sampleFrom: DayText,
      /** Returns that the paths are drawn from. */
      sampleDays: Count,
      seed: Text,
      draws: Count,
      blockLength: Count,
      /** Edges after 1, 2, … trading days, as what 1 has become: nine of ten paths are between them on all days. */
      lower: Edge,
      upper: Edge,
      /** The same for half of the paths. */
      innerLower: Edge,
      innerUpper: Edge,
    }),
    /**
     * The record was outside for the first time. A band is left once: what its probability speaks of is the
     * first time.
     */
    BandLeft: exactly({
      ...BandKey,
      /** The first day outside. */
      day: DayText,
      /** The newest day when it was found. */
      seenDay: DayText,
      side: Type.Enum(['below', 'above']),
      /** What 1 had become since the band was fixed, and the edge of that day. */
      value: Type.Number(),
      edge: Type.Number(),
    }),
  },
});
export type BandEvent = EventOf<typeof BAND_EVENTS>;
export type BandFixed = EventOf<typeof BAND_EVENTS, 'BandFixed'>['data'];
export type BandLeft = EventOf<typeof BAND_EVENTS, 'BandLeft'>['data'];

export type BandCommand =
  | { readonly type: 'FixBand'; readonly band: BandFixed }
  | { readonly type: 'LeaveBand'; readonly left: BandLeft };

export interface BandState {
  readonly band: BandFixed | null;
  readonly left: BandLeft | null;
}

export const bandStream: StreamKind<BandCommand, BandState, BandEvent> = {
  ...BAND_EVENTS,
  decider: {
    initialState: { band: null, left: null },
    decide: (command, { band, left }) => {
      // Whatever the prices of today would make of it: the band that was fixed stands.
      if (command.type === 'FixBand') return band ? [] : [{ type: 'BandFixed', data: command.band }];
      return band && !left ? [{ type: 'BandLeft', data: command.left }] : [];
    },
    evolve: (state, event) =>
      event.type === 'BandFixed' ? { ...state, band: event.data } : { ...state, left: event.data },
  },
};

type Chain = Pick<BandFixed, 'strategyId' | 'startDay'>;

/** Id of the bands of those who follow since the same day. */
export const bandsId = ({ strategyId, startDay }: Chain): string => `${strategyId}-${startDay}`;

/** Id of a band within the category. */
export const bandId = (key: Chain & Pick<BandFixed, 'number'>): string => `${bandsId(key)}-${key.number}`;

/** The command id of what is found about a band on a day: the same however often and by how many processes. */
export const bandCommandId = (
  what: BandCommand['type'],
  key: Chain & Pick<BandFixed, 'number'>,
  day: string,
): string => derivedId(Date.parse(day), 'band', what, bandId(key));

/** What a band is computed from. */
export interface BandBasis
  extends Pick<
    BandFixed,
    | 'strategyId'
    | 'startDay'
    | 'number'
    | 'day'
    | 'revision'
    | 'dataVersion'
    | 'engineVersion'
    | 'isSimulated'
  > {
  /** Days of the backtest, the last one `day`, and what it was worth on each. */
  readonly days: readonly string[];
  readonly values: readonly number[];
}

/** Why there is no band: less than a year of returns, or a backtest that lost everything. */
export type NoBand = 'too_short' | 'lost_everything';

/**
 * The band for the days after a backtest, in steps of a few milliseconds. Its seed follows from what it is
 * of, so that nobody can draw until he likes it. The source of the method stands in `statistics/path-band.ts`.
 */
export function* bandInSteps({
  days,
  values,
  ...basis
}: BandBasis): Generator<undefined, BandFixed | NoBand> {
  const sampleDays = values.length - 1;
  if (sampleDays < LEAST_SAMPLE_DAYS) return 'too_short';
  const returns = Float64Array.from({ length: sampleDays }, (_, i) => returnAt(values, i + 1));
  if (returns.some((value) => !(value > -1 && Number.isFinite(value)))) return 'lost_everything';
  const { strategyId, revision, day, dataVersion } = basis;
  const seed = `band ${strategyId} ${revision} ${day} ${dataVersion}`;
  const question: PathBandQuestion = { horizon: BAND_DAYS, draws: DRAWS, seed, levels: BAND_LEVELS };
  const { blockLength, edges } = yield* pathBandInSteps(returns, question);
  const [outer, inner] = edges.map(({ lower, upper }) => ({
    lower: lower.map(rounded),
    upper: upper.map(rounded),
  }));
  if (!outer || !inner) throw new Error('A band was computed without its edges');
  return {
    ...basis,
    sampleFrom: days[0] ?? day,
    sampleDays,
    seed,
    draws: DRAWS,
    blockLength,
    ...outer,
    innerLower: inner.lower,
    innerUpper: inner.upper,
  };
}

const returnAt = (values: readonly number[], i: number): number =>
  (values[i] as number) / (values[i - 1] as number) - 1;

const rounded = (value: number): number => Math.round(value * PLACES) / PLACES;

/** Where the record stands that a band is laid over. */
export interface Lived {
  readonly days: readonly string[];
  readonly values: readonly number[];
}

/**
 * The place in the record of the day that a band begins on: the first one at or after it; -1: the record is
 * not there yet.
 */
export const bandStart = ({ days }: Lived, { day }: Pick<BandFixed, 'day'>): number =>
  days.findIndex((one) => one >= day);

/**
 * The first day on which a record was outside of a band, and where it was; null: on none. Days after the
 * band's last one do not count.
 */
export function firstDayOutside(
  record: Lived,
  band: BandFixed,
): Pick<BandLeft, 'day' | 'side' | 'value' | 'edge'> | null {
  const start = bandStart(record, band);
  if (start < 0) return null;
  const base = record.values[start] as number;
  for (let i = start + 1; i < record.days.length && i - start <= band.lower.length; i += 1) {
    const value = (record.values[i] as number) / base;
    const [lower, upper] = [band.lower[i - start - 1] as number, band.upper[i - start - 1] as number];
    const day = record.days[i] as string;
    if (value < lower - ON_THE_EDGE) return { day, side: 'below', value, edge: lower };
    if (value > upper + ON_THE_EDGE) return { day, side: 'above', value, edge: upper };
  }
  return null;
}
