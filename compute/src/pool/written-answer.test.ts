import { type BacktestColumns, decodeColumns, listsOf } from '@quantloom/domain/contracts/backtest-columns';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { describe, expect, it } from 'vitest';
import { asset, condition, filter, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import { runBacktestInColumns } from '../engine/answers/backtest.ts';
import { writeAnswer } from './written-answer.ts';

const prices = marketOf({
  SPY: { seed: 1, firstDay: 12_000, bars: 300 },
  AAA: { seed: 2, firstDay: 12_000, bars: 300 },
});

function answerWithAll(): BacktestColumns {
  return runBacktestInColumns(
    {
      start_date: '2002-11-01',
      end_date: '2003-12-31',
      include: { history: true, explanation: true, attribution: true, report: true },
      trading_bot: root(
        ifThenElse([condition({})], [asset('AAA')], [asset('SPY')]),
        filter({ fn: 'cumulative-return', window: 5 }, { fn: 'top', num: 1 }, asset('AAA'), asset('SPY')),
      ),
    },
    prices,
    { today: '2026-11-21' },
  );
}

describe('a written answer', () => {
  it('is the JSON of its lists, letter by letter', () => {
    const answer = answerWithAll();
    expect(new TextDecoder().decode(writeAnswer(answer, 'json'))).toBe(JSON.stringify(listsOf(answer)));
    expect(decodeColumns(writeAnswer(answer, 'columns'))).toEqual(
      JSON.parse(JSON.stringify(listsOf(answer))),
    );
  });

  it.each(['json', 'columns'] as const)('is refused in words where it is too long, as %s', (form) => {
    const answer = answerWithAll();
    const { length } = writeAnswer(answer, form);
    expect(writeAnswer(answer, form, length)).toHaveLength(length);
    let refused: unknown;
    try {
      writeAnswer(answer, form, length - 1);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(RefusalError);
    expect((refused as RefusalError).refusal).toMatchObject({ status: 422, code: 'answer_too_long' });
  });
});
