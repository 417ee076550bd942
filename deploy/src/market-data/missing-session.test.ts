import { describe, expect, it } from 'vitest';
import { missingSession, providerHas } from './missing-session.ts';

/** Saturday: Friday, November 20, 2026 is the last session that has closed. */
const NOW = new Date('2026-11-21T12:00:00Z');
const SESSION = '2026-11-20';

const dataOf = (...assets: (readonly [ticker: string, lastDay: string, source: string])[]) => ({
  current: async () => ({ version: 'v7' }) as never,
  assets: async (version: string | undefined) => {
    expect(version).toBe('v7');
    return assets.map(([ticker, lastDay, source]) => ({ ticker, lastDay, source })) as never;
  },
});
const missing = (...assets: Parameters<typeof dataOf>) =>
  missingSession(dataOf(...assets), { name: 'tiingo' }, NOW);

describe('a session without prices', () => {
  it('is asked for by the series that go on to the newest day', async () => {
    expect(
      await missing(
        ['SPY', '2026-11-19', 'tiingo'],
        ['OLD', '2019-03-01', 'tiingo'],
        ['QQQ', '2026-11-19', 'tiingo'],
      ),
    ).toEqual({ session: SESSION, tickers: ['SPY', 'QQQ'] });
  });

  it('is none where one series has it, whatever the others end on', async () => {
    expect(await missing(['SPY', SESSION, 'tiingo'], ['QQQ', '2026-11-19', 'tiingo'])).toBeNull();
  });

  it('is none of another provider', async () => {
    expect(await missing(['SPY', '2026-11-19', 'files'])).toBeNull();
    expect(await missing()).toBeNull();
    expect(await missing(['SPY', SESSION, 'files'], ['QQQ', '2026-11-18', 'tiingo'])).toEqual({
      session: SESSION,
      tickers: ['QQQ'],
    });
  });
});

describe('whether a provider has a session', () => {
  const has = (dates: readonly string[] | null) =>
    providerHas(
      {
        history: async (ticker, options) => {
          expect([ticker, options?.from]).toEqual(['SPY', SESSION]);
          return dates && (dates.map((date) => ({ date })) as never);
        },
      },
      'SPY',
      SESSION,
      new AbortController().signal,
    );

  it('is told by a bar of that day or a later one', async () => {
    expect(await has([SESSION])).toBe(true);
    expect(await has(['2026-11-23'])).toBe(true);
    expect(await has(['2026-11-19'])).toBe(false);
    expect(await has([])).toBe(false);
    expect(await has(null)).toBe(false);
  });
});
