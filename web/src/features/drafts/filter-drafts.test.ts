import { describe, expect, it } from 'vitest';
import type { DraftRow } from '../../lib/resources.ts';
import { filterDrafts, NO_FILTER } from './filter-drafts.ts';

const draft = (id: string, name: string, more: Partial<DraftRow> = {}): DraftRow => ({
  id,
  name,
  type: 'bot',
  is_public: false,
  created_at: '',
  updated_at: '',
  variables: [],
  ...more,
});
const ALL = [
  draft('1', 'RSI switch on QQQ'),
  draft('2', 'Trend filter', { is_public: true }),
  draft('3', 'QQQ pairs', { type: 'template' }),
];
const ids = (filter: Partial<typeof NO_FILTER>, favorites: string[] = []) =>
  filterDrafts(ALL, { ...NO_FILTER, ...filter }, favorites).map(({ id }) => id);

describe('filtering drafts', () => {
  it('finds words anywhere in the name, in any order and case', () => {
    expect(ids({ search: 'qqq rsi' })).toEqual(['1']);
    expect(ids({ search: ' QQQ ' })).toEqual(['1', '3']);
    expect(ids({ search: 'gold' })).toEqual([]);
  });
  it('combines type, visibility and favourites', () => {
    expect(ids({})).toEqual(['1', '2', '3']);
    expect(ids({ type: 'template' })).toEqual(['3']);
    expect(ids({ visibility: 'public' })).toEqual(['2']);
    expect(ids({ visibility: 'private', type: 'bot' })).toEqual(['1']);
    expect(ids({ onlyFavorites: true }, ['2', '3'])).toEqual(['2', '3']);
  });
});
