import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { isPlainNumber, numberEvidenceSql, numberForm, numberSql } from './numbers.ts';

/** What DuckDB makes of each text. */
async function ofEach(texts: readonly string[], sql: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    const found: unknown[][] = [];
    for (const text of texts) {
      const rows = await connection.runAndReadAll(`SELECT ${sql} FROM (SELECT $1 AS raw)`, [text]);
      found.push([...(rows.getRows()[0] ?? [])]);
    }
    return found;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

it('reads a file’s numbers as most of them can only be read, and asks where its commas can be either', () => {
  const form = (point: number, comma: number, unclear: number, delimiter = ',') =>
    numberForm({ point, comma, unclear }, delimiter);
  expect(form(3, 0, 5)).toBe('point');
  expect(form(1, 2, 5)).toBe('comma');
  // One of each is no evidence for the comma.
  expect(form(1, 1, 0)).toBe('point');
  expect(form(0, 0, 0, ';')).toBe('point');
  expect(form(0, 0, 5)).toBeNull();
  expect(form(0, 0, 5, '\t')).toBeNull();
  // Who writes semicolons between columns does so because the comma is taken.
  expect(form(0, 0, 5, ';')).toBe('comma');
});

it('knows a number that is written as programs do', () => {
  for (const text of ['1', '-1.5', ' 2e3 ', '0.0']) expect(isPlainNumber(text), text).toBe(true);
  for (const text of ['', ' ', '1,5', '1.2.3', '$1', 'NaN', 'Infinity'])
    expect(isPlainNumber(text), text).toBe(false);
});

it('tells by a number how its file writes them, as far as it can be only one way', async () => {
  const [point, comma, unclear, nothing] = [
    ['1,234.56', '1,234,567', '12.5', '12.50', '1.2345', '1234.567', '0.123', '-1,234.5', '$1,234.56'],
    ['1.234,56', '1.234.567', '12,5', '12,50', '1,2345', '1234,567', '0,123', '-1.234,5', '12,50 €'],
    ['1,234', '-12,345', '¥123,456'],
    ['1234', '1.234', '12.345', '', 'n/a', '1,23.4', '12,34,56'],
  ] as const;
  const beside = {
    point: ['1’234.50', "1'234.50", 'USD 12.50', '1\u00a0234.50'],
    comma: ['EUR 12,50', '12,50PLN', '1 234,5', '1\u00a0234,5', '1\u202f234,56'],
  };
  const counts = async (texts: readonly string[], expected: readonly number[]) => {
    const found = await ofEach(texts, numberEvidenceSql('raw'));
    texts.forEach((text, at) => {
      expect(found[at]?.map(Number), JSON.stringify(text)).toEqual(expected);
    });
  };
  await counts([...point, ...beside.point], [1, 0, 0]);
  await counts([...comma, ...beside.comma], [0, 1, 0]);
  await counts(unclear, [0, 0, 1]);
  await counts(nothing, [0, 0, 0]);
});

it('reads numbers as their file writes them, and nothing else', async () => {
  const reads = async (form: Parameters<typeof numberSql>[0], expected: Record<string, number | null>) => {
    const found = await ofEach(Object.keys(expected), numberSql(form, 'raw'));
    expect(Object.fromEntries(Object.keys(expected).map((text, at) => [text, found[at]?.[0]]))).toEqual(
      expected,
    );
  };
  const none = { '': null, 'n/a': null, '1,2,3': null, '1.2.3': null };
  await reads('point', {
    ...none,
    ...{
      '1234.5': 1234.5,
      '1,234.5': 1234.5,
      '1,234,567': 1_234_567,
      '.5': 0.5,
      '-0.25': -0.25,
      '1.5e3': 1500,
    },
    ...{ '$1,234.56': 1234.56, '1’234.50': 1234.5, '12.50 USD': 12.5, '12,5': null, '1.234,5': null },
  });
  await reads('comma', {
    ...none,
    ...{
      '1234,5': 1234.5,
      '1.234,5': 1234.5,
      '1.234.567': 1_234_567,
      ',5': 0.5,
      '-0,25': -0.25,
      '1,5e3': 1500,
    },
    ...{
      '1.234': 1234,
      '1\u202f234,56 €': 1234.56,
      '12,50 EUR': 12.5,
      '12,50 eur': 12.5,
      '12.5': null,
      '1,234.5': null,
    },
  });
  await reads('plain', { ...none, '1234.5': 1234.5, '1e3': 1000, '1,5': null, '1,234': null });
});
