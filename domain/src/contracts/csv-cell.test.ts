import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell } from './csv-cell.ts';

/** A reader of one CSV cell as RFC 4180 has it. */
const read = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);

describe('csvCell', () => {
  it('can be read back, whatever the text, but for the apostrophe before a formula', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab1",\n\r\t=+-@ ') }), (text) => {
        const back = read(csvCell(text));
        expect([text, `'${text}`]).toContain(back);
        expect(/^[=@\t\r]/.test(back)).toBe(false);
      }),
    );
  });

  it('leaves no separator or line break outside quotes', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a",\n\r') }), (text) => {
        expect(csvCell(text).replaceAll(/"(?:[^"]|"")*"/g, '')).not.toMatch(/[,\n\r"]/);
      }),
    );
  });

  it('leaves numbers alone', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) => csvCell(n) === String(n)),
    );
    for (const text of ['-1', '+2.5', '-.5', '1e-7', '-3E+4']) expect(csvCell(text)).toBe(text);
    for (const text of ['-1+2', "-2+3+cmd|' /C calc'!A0", '+', '-', '=1', '@1', '-1e'])
      expect(csvCell(text)).toBe(`'${text}`);
  });
});
