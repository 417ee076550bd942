import { defineProjection, type Projection } from '../kernel/projection.ts';
import type { CollectionSpec, ReadDocument } from '../ports/read-models.ts';
import { BAND_EVENTS, type BandFixed, type BandLeft, bandsId, type NoBand } from './band.ts';
import { FOLLOW_EVENTS } from './follow.ts';

/** The bands of those who follow a strategy since the same day, without their edges, which stand in the log. */
export interface BandsDocument extends ReadDocument {
  readonly strategyId: string;
  readonly startDay: string;
  readonly followers: number;
  /** The newest one; null: none is fixed yet. */
  readonly current: Pick<BandFixed, 'number' | 'day'> | null;
  /** How the newest one was left; null: it was not. */
  readonly left: (BandLeft & { readonly at: string }) | null;
}

export const bandsProjection: Projection<BandsDocument> = defineProjection({
  name: 'bands',
  version: 1,
  collection: { name: 'bands_v1', indexes: [['followers', 'id'], ['strategyId']] },
  events: [FOLLOW_EVENTS, BAND_EVENTS],
  // Whoever left before there were bands did not say since when he had followed.
  keys: ({ data: { strategyId, startDay } }) =>
    startDay === undefined ? [] : [bandsId({ strategyId, startDay })],
  evolve: (document, event, id) => {
    if (event.type === 'StrategyFollowed') {
      const { strategyId, startDay } = event.data;
      const before = document ?? { id, strategyId, startDay, followers: 0, current: null, left: null };
      return { ...before, followers: before.followers + 1 };
    }
    if (!document) return null;
    if (event.type === 'StrategyUnfollowed') return { ...document, followers: document.followers - 1 };
    if (event.type === 'BandFixed') {
      const { number, day } = event.data;
      return { ...document, current: { number, day }, left: null };
    }
    if (event.data.number !== document.current?.number) return document;
    return { ...document, left: { ...event.data, at: event.metadata.recordedAt } };
  },
});

/**
 * Up to where the bands of those who follow since the same day were looked at, and why there is none; `id` is
 * that of the bands.
 */
export interface BandCheckDocument extends ReadDocument {
  readonly day: string;
  readonly version: string;
  readonly missing: NoBand | 'not_run' | null;
}
export const BAND_CHECKS: CollectionSpec<BandCheckDocument> = { name: 'bandChecks_v1', indexes: [] };
