import { expect, it } from 'vitest';
import { ENGINE_ERROR, failureWords, PRICES_MISSING } from './failure-words.ts';

it.each([
  ['unknown_tickers', undefined, ' (unknown_tickers). A backtest of it says why.'],
  [ENGINE_ERROR, undefined, ': the engine failed, and whoever runs this service was told.'],
  [PRICES_MISSING, ['TLT', 'GLD'], ': no closes have come of TLT, GLD. It is decided when they do.'],
  [
    PRICES_MISSING,
    [],
    ': no closes have come of some of what it holds or looks at. It is decided when they do.',
  ],
] as const)('%s of %s is told in words', (code, tickers, words) => {
  expect(failureWords(code, tickers)).toBe(words);
});
