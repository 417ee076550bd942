import { Type } from 'typebox';
import { defineStream, type EventOf } from '../kernel/define-stream.ts';
import { Count, DayText, exactly, Id } from '../kernel/event-fields.ts';
import type { StreamKind } from '../kernel/handle-command.ts';

/** What a follower may say beforehand will count. */
export const FOLLOW_METRICS = [
  'annualized_return',
  'cumulative_return',
  'max_drawdown',
  'sharpe',
  'calmer',
] as const;

/** What will count is said before any of it has happened: a figure, and the days after which it is looked at. */
const RegistrationSchema = exactly({
  metric: Type.Enum([...FOLLOW_METRICS]),
  /** Calendar days from the start on. */
  horizonDays: Type.Integer({ minimum: 1, maximum: 3650 }),
});

/** The events of a `follow-{userId}-{strategyId}` stream. */
export const FOLLOW_EVENTS = defineStream({
  category: 'follow',
  events: {
    /** From this day on the decisions of the strategy are kept; nothing of it can be dated back. */
    StrategyFollowed: exactly({
      userId: Id,
      strategyId: Id,
      /** The strategy's revision at that time. */
      revision: Count,
      /** The newest day of the market data: the first decision is made at its close, for the day after it. */
      startDay: DayText,
      registration: Type.Union([RegistrationSchema, Type.Null()]),
    }),
    StrategyUnfollowed: exactly({
      userId: Id,
      strategyId: Id,
      /** Where the following had begun; missing in events of before there were bands. */
      startDay: Type.Optional(DayText),
    }),
  },
});
export type FollowEvent = EventOf<typeof FOLLOW_EVENTS>;
export type StrategyFollowed = EventOf<typeof FOLLOW_EVENTS, 'StrategyFollowed'>;

export type FollowCommand =
  | { readonly type: 'FollowStrategy'; readonly follow: StrategyFollowed['data'] }
  | { readonly type: 'UnfollowStrategy' };

/** The last time it was followed, and whether it still is. */
export type FollowState =
  | { readonly status: 'none' }
  | { readonly status: 'followed' | 'left'; readonly follow: StrategyFollowed['data'] };

export const followStream: StreamKind<FollowCommand, FollowState, FollowEvent> = {
  ...FOLLOW_EVENTS,
  decider: {
    initialState: { status: 'none' },
    decide: (command, state) => {
      if (command.type === 'FollowStrategy')
        // What was registered stands: following again cannot move the start.
        return state.status === 'followed' ? [] : [{ type: 'StrategyFollowed', data: command.follow }];
      if (state.status !== 'followed') return [];
      const { userId, strategyId, startDay } = state.follow;
      return [{ type: 'StrategyUnfollowed', data: { userId, strategyId, startDay } }];
    },
    evolve: (state, event) => {
      if (event.type === 'StrategyFollowed') return { status: 'followed', follow: event.data };
      if (state.status === 'none') throw new Error('A strategy was left that was never followed');
      return { ...state, status: 'left' };
    },
  },
};

/** Id of a follow within the category. */
export const followId = ({ userId, strategyId }: { readonly userId: string; readonly strategyId: string }) =>
  `${userId}-${strategyId}`;
