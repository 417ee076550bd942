import {
  bandEntry,
  decisionEntry,
  type FeedEntry,
  failureEntry,
  MOST_ENTRIES,
} from '@quantloom/domain/feeds/feed-entry';
import { bandsId } from '@quantloom/domain/forward-test/band';
import { type BandsDocument, bandsProjection } from '@quantloom/domain/forward-test/band-projection';
import {
  type EvaluationFailureDocument,
  evaluationFailuresProjection,
} from '@quantloom/domain/forward-test/failure';
import { heldBefore } from '@quantloom/domain/forward-test/orders';
import {
  type DecisionDocument,
  decisionsProjection,
  type FollowDocument,
  followsProjection,
} from '@quantloom/domain/forward-test/projections';
import { standingDecisions } from '@quantloom/domain/forward-test/recent-decisions';
import type { ReadModels } from '@quantloom/domain/ports/read-models';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { maySeeStrategy } from '@quantloom/domain/strategy/strategy';

/** More than any plan follows. */
const MOST_FOLLOWS = 1_000;
/** Decisions that are read for a feed, of all strategies together: years of one, and some days of each of 200. */
const MOST_READ = 1_000;
/** Decisions that are read of one strategy at a time: at least two, so that there is something to compare with. */
const pageSize = (strategies: number): number =>
  Math.max(2, Math.min(200, Math.floor(MOST_READ / strategies)));

interface Followed {
  readonly strategyId: string;
  readonly name: string;
  readonly startDay: string;
}

/** What is known of one strategy so far. */
interface Reading {
  readonly followed: Followed;
  readonly entries: FeedEntry[];
  skip: number;
  /** Decisions as they are written, the newest first, from the oldest on that is not told yet. */
  open: DecisionDocument[];
  /** Nothing older is left to be read. */
  isDone: boolean;
}

/**
 * The newest entries of what a user follows and may see, the newest first. Where he follows many, those of
 * the last days alone.
 */
export async function feedEntriesOf(readModels: ReadModels, userId: string): Promise<FeedEntry[]> {
  const followed = await followedBy(readModels, userId);
  const readings = followed.map(
    (one): Reading => ({ followed: one, entries: [], skip: 0, open: [], isDone: false }),
  );
  const size = pageSize(followed.length);
  let read = 0;
  while (read < MOST_READ) {
    const open = readings.filter(({ isDone }) => !isDone);
    if (open.length === 0 || certainEntries(readings, open) >= MOST_ENTRIES) break;
    for (const reading of open) read += await readOn(readModels, reading, size);
  }
  const failures = await failuresOf(readModels, followed);
  const bands = await bandsLeftBy(readModels, followed);
  return [...failures, ...bands, ...readings.flatMap(({ entries }) => entries)]
    .sort((a, b) => b.day.localeCompare(a.day) || b.at.localeCompare(a.at))
    .slice(0, MOST_ENTRIES);
}

async function followedBy(readModels: ReadModels, userId: string): Promise<Followed[]> {
  const follows = await readModels.find<FollowDocument>(followsProjection.collection.name, {
    where: { userId },
    limit: MOST_FOLLOWS,
  });
  const strategies = await readModels.getMany<StrategySummaryDocument>(
    strategySummariesProjection.collection.name,
    follows.map(({ strategyId }) => strategyId),
  );
  const visible = new Map(
    strategies.filter((strategy) => maySeeStrategy(strategy, userId)).map(({ id, name }) => [id, name]),
  );
  return follows.flatMap(({ strategyId, startDay }) => {
    const name = visible.get(strategyId);
    return name === undefined ? [] : [{ strategyId, name, startDay }];
  });
}

/** Entries that nothing unread can be newer than. */
function certainEntries(readings: readonly Reading[], open: readonly Reading[]): number {
  const days = open.map((reading) => reading.open[0]?.day ?? '9999-12-31');
  const from = days.sort().at(-1) ?? '';
  return readings.flatMap(({ entries }) => entries).filter(({ day }) => day >= from).length;
}

/** The next older decisions of a strategy. @returns how many were read */
async function readOn(readModels: ReadModels, reading: Reading, limit: number): Promise<number> {
  const { strategyId, name, startDay } = reading.followed;
  const found = await readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
    where: { strategyId },
    sort: [['day', 'desc']],
    limit,
    skip: reading.skip,
  });
  reading.skip += found.length;
  const isEnd = found.length < limit;
  reading.open.push(...found);
  const oldest = reading.open.at(-1)?.day ?? '';
  // The oldest day may have a newer revision that is not read yet.
  const known = standingDecisions(reading.open.filter(({ day }) => isEnd || day !== oldest)).reverse();
  let [told, last] = [0, ''];
  for (const { day, decision, decidedAt } of known) {
    told += 1;
    // The days before the start are read to be compared with.
    if (day < startDay) break;
    const earlier = known.slice(told).map((one) => one.decision);
    const at = earlier.findIndex(({ isLate }) => decision.isLate || !isLate);
    if (at < 0 && !isEnd) break;
    const before = at < 0 ? [] : earlier.slice(0, at + 1).reverse();
    const entry = decisionEntry(name, decision, heldBefore(decision, before), decidedAt);
    if (entry) reading.entries.push(entry);
    last = day;
  }
  if (last !== '') reading.open = reading.open.filter(({ day }) => day < last);
  reading.isDone = isEnd || (reading.open[0]?.day ?? oldest) < startDay;
  return Math.max(1, found.length);
}

/** The last failure of each strategy that no later decision has made good. */
async function failuresOf(readModels: ReadModels, followed: readonly Followed[]): Promise<FeedEntry[]> {
  const failures = await readModels.getMany<EvaluationFailureDocument>(
    evaluationFailuresProjection.collection.name,
    followed.map(({ strategyId }) => strategyId),
  );
  return failures.flatMap((failure) => {
    const one = followed.find(({ strategyId }) => strategyId === failure.id);
    if (!one || failure.day < one.startDay) return [];
    return [failureEntry(one.name, failure.id, failure)];
  });
}

/** Where the record since the start of the follow has left its newest band. */
async function bandsLeftBy(readModels: ReadModels, followed: readonly Followed[]): Promise<FeedEntry[]> {
  const bands = await readModels.getMany<BandsDocument>(
    bandsProjection.collection.name,
    followed.map((one) => bandsId(one)),
  );
  const nameOf = new Map(followed.map(({ strategyId, name }) => [strategyId, name]));
  return bands.flatMap(({ strategyId, current, left }) => {
    const name = nameOf.get(strategyId);
    return left && current && name !== undefined ? [bandEntry(name, strategyId, left, current.day)] : [];
  });
}
