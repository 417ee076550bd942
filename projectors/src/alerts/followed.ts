import { bandsId } from '@quantloom/domain/forward-test/band';
import {
  BAND_CHECKS,
  type BandCheckDocument,
  type BandsDocument,
  bandsProjection,
} from '@quantloom/domain/forward-test/band-projection';
import {
  type EvaluationFailureDocument,
  evaluationFailuresProjection,
} from '@quantloom/domain/forward-test/failure';
import {
  type FollowDocument,
  type ForwardRecordDocument,
  followsProjection,
  forwardRecordsProjection,
} from '@quantloom/domain/forward-test/projections';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { maySeeStrategy } from '@quantloom/domain/strategy/strategy';

/** More than any plan follows. */
const MOST_FOLLOWS = 1_000;

export interface Followed {
  readonly strategyId: string;
  readonly name: string;
  /** The newest day of the market data when the following began: days before it are no news. */
  readonly startDay: string;
  /** Days that the strategy was decided for, or failed to be, at last; whatever it is, it changes with every news. */
  readonly state: string;
  /** The newest day that was decided. */
  readonly decidedDay: string;
  /** The newest day that was decided, or could not be. */
  readonly settledDay: string;
  readonly failure: EvaluationFailureDocument | null;
  readonly bands: BandsDocument | null;
}

/** A strategy that a user still follows, and may not see any more. */
export interface Ended {
  readonly strategyId: string;
  readonly startDay: string;
  /** ISO 8601. */
  readonly followedAt: string;
  /** ISO 8601: not before it was hidden. */
  readonly endedAt: string;
  /** The newest day that was decided. */
  readonly decidedDay: string;
}

export interface Follows {
  readonly followed: readonly Followed[];
  readonly ended: readonly Ended[];
}

/** The strategies that a user follows and may see, and those of others that are hidden from him since. */
export async function followedBy(readModels: ReadModels, userId: string): Promise<Follows> {
  const follows = await readModels.find<FollowDocument>(followsProjection.collection.name, {
    where: { userId },
    limit: MOST_FOLLOWS,
  });
  const ids = follows.map(({ strategyId }) => strategyId);
  if (ids.length === 0) return { followed: [], ended: [] };
  const bandIds = follows.map(bandsId);
  const [summaries, records, failures, bands, checks] = await Promise.all([
    readModels.getMany<StrategySummaryDocument>(strategySummariesProjection.collection.name, ids),
    readModels.getMany<ForwardRecordDocument>(forwardRecordsProjection.collection.name, ids),
    readModels.getMany<EvaluationFailureDocument>(evaluationFailuresProjection.collection.name, ids),
    readModels.getMany<BandsDocument>(bandsProjection.collection.name, bandIds),
    readModels.getMany<BandCheckDocument>(BAND_CHECKS.name, bandIds),
  ]);
  const strategies = new Map(summaries.map((summary) => [summary.id, summary]));
  const decided = new Map(records.map(({ id, decidedDay }) => [id, decidedDay]));
  const failed = new Map(failures.map((failure) => [failure.id, failure]));
  const bandsBy = new Map(bands.map((one) => [one.strategyId, one]));
  const checkedDays = new Map(checks.map(({ id, day }) => [id, day]));
  const followed = follows.flatMap(({ strategyId, startDay }): Followed[] => {
    const strategy = strategies.get(strategyId);
    if (!strategy || !maySeeStrategy(strategy, userId)) return [];
    const failure = failed.get(strategyId) ?? null;
    const decidedDay = decided.get(strategyId) ?? '';
    const own = bandsBy.get(strategyId) ?? null;
    // A day is settled once it is known, too, whether the record has left its band on it.
    const checkedDay = own?.current ? (checkedDays.get(own.id) ?? '') : decidedDay;
    const [lookedAt = ''] = [checkedDay, decidedDay].sort();
    const settledDay = failure && failure.day > lookedAt ? failure.day : lookedAt;
    const state = `${startDay} ${decidedDay} ${failure?.failedAt ?? ''} ${own?.left?.at ?? ''}`;
    const { name } = strategy;
    return [{ strategyId, name, startDay, failure, bands: own, decidedDay, settledDay, state }];
  });
  const ended = follows.flatMap(({ strategyId, startDay, followedAt }): Ended[] => {
    const strategy = strategies.get(strategyId);
    if (!strategy || strategy.ownerId === userId || maySeeStrategy(strategy, userId)) return [];
    const { updatedAt: endedAt } = strategy;
    // It was to be seen when it was followed: what is known of it is older than that.
    if (endedAt <= followedAt) return [];
    return [{ strategyId, startDay, followedAt, endedAt, decidedDay: decided.get(strategyId) ?? startDay }];
  });
  return { followed, ended };
}
