import type { BacktestAnswer, BacktestHistory } from '@quantloom/domain/contracts/backtest';
import { type AsLived, getAsLived } from '@quantloom/domain/contracts/http/as-lived';
import { bandsProjection } from '@quantloom/domain/forward-test/band-projection';
import { followId } from '@quantloom/domain/forward-test/follow';
import { heldDecisions, type LivedRecord, missingInWords } from '@quantloom/domain/forward-test/lived';
import { recordOn } from '@quantloom/domain/forward-test/lived-closes';
import {
  type DecisionDocument,
  decisionsProjection,
  type FollowDocument,
  followsProjection,
} from '@quantloom/domain/forward-test/projections';
import { registeredFigure } from '@quantloom/domain/forward-test/registered';
import { isRefusal, type Refusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import { formatDay } from '@quantloom/domain/market-data/day';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { DEFAULT_BENCHMARK, DEFAULT_SLIPPAGE_BPS } from '@quantloom/domain/strategy/backtest-terms';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { maySeeStrategy, STRATEGY_NOT_FOUND } from '@quantloom/domain/strategy/strategy';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { textOf } from '@quantloom/http/documents/trees';
import { mountRoute, type RouteCall } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';
import { treeAt } from '../tree-at.ts';
import { bandsOf, ensuredOnce } from './as-lived-bands.ts';
import { daysBetween, versionNow } from './backtests.ts';

const DAY_SECONDS = 86_400;
/** Forty years of nights. */
const MOST_DECISIONS = 10_000;
/** Smaller gaps are rounding. */
const NO_GAP = 1e-9;

export interface AsLivedDeps extends ReadDeps {
  readonly marketData: MarketData;
  readonly backtestRunner: BacktestRunner;
}

/** What came of the decisions of a followed strategy, beside the backtest of the same days. */
export function mountAsLived(app: FastifyInstance, deps: AsLivedDeps): void {
  const checks = ensuredOnce(deps.readModels);
  mountRoute(app, getAsLived, async (call) => {
    const projections = [
      strategySummariesProjection,
      followsProjection,
      decisionsProjection,
      bandsProjection,
    ];
    await awaitOwnWrites(call, deps.consistency, ...projections);
    const { id } = call.params;
    const { name } = strategySummariesProjection.collection;
    const strategy = await deps.readModels.get<StrategySummaryDocument>(name, id);
    if (!strategy || !maySeeStrategy(strategy, call.principal.userId)) return STRATEGY_NOT_FOUND;
    const follow = await deps.readModels.get<FollowDocument>(
      followsProjection.collection.name,
      followId({ userId: call.principal.userId, strategyId: id }),
    );
    // Whoever follows joins the record on his own day.
    const since = follow ? { day: { gte: follow.startDay } } : {};
    const decisions = heldDecisions(
      await deps.readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
        where: { strategyId: id, ...since },
        sort: [['day', 'desc']],
        limit: MOST_DECISIONS,
      }),
    );
    const first = decisions[0]?.decision;
    if (!first) return { ...NOTHING_YET, registered: registeredOf(follow, NO_RECORD, []) };
    const dataVersion = await versionNow(deps.marketData);
    if (isRefusal(dataVersion)) return dataVersion;
    const record = await recordOn(deps.marketData, dataVersion, decisions);
    const backtest = await backtestOf(call, { decisions, dataVersion }, deps);
    if (isRefusal(backtest)) return backtest;
    await checks();
    const bands = await bandsOf(deps, follow, record);
    const registered = registeredOf(follow, record, decisions);
    return { ...answerOf(record, { backtest, decisions, dataVersion }), ...bands, registered };
  });
}

const NO_RECORD = { days: [], values: [] };

/** What the caller said beforehand will count, if he did. */
function registeredOf(
  follow: FollowDocument | null,
  record: Pick<LivedRecord, 'days' | 'values'>,
  decisions: readonly DecisionDocument[],
): AsLived['registered'] {
  const figure =
    follow &&
    registeredFigure(
      follow,
      record,
      decisions.map(({ day, decision }) => ({ day, revision: decision.revision })),
    );
  if (!follow || !figure) return null;
  return {
    metric: figure.metric,
    horizon_days: figure.horizonDays,
    registered_at: follow.followedAt,
    revision: follow.revision,
    end_day: figure.endDay,
    days: figure.days,
    days_so_far: figure.daysSoFar,
    value: figure.value,
    is_decided: figure.isDecided,
    is_revised: figure.isRevised,
  };
}

const NOTHING_YET: Omit<AsLived, 'registered'> = {
  days: [],
  lived: [],
  backtest: null,
  benchmark: null,
  benchmark_ticker: DEFAULT_BENCHMARK,
  slippage_bps: DEFAULT_SLIPPAGE_BPS,
  backtest_revision: null,
  gap: null,
  reasons: [],
  missing_closes: [],
  marks: [],
  bands: [],
  no_band: null,
  data_version: null,
  is_simulated: false,
};

/** The revision that decided first, on the prices of today; null where it cannot be run any more. */
async function backtestOf(
  { principal, cost }: RouteCall<typeof getAsLived>,
  {
    decisions,
    dataVersion,
  }: { readonly decisions: readonly DecisionDocument[]; readonly dataVersion: string },
  deps: AsLivedDeps,
): Promise<BacktestAnswer | null | Refusal> {
  const [first, last] = [decisions[0]?.decision, decisions.at(-1)];
  const then = first && (await treeAt(deps, first.strategyId, first.revision));
  if (!first || !last || !then) return null;
  const algorithm = JSON.parse(await textOf(deps.eventStore, then.held)) as Algorithm;
  const expectedMs = costOfRun(sizeOf(algorithm), daysBetween(first.runFrom, last.day));
  const refused = await cost.expect(expectedMs);
  if (refused) return refused;
  try {
    return await deps.backtestRunner.run(
      {
        start_date: first.runFrom,
        end_date: last.day,
        include: { history: true },
        trading_bot: algorithm,
      },
      {
        dataVersion,
        owner: principal.userId,
        expectedMs,
        deadlineMs: cost.limits.deadlineSeconds * 1000,
        // As the decisions that stand beside it.
        knowsHolidays: true,
      },
    );
  } catch (error) {
    // A ticker that is gone, or a first day that came later: the record stands without it.
    if (error instanceof RefusalError) return null;
    throw error;
  }
}

function answerOf(
  record: LivedRecord,
  {
    backtest,
    decisions,
    dataVersion,
  }: {
    readonly backtest: BacktestAnswer | null;
    readonly decisions: readonly DecisionDocument[];
    readonly dataVersion: string;
  },
): Omit<AsLived, 'bands' | 'no_band' | 'registered'> {
  const curve = backtest?.history ? onDays(backtest.history, record.days, 'value') : null;
  const gap = curve ? (record.values.at(-1) ?? 1) - (curve.at(-1) ?? 1) : null;
  return {
    days: [...record.days],
    lived: [...record.values],
    backtest: curve,
    benchmark: backtest?.history ? onDays(backtest.history, record.days, 'benchmark_value') : null,
    benchmark_ticker: DEFAULT_BENCHMARK,
    slippage_bps: DEFAULT_SLIPPAGE_BPS,
    backtest_revision: curve ? (decisions[0]?.decision.revision ?? null) : null,
    gap,
    reasons: gap !== null && Math.abs(gap) > NO_GAP ? reasonsOf(record) : [],
    missing_closes: missingInWords(record.missing),
    marks: record.marks.map((mark) => ({
      kind: mark.kind,
      day: mark.day,
      revision: mark.kind === 'revision' ? mark.revision : null,
      restated: mark.kind === 'restated' ? mark.restated.map((one) => ({ ...one })) : [],
    })),
    data_version: dataVersion,
    is_simulated: decisions.some(({ decision }) => decision.isSimulated),
  };
}

/** The curve on the days of the record, 1 on the first of them; null where one of them is missing. */
function onDays(
  { timestamps, ...columns }: BacktestHistory,
  days: readonly string[],
  column: 'value' | 'benchmark_value',
): number[] | null {
  const values = columns[column];
  const at = new Map(timestamps.map((seconds, i) => [formatDay(seconds / DAY_SECONDS), values?.[i]]));
  const found = days.map((day) => at.get(day));
  const start = found[0];
  if (start === undefined || found.includes(undefined)) return null;
  return found.map((value) => (value as number) / start);
}

/** What the gap to the backtest can come from, in words. */
function reasonsOf({ marks, missing }: LivedRecord): string[] {
  const restated = marks.filter((mark) => mark.kind === 'restated');
  const closes = [
    ...new Set(restated.flatMap((mark) => mark.restated.map(({ ticker, day }) => `${ticker} on ${day}`))),
  ];
  const revisions = marks.filter((mark) => mark.kind === 'revision');
  const late = marks.filter(({ kind }) => kind === 'late').length;
  const paused = marks.filter(({ kind }) => kind === 'resumed');
  const named =
    closes.length > 3 ? `${closes.slice(0, 3).join(', ')} and ${closes.length - 3} more` : closes.join(', ');
  const reasons = [
    restated.length > 0 &&
      'Prices were changed after ' +
        `${restated.length === 1 ? 'a decision' : `${restated.length} decisions`} that would come ` +
        `out otherwise today${named && `: ${named}`}.`,
    revisions.length > 0 &&
      'The strategy was changed: ' +
        `${revisions.map(({ day, revision }) => `revision ${revision} decides from ${day} on`).join(', ')}.`,
    late > 0 &&
      `${late === 1 ? 'One decision was made too late and' : `${late} decisions were made too late and`} not traded.`,
    paused.length > 0 &&
      `Nobody followed before ${paused.map(({ day }) => day).join(', ')}: nothing was held in between.`,
    missing.length > 0 && 'Closes are missing, and others were assumed in their place.',
  ].filter((reason) => typeof reason === 'string');
  return reasons.length > 0
    ? reasons
    : ['Prices that were changed since without changing what was decided, or another version of the engine.'];
}
