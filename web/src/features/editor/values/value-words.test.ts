import { numbersOf } from '@quantloom/domain/strategy/sensitivity';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { expect, it } from 'vitest';
import { wordsOfEach } from './value-words.ts';

const wordsOf = (text: string) => {
  const numbers = numbersOf(strategyOfText(text));
  return wordsOfEach(numbers).map((words, index) => `${numbers[index]?.value} ${words}`);
};

it('each number of a line has words of its own', () => {
  expect(
    wordsOf('if MACD Signal(SPY, 12, 26, 9) 3 days ago > 2 * RSI(TLT, 10) 1 day ago + 4 for 3 days then SPY'),
  ).toEqual([
    '12 MACD Signal fast window',
    '26 MACD Signal slow window',
    '9 MACD Signal signal window',
    '10 RSI window',
    '3 days ago, left',
    '3 days to hold',
    '1 days ago, right',
    '2 times the right side',
    '4 added to the right side',
  ]);
  expect(wordsOf('if RSI(SPY, 10) > RSI(TLT, 10) then SPY')).toEqual([
    '10 RSI window, left',
    '10 RSI window, right',
  ]);
  expect(wordsOf('top 2 by RSI(10) weighted by rank [60%, 40%] of [SPY, TLT]')).toEqual([
    '10 RSI window',
    '2 chosen by a filter',
    '60 percent for rank 1',
    '40 percent for rank 2',
  ]);
});
