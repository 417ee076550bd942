import { describe, expect, it } from 'vitest';
import type { Shape } from './column-plan.ts';
import { currencyNotes } from './currency.ts';
import type { StagedFile } from './staged-file.ts';
import type { Staging } from './staging.ts';

const LONG: Shape = { kind: 'long', ticker: 1, exchange: null, price: 2 };
const HEADERS = ['date', 'ticker', 'close'];

/**
 * What is told of a file.
 *
 * @param found the codes in its column of currencies, by ticker
 */
async function notes(
  headers: readonly string[],
  shape: Shape,
  sample: readonly (readonly string[])[],
  found: Readonly<Record<string, string[]>> = {},
) {
  const file = { name: 'a.csv', plan: { headers, shape }, sample } as unknown as StagedFile;
  const asked: number[] = [];
  const staging = {
    prepare: async () => undefined,
    currencies: async (_: StagedFile, column: number) => {
      asked.push(column);
      return Object.entries(found).map(([ticker, currencies]) => ({ ticker, currencies }));
    },
  } as unknown as Staging;
  return { told: await currencyNotes(file, staging), asked };
}
const note = (codes: string, source: string) => [
  `Prices of a.csv are in ${codes}, as ${source}: they are taken as they are, nothing is converted`,
];

describe('the currencies of a file', () => {
  it('are told by signs and codes beside its prices, however these are written', async () => {
    const beside = async (...prices: readonly string[]) =>
      (
        await notes(
          HEADERS,
          LONG,
          prices.map((price) => ['2024-01-02', 'SPY', price]),
        )
      ).told;
    expect(await beside('81.50')).toEqual([]);
    expect(await beside('$81.50', '81.50 USD')).toEqual([]);
    for (const [price, code] of Object.entries({ '€1': 'EUR', '£1': 'GBP', '¥120': 'JPY', '1 chf': 'CHF' }))
      expect(await beside('$1', price)).toEqual(note(code, 'the signs beside them tell'));
    expect(await beside('1 EUR', '£1')).toEqual(note('EUR, GBP', 'the signs beside them tell'));
  });

  it('are those of all its columns where each ticker has one, of which none tells a currency', async () => {
    const prices = [1, 2].map((column) => ({ column, ticker: `T${column}` }));
    const { told, asked } = await notes(['date', 'T1', 'currency'], { kind: 'wide', prices }, [
      ['2024-01-02', '1', '€1'],
    ]);
    expect([told, asked]).toEqual([note('EUR', 'the signs beside them tell'), []]);
  });

  it('are told by the column that names them, the first five of many', async () => {
    const headers = [...HEADERS, 'Währung'];
    const of = (...codes: readonly string[]) =>
      notes(headers, LONG, [], Object.fromEntries(codes.map((code, at) => [`T${at}`, [code]])));
    expect(await of('USD', 'USD')).toEqual({ told: [], asked: [3] });
    const five = ['EUR', 'GBP', 'CHF', 'SEK', 'NOK'];
    const source = 'its column Währung tells';
    expect((await of('USD', ...five, 'EUR')).told).toEqual(note(five.join(', '), source));
    expect((await of(...five, 'DKK')).told).toEqual(note(`${five.join(', ')} and others`, source));
  });

  it('are never mixed in one series', async () => {
    const mixed = notes([...HEADERS, 'ccy'], LONG, [], { SPY: ['USD'], TLT: ['EUR', 'USD'] });
    await expect(mixed).rejects.toMatchObject({
      code: 'import_refused',
      message: expect.stringContaining('TLT has prices in EUR and USD (column ccy)'),
    });
  });
});
