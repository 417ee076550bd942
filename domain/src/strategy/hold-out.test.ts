import { expect, it } from 'vitest';
import { given } from '../../testing/given.ts';
import type { StrategyEvent } from './events.ts';
import { strategyHistory } from './history.ts';
import type { LineageLook } from './hold-out.ts';
import { strategyStream } from './strategy.ts';

const caller = { userId: 'u1', features: [] };
const content = { name: 'Mine', type: 'bot', variables: [], algorithm: {} as never } as const;
const created: StrategyEvent = {
  type: 'StrategyCreated',
  data: {
    ...content,
    variables: [],
    strategyId: 's1',
    ownerId: 'u1',
    isPublic: true,
    status: 'draft',
    lineageId: 's1',
  },
};
const held = (date: string | null, givenAwayUntil: string | null = null): StrategyEvent => ({
  type: 'StrategyHoldOutSet',
  data: { strategyId: 's1', date, givenAwayUntil },
});
const set = (date: string | null, looks: readonly LineageLook[] = [], userId = 'u1') =>
  ({ type: 'SetStrategyHoldOut', caller: { ...caller, userId }, date, looks }) as const;
const look = (until: string, name: string | null = 'First batch'): LineageLook => ({
  batchId: 'b1',
  name,
  until,
});

it('is set where no batch has ranked the days, and set once', () => {
  given(strategyStream, created).when(set('2018-01-02')).thenEvents(held('2018-01-02'));
  given(strategyStream, created)
    .when(set('2018-01-02', [look('2018-01-01')]))
    .thenEvents(held('2018-01-02'));
  given(strategyStream, created, held('2018-01-02'))
    .when(set('2018-01-02', [look('2020-12-31')]))
    .thenEvents();
});

it('is refused for days that a batch has ranked, and says which and from when on it may', () => {
  given(strategyStream, created)
    .when(set('2018-01-02', [look('2018-01-02')]))
    .thenRefused(409, 'hold_out_seen');
  given(strategyStream, created, held('2018-01-02'))
    .when(set('2015-01-02', [look('2017-12-31', null)]))
    .thenRefused(409, 'hold_out_seen');
  const looks = [look('2020-12-31'), look('2019-06-28', null), look('2012-01-01', 'Too early')];
  const refused = strategyStream.decider.decide(
    set('2018-01-02', looks),
    strategyStream.decider.evolve(strategyStream.decider.initialState, created),
  );
  expect(refused).toMatchObject({
    detail: expect.stringContaining('"First batch" (until 2020-12-31), a batch of somebody else'),
    data: {
      batches: [{ id: 'b1', name: 'First batch', until: '2020-12-31' }],
      others: 1,
      free_from: '2021-01-01',
    },
  });
  expect(JSON.stringify(refused)).not.toContain('Too early');
});

it('gives days away by a later date, for good', () => {
  const moved = held('2020-01-02', '2020-01-02');
  given(strategyStream, created, held('2018-01-02'))
    .when(set('2020-01-02', [look('2026-01-01')]))
    .thenEvents(moved);
  given(strategyStream, created, held('2018-01-02'), moved)
    .when(set('2019-01-02'))
    .thenRefused(409, 'hold_out_given_away');
  const off = held(null, '2020-01-02');
  given(strategyStream, created, held('2018-01-02'), moved, off)
    .when(set('2019-01-02'))
    .thenRefused(409, 'hold_out_given_away');
  given(strategyStream, created, held('2018-01-02'), moved, off).when(set('2020-01-02')).thenEvents(moved);
});

it('is taken off, which is kept, and may be set again where nobody has looked meanwhile', () => {
  given(strategyStream, created, held('2018-01-02')).when(set(null)).thenEvents(held(null));
  given(strategyStream, created).when(set(null)).thenEvents();
  // What was given away stays so: taken off and set again would be a way around it.
  const moved = held('2020-01-02', '2020-01-02');
  given(strategyStream, created, held('2018-01-02'), moved)
    .when(set(null))
    .thenEvents(held(null, '2020-01-02'));
  given(strategyStream, created, held('2018-01-02'), held(null))
    .when(set('2019-01-02', [look('2019-01-02')]))
    .thenRefused(409, 'hold_out_seen');
  given(strategyStream, created, held('2018-01-02'), held(null))
    .when(set('2019-01-02', [look('2019-01-01')]))
    .thenEvents(held('2019-01-02'));
});

it('takes days of the calendar, from the owner', () => {
  given(strategyStream, created).when(set('2018-02-30')).thenRefused(400, 'invalid_date');
  given(strategyStream, created).when(set('')).thenRefused(400, 'invalid_date');
  given(strategyStream, created)
    .when(set('2018-01-02', [], 'u2'))
    .thenRefused(403, 'not_owner');
  given(strategyStream).when(set('2018-01-02')).thenRefused(404, 'strategy_not_found');
});

it.each([
  ['', '2018-01-02'],
  [' though it was taken off: what was given away stays so', null],
])('goes with a clone%s', (_, date) => {
  given(strategyStream)
    .when({
      type: 'CloneStrategy',
      strategyId: 's2',
      caller,
      source: {
        ...content,
        strategyId: 's1',
        revision: 3,
        lineageId: 's1',
        holdOut: { date, givenAwayUntil: '2018-01-02' },
      },
    })
    .thenEvents(
      {
        type: 'StrategyCloned',
        data: {
          ...content,
          variables: [],
          name: 'Copy of Mine',
          strategyId: 's2',
          ownerId: 'u1',
          isPublic: false,
          status: 'draft',
          lineageId: 's1',
          source: { strategyId: 's1', revision: 3 },
        },
      },
      {
        type: 'StrategyHoldOutSet',
        data: { strategyId: 's2', date, givenAwayUntil: '2018-01-02' },
      },
    );
});

it('stands in the history', () => {
  const told = (date: string | null) => strategyHistory.describe(held(date), null).summary;
  expect(told('2018-01-02')).toBe('Held out the days from 2018-01-02 on');
  expect(told(null)).toBe('Took the hold-out off: batches rank all days again');
});
