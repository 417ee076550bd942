import { fingerprintOf, treeFingerprint } from '@quantloom/domain/batch/reuse';
import type { BacktestRequest, BatchRequest } from '@quantloom/domain/contracts/backtest';
import { runSensitivity } from '@quantloom/domain/contracts/http/backtests';
import { isRefusal, RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import { costOfRun } from '@quantloom/domain/limits/cost';
import { exchangeDay } from '@quantloom/domain/market-data/exchange-day';
import { trialFingerprint } from '@quantloom/domain/strategy/run-hashes';
import { neighboursOf, numbersOf, withNumber } from '@quantloom/domain/strategy/sensitivity';
import { sizeOf } from '@quantloom/domain/strategy/size';
import { breath } from '@quantloom/http/breath';
import { leaving } from '@quantloom/http/caller-address';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { countTrials } from '../count-trials.ts';
import { type BacktestRunDeps, daysBetween, readBacktestRequest, versionNow } from './backtests.ts';

/** Stands for the number while its neighbours are run; a tree that is run holds no other variable. */
const NUMBER = '$NUMBER';
/** A row of a batch takes this part of a single run: what does not depend on the number is computed once. */
const PART_OF_RUN = 0.25;

/** How Sharpe ratio and return change around a number of a strategy: a small batch that is kept nowhere. */
export function mountSensitivity(app: FastifyInstance, deps: BacktestRunDeps): void {
  mountRoute(app, runSensitivity, async (call) => {
    const { body, principal, request, reply, cost } = call;
    await breath();
    const today = exchangeDay(deps.clock.now());
    const { checkedSize } = request;
    const wanted = readBacktestRequest(body, principal, today, { isChecked: checkedSize !== null });
    if (isRefusal(wanted)) return wanted;
    await breath();
    const place = { nodeId: body.place.node_id, index: body.place.index };
    const number = numbersOf(wanted.trading_bot).find(
      ({ nodeId, index }) => nodeId === place.nodeId && index === place.index,
    );
    if (!number)
      return refuse(
        400,
        'unknown_place',
        `The strategy has no number ${place.index} in the block ${place.nodeId}`,
      );
    const values = neighboursOf(number);
    const dataVersion = body.data_version ?? (await versionNow(deps.marketData));
    if (isRefusal(dataVersion)) return dataVersion;
    const days = daysBetween(wanted.start_date, wanted.end_date);
    const expectedMs =
      values.length * PART_OF_RUN * costOfRun(checkedSize ?? sizeOf(wanted.trading_bot), days);
    const refused = await cost.expect(expectedMs);
    if (refused) return refused;
    const left = leaving(request, reply);
    let spent = 0;
    try {
      const batch = batchAround(wanted, place, values);
      const { rows } = await deps.backtestRunner.rows(batch, {
        dataVersion,
        signal: left,
        owner: principal.userId,
        deadlineMs: cost.limits.deadlineSeconds * 1000,
        onSpent: (milliseconds) => {
          spent = milliseconds;
        },
      });
      // The number itself is the run that is on the page.
      const tried = rows.filter(({ values: row, reason }) => reason === null && row[NUMBER] !== number.value);
      const about = trialFingerprint(treeFingerprint(batch.template_bot.algorithm), wanted);
      const before = fingerprintOf(batch);
      const trials = tried.map(({ values: { [NUMBER]: value } }) => ({
        fingerprint: fingerprintOf({ about, value }),
        before: fingerprintOf({ about: before, value }),
      }));
      return {
        value: number.value,
        rows: rows.map(({ values: row, metrics, reason }) => ({
          value: Number(row[NUMBER]),
          sharpe: orNull(metrics.sharpe_ratio),
          annualized_return: orNull(metrics.annualized_return),
          cumulative_return: orNull(metrics.cumulative_return),
          reason,
        })),
        data_version: dataVersion,
        trials: await countTrials(call, body.strategy_id, { trials, hashes: null }, deps),
      };
    } catch (error) {
      if (error instanceof RefusalError) return error.refusal;
      if (error instanceof Error && (error as { code?: unknown }).code === 'unknown_version')
        return refuse(400, 'unknown_version', error.message);
      throw error;
    } finally {
      await cost.settle(spent);
    }
  });
}

const orNull = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The strategy as a template whose only variable stands in the place of the number. */
function batchAround(
  { trading_bot, include: _include, benchmarks: _benchmarks, ...terms }: BacktestRequest,
  place: Parameters<typeof withNumber>[1],
  values: readonly number[],
): BatchRequest {
  return {
    template_bot: {
      name: 'Sensitivity',
      variables: [NUMBER],
      algorithm: withNumber(trading_bot, place, NUMBER),
    },
    variables: { [NUMBER]: values },
    backtest_config: terms,
  };
}
