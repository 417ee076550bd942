import type { EvaluationMessage } from '@quantloom/domain/contracts/messages/jobs';
import { PRICES_MISSING } from '@quantloom/domain/forward-test/failure-words';
import { followId } from '@quantloom/domain/forward-test/follow';
import {
  decisionsProjection,
  type FollowDocument,
  type ForwardRecordDocument,
  followsProjection,
  forwardRecordsProjection,
} from '@quantloom/domain/forward-test/projections';
import { day as dayNumber } from '@quantloom/domain/market-data/day';
import { nextOpening } from '@quantloom/domain/market-data/exchange-hours';
import type { DataSetManifest } from '@quantloom/domain/ports/market-data';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { pagesOf } from '../processes/open-batches.ts';
import { startPasses } from '../runtime/passes.ts';
import { attemptOf } from './evaluation.ts';
import { COMPARED, type ComparedDocument, SETTLED, type SettledDocument } from './evaluations.ts';
import type { NightlyDeps } from './nightly-deps.ts';
import { recordFailure } from './record-failure.ts';

/** How often new market data and new follows are looked for. */
const LOOK_EVERY_MS = 15_000;
/**
 * What was asked for and has not come within this time is asked for again, where nothing waits any more:
 * messages may be lost with their broker.
 */
const ASK_AGAIN_MS = 300_000;
/**
 * So long before the next session opens, followers are told of a night whose closes have not come: until then
 * they still may.
 */
const TELL_BEFORE_MS = 2 * 3_600_000;

/** Who evaluates strategies. */
export interface Evaluators {
  /** Asks for evaluations; resolves when that is sure to reach somebody. */
  ask(evaluations: readonly EvaluationMessage[], signal: AbortSignal): Promise<void>;
  /** Whether some that were asked for still wait. */
  areBusy(): Promise<boolean>;
}

export interface NightlyOptions extends Omit<NightlyDeps, 'backtestRunner'> {
  readonly evaluators: Evaluators;
  readonly askAgainMs?: number;
}

export interface NightlyEvaluation {
  /** Asks for everything that the current market data allow, now. May be called by several processes at a time. */
  pass(): Promise<void>;
  close(): Promise<void>;
}

/** Evaluations that are asked for in one go. */
const TOGETHER = 200;

/** What this process has asked for. */
interface Asked {
  readonly attempt: string;
  readonly round: number;
  /** Of the monotonic clock. */
  readonly atMs: number;
}

/** What has to be asked for. */
interface Due {
  readonly strategyId: string;
  readonly attempt: string;
  readonly round: number;
  /** What its last evaluation took; 0: not known. */
  readonly milliseconds: number;
}

/**
 * Asks for an evaluation of every followed strategy as soon as there are prices or followers that it was not
 * evaluated with.
 */
export async function startNightlyEvaluation(options: NightlyOptions): Promise<NightlyEvaluation> {
  const { readModels } = options;
  const read = [
    forwardRecordsProjection,
    decisionsProjection,
    strategySummariesProjection,
    followsProjection,
  ];
  for (const { collection } of read) await readModels.ensureCollection(collection);
  await readModels.ensureCollection(COMPARED);
  await readModels.ensureCollection(SETTLED);
  const night = new Night(options);
  return startPasses((signal) => night.look(signal), {
    everyMs: options.lookEveryMs ?? LOOK_EVERY_MS,
    log: options.log,
    failure: 'followed strategies were not evaluated; it is tried again',
  });
}

class Night {
  readonly #options: NightlyOptions;
  readonly #asked = new Map<string, Asked>();
  /**
   * By strategy the version that it was found decided and compared with: nothing has to be read of it until
   * there is another.
   */
  readonly #done = new Map<string, string>();

  constructor(options: NightlyOptions) {
    this.#options = options;
  }

  async look(signal: AbortSignal): Promise<void> {
    const { marketData, readModels, evaluators } = this.#options;
    const current = await marketData.current().catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 'no_data_set') throw error;
      return null;
    });
    if (!current) return;
    const due: Due[] = [];
    const { name } = forwardRecordsProjection.collection;
    for await (const page of pagesOf<ForwardRecordDocument>(readModels, name, { followers: { gt: 0 } })) {
      if (signal.aborted) return;
      due.push(...(await this.#due(page, current)));
    }
    // Only what is repeated has to know: a first time is asked for at once.
    const areBusy = due.some(({ round }) => round > 1) && (await evaluators.areBusy());
    const asking = due.filter(({ round }) => round === 1 || !areBusy);
    // Quick ones first: who follows a hundred that take a minute each waits for them himself.
    asking.sort((a, b) => a.milliseconds - b.milliseconds);
    for (let from = 0; from < asking.length && !signal.aborted; from += TOGETHER)
      await this.#ask(asking.slice(from, from + TOGETHER), current.version, signal);
  }

  async #ask(together: readonly Due[], dataVersion: string, signal: AbortSignal): Promise<void> {
    await this.#options.evaluators.ask(
      together.map(({ strategyId, round }) => ({ strategyId, round, dataVersion })),
      signal,
    );
    const atMs = performance.now();
    for (const { strategyId, attempt, round } of together)
      this.#asked.set(strategyId, { attempt, round, atMs });
  }

  async #due(page: readonly ForwardRecordDocument[], { version, lastDay }: DataSetManifest): Promise<Due[]> {
    const { readModels, askAgainMs = ASK_AGAIN_MS } = this.#options;
    const open = await this.#open(page, version, lastDay);
    const ids = open.map(({ id }) => id);
    const [strategies, settled] = await Promise.all([
      readModels.getMany<StrategySummaryDocument>(strategySummariesProjection.collection.name, ids),
      readModels.getMany<SettledDocument>(SETTLED.name, ids),
    ]);
    const strategyOf = new Map(strategies.map((strategy) => [strategy.id, strategy]));
    const settledOf = new Map(settled.map((one) => [one.id, one]));
    const due: Due[] = [];
    for (const record of open) {
      const strategy = strategyOf.get(record.id);
      if (!strategy || strategy.isDeleted || !(await this.#hasReader(strategy))) continue;
      const attempt = attemptOf(version, strategy._revision, record);
      const before = this.#asked.get(record.id);
      const asked = before?.attempt === attempt ? before : null;
      const outcome = settledOf.get(record.id);
      if (outcome?.attempt === attempt && (asked || !outcome.isFailed)) {
        await this.#tellOfMissing(outcome, strategy, version);
        continue;
      }
      if (asked && performance.now() - asked.atMs < askAgainMs) continue;
      const round = (asked?.round ?? 0) + 1;
      due.push({ strategyId: record.id, attempt, round, milliseconds: outcome?.milliseconds ?? 0 });
    }
    return due;
  }

  /** Those of a page that are not decided and compared with this version yet. */
  async #open(page: readonly ForwardRecordDocument[], version: string, lastDay: string) {
    const open = page.filter(({ id, decidedDay }) => decidedDay < lastDay || this.#done.get(id) !== version);
    const compared = await this.#options.readModels.getMany<ComparedDocument>(
      COMPARED.name,
      open.map(({ id }) => id),
    );
    const versionOf = new Map(compared.map((one) => [one.id, one.version]));
    return open.filter(({ id, decidedDay }) => {
      const isCompared = decidedDay === '' || versionOf.get(id) === version;
      if (decidedDay < lastDay || !isCompared) return true;
      this.#done.set(id, version);
      return false;
    });
  }

  /** A strategy that was made private is evaluated for its owner, if he follows it, and for nobody else. */
  async #hasReader({ id, ownerId, isPublic }: StrategySummaryDocument): Promise<boolean> {
    if (isPublic) return true;
    const follow = followId({ userId: ownerId, strategyId: id });
    const { name } = followsProjection.collection;
    return (await this.#options.readModels.get<FollowDocument>(name, follow)) !== null;
  }

  /** Holders have to know before the next session that there is no decision for them, and what it is waiting for. */
  async #tellOfMissing(
    { missing, ...settled }: SettledDocument,
    { id: strategyId, _revision: revision }: StrategySummaryDocument,
    dataVersion: string,
  ): Promise<void> {
    if (!missing || missing.isTold) return;
    const { day, tickers } = missing;
    const opens = nextOpening(dayNumber(day)).getTime();
    if (this.#options.clock.now().getTime() < opens - TELL_BEFORE_MS) return;
    const code = PRICES_MISSING;
    const failed = { strategyId, revision, day, dataVersion, code, tickers: [...tickers] };
    await recordFailure(this.#options, failed);
    const told: SettledDocument = { ...settled, missing: { ...missing, isTold: true } };
    await this.#options.readModels.put(SETTLED.name, told);
  }
}
