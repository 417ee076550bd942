import type { TradingBot } from '../contracts/http/strategies.ts';
import type { HoldOut } from './hold-out.ts';
import { type OwnFieldValues, ownFieldsShown } from './own-fields/own-fields.ts';
import type { StrategySummaryDocument } from './projection.ts';
import { type HeldTree, heldTreeOf } from './stored-tree.ts';
import type { StrategyState } from './strategy.ts';

/** A strategy as the API shows it, but for the tree, which may have to be fetched. */
export interface BotWithHeldTree {
  readonly bot: Omit<TradingBot, 'algorithm'>;
  readonly held: HeldTree;
}

/** A hold-out as the API shows it; null where there never was one. */
export function holdOutAnswer(holdOut: HoldOut | undefined): NonNullable<TradingBot['hold_out']> | null {
  return holdOut ? { date: holdOut.date, given_away_until: holdOut.givenAwayUntil } : null;
}

/** What the stream of a strategy and its document both know of it. */
type KnownStrategy = HeldTree &
  OwnFieldValues & { readonly status: 'draft' | 'live' | 'deleted' } & Pick<
    StrategySummaryDocument,
    | 'name'
    | 'isPublic'
    | 'type'
    | 'variables'
    | 'ownerId'
    | 'createdAt'
    | 'updatedAt'
    | 'algorithmUpdatedAt'
    | 'lineageId'
    | 'holdOut'
  >;

/** A strategy as the API shows it. */
export function tradingBotOf(
  strategy: KnownStrategy,
  { id, revision }: { readonly id: string; readonly revision: number },
): BotWithHeldTree {
  const bot = {
    id,
    name: strategy.name,
    status: strategy.status === 'deleted' ? 'draft' : strategy.status,
    is_public: strategy.isPublic,
    type: strategy.type,
    variables: [...strategy.variables],
    user_id: strategy.ownerId,
    created_at: strategy.createdAt,
    updated_at: strategy.updatedAt,
    algorithm_updated_at: strategy.algorithmUpdatedAt,
    revision,
    lineage_id: strategy.lineageId,
    ...ownFieldsShown(strategy),
    hold_out: holdOutAnswer(strategy.holdOut),
  };
  return { bot, held: heldTreeOf(strategy) };
}

/** The same at a revision of its stream. Throws for a stream without a strategy, which no command leaves. */
export function tradingBotAt({
  state,
  revision,
}: {
  readonly state: StrategyState;
  readonly revision: number;
}): BotWithHeldTree {
  if (state.status === 'none') throw new Error('There is no trading bot in this stream');
  return tradingBotOf(state, { id: state.strategyId, revision });
}
