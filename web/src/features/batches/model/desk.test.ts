import type { ViewContent } from '@quantloom/domain/result-views/view-content';
import { describe, expect, it } from 'vitest';
import { addressOf, deskOfAddress, FIRST_DESK, fittedDesk, viewOfDesk } from './desk.ts';

const DESK: ViewContent = {
  columns: ['$W', 'sharpe_ratio', 'trades'],
  order: { by: 'column', column: '$W', direction: 'asc' },
  filters: [
    { column: '$W', op: 'gte', text: '20' },
    { column: '$A', op: 'in', text: 'SPY, A:B' },
    { column: 'alpha', op: 'isNull', text: '' },
  ],
  picture: 'heat-map',
  metric: 'max_drawdown',
};
const READABLE = ['start_date', 'end_date', '$W', '$A', 'sharpe_ratio', 'trades', 'alpha'];
const BATCH = { status: 'Finished', variables: { $W: [1, 2], $A: ['SPY'] } } as const;

describe('an address', () => {
  it('says what is shown, and is read as the same', () => {
    for (const desk of [
      DESK,
      FIRST_DESK,
      { ...DESK, columns: [], filters: [], order: { by: 'neighbourhood', metric: 'calmer_ratio' } as const },
    ])
      expect(deskOfAddress(new URLSearchParams(addressOf(desk).toString()))).toEqual(desk);
    expect(addressOf(FIRST_DESK).toString()).toBe('picture=table');
  });

  it('that says nothing names no desk, and nonsense in one is left out', () => {
    expect(deskOfAddress(new URLSearchParams('page=2'))).toBeNull();
    const odd = 'picture=nonsense&columns=,,n&sort=n&filter=n&filter=n:like:1&metric=x';
    expect(deskOfAddress(new URLSearchParams(odd))).toEqual({ ...FIRST_DESK, columns: ['n'] });
  });
});

describe('a view on a batch', () => {
  it('shows all of itself where the batch has it', () => {
    expect(fittedDesk(DESK, BATCH, READABLE)).toEqual({ desk: DESK, leftOut: [] });
  });

  it('is shown without what the batch does not have, and that is said', () => {
    const other = { status: 'Finished', variables: { $A: [1] } } as const;
    const readable = READABLE.filter((name) => name !== '$W' && name !== 'alpha');
    const { desk, leftOut } = fittedDesk(DESK, other, readable);
    expect(desk).toEqual({ ...DESK, order: null, filters: [{ column: '$A', op: 'in', text: 'SPY, A:B' }] });
    expect(leftOut).toEqual([
      'column $W',
      'order by $W',
      'filter $W at least 20',
      'filter Alpha a Year is missing',
    ]);
  });

  it('leaves out bounds on a variable that holds words', () => {
    const filters = [{ column: '$A', op: 'gte', text: '5' } as const];
    expect(fittedDesk({ ...FIRST_DESK, filters }, BATCH, READABLE)).toEqual({
      desk: FIRST_DESK,
      leftOut: ['filter $A at least 5'],
    });
  });

  it('waits for the end of the batch with what is of all its rows', () => {
    const order = { by: 'neighbourhood', metric: 'sharpe_ratio' } as const;
    const running = { ...BATCH, status: 'Running' } as const;
    const { desk, leftOut } = fittedDesk({ ...DESK, filters: [], order }, running, READABLE);
    expect(desk).toMatchObject({ order: null, picture: 'table' });
    expect(leftOut).toEqual(['order by neighbours', 'picture Heat map']);
  });

  it('keeps nothing that belongs to one batch', () => {
    const pinned = { column: 'combination', op: 'in', text: '7' } as const;
    const columns = ['$W', '$A', '$ELSEWHERE', 'n'];
    const kept = viewOfDesk({ ...DESK, columns, filters: [pinned, ...DESK.filters] }, [...READABLE, 'n']);
    expect(kept).toEqual({ ...DESK, columns: ['n'] });
  });
});
