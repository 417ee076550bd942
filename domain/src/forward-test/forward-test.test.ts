import { describe, expect, it } from 'vitest';
import { folded } from '../../testing/folded.ts';
import { given } from '../../testing/given.ts';
import type { RecordedEvent } from '../kernel/event.ts';
import { type Decided, decisionStream, evaluationId } from './decision.ts';
import { evaluationFailuresProjection } from './failure.ts';
import { followStream } from './follow.ts';
import { followPlaceStream } from './follow-places.ts';
import { type ForwardRecordDocument, forwardRecordsProjection } from './projections.ts';

const follow = {
  userId: 'u1',
  strategyId: 's1',
  revision: 3,
  startDay: '2026-11-20',
  registration: { metric: 'sharpe', horizonDays: 180 },
} as const;
const followed = { type: 'StrategyFollowed', data: follow } as const;
const left = {
  type: 'StrategyUnfollowed',
  data: { userId: 'u1', strategyId: 's1', startDay: '2026-11-20' },
} as const;

const decided: Decided = {
  strategyId: 's1',
  revision: 3,
  day: '2026-11-20',
  runFrom: '2025-11-19',
  dataVersion: 'v1',
  engineVersion: '1',
  isSimulated: false,
  weights: { SPY: 60, TLT: 40 },
  conditions: [{ id: 'c1', lhs: 101, rhs: 100, holds: true }],
  branches: [{ id: 'b1', isThen: true }],
  closes: { SPY: 600, TLT: 90 },
};
const made = { type: 'DecisionMade', data: { ...decided, isLate: false } } as const;
const restated = [{ ticker: 'TLT', day: '2026-11-19', was: 90, is: 80 }];
const other: Decided = { ...decided, dataVersion: 'v2', weights: { SPY: 100 } };
const corrected = {
  type: 'DecisionCorrected',
  data: { ...other, previousDataVersion: 'v1', restated },
} as const;

describe('following a strategy', () => {
  it('begins once, and what was registered stands', () => {
    given(followStream).when({ type: 'FollowStrategy', follow }).thenEvents(followed);
    const backDated = { ...follow, startDay: '2020-01-02', registration: null };
    given(followStream, followed).when({ type: 'FollowStrategy', follow: backDated }).thenEvents();
  });
  it('ends once, and begins anew with a start of its own', () => {
    given(followStream).when({ type: 'UnfollowStrategy' }).thenEvents();
    given(followStream, followed).when({ type: 'UnfollowStrategy' }).thenEvents(left);
    given(followStream, followed, left).when({ type: 'UnfollowStrategy' }).thenEvents();
    const again = { ...follow, startDay: '2026-12-01' };
    given(followStream, followed, left)
      .when({ type: 'FollowStrategy', follow: again })
      .thenEvents({ type: 'StrategyFollowed', data: again });
  });
});

describe('a decision', () => {
  it('is made once for a strategy, a revision and a day', () => {
    given(decisionStream).when({ type: 'MakeDecision', decided, isLate: false }).thenEvents(made);
    given(decisionStream, made).when({ type: 'MakeDecision', decided: other, isLate: true }).thenEvents();
  });
  it('is marked where it was made late', () => {
    given(decisionStream)
      .when({ type: 'MakeDecision', decided, isLate: true })
      .thenEvents({ type: 'DecisionMade', data: { ...decided, isLate: true } });
  });
  it('is never rewritten: other prices make a further event, once', () => {
    const correct = { type: 'CorrectDecision', decided: other, restated } as const;
    given(decisionStream, made).when(correct).thenEvents(corrected);
    given(decisionStream, made, corrected).when(correct).thenEvents();
    given(decisionStream).when(correct).thenEvents();
  });
  it('needs no correction where other prices come to the same', () => {
    const same = { ...decided, dataVersion: 'v2', closes: { SPY: 601, TLT: 90 } };
    given(decisionStream, made).when({ type: 'CorrectDecision', decided: same, restated: [] }).thenEvents();
  });
  it('has the same command id wherever it is evaluated, and another one with other prices', () => {
    expect(evaluationId(decided)).toBe(evaluationId({ ...decided }));
    expect(evaluationId(decided)).not.toBe(evaluationId(other));
  });
});

describe('a strategy that could not be decided', () => {
  const failed = (day: string, code = 'no_prices') => ({
    type: 'EvaluationFailed',
    data: { strategyId: 's1', revision: 3, day, dataVersion: 'v1', code },
  });
  const madeOn = (day: string) => ({ ...made, data: { ...made.data, day } });
  const failure = (...events: readonly ReturnType<typeof failed | typeof madeOn>[]) =>
    folded(evaluationFailuresProjection, ...events);

  it('is so until that day or a later one is decided', () => {
    expect(failure(failed('2026-11-20'))).toMatchObject({ day: '2026-11-20', code: 'no_prices' });
    expect(failure(failed('2026-11-20'), madeOn('2026-11-19'))).toMatchObject({ day: '2026-11-20' });
    expect(failure(failed('2026-11-20'), madeOn('2026-11-20'))).toBeNull();
    expect(failure(failed('2026-11-20'), madeOn('2026-11-23'))).toBeNull();
  });

  it('is so for its last reason of the newest day', () => {
    const later = failure(failed('2026-11-20'), failed('2026-11-20', 'too_large'));
    expect(later).toMatchObject({ code: 'too_large', failedAt: '2026-01-02T00:00:00.000Z' });
    expect(failure(failed('2026-11-20'), failed('2026-11-19', 'too_large'))?.code).toBe('no_prices');
  });
});

describe('the records of followed strategies', () => {
  const after = (...events: readonly { type: string; data: object }[]) => {
    let document: Omit<ForwardRecordDocument, '_revision' | '_position'> | null = null;
    for (const event of events)
      document = forwardRecordsProjection.evolve(
        document as ForwardRecordDocument | null,
        event as unknown as RecordedEvent,
        's1',
      );
    return document;
  };
  const second = { ...followed, data: { ...follow, userId: 'u2', startDay: '2026-11-25' } };
  it('are one, however many people follow', () => {
    expect(after(followed, made, second)).toEqual({
      id: 's1',
      followers: 2,
      startDay: '2026-11-20',
      decidedDay: '2026-11-20',
    });
    expect(after(followed, second, left)).toMatchObject({ followers: 1, startDay: '2026-11-20' });
  });
  it('have come as far as their newest decision, also where an earlier day is decided after it', () => {
    const caughtUp = { ...made, data: { ...made.data, day: '2026-11-19', isLate: true } };
    expect(after(followed, made, caughtUp)).toMatchObject({ decidedDay: '2026-11-20' });
  });
  it('go on from today where nobody followed for a while', () => {
    expect(after(followed, made, left, second)).toMatchObject({ followers: 1, startDay: '2026-11-25' });
  });
});

describe('the places of a plan', () => {
  const userId = 'u1';
  const plan = { name: 'Free', followedStrategies: 2 };
  const take = (strategyId: string, followed: readonly string[] = []) =>
    ({ type: 'TakeFollowPlace', userId, strategyId, followed, plan, at: 'now' }) as const;
  const taken = (strategyId: string) =>
    ({ type: 'FollowPlaceTaken', data: { userId, strategyId, at: 'now' } }) as const;
  const freed = (strategyId: string) => ({ type: 'FollowPlaceFreed', data: { userId, strategyId } }) as const;
  const free = (strategyId: string) => ({ type: 'FreeFollowPlace', userId, strategyId }) as const;

  it('are taken one by one, and no more than there are', () => {
    given(followPlaceStream).when(take('a')).thenEvents(taken('a'));
    given(followPlaceStream, taken('a')).when(take('b')).thenEvents(taken('b'));
    given(followPlaceStream, taken('a'), taken('b')).when(take('c')).thenRefused(403, 'too_many_follows');
    given(followPlaceStream, taken('a'), taken('b')).when(take('b')).thenEvents();
    given(followPlaceStream, taken('a'), taken('b')).when(free('a')).thenEvents(freed('a'));
    given(followPlaceStream, taken('a'), taken('b'), freed('a')).when(take('c')).thenEvents(taken('c'));
    given(followPlaceStream, taken('a'), freed('a')).when(free('a')).thenEvents();
  });

  it('are those of follows of before there were places, too, until they are left', () => {
    given(followPlaceStream)
      .when(take('c', ['a', 'b']))
      .thenRefused(403, 'too_many_follows');
    given(followPlaceStream).when(free('a')).thenEvents(freed('a'));
    // What is known of them may lag behind.
    given(followPlaceStream, freed('a'))
      .when(take('c', ['a', 'b']))
      .thenEvents(taken('c'));
    given(followPlaceStream, freed('a'), taken('c'))
      .when(take('d', ['a', 'b', 'c']))
      .thenRefused(403, 'too_many_follows');
  });

  it('do not count the strategy itself, of which the read model knows already', () => {
    given(followPlaceStream, taken('a'))
      .when(take('b', ['a', 'b']))
      .thenEvents(taken('b'));
  });
});
