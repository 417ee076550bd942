import { type Portfolio, sumOfWeights } from '@quantloom/domain/portfolio/portfolio';
import { type NumberEntry, readNumber } from '../../lib/number-entry.ts';

/** A strategy of the portfolio, with what was typed as its weight. */
export interface Typed {
  readonly id: string;
  readonly text: string;
}

export interface Weights {
  readonly entries: ReadonlyMap<string, NumberEntry>;
  /** By strategy, in percent; what cannot be read is missing. */
  readonly percents: ReadonlyMap<string, number>;
  readonly sum: number;
  /** Why they cannot be used; null where they can. */
  readonly fault: string | null;
}

const ROUNDING = 1e-6;
const NOTHING: NumberEntry = { isRead: true, value: 0 };

/** Weights as people type them (`40%`, `40,5`); nothing is 0. */
export function readWeights(typed: readonly Typed[]): Weights {
  const entries = new Map(
    typed.map(({ id, text }) => [id, text.trim() === '' ? NOTHING : readNumber(text, { min: 0, max: 100 })]),
  );
  const percents = new Map(
    [...entries].flatMap(([id, entry]) => (entry.isRead ? [[id, entry.value] as const] : [])),
  );
  const sum = sumOfWeights([...percents.values()]);
  const over = sumOfWeights([sum, -100]);
  const fault =
    percents.size < entries.size
      ? 'A weight cannot be read.'
      : over > ROUNDING
        ? `The weights add up to ${sum}%: take ${over}% away.`
        : null;
  return { entries, percents, sum, fault };
}

/** The same for each, in hundredths, rounded down so that they never add up to more than 100. */
export function equalWeights(ids: readonly string[]): Typed[] {
  const each = ids.length === 0 ? 0 : Math.floor(10_000 / ids.length) / 100;
  return ids.map((id) => ({ id, text: String(each) }));
}

/**
 * What was kept, for these strategies: those that it does not know have no weight yet; all have the same
 * where nothing was kept.
 */
export function keptWeights(ids: readonly string[], kept: Portfolio | null): Typed[] {
  if (!kept) return equalWeights(ids);
  const known = new Map(kept.members.map(({ strategyId, percent }) => [strategyId, percent]));
  return ids.map((id) => ({ id, text: String(known.get(id) ?? 0) }));
}
