import type { TradingBot } from '../contracts/http/strategies.ts';
import type { HoldOut } from './hold-out.ts';
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

/** A strategy as the API shows it, at a revision of its stream. Throws for a stream without a strategy, which no command leaves. */
export function tradingBotOf({
  state,
  revision,
}: {
  readonly state: StrategyState;
  readonly revision: number;
}): BotWithHeldTree {
  if (state.status === 'none') throw new Error('There is no trading bot in this stream');
  const bot = {
    id: state.strategyId,
    name: state.name,
    status: state.status === 'deleted' ? 'draft' : state.status,
    is_public: state.isPublic,
    type: state.type,
    variables: [...state.variables],
    user_id: state.ownerId,
    created_at: state.createdAt,
    updated_at: state.updatedAt,
    algorithm_updated_at: state.algorithmUpdatedAt,
    revision,
    lineage_id: state.lineageId,
    tags: [...(state.tags ?? [])],
    is_archived: state.isArchived ?? false,
    hold_out: holdOutAnswer(state.holdOut),
  };
  return { bot, held: heldTreeOf(state) };
}
