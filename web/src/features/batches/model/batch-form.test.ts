import type { BatchDetail, Estimate } from '@quantloom/domain/contracts/http/batches';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { expect, test } from 'vitest';
import {
  type BatchForm,
  type BatchTemplate,
  canCreate,
  chooseTemplate,
  emptyForm,
  formFaults,
  formOfBatch,
  isValidForm,
  requestOf,
  setBothFills,
  setDates,
  setLists,
  setMode,
  setSlippage,
  setText,
  suggestTexts,
  valueCounts,
  withDefaultName,
} from './batch-form.ts';

const TEMPLATE: BatchTemplate = {
  id: 't1',
  name: 'Switch',
  type: 'template',
  variables: ['$A', '$W'],
  algorithm: {} as BatchTemplate['algorithm'],
};
const LISTS = [
  { id: 'l1', variables: ['SPY', 'QQQ'] },
  { id: 'l2', variables: ['QQQ', 'IWM'] },
] as unknown as VariableList[];
const ESTIMATE = { combinations: 4, partitions: 0, time_estimate: { seconds: 2 } } as Estimate;

const filled = (): BatchForm =>
  setText(
    setMode(
      setLists(chooseTemplate(emptyForm(new Date('2026-03-05T15:00:00Z')), TEMPLATE), '$A', ['l1', 'l2']),
      '$W',
      'text',
      LISTS,
    ),
    '$W',
    '5..15 step 5\n\n5',
  );

test('it begins with 1990 to today and 10 bps', () => {
  expect(emptyForm(new Date('2026-03-05T15:00:00Z'))).toMatchObject({
    startDate: '1990-01-01',
    endDate: '2026-03-05',
    slippage: '10',
  });
});

test('suggested values go into fields that hold nothing yet', () => {
  const form = setText(chooseTemplate(emptyForm(new Date('2026-03-05T15:00:00Z')), TEMPLATE), '$A', 'SPY');
  expect(suggestTexts(form, { $A: 'QQQ', $W: '5\n10', $NONE: '1' }).variables).toEqual({
    $A: { mode: 'list', listIds: [], text: 'SPY' },
    $W: { mode: 'text', listIds: [], text: '5\n10' },
  });
  const listed = setLists(form, '$W', ['l1']);
  expect(suggestTexts(listed, { $W: '5' }).variables.$W).toEqual({ mode: 'list', listIds: ['l1'], text: '' });
});

test('a template resets all selections to list mode', () => {
  const again = chooseTemplate({ ...filled(), estimate: ESTIMATE, estimateError: 'x' }, TEMPLATE);
  expect(again.variables).toEqual({
    $A: { mode: 'list', listIds: [], text: '' },
    $W: { mode: 'list', listIds: [], text: '' },
  });
  expect([again.estimate, again.estimateError]).toEqual([null, null]);
});

test('distinct values are counted; a list counts once', () => {
  expect(valueCounts(filled(), LISTS)).toEqual([3, 3]);
  expect(setLists(filled(), '$A', ['l1', 'l1']).variables.$A?.listIds).toEqual(['l1']);
});

test('text mode takes the values of the lists, list mode drops the text', () => {
  const asText = setMode(filled(), '$A', 'text', LISTS);
  expect(asText.variables.$A).toEqual({ mode: 'text', listIds: [], text: 'SPY\nQQQ\nQQQ\nIWM' });
  expect(setMode(asText, '$A', 'list', LISTS).variables.$A).toEqual({ mode: 'list', listIds: [], text: '' });
  expect(setMode(asText, '$A', 'text', LISTS)).toBe(asText);
});

test('every change of what is run clears the estimate; name and slippage do not', () => {
  const estimated = { ...filled(), estimate: ESTIMATE, estimateError: 'x' };
  for (const changed of [
    setDates(estimated, { startDate: '2000-01-01' }),
    setDates(estimated, { endDate: '2020-01-01' }),
    setText(estimated, '$W', '6'),
    setLists(estimated, '$A', []),
    setMode(estimated, '$A', 'text', LISTS),
    chooseTemplate(estimated, null),
  ])
    expect([changed.estimate, changed.estimateError]).toEqual([null, null]);
  expect(setSlippage(estimated, '5').estimate).toBe(ESTIMATE);
});

test('Create needs a valid form and an estimate above 0 without an error', () => {
  const form = { ...withDefaultName(filled()), estimate: ESTIMATE };
  expect(form.name).toBe('Backtest based on Switch');
  expect(canCreate(form, LISTS)).toBe(true);
  for (const broken of [
    { ...form, estimate: null },
    { ...form, estimate: { ...ESTIMATE, combinations: 0 } },
    { ...form, estimateError: 'Monthly limit exceeded' },
    { ...form, startDate: null },
    { ...form, endDate: '1980-01-01' },
    { ...form, template: null },
    { ...form, slippage: '5', slippageError: 'Slippage must be a positive integer' },
    { ...form, variables: { ...form.variables, $W: { mode: 'text' as const, listIds: [], text: '\n \n' } } },
  ])
    expect(canCreate(broken, LISTS)).toBe(false);
  // As coded: an error message without a value does not block.
  expect(isValidForm({ ...form, slippage: '', slippageError: 'x' }, LISTS)).toBe(true);
});

test('faults are sentences', () => {
  const form = { ...filled(), startDate: '2021-01-01', endDate: '2020-01-01' };
  expect(formFaults(form, LISTS).startDate).toBe('Error: Start date must be before or equal to end date');
  expect(formFaults({ ...form, endDate: '2021-01-01' }, LISTS).startDate).toBeUndefined();
  expect(formFaults({ ...form, startDate: null, endDate: null }, LISTS)).toMatchObject({
    startDate: 'Start date is required',
    endDate: 'End date is required',
  });
  expect(setSlippage(form, '1a2')).toMatchObject({
    slippage: '12',
    slippageError: 'Slippage must be a positive integer',
  });
});

test('estimate and create are asked for with their own settings', () => {
  const form = { ...withDefaultName(filled()), estimate: ESTIMATE };
  expect(requestOf(form, LISTS, 'estimate')).toMatchObject({
    partitions: 1,
    variables: { $A: ['SPY', 'QQQ', 'QQQ', 'IWM'], $W: [5, 10, 15, 5] },
    backtest_config: { slippage_bps: 1, starting_balance: 10_000, include: { history: false } },
    planned_slippage_bps: 10,
  });
  const creation = requestOf(form, LISTS, 'create');
  expect(creation).not.toHaveProperty('planned_slippage_bps');
  expect(creation).toMatchObject({
    partitions: 1,
    backtest_config: { slippage_bps: 10, benchmark_ticker: 'SPY' },
  });
});

test('a batch gives the form that made it', () => {
  const batch = {
    template_bot: TEMPLATE,
    variables: { $A: ['SPY'], $W: [5, 10] },
    backtest_config: { start_date: '2010-01-01', end_date: '2020-01-01', slippage_bps: 3 },
  } as unknown as BatchDetail;
  const form = formOfBatch(batch, new Date());
  expect(form).toMatchObject({ startDate: '2010-01-01', slippage: '3', outOfSampleDate: null });
  expect(requestOf(form, [], 'estimate').variables).toEqual({ $A: ['SPY'], $W: [5, 10] });
});

test('both fills are sent where they are asked for, clear the estimate, and are kept by a clone', () => {
  const plain = { ...filled(), estimate: ESTIMATE };
  expect(requestOf(plain, LISTS, 'create').backtest_config).not.toHaveProperty('both_fills');
  const both = setBothFills(plain, true);
  expect(both.estimate).toBeNull();
  for (const purpose of ['estimate', 'create'] as const)
    expect(requestOf(both, LISTS, purpose).backtest_config).toMatchObject({ both_fills: true });
  const { template_bot, variables, backtest_config } = requestOf(both, LISTS, 'create');
  const batch = { template_bot, variables, backtest_config } as unknown as BatchDetail;
  expect(formOfBatch(batch, new Date('2026-01-05')).bothFills).toBe(true);
});

test('a fraction or a minus never becomes another slippage in silence', () => {
  const typed = (text: string) =>
    [...text].reduce((form, key) => setSlippage(form, form.slippage + key), {
      ...setSlippage(emptyForm(new Date('2026-03-05T15:00:00Z')), ''),
    });
  const message = 'Slippage must be a positive integer';
  expect(typed('12.5')).toMatchObject({ slippage: '125', slippageError: message });
  expect(setSlippage(emptyForm(new Date('2026-03-05T15:00:00Z')), '-5')).toMatchObject({
    slippage: '5',
    slippageError: message,
  });
  // Still the same number.
  expect(setSlippage(typed('12.'), '12').slippageError).toBe(message);
  // Taken back, or another number: said no more.
  expect(setSlippage(typed('12.5'), '12').slippageError).toBeNull();
  expect(setSlippage(typed('12.5'), '7').slippageError).toBeNull();
  expect(typed('125').slippageError).toBeNull();
});

test('a batch that is run again compares with no further tickers', () => {
  const config = { start_date: '2010-01-01', end_date: '2020-01-01', slippage_bps: 3 };
  const batch = {
    template_bot: null,
    variables: {},
    backtest_config: { ...config, benchmarks: ['QQQ'], cash: { rate: 4 } },
  };
  expect(formOfBatch(batch as unknown as BatchDetail, new Date('2026-03-05T15:00:00Z')).terms).toMatchObject({
    benchmarks: [],
    cash: { rate: 4 },
  });
});
