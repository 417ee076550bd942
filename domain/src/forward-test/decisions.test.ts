import { describe, expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import type { FindQuery } from '../ports/read-models.ts';
import {
  type Decided,
  decisionId,
  decisionStream,
  evaluationId,
  isInTime,
  sameHoldings,
} from './decision.ts';
import { evaluationFailuresProjection, evaluationOf, evaluationStream } from './failure.ts';
import { type DecisionDocument, decisionsProjection, followsProjection } from './projections.ts';
import { MOST_COMPARED, newestDecision, standingDecisions } from './recent-decisions.ts';

const at = '2026-11-20T22:00:00.000Z';
const decided = (day: string, further: object = {}): Decided => ({
  strategyId: 's1',
  revision: 3,
  day,
  runFrom: '2025-11-19',
  dataVersion: 'v1',
  engineVersion: '1',
  isSimulated: false,
  weights: { SPY: 60, TLT: 40 },
  conditions: [],
  branches: [],
  closes: {},
  ...further,
});
const documentOf = (day: string, further: object = {}): DecisionDocument =>
  ({ id: day, strategyId: 's1', day, decision: decided(day, further), decidedAt: at }) as never;
const recorded = (type: string, data: object) => ({ type, data, metadata: { recordedAt: at } }) as never;

describe('holdings', () => {
  it('are the same within a hundredth of a percentage point of every ticker', () => {
    expect(sameHoldings({ SPY: 60, TLT: 40 }, { TLT: 40.005, SPY: 59.995 })).toBe(true);
    expect(sameHoldings({ SPY: 60, TLT: 40 }, { SPY: 60, TLT: 40.02 })).toBe(false);
    expect(sameHoldings({ SPY: 60, TLT: 40 }, { SPY: 60.02, TLT: 40 })).toBe(false);
    expect(sameHoldings({ SPY: 100 }, { SPY: 100, GLD: 0.01 })).toBe(true);
    expect(sameHoldings({ SPY: 100 }, { SPY: 100, GLD: 0.02 })).toBe(false);
    expect(sameHoldings({ GLD: 1 }, {})).toBe(false);
    expect(sameHoldings({}, {})).toBe(true);
  });
});

describe('a decision', () => {
  it('is in time until the next session opens', () => {
    // A Friday; the Monday after it opens at 09:30 in New York.
    expect(isInTime('2026-11-20', new Date('2026-11-23T14:29:59Z'))).toBe(true);
    expect(isInTime('2026-11-20', new Date('2026-11-23T14:30:00Z'))).toBe(false);
    expect(isInTime('2026-11-20', new Date('2026-11-24T10:00:00Z'))).toBe(false);
  });

  it('is corrected by other prices alone', () => {
    const made = { type: 'DecisionMade', data: { ...decided('2026-11-20'), isLate: false } } as const;
    const correct = (further: object) =>
      ({
        type: 'CorrectDecision',
        decided: decided('2026-11-20', { weights: { SPY: 100 }, ...further }),
        restated: [],
      }) as const;
    given(decisionStream, made).when(correct({})).thenEvents();
    given(decisionStream)
      .when(correct({ dataVersion: 'v2' }))
      .thenEvents();
  });

  it('is found by strategy, revision and day', () => {
    expect(decisionId(decided('2026-11-20'))).toBe('s1-3-2026-11-20');
    expect(evaluationId(decided('2026-11-20'))).toBe(evaluationId(decided('2026-11-20'), ''));
    expect(evaluationId(decided('2026-11-20'))).not.toBe(evaluationId(decided('2026-11-20'), 'v0'));
  });

  it('is kept as it was made, with what other prices would make of it beside it', () => {
    const { keys, evolve } = decisionsProjection;
    const data = { ...decided('2026-11-20'), isLate: false };
    const made = recorded('DecisionMade', data);
    expect(keys(made)).toEqual(['s1-3-2026-11-20']);
    const document = {
      id: 'd',
      strategyId: 's1',
      day: '2026-11-20',
      decision: data,
      decidedAt: at,
      correction: null,
    };
    expect(evolve(null, made, 'd')).toEqual(document);
    const correction = { ...decided('2026-11-20', { dataVersion: 'v2' }), previousDataVersion: 'v1' };
    const corrected = recorded('DecisionCorrected', correction);
    const stored = { ...document, _revision: 0, _position: '0' } as never;
    expect(evolve(stored, corrected, 'd')).toMatchObject({ ...document, correction });
    expect(evolve(null, corrected, 'd')).toBeNull();
  });
});

describe('a follow', () => {
  it('is kept until it ends', () => {
    const data = { userId: 'u1', strategyId: 's1', revision: 3, startDay: '2026-11-20', registration: null };
    const { keys, evolve } = followsProjection;
    const followed = recorded('StrategyFollowed', data);
    expect(keys(followed)).toHaveLength(1);
    expect(keys(recorded('StrategyFollowed', { ...data, userId: 'u2' }))).not.toEqual(keys(followed));
    expect(evolve(null, followed, 'f')).toEqual({ ...data, id: 'f', followedAt: at });
    expect(evolve(null, recorded('StrategyUnfollowed', data), 'f')).toBeNull();
  });
});

describe('a day that could not be decided', () => {
  const failed = {
    strategyId: 's1',
    revision: 3,
    day: '2026-11-20',
    dataVersion: 'v1',
    code: 'PRICES_MISSING',
  };
  const event = { type: 'EvaluationFailed', data: failed } as const;

  it('is told once for each reason', () => {
    given(evaluationStream).when({ type: 'RecordFailure', failed }).thenEvents(event);
    given(evaluationStream, event).when({ type: 'RecordFailure', failed }).thenEvents();
    const other = { ...failed, code: 'cannot_run' };
    given(evaluationStream, event)
      .when({ type: 'RecordFailure', failed: other })
      .thenEvents({ type: 'EvaluationFailed', data: other });
    given(evaluationStream, event, { type: 'EvaluationFailed', data: other })
      .when({ type: 'RecordFailure', failed })
      .thenEvents();
    expect(evaluationOf(failed)).toBe('s1-2026-11-20');
  });

  it('names what has no close', () => {
    const { evolve } = evaluationFailuresProjection;
    const document = { id: 's1', day: '2026-11-20', code: 'PRICES_MISSING', failedAt: at };
    expect(evolve(null, recorded('EvaluationFailed', failed), 's1')).toStrictEqual(document);
    expect(evolve(null, recorded('EvaluationFailed', { ...failed, tickers: ['TLT'] }), 's1')).toStrictEqual({
      ...document,
      tickers: ['TLT'],
    });
  });
});

describe('the newest decision', () => {
  const read = async (all: readonly DecisionDocument[]) => {
    const asked: FindQuery[] = [];
    const find = (name: string, query: FindQuery) => {
      expect(name).toBe(decisionsProjection.collection.name);
      asked.push(query);
      return Promise.resolve(all.slice(0, query.limit));
    };
    const found = await newestDecision({ find } as never, 's1');
    return { found, limits: asked.map(({ limit }) => limit), asked };
  };
  const late = { isLate: true };
  const days = [
    '2026-11-25',
    '2026-11-24',
    '2026-11-23',
    '2026-11-20',
    '2026-11-19',
    '2026-11-18',
    '2026-11-17',
  ];

  it('is none where nothing was decided', async () => {
    expect(await read([])).toMatchObject({ found: null, limits: [6] });
  });

  it('is read with few others, the newest first', async () => {
    const { found, limits, asked } = await read(days.map((day) => documentOf(day)));
    expect(found?.latest.day).toBe('2026-11-25');
    expect(found?.before?.weights).toEqual({ SPY: 60, TLT: 40 });
    expect(limits).toEqual([6]);
    expect(asked[0]).toMatchObject({ where: { strategyId: 's1' }, sort: [['day', 'desc']] });
  });

  it('has nothing before it where it is the first', async () => {
    expect(await read([documentOf('2026-11-25')])).toMatchObject({ found: { before: null }, limits: [6] });
  });

  it('is looked for further back where all before it were late', async () => {
    const all = days.map((day, index) =>
      documentOf(day, index === 6 ? { weights: { GLD: 100 } } : index === 0 ? {} : late),
    );
    const { found, limits } = await read(all);
    expect(limits).toEqual([6, MOST_COMPARED]);
    expect(found?.before?.weights).toEqual({ GLD: 100 });
  });

  it('is looked for further back where the oldest day that was read may have a newer revision', async () => {
    const all = days.map((day, index) => documentOf(day, index === 0 ? {} : late));
    all[5] = documentOf('2026-11-18', { revision: 3 });
    all[6] = documentOf('2026-11-18', { revision: 4, weights: { GLD: 100 } });
    const { found, limits } = await read(all);
    expect(limits).toEqual([6, MOST_COMPARED]);
    expect(found?.before?.weights).toEqual({ GLD: 100 });
  });

  it('is that of the newest revision of its day', async () => {
    const two = [
      documentOf('2026-11-25', { revision: 3 }),
      documentOf('2026-11-25', { revision: 4, weights: { GLD: 100 } }),
      documentOf('2026-11-24', { revision: 2 }),
    ];
    expect((await read(two)).found?.latest.decision.revision).toBe(4);
    expect(standingDecisions(two).map(({ day, decision }) => [day, decision.revision])).toEqual([
      ['2026-11-24', 2],
      ['2026-11-25', 4],
    ]);
  });
});
