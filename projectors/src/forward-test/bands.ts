import {
  BAND_DAYS,
  type BandCommand,
  type BandFixed,
  bandCommandId,
  bandId,
  bandInSteps,
  bandStart,
  bandStream,
  firstDayOutside,
  type NoBand,
} from '@quantloom/domain/forward-test/band';
import {
  BAND_CHECKS,
  type BandCheckDocument,
  type BandsDocument,
  bandsProjection,
} from '@quantloom/domain/forward-test/band-projection';
import { heldDecisions } from '@quantloom/domain/forward-test/lived';
import { recordOn } from '@quantloom/domain/forward-test/lived-closes';
import {
  type DecisionDocument,
  decisionsProjection,
  type ForwardRecordDocument,
  forwardRecordsProjection,
} from '@quantloom/domain/forward-test/projections';
import { handleCommand, loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import type { DataSetManifest } from '@quantloom/domain/ports/market-data';
import { awayIn } from '@quantloom/domain/ports/outages';
import { type StrategyDocument, strategiesProjection } from '@quantloom/domain/strategy/projection';
import { heldTreeOf } from '@quantloom/domain/strategy/stored-tree';
import { pagesOf } from '../processes/open-batches.ts';
import { startPasses } from '../runtime/passes.ts';
import { algorithmOf, daysOf, runUntil } from './evaluate.ts';
import type { NightlyDeps } from './nightly-deps.ts';

/** How often it is looked whether there are new decisions and new followers. */
const LOOK_EVERY_MS = 15_000;
/** Before the first prices there are: a backtest begins on the first day that it can. */
const FROM_THE_FIRST_DAY = '1900-01-01';
/** A band and what is left of an earlier one: decisions that are read for it. */
const MOST_DECISIONS = 2 * BAND_DAYS;

export interface KeepingBands {
  /**
   * Fixes and looks at everything that the decisions made so far allow, now. May be called by several
   * processes at a time.
   */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Fixes the band of each follower's record on the day of its first decision, and a further one each year, and
 * records when one is left. What is fixed stands in the log: two processes that do so at a time waste work
 * and harm nothing.
 */
export async function startKeepingBands(deps: NightlyDeps): Promise<KeepingBands> {
  const { readModels } = deps;
  const followed = [bandsProjection, forwardRecordsProjection, decisionsProjection, strategiesProjection];
  for (const { collection } of followed) await readModels.ensureCollection(collection);
  await readModels.ensureCollection(BAND_CHECKS);
  return startPasses((signal) => passOnce(deps, signal), {
    everyMs: deps.lookEveryMs ?? LOOK_EVERY_MS,
    log: deps.log,
    failure: 'bands were not looked at; it is tried again',
  });
}

async function passOnce(deps: NightlyDeps, signal: AbortSignal): Promise<void> {
  const { readModels } = deps;
  const current = await deps.marketData.current().catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'no_data_set') throw error;
    return null;
  });
  if (!current) return;
  const { name } = bandsProjection.collection;
  for await (const page of pagesOf<BandsDocument>(readModels, name, { followers: { gt: 0 } })) {
    const [records, checks] = await Promise.all([
      readModels.getMany<ForwardRecordDocument>(forwardRecordsProjection.collection.name, [
        ...new Set(page.map(({ strategyId }) => strategyId)),
      ]),
      readModels.getMany<BandCheckDocument>(
        BAND_CHECKS.name,
        page.map(({ id }) => id),
      ),
    ]);
    const decided = new Map(records.map(({ id, decidedDay }) => [id, decidedDay]));
    const checked = new Map(checks.map((check) => [check.id, check]));
    for (const bands of page) {
      if (signal.aborted) return;
      const { day, version } = checked.get(bands.id) ?? {};
      // Nothing to look at before the decision of the newest day is made, and nothing after it was.
      if ((decided.get(bands.strategyId) ?? '') < current.lastDay) continue;
      if (day === current.lastDay && version === current.version) continue;
      try {
        const outcome = await look(deps, bands, current, signal);
        if (outcome === 'later') continue;
        await readModels.put(BAND_CHECKS.name, {
          id: bands.id,
          day: current.lastDay,
          version: current.version,
          missing: outcome === 'done' ? null : outcome,
          _revision: 0,
          _position: '0',
        } as BandCheckDocument);
      } catch (error) {
        // The next pass begins again.
        if (signal.aborted || awayIn(error)) return;
        // One that cannot be looked at holds up none of the others.
        deps.log.error({ err: error, bands: bands.id }, 'a band was not looked at');
      }
    }
  }
}

/** `later`: a read model is behind what is there already. */
async function look(
  deps: NightlyDeps,
  bands: BandsDocument,
  current: DataSetManifest,
  signal: AbortSignal,
): Promise<'done' | 'later' | NoBand | 'not_run'> {
  const { strategyId, startDay, current: newest, left } = bands;
  if (!newest) return await fix(deps, { strategyId, startDay, number: 1 }, current, signal);
  const key = { strategyId, startDay, number: newest.number };
  const { band } = (await loadState(deps.eventStore, bandStream, bandId(key))).state;
  if (!band) throw new Error(`The band ${bandId(key)} is not in the log`);
  const found = await deps.readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
    where: { strategyId, day: { gte: band.day } },
    sort: [['day', 'desc']],
    limit: MOST_DECISIONS,
  });
  const decisions = heldDecisions(found);
  if ((decisions.at(-1)?.day ?? '') < current.lastDay) return 'later';
  if (!left) {
    const record = await recordOn(deps.marketData, current.version, decisions);
    const outside = firstDayOutside(record, band);
    if (outside) {
      const leaving: BandCommand = {
        type: 'LeaveBand',
        left: { ...key, ...outside, seenDay: current.lastDay },
      };
      await send(deps, leaving, key, current.lastDay);
    }
  }
  const passed =
    decisions.length - 1 - bandStart({ days: decisions.map(({ day }) => day), values: [] }, band);
  if (passed < BAND_DAYS) return 'done';
  return await fix(deps, { ...key, number: key.number + 1 }, current, signal);
}

type Key = Pick<BandFixed, 'strategyId' | 'startDay' | 'number'>;

/** Fixes a band by a backtest of everything up to the newest day, which nobody can know anything beyond. */
async function fix(
  deps: NightlyDeps,
  key: Key,
  { version: dataVersion, lastDay: day }: DataSetManifest,
  signal: AbortSignal,
): Promise<'done' | 'later' | NoBand | 'not_run'> {
  const { readModels, eventStore, backtestRunner } = deps;
  const { strategyId } = key;
  const strategy = await readModels.get<StrategyDocument>(strategiesProjection.collection.name, strategyId);
  if (!strategy || strategy.isDeleted) return 'not_run';
  const algorithm = await algorithmOf(eventStore, heldTreeOf(strategy));
  const revision = strategy._revision;
  try {
    const answer = await runUntil(
      backtestRunner,
      { strategyId, revision, algorithm },
      { runFrom: FROM_THE_FIRST_DAY, end: day, dataVersion },
      signal,
    );
    const { history, provenance } = answer;
    if (!history || !provenance) throw new Error('A run was answered without the history that was asked for');
    const steps = bandInSteps({
      ...key,
      day,
      revision,
      dataVersion,
      engineVersion: provenance.engine_version,
      isSimulated: provenance.is_simulated,
      days: daysOf(answer),
      values: history.value,
    });
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        if (typeof value === 'string') return value;
        await send(deps, { type: 'FixBand', band: value }, key, day);
        return 'done';
      }
      // The same thread may serve people, too.
      await new Promise(setImmediate);
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    deps.log.warn({ strategyId, dataVersion }, `a band was not fixed: ${error.refusal.detail}`);
    return 'not_run';
  }
}

async function send({ eventStore, clock }: NightlyDeps, command: BandCommand, key: Key, day: string) {
  const commandId = bandCommandId(command.type, key, day);
  const result = await handleCommand(eventStore, bandStream, bandId(key), command, {
    commandId,
    correlationId: commandId,
    actor: { kind: 'system', name: 'bands' },
    now: clock.now().toISOString(),
  });
  if (isRefusal(result)) throw new RefusalError(result);
}
