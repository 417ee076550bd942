import { type Alert, alertsOf, bandAlert, failureAlert } from '@quantloom/domain/alerts/alerts';
import type { AlertSettings, AlertSettingsDocument } from '@quantloom/domain/alerts/settings';
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
import { heldBefore } from '@quantloom/domain/forward-test/orders';
import {
  type FollowDocument,
  type ForwardRecordDocument,
  followsProjection,
  forwardRecordsProjection,
} from '@quantloom/domain/forward-test/projections';
import {
  MOST_COMPARED,
  newestDecisions,
  standingDecisions,
} from '@quantloom/domain/forward-test/recent-decisions';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { maySeeStrategy } from '@quantloom/domain/strategy/strategy';

/** More than any plan follows. */
const MOST_FOLLOWS = 1_000;
/** Decisions that may still be told: what nobody could send for a week is no news. */
const TOLD_DAYS = 5;

/** What there is to tell of one strategy and day. */
export interface News {
  readonly strategyId: string;
  readonly day: string;
  readonly alerts: readonly Alert[];
  /** ISO 8601: when it was found, where that may be long after the decision of the day. */
  readonly foundAt?: string;
}

export interface Followed {
  readonly strategyId: string;
  readonly name: string;
  /** Days that the strategy was decided for, or failed to be, at last; whatever it is, it changes with every news. */
  readonly state: string;
  /** The newest day that was decided. */
  readonly decidedDay: string;
  /** The newest day that was decided, or could not be. */
  readonly settledDay: string;
  readonly failure: EvaluationFailureDocument | null;
  readonly bands: BandsDocument | null;
}

/** The strategies that a user follows and may see. */
export async function followedBy(readModels: ReadModels, userId: string): Promise<Followed[]> {
  const follows = await readModels.find<FollowDocument>(followsProjection.collection.name, {
    where: { userId },
    limit: MOST_FOLLOWS,
  });
  const ids = follows.map(({ strategyId }) => strategyId);
  if (ids.length === 0) return [];
  const bandIds = follows.map(bandsId);
  const [summaries, records, failures, bands, checks] = await Promise.all([
    readModels.getMany<StrategySummaryDocument>(strategySummariesProjection.collection.name, ids),
    readModels.getMany<ForwardRecordDocument>(forwardRecordsProjection.collection.name, ids),
    readModels.getMany<EvaluationFailureDocument>(evaluationFailuresProjection.collection.name, ids),
    readModels.getMany<BandsDocument>(bandsProjection.collection.name, bandIds),
    readModels.getMany<BandCheckDocument>(BAND_CHECKS.name, bandIds),
  ]);
  const decided = new Map(records.map(({ id, decidedDay }) => [id, decidedDay]));
  const failed = new Map(failures.map((failure) => [failure.id, failure]));
  const bandsBy = new Map(bands.map((one) => [one.strategyId, one]));
  const checkedDays = new Map(checks.map(({ id, day }) => [id, day]));
  return summaries
    .filter((strategy) => maySeeStrategy(strategy, userId))
    .map(({ id, name }) => {
      const failure = failed.get(id) ?? null;
      const decidedDay = decided.get(id) ?? '';
      const own = bandsBy.get(id) ?? null;
      // A day is settled once it is known, too, whether the record has left its band on it.
      const checkedDay = own?.current ? (checkedDays.get(own.id) ?? '') : decidedDay;
      const [lookedAt = ''] = [checkedDay, decidedDay].sort();
      const settledDay = failure && failure.day > lookedAt ? failure.day : lookedAt;
      const state = `${decidedDay} ${failure?.failedAt ?? ''} ${own?.left?.at ?? ''}`;
      return { strategyId: id, name, failure, bands: own, decidedDay, settledDay, state };
    });
}

/**
 * What is new of a strategy since the alerts were turned on, the oldest first.
 *
 * @returns with `isWhole` false while the decision of the newest day cannot be read: the read models follow the log each in its own time, and who takes it for told
 * never tells it
 */
export async function newsOf(
  readModels: ReadModels,
  { strategyId, name, failure, bands, decidedDay }: Followed,
  { settings, onSince }: Pick<AlertSettingsDocument, 'settings' | 'onSince'>,
): Promise<{
  readonly news: readonly News[];
  /** What was news in the days before: where it was not sent, it is too late. */
  readonly lapsed: readonly News[];
  readonly isWhole: boolean;
}> {
  const newest = await newestDecisions(readModels, strategyId, 2 * TOLD_DAYS + 1);
  const isCut = newest.length > 2 * TOLD_DAYS;
  // Late decisions are not traded: what the first one after them is compared with lies before them.
  const needsMore = isCut && newest.at(-1)?.decision.isLate;
  const decisions = standingDecisions(
    needsMore ? await newestDecisions(readModels, strategyId, MOST_COMPARED) : newest,
  );
  const oldest = newest.at(-1)?.day ?? '';
  const toldFrom = newest[TOLD_DAYS - 1]?.day ?? '';
  const news: News[] = [];
  const lapsed: News[] = [];
  for (const [index, { day, decision, decidedAt }] of decisions.entries()) {
    if (day < oldest || decidedAt < onSince) continue;
    const earlier = decisions.slice(0, index).map((one) => one.decision);
    // What lies further back is not known to be the first decision.
    if (earlier.length === 0 && isCut) continue;
    const alerts = alertsOf(name, decision, heldBefore(decision, earlier), settings);
    if (alerts.length === 0) continue;
    if (day >= toldFrom) news.push({ strategyId, day, alerts });
    // A late one was no news when it was made.
    else if (!decision.isLate) lapsed.push({ strategyId, day, alerts });
  }
  const all = [
    ...news,
    ...failureNews(strategyId, name, failure, settings, onSince),
    ...bandNews(name, bands, settings, onSince),
  ];
  return { news: all, lapsed, isWhole: (newest[0]?.day ?? '') >= decidedDay };
}

/** A band is left once, so that this comes once, however long the record stays outside. */
function bandNews(
  name: string,
  bands: BandsDocument | null,
  { onBand }: AlertSettings,
  onSince: string,
): News[] {
  const { left, current } = bands ?? {};
  if (!left || !current || !onBand || left.at < onSince) return [];
  const alerts = [bandAlert(name, left.strategyId, left, current.day)];
  return [{ strategyId: left.strategyId, day: left.seenDay, alerts, foundAt: left.at }];
}

function failureNews(
  strategyId: string,
  name: string,
  failure: EvaluationFailureDocument | null,
  { onFailure }: AlertSettings,
  onSince: string,
): News[] {
  if (!failure || !onFailure || failure.failedAt < onSince) return [];
  const { day, code } = failure;
  return [{ strategyId, day: day, alerts: [failureAlert(name, strategyId, day, code)] }];
}
