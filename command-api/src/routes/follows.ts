import { systemCommand } from '@quantloom/domain/batch/system-command';
import { followStrategy, unfollowStrategy } from '@quantloom/domain/contracts/http/forward-tests';
import { followId, followStream } from '@quantloom/domain/forward-test/follow';
import { type FollowPlaceCommand, followPlaceStream } from '@quantloom/domain/forward-test/follow-places';
import { type FollowDocument, followsProjection } from '@quantloom/domain/forward-test/projections';
import { PLANS, type Plan } from '@quantloom/domain/identity/plans';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal, type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import type { MarketData } from '@quantloom/domain/ports/market-data';
import { maySeeStrategy, STRATEGY_NOT_FOUND, strategyStream } from '@quantloom/domain/strategy/strategy';
import { mountRoute } from '@quantloom/http/routes';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { runCommand } from '../command-call.ts';
import type { WriteDeps } from '../deps.ts';

/** More than any plan follows. */
const MOST_FOLLOWS = 1_000;
/** A place is followed by the follow within a moment. */
const LOST_AFTER_MS = 60_000;

export interface FollowDeps extends WriteDeps {
  readonly marketData: Pick<MarketData, 'current'>;
}

/** Following strategies, and leaving them. */
export function mountFollows(app: FastifyInstance, deps: FollowDeps): void {
  /** A strategy that the caller may see, with its revision. */
  const visible = async (id: string, userId: string) => {
    const { state, revision } = await loadState(deps.eventStore, strategyStream, id, deps.stateCache);
    if (state.status === 'none') return null;
    return maySeeStrategy({ ...state, isDeleted: state.status === 'deleted' }, userId)
      ? { state, revision }
      : null;
  };

  const places = (command: FollowPlaceCommand, commandId: string, request: FastifyRequest) =>
    systemCommand(
      deps.eventStore,
      followPlaceStream,
      command.userId,
      command,
      {
        commandId,
        correlationId: request.id,
        actor: { kind: 'system', name: 'follows' },
        now: deps.clock.now().toISOString(),
      },
      deps.stateCache,
    );

  /** Places of strategies that are not followed: who took them died before he followed. */
  const freeLost = async (request: FastifyRequest, userId: string): Promise<boolean> => {
    const { state } = await loadState(deps.eventStore, followPlaceStream, userId, deps.stateCache);
    const before = new Date(deps.clock.now().getTime() - LOST_AFTER_MS).toISOString();
    let isAny = false;
    for (const [strategyId, since] of state) {
      if (since === null || since > before) continue;
      const key = followId({ userId, strategyId });
      const { state: follow } = await loadState(deps.eventStore, followStream, key, deps.stateCache);
      if (follow.status === 'followed') continue;
      await places({ type: 'FreeFollowPlace', userId, strategyId }, deps.newId(), request);
      isAny = true;
    }
    return isAny;
  };

  /**
   * Takes one of the plan's places. The read model lags behind; it tells of follows of before there were
   * places alone.
   */
  const takePlace = async (
    request: FastifyRequest,
    userId: string,
    strategyId: string,
    plan: Plan,
  ): Promise<Refusal | null> => {
    const follows = await deps.readModels.find<FollowDocument>(followsProjection.collection.name, {
      where: { userId },
      limit: MOST_FOLLOWS,
    });
    const followed = follows.map((follow) => follow.strategyId);
    const at = deps.clock.now().toISOString();
    const command = { type: 'TakeFollowPlace', userId, strategyId, followed, plan, at } as const;
    const taken = await places(command, deps.newId(), request);
    if (!isRefusal(taken)) return null;
    if (!(await freeLost(request, userId))) return taken;
    const again = await places(command, deps.newId(), request);
    return isRefusal(again) ? again : null;
  };

  mountRoute(app, followStrategy, async (call) => {
    const { id: strategyId } = call.params;
    const { userId, planId } = call.principal;
    const strategy = await visible(strategyId, userId);
    if (!strategy) return STRATEGY_NOT_FOUND;
    if (strategy.state.variables.length > 0)
      return refuse(
        422,
        'has_variables',
        `The strategy has variables (${strategy.state.variables.slice(0, 5).join(', ')}): ` +
          'give each of them a value in a copy, and follow that.',
      );
    const { metric, horizon_days: horizonDays } = call.body;
    if ((metric === undefined) !== (horizonDays === undefined))
      return refuse(
        422,
        'incomplete_registration',
        'What will count is registered with both a metric and a horizon in days, or not at all.',
      );
    const key = followId({ userId, strategyId });
    const { state: before } = await loadState(deps.eventStore, followStream, key, deps.stateCache);
    const startDay = await newestDay(deps.marketData);
    if (isRefusal(startDay)) return startDay;
    if (before.status !== 'followed') {
      const refusal = await takePlace(call.request, userId, strategyId, PLANS[planId]);
      if (refusal) return refusal;
    }
    const result = await runCommand(call, deps, followStream, key, {
      type: 'FollowStrategy',
      follow: {
        userId,
        strategyId,
        revision: strategy.revision,
        startDay,
        registration: metric !== undefined && horizonDays !== undefined ? { metric, horizonDays } : null,
      },
    });
    if (isRefusal(result)) return result;
    if (result.state.status === 'none') throw new Error('A strategy was followed and is not');
    const { follow } = result.state;
    return {
      strategy_id: strategyId,
      revision: follow.revision,
      start_day: follow.startDay,
      metric: follow.registration?.metric ?? null,
      horizon_days: follow.registration?.horizonDays ?? null,
    };
  });

  mountRoute(app, unfollowStrategy, async (call) => {
    const { id: strategyId } = call.params;
    const { userId } = call.principal;
    const key = followId({ userId, strategyId });
    const { state } = await loadState(deps.eventStore, followStream, key, deps.stateCache);
    // Whoever follows may leave, also what he may not see any more.
    if (state.status === 'none' && !(await visible(strategyId, userId))) return STRATEGY_NOT_FOUND;
    const result = await runCommand(call, deps, followStream, key, { type: 'UnfollowStrategy' });
    if (isRefusal(result)) return result;
    if (state.status !== 'none')
      await places({ type: 'FreeFollowPlace', userId, strategyId }, deps.newId(), call.request);
    return { strategy_id: strategyId, is_followed: false };
  });
}

async function newestDay(marketData: Pick<MarketData, 'current'>): Promise<string | Refusal> {
  try {
    return (await marketData.current()).lastDay;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'no_data_set') throw error;
    return refuse(409, 'no_data_set', 'No market data are loaded yet');
  }
}
