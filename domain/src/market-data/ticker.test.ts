import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalTicker, compactTicker, TickerIndex } from './ticker.ts';

describe('canonicalTicker', () => {
  it.each([
    ['brk.b', 'BRK-B'],
    ['BRK/B', 'BRK-B'],
    [' BRK B ', 'BRK-B'],
    ['^GSPC', 'GSPC'],
    ['SIM:TQQQ', 'SIM:TQQQ'],
    ['sim:gld', 'SIM:GLD'],
  ])('stores %s as %s', (spelling, stored) => expect(canonicalTicker(spelling)).toBe(stored));

  it.each(['', ' ', '$A', 'A,B', '-A', 'A-', 'A:B', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '../etc', 'A\0B'])(
    'refuses %j',
    (spelling) => expect(canonicalTicker(spelling)).toBeNull(),
  );

  it('leaves a stored spelling as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const stored = canonicalTicker(text);
        if (stored !== null) expect(canonicalTicker(stored)).toBe(stored);
      }),
    );
  });
});

describe('TickerIndex', () => {
  const index = new TickerIndex(['BRK-B', 'SPY', 'AB-C', 'ABC', 'SIM:GLD']);

  it.each(['BRK-B', 'BRK.B', 'BRK/B', 'BRKB', 'brk.b', 'BRK B'])('finds BRK-B as %s', (spelling) =>
    expect(index.find(spelling)).toBe('BRK-B'),
  );

  it('prefers the exact spelling over one without punctuation', () => {
    expect(index.find('ABC')).toBe('ABC');
    expect(index.find('AB.C')).toBe('AB-C');
  });

  it('takes the first in the alphabet for bare letters that two tickers share', () => {
    const shared = new TickerIndex(['XY-Z', 'X-YZ']);
    expect(shared.find('XYZ')).toBe('X-YZ');
    expect(shared.find('XY-Z')).toBe('XY-Z');
  });

  it('finds simulated tickers after a variable list has stripped them', () => {
    expect(index.find(compactTicker('SIM:GLD'))).toBe('SIM:GLD');
  });

  it.each(['', 'QQQ', '$SPY', 'SPY/BRK-B', 'toString'])('does not find %j', (spelling) =>
    expect(index.find(spelling)).toBeNull(),
  );
});
