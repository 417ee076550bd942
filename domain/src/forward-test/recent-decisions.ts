import type { ReadModels } from '../ports/read-models.ts';
import { type HeldBefore, heldBefore } from './orders.ts';
import { type DecisionDocument, decisionsProjection } from './projections.ts';

/** Decisions that are read at first: two days are enough most of the time, in more than one revision each. */
const FEW = 6;
/** Decisions among which the last one is looked for that was made in time: a quarter of a year. */
export const MOST_COMPARED = 60;

/** Of each day the decision that stands, which is that of the newest revision; by day. */
export function standingDecisions<T extends Pick<DecisionDocument, 'day' | 'decision'>>(
  decisions: readonly T[],
): T[] {
  const byDay = new Map<string, T>();
  for (const one of decisions) {
    const known = byDay.get(one.day);
    if (!known || one.decision.revision > known.decision.revision) byDay.set(one.day, one);
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** The newest decisions of a strategy, the newest day first, and as they are written. */
export const newestDecisions = (
  readModels: Pick<ReadModels, 'find'>,
  strategyId: string,
  limit: number,
): Promise<DecisionDocument[]> =>
  readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
    where: { strategyId },
    sort: [['day', 'desc']],
    limit,
  });

/** The newest decision of a strategy, and what was held before it; null: there is none yet. */
export async function newestDecision(
  readModels: Pick<ReadModels, 'find'>,
  strategyId: string,
): Promise<{ readonly latest: DecisionDocument; readonly before: HeldBefore | null } | null> {
  const few = await newestDecisions(readModels, strategyId, FEW);
  const isEnough = few.length < FEW || hasItsBefore(few);
  const standing = standingDecisions(
    isEnough ? few : await newestDecisions(readModels, strategyId, MOST_COMPARED),
  );
  const latest = standing.pop();
  if (!latest) return null;
  const earlier = standing.map(({ decision }) => decision);
  return { latest, before: heldBefore(latest.decision, earlier) };
}

/**
 * Whether the newest of some decisions can be compared. The oldest day may have a newer revision that was not
 * read, and does not count.
 */
function hasItsBefore(decisions: readonly DecisionDocument[]): boolean {
  const oldest = decisions.at(-1)?.day;
  const [latest, ...earlier] = standingDecisions(decisions.filter(({ day }) => day !== oldest)).reverse();
  return latest !== undefined && earlier.some(({ decision }) => latest.decision.isLate || !decision.isLate);
}
