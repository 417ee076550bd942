import { expect, it } from 'vitest';
import { entryFault } from '../../../lib/number-entry.ts';
import { typedReplacement } from './typed-replacement.ts';

const read = { isRead: true };

it('reads numbers as people write them', () => {
  expect(typedReplacement({ what: 'threshold', of: null, from: '80%', to: '79,5' })).toEqual({
    before: { ...read, value: 80 },
    after: { ...read, value: 79.5 },
  });
  expect(typedReplacement({ what: 'window', of: null, from: '10', to: '$W' }).after).toEqual({
    ...read,
    value: '$W',
  });
});

it.each(['0', '-3', '10.5', '2001'])('finds a window of %s, and puts none in place of another', (window) => {
  const { before, after } = typedReplacement({ what: 'window', of: null, from: window, to: window });
  expect(before).toEqual({ ...read, value: Number(window) });
  expect(after && entryFault(after)).toBe(`“${window}” is not a whole number from 1 to 2000`);
});

it('knows the windows of the function that is meant', () => {
  const { after } = typedReplacement({
    what: 'window',
    of: 'standard-deviation-return',
    from: '10',
    to: '1',
  });
  expect(after && entryFault(after)).toBe('“1” is not a whole number from 2 to 2000');
});

it('reads nothing where nothing was typed, and tickers in upper case', () => {
  expect(typedReplacement({ what: 'ticker', of: null, from: ' qqq', to: '' })).toEqual({
    before: { ...read, value: 'QQQ' },
    after: null,
  });
});
