import { describe, expect, it } from 'vitest';
import { rowDifference } from './engine-rows.ts';

const HEADER = 'start_date,end_date,$A,sharpe_ratio';
const ROWS = [HEADER, '2020-01-02,2020-12-31,SPY,1.0', '2020-01-02,2020-12-31,BIL,', ''].join('\n');

describe('rowDifference', () => {
  it('finds none where numbers are only written in other digits', () => {
    expect(rowDifference(ROWS, ROWS)).toBeNull();
    expect(rowDifference(ROWS.replace('1.0', '1'), ROWS)).toBeNull();
  });

  it.each([
    [
      'the last bit of a number',
      ROWS.replace('1.0', '1.0000000000000002'),
      'row 1 of 2 is 2020-01-02,2020-12-31,SPY,1.00',
    ],
    ['the sign of a zero', ROWS.replace('1.0', '-0.0'), 'row 1 of 2'],
    ['a number where none belongs', ROWS.replace('BIL,', 'BIL,0'), 'row 2 of 2'],
    ['no number where one belongs', ROWS.replace('1.0', ''), 'row 1 of 2'],
    [
      'rows in another order',
      [HEADER, ...ROWS.split('\n').slice(1, 3).toReversed()].join('\n'),
      'row 1 of 2',
    ],
    ['a missing row', ROWS.split('\n').slice(0, 2).join('\n'), 'row 2 of 2 is missing'],
    ['a row too many', `${ROWS}2020-01-02,2020-12-31,SPY,1.0\n`, 'where nothing belongs'],
    ['other columns', ROWS.replace('sharpe_ratio', 'sharpe'), 'the header is'],
  ])('tells %s', (_, actual, words) => {
    expect(rowDifference(actual, ROWS)).toContain(words);
  });

  it('tells that a zero of another sign is another number', () => {
    expect(rowDifference('a\n0\n', 'a\n-0.0\n')).toContain('row 1 of 1');
  });
});
