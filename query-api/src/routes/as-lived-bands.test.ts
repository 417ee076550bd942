import type { Lived } from '@quantloom/domain/forward-test/band';
import { BAND_CHECKS } from '@quantloom/domain/forward-test/band-projection';
import type { FollowDocument } from '@quantloom/domain/forward-test/projections';
import { someBand } from '@quantloom/domain/testing/forward-test/some-band';
import { describe, expect, it } from 'vitest';
import { bandsOf, ensuredOnce } from './as-lived-bands.ts';

const follow = { strategyId: 's', startDay: '2024-03-07' } as FollowDocument;
/** Friday, Monday, Tuesday; what 1 has become. */
const RECORD: Lived = { days: ['2024-03-07', '2024-03-08', '2024-03-11'], values: [1.5, 2, 2.1] };

/** The bands of a follow of which so many were fixed: all of them one day long, from `day` on. */
async function bandsAfter(
  fixed: number,
  { day = '2024-03-08', missing, whose = follow as FollowDocument | null } = {} as {
    day?: string;
    missing?: 'too_short' | 'lost_everything' | 'not_run';
    whose?: FollowDocument | null;
  },
) {
  const asked: string[] = [];
  const readModels = {
    get: async (name: string, id: string) => {
      expect(id).toBe('s-2024-03-07');
      if (name === BAND_CHECKS.name) return missing ? { id, missing } : null;
      return fixed > 0 ? { id, current: { number: fixed, day } } : null;
    },
  };
  const eventStore = {
    async *readStream(stream: string) {
      asked.push(stream);
      const number = Number(stream.split('-').at(-1));
      const band = { ...someBand({ ...follow, number }), day };
      yield {
        type: 'BandFixed',
        version: 1,
        revision: 0,
        position: 1n,
        stream,
        data: band,
        metadata: { schemaVersion: 1 },
      };
    },
  };
  return {
    asked,
    ...(await bandsOf({ readModels: readModels as never, eventStore: eventStore as never }, whose, RECORD)),
  };
}

describe('the bands over a record', () => {
  it('are those of forty years, up to the newest one', async () => {
    expect((await bandsAfter(1)).bands.map(({ number }) => number)).toEqual([1]);
    expect((await bandsAfter(40)).bands).toHaveLength(40);
    const { bands } = await bandsAfter(41);
    expect([bands[0]?.number, bands.at(-1)?.number, bands.length]).toEqual([2, 41, 40]);
  });

  it('begin where the record stands on their first day, and go on to the sessions that are expected', async () => {
    const [band] = (await bandsAfter(1)).bands;
    expect(band).toMatchObject({ days: ['2024-03-08', '2024-03-11'], lower: [2, 1.9], upper: [2, 2.1] });
    expect(band).toMatchObject({ inner_lower: [2, 1.96], inner_upper: [2, 2.04], left: null });
    const [next] = (await bandsAfter(1, { day: '2024-03-11' })).bands;
    expect(next?.days).toEqual(['2024-03-11', '2024-03-12']);
  });

  it('are none before the record is there, whose reason is told', async () => {
    expect(await bandsAfter(1, { day: '2024-03-12' })).toMatchObject({
      bands: [],
      no_band: 'The band is fixed with the next decision.',
    });
    expect((await bandsAfter(0, { missing: 'lost_everything' })).no_band).toBe(
      'There is no band: the backtest before lost everything.',
    );
    // What was missing once is nothing where a band is.
    expect((await bandsAfter(1, { missing: 'too_short' })).no_band).toBeNull();
  });

  it('are read of who follows only', async () => {
    expect(await bandsAfter(3, { whose: null })).toEqual({ asked: [], bands: [], no_band: null });
  });

  it('have a collection that is made once, and asked for again where it could not be', async () => {
    const made: unknown[] = [];
    const ensure = ensuredOnce({
      ensureCollection: async (collection) => {
        made.push(collection);
        if (made.length === 1) throw new Error('away');
      },
    });
    await expect(ensure()).rejects.toThrow('away');
    await ensure();
    await ensure();
    expect(made).toEqual([BAND_CHECKS, BAND_CHECKS]);
  });
});
