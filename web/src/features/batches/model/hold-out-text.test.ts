import { expect, it } from 'vitest';
import { chooseTemplate, emptyForm, formHoldOut } from './batch-form.ts';
import { holdOutText } from './hold-out-text.ts';

const date = '2016-01-04';
const template = { name: 'Pair', variables: ['$A'], algorithm: {} as never, hold_out: { date } };
const form = chooseTemplate(emptyForm(new Date('2026-01-05T12:00:00Z')), template);

it('says in the form which date will hold, as the server does', () => {
  expect(formHoldOut(form)).toEqual({ kept: { date, holds: 'strategy' } });
  expect(formHoldOut({ ...form, outOfSampleDate: '2012-01-03' })).toEqual({ kept: { date, holds: 'batch' } });
  expect(formHoldOut({ ...form, endDate: '2015-12-31' })).toEqual({ kept: { date, holds: 'not_reached' } });
  const late = formHoldOut({ ...form, outOfSampleDate: '2018-01-02' });
  expect(late).toEqual({ fault: expect.stringContaining('2018-01-02 is later than 2016-01-04') });
  expect(formHoldOut({ ...form, endDate: null })).toBeNull();
  expect(formHoldOut(chooseTemplate(form, { ...template, hold_out: null }))).toBeNull();
});

it('names the days and why', () => {
  expect(holdOutText({ date, holds: 'strategy' }, date)).toContain('that is the out-of-sample date');
  expect(holdOutText({ date, holds: 'batch' }, '2012-01-03')).toMatch(/own date .*2012.* holds/);
  expect(holdOutText({ date, holds: 'not_reached' }, null)).toContain('ends before');
});
