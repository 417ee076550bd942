import { expect, it } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import { batchHoldOut, withHoldOut } from './hold-out.ts';

const config = { start_date: '2010-01-04', end_date: '2020-12-31' };
const dated = (out_of_sample_date: string) => ({ ...config, out_of_sample_date });
const DATE = '2016-01-04';
const held = (given: Parameters<typeof withHoldOut>[0], date: string | null = DATE) => {
  const kept = withHoldOut(given, date);
  if (isRefusal(kept)) throw new Error(kept.detail);
  return [kept.out_of_sample_date, batchHoldOut(date, kept)?.holds];
};

it('fills the date in where the period crosses it', () => {
  expect(held(config)).toEqual([DATE, 'strategy']);
  expect(held({ ...config, end_date: DATE })).toEqual([DATE, 'strategy']);
  expect(held(dated(DATE))).toEqual([DATE, 'strategy']);
});

it('leaves alone what ends before, what is split earlier, and what has no hold-out', () => {
  expect(held({ ...config, end_date: '2016-01-03' })).toEqual([undefined, 'not_reached']);
  expect(held({ ...dated('2012-01-03'), end_date: '2016-01-03' })).toEqual(['2012-01-03', 'not_reached']);
  expect(held(dated('2012-01-03'))).toEqual(['2012-01-03', 'batch']);
  expect(held(config, null)).toEqual([undefined, undefined]);
});

it('refuses a period without a day before, and a later date, in words that name both', () => {
  expect(withHoldOut({ ...config, start_date: DATE }, DATE)).toMatchObject({
    status: 409,
    code: 'period_held_out',
    detail: expect.stringContaining(`the days from ${DATE} on`),
  });
  expect(withHoldOut(dated('2018-01-02'), DATE)).toMatchObject({
    status: 409,
    code: 'after_hold_out',
    detail: expect.stringMatching(/2018-01-02 is later than 2016-01-04/),
    data: { hold_out: DATE, out_of_sample_date: '2018-01-02' },
  });
});
