import { refuseProblems } from '@quantloom/domain/batch/request';
import type { BacktestRequest } from '@quantloom/domain/contracts/backtest';
import { COLUMNS_TYPE } from '@quantloom/domain/contracts/backtest-columns';
import { type BacktestBodyInput, runBacktest } from '@quantloom/domain/contracts/http/backtests';
import type { IdSource } from '@quantloom/domain/kernel/ids';
import { isRefusal, type Refusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import type { BacktestRunner, RunFigures } from '@quantloom/domain/ports/backtest-runner';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import type { RateLimits } from '@quantloom/domain/ports/rate-limits';
import { readTerms } from '@quantloom/domain/strategy/backtest-terms';
import { planLimitText, planProblems, planProblemsOfSettings } from '@quantloom/domain/strategy/plan-limits';
import type { RunHashes } from '@quantloom/domain/strategy/run-hashes';
import { sizeOf, sizeProblem } from '@quantloom/domain/strategy/size';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { validateAlgorithm } from '@quantloom/domain/strategy/validation';
import type { RunRequest } from '@quantloom/domain/strategy/written-tree';
import { breath } from '@quantloom/http/breath';
import { leaving } from '@quantloom/http/caller-address';
import type { Principal } from '@quantloom/http/principal';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextOf, countTrials } from '../count-trials.ts';
import type { ReadDeps } from '../deps.ts';
import { recordDefect } from '../engine-defects.ts';
import { createRunRecorder } from '../run-recording.ts';

const DAY_MS = 86_400_000;

export interface BacktestRunDeps extends ReadDeps {
  readonly marketData: MarketData;
  readonly backtestRunner: BacktestRunner;
  readonly newId: IdSource;
  /** Counts what is written; without it only what is stored altogether is limited. */
  readonly rateLimits?: RateLimits;
}

/** Runs single backtests; a defect of the engine is recorded with everything that is needed to run it again. */
export function mountBacktests(app: FastifyInstance, deps: BacktestRunDeps): void {
  const recorder = createRunRecorder(deps);
  mountRoute(app, runBacktest, async (call) => {
    const { body, principal, request, reply, cost } = call;
    await breath();
    const today = exchangeDay(deps.clock.now());
    const { checkedSize, writtenTree } = request;
    const read = readBacktestRequest(body, principal, today, { isChecked: checkedSize !== null });
    if (isRefusal(read)) return read;
    const wanted: RunRequest = writtenTree ? { ...read, trading_bot: writtenTree } : read;
    await breath();
    // Named from the start, so that a recorded defect can be run again on the same data.
    const dataVersion = body.data_version ?? (await versionNow(deps.marketData));
    if (isRefusal(dataVersion)) return dataVersion;
    const days = daysBetween(wanted.start_date, wanted.end_date);
    const expectedMs = costOfRun(checkedSize ?? sizeOf(read.trading_bot), days, wanted.include);
    const refused = await cost.expect(expectedMs);
    if (refused) return refused;
    // Who leaves need not be waited for.
    const left = leaving(request, reply);
    let spent = 0;
    let figures: RunFigures | undefined;
    let hashes: RunHashes | undefined;
    try {
      const form = wantsColumns(request) ? 'columns' : 'json';
      const answer = await deps.backtestRunner.runAs(form, wanted, {
        dataVersion,
        signal: left,
        owner: principal.userId,
        expectedMs,
        deadlineMs: cost.limits.deadlineSeconds * 1000,
        onSpent: (milliseconds) => {
          spent = milliseconds;
        },
        onFigures: (found) => {
          figures = found;
        },
        ...(body.strategy_id && {
          onHashes: (found: RunHashes) => {
            hashes = found;
          },
        }),
      });
      if (hashes && body.strategy_id) {
        const trials = [{ fingerprint: hashes.trial, before: hashes.run }];
        await countTrials(call, body.strategy_id, { trials, hashes }, deps);
        const context = contextOf(call, deps);
        if (figures) await recorder.record(call, body.strategy_id, { wanted, hashes, figures }, context);
      }
      reply.type(form === 'columns' ? COLUMNS_TYPE : 'application/json; charset=utf-8');
      return reply.send(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength));
    } catch (error) {
      if (error instanceof RefusalError) return error.refusal;
      if (error instanceof Error && (error as { code?: unknown }).code === 'unknown_version')
        return refuse(400, 'unknown_version', error.message);
      if (isRefusal((error as { refusal?: unknown }).refusal)) throw error;
      if (left.aborted) throw error;
      return await recordDefect(error, { request: wanted, dataVersion }, { principal, request, reply }, deps);
    } finally {
      await cost.settle(spent);
    }
  });
}

/** Columns are for who names them; whoever takes anything gets JSON. */
function wantsColumns({ headers }: FastifyRequest): boolean {
  const types = headers.accept?.split(',').map((type) => type.split(';')[0]?.trim());
  return types?.includes(COLUMNS_TYPE) ?? false;
}

export async function versionNow(marketData: MarketData): Promise<string | Refusal> {
  try {
    return (await marketData.current()).version;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'no_data_set') throw error;
    return refuse(409, 'no_data_set', 'No market data are loaded yet');
  }
}

/**
 * The request as the engine takes it, or what is wrong with it: a fault of the tree names its block.
 *
 * @param known whether another thread has checked the tree already
 */
export function readBacktestRequest(
  body: BacktestBodyInput,
  principal: Pick<Principal, 'features'>,
  today: string,
  known: { readonly isChecked: boolean } = { isChecked: false },
): BacktestRequest | Refusal {
  const terms = readTerms(body, today);
  if (isRefusal(terms)) return terms;
  const algorithm = body.trading_bot;
  const { features } = principal;
  if (!known.isChecked) {
    const tooLarge = sizeProblem(sizeOf(algorithm));
    if (tooLarge) return refuseProblems([tooLarge]);
    const problems = validateAlgorithm(algorithm, { requireBound: true });
    if (problems.length > 0) return refuseProblems(problems);
  }
  const limits = [
    ...(known.isChecked ? [] : planProblems(algorithm as Algorithm, features)),
    ...planProblemsOfSettings({ ...terms, benchmark_ticker: terms.benchmark }, features),
  ];
  if (limits.length > 0)
    return refuse(403, limits[0]?.code ?? 'feature_missing', planLimitText(limits), { problems: limits });
  return {
    start_date: terms.startDate,
    end_date: terms.endDate,
    ...(isGiven(body.starting_balance) && { starting_balance: terms.startingBalance }),
    ...(isGiven(body.slippage_bps) && { slippage_bps: terms.slippageBps }),
    ...(isGiven(body.benchmark_ticker) && { benchmark_ticker: terms.benchmark }),
    ...(terms.fill !== 'close' && { fill: terms.fill }),
    ...(terms.cash && { cash: terms.cash }),
    ...(terms.benchmarks.length > 0 && { benchmarks: [...terms.benchmarks] }),
    ...(terms.indicatorPrices !== 'adjusted' && { indicator_prices: terms.indicatorPrices }),
    ...(body.include && { include: body.include }),
    trading_bot: algorithm as Algorithm,
  };
}

/** Calendar days from one date to another, both checked. */
export function daysBetween(start: string, end: string): number {
  return (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
