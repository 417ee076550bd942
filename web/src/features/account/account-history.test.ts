import { describe, expect, it } from 'vitest';
import { matching, parseHistory } from './account-history.ts';

const line = (id: string, actor: object, summary = 'Strategy created') => ({
  id,
  at: '2026-01-02T03:04:05.000Z',
  event: 'StrategyCreated',
  summary,
  actor,
  subject: { kind: 'strategy', id: `s-${id}`, revision: 0 },
  correlation_id: 'c',
});
const LINES = parseHistory([
  line('1', { kind: 'user', user_id: 'u', client_id: null, label: 'You' }),
  line('2', { kind: 'apiClient', user_id: 'u', client_id: 'k', label: 'API client k' }, 'Batch created'),
  line('3', { kind: 'user', user_id: 'x', client_id: null, label: 'Administrator' }, 'User plan changed'),
  line('4', { kind: 'system', user_id: null, client_id: null, label: 'scheduler' }),
]);
const ids = (lines: readonly { readonly id: string }[]) => lines.map(({ id }) => id).join('');

describe('the history of an account', () => {
  it('says through what each thing was done', () => {
    expect(LINES.map(({ through, by }) => [through, by])).toEqual([
      ['browser', 'You, in a browser'],
      ['apiClient', 'API client k'],
      ['others', 'Administrator'],
      ['others', 'scheduler'],
    ]);
  });

  it('is narrowed to one way of doing things and to words', () => {
    expect(ids(matching(LINES, 'all', ''))).toBe('1234');
    expect(ids(matching(LINES, 'others', ''))).toBe('34');
    expect(ids(matching(LINES, 'all', 'CREATED  strategy'))).toBe('124');
    expect(ids(matching(LINES, 'browser', 's-1'))).toBe('1');
    expect(ids(matching(LINES, 'apiClient', 'plan'))).toBe('');
  });

  it('leaves out what is no line, and refuses what is no list', () => {
    expect(parseHistory([null, { id: 'x' }, 7])).toEqual([]);
    expect(() => parseHistory({ error: 'x' })).toThrow('not a history');
  });
});
