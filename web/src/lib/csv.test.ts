import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';

describe('CSV', () => {
  it('keeps spreadsheets from running text as a formula', () => {
    expect(toCsv([['=HYPERLINK("x")', "-2+3+cmd|' /C calc'!A0", -12.5, null]])).toBe(
      '"\'=HYPERLINK(""x"")",\'-2+3+cmd|\' /C calc\'!A0,-12.5,\r\n',
    );
  });

  it('is read back as it was written', () => {
    const cell = fc.string().filter((text) => !/^[=+@\t\r\n＝＋－＠-]/.test(text));
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }),
        (rows) => {
          const { data } = Papa.parse<string[]>(toCsv(rows), { newline: '\r\n', delimiter: ',' });
          expect(data.slice(0, -1)).toEqual(rows);
        },
      ),
    );
  });
});
