import {
  type DecisionAnswer,
  type Follow,
  getTomorrow,
  listDecisions,
  listFollows,
} from '@quantloom/domain/contracts/http/forward-tests';
import type { Decided } from '@quantloom/domain/forward-test/decision';
import {
  type EvaluationFailureDocument,
  evaluationFailuresProjection,
} from '@quantloom/domain/forward-test/failure';
import { ordersOf } from '@quantloom/domain/forward-test/orders';
import {
  type DecisionDocument,
  decisionsProjection,
  type FollowDocument,
  type ForwardRecordDocument,
  followsProjection,
  forwardRecordsProjection,
} from '@quantloom/domain/forward-test/projections';
import { newestDecision } from '@quantloom/domain/forward-test/recent-decisions';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import {
  type StrategySummaryDocument,
  strategySummariesProjection,
} from '@quantloom/domain/strategy/projection';
import { maySeeStrategy, STRATEGY_NOT_FOUND } from '@quantloom/domain/strategy/strategy';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance } from 'fastify';
import { awaitOwnWrites } from '../consistency.ts';
import type { ReadDeps } from '../deps.ts';

/** More than any plan follows. */
const MOST_FOLLOWS = 1_000;
const DECISIONS_SHOWN = 100;

const marginsOf = ({ conditions }: Decided) =>
  conditions.map((condition) => ({ ...condition, margin: condition.lhs - condition.rhs }));

function decisionOf({ decision, decidedAt, correction }: DecisionDocument): DecisionAnswer {
  return {
    strategy_id: decision.strategyId,
    revision: decision.revision,
    day: decision.day,
    decided_at: decidedAt,
    is_late: decision.isLate,
    run_from: decision.runFrom,
    data_version: decision.dataVersion,
    engine_version: decision.engineVersion,
    is_simulated: decision.isSimulated,
    weights: { ...decision.weights },
    closes: { ...decision.closes },
    conditions: marginsOf(decision),
    branches: decision.branches.map(({ id, isThen }) => ({ id, is_then: isThen })),
    correction: correction && {
      data_version: correction.dataVersion,
      weights: { ...correction.weights },
      restated: correction.restated.map((one) => ({ ...one })),
    },
  };
}

/** @param decidedDay a failure of that day, or before, is made good */
function failureOf(failure: EvaluationFailureDocument | undefined, decidedDay = ''): Follow['failure'] {
  if (!failure || failure.day <= decidedDay) return null;
  return { day: failure.day, code: failure.code, failed_at: failure.failedAt };
}

/** The newest day of the market data; empty where there are none any more. */
async function newestDayOf(marketData: Pick<MarketData, 'current'>): Promise<string> {
  try {
    return (await marketData.current()).lastDay;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'no_data_set') throw error;
    return '';
  }
}

/** Reads of what is followed, what was decided, and what is held next. */
export function mountForwardTestQueries(
  app: FastifyInstance,
  deps: ReadDeps & { readonly marketData: Pick<MarketData, 'current'> },
): void {
  const { readModels } = deps;
  const projections = [
    strategySummariesProjection,
    followsProjection,
    forwardRecordsProjection,
    decisionsProjection,
    evaluationFailuresProjection,
  ];
  const summaries = strategySummariesProjection.collection.name;

  const followsOf = async (userId: string) => {
    const follows = await readModels.find<FollowDocument>(followsProjection.collection.name, {
      where: { userId },
      sort: [['followedAt', 'desc']],
      limit: MOST_FOLLOWS,
    });
    const ids = follows.map(({ strategyId }) => strategyId);
    const strategies = await readModels.getMany<StrategySummaryDocument>(summaries, ids);
    // What was made private or deleted since is nobody else's business any more.
    const visible = strategies.filter((strategy) => maySeeStrategy(strategy, userId));
    return { follows, ids, names: new Map(visible.map(({ id, name }) => [id, name])) };
  };
  const failuresOf = async (strategyIds: readonly string[]) => {
    const { name } = evaluationFailuresProjection.collection;
    const failures = await readModels.getMany<EvaluationFailureDocument>(name, [...strategyIds]);
    return new Map(failures.map((failure) => [failure.id, failure]));
  };
  const decisionsOf = (strategyId: string, limit: number, skip: number) =>
    readModels.find<DecisionDocument>(decisionsProjection.collection.name, {
      where: { strategyId },
      sort: [['day', 'desc']],
      limit,
      skip,
    });

  mountRoute(app, listFollows, async (call) => {
    await awaitOwnWrites(call, deps.consistency, ...projections);
    const { follows, ids, names } = await followsOf(call.principal.userId);
    const { name } = forwardRecordsProjection.collection;
    const records = await readModels.getMany<ForwardRecordDocument>(name, ids);
    const decided = new Map(records.map(({ id, decidedDay }) => [id, decidedDay]));
    const failures = await failuresOf([...names.keys()]);
    return follows.map(({ strategyId, revision, startDay, followedAt, registration }) => ({
      strategy_id: strategyId,
      name: names.get(strategyId) ?? null,
      revision,
      start_day: startDay,
      followed_at: followedAt,
      metric: registration?.metric ?? null,
      horizon_days: registration?.horizonDays ?? null,
      last_decided_day: (names.has(strategyId) && decided.get(strategyId)) || null,
      failure: failureOf(failures.get(strategyId), decided.get(strategyId)),
    }));
  });

  mountRoute(app, listDecisions, async (call) => {
    await awaitOwnWrites(call, deps.consistency, ...projections);
    const { id } = call.params;
    const strategy = await readModels.get<StrategySummaryDocument>(summaries, id);
    if (!strategy || !maySeeStrategy(strategy, call.principal.userId)) return STRATEGY_NOT_FOUND;
    const { limit = DECISIONS_SHOWN, skip = 0 } = call.query;
    const [decisions, total] = await Promise.all([
      decisionsOf(id, limit, skip),
      readModels.count(decisionsProjection.collection.name, { strategyId: id }),
    ]);
    call.reply.header('x-total-count', String(total));
    return decisions.map(decisionOf);
  });

  mountRoute(app, getTomorrow, async (call) => {
    await awaitOwnWrites(call, deps.consistency, ...projections);
    const { follows, names } = await followsOf(call.principal.userId);
    const { amount = null } = call.query;
    const failures = await failuresOf([...names.keys()]);
    const newestDay = await newestDayOf(deps.marketData);
    const answers = [];
    for (const { strategyId } of follows) {
      const name = names.get(strategyId);
      if (name === undefined) continue;
      const newest = await newestDecision(readModels, strategyId);
      if (!newest) continue;
      const { latest, before } = newest;
      const { decision } = latest;
      answers.push({
        strategy_id: strategyId,
        name,
        day: latest.day,
        is_late: decision.isLate,
        is_current: latest.day >= newestDay,
        failure: failureOf(failures.get(strategyId), latest.day),
        is_simulated: decision.isSimulated,
        orders: ordersOf(decision, before, amount),
        conditions: marginsOf(decision),
      });
    }
    return answers;
  });
}
