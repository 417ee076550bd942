import type { Estimate } from '@quantloom/domain/contracts/http/batches';
import type { VariableList } from '@quantloom/domain/contracts/http/variable-lists';
import { expect, test } from 'vitest';
import { createActor, fromPromise, waitFor } from 'xstate';
import { ApiError } from '../../../lib/api.ts';
import {
  type BatchForm,
  type BatchTemplate,
  chooseTemplate,
  emptyForm,
  setMode,
  setText,
} from '../model/batch-form.ts';
import { batchFormMachine, createFault, estimateFault } from './batch-form.machine.ts';

const ESTIMATE = { combinations: 2, partitions: 1, time_estimate: { seconds: 1 } } as Estimate;
const TEMPLATE: BatchTemplate = {
  name: 'Switch',
  variables: ['$A'],
  algorithm: {} as BatchTemplate['algorithm'],
};
const form = (): BatchForm =>
  setText(setMode(chooseTemplate(emptyForm(new Date()), TEMPLATE), '$A', 'text', []), '$A', 'SPY\nQQQ');
const failure = (status: number, body: unknown) => new ApiError(status, body);

interface Calls {
  readonly estimate?: () => Promise<Estimate>;
  readonly create?: (key: string) => Promise<{ id: string }>;
}

function start(calls: Calls = {}) {
  return createActor(
    batchFormMachine.provide({
      actors: {
        estimate: fromPromise(calls.estimate ?? (() => Promise.resolve(ESTIMATE))),
        create: fromPromise(({ input: { key } }) => calls.create?.(key) ?? Promise.resolve({ id: 'b1' })),
      },
    }),
    { input: { form: form() } },
  ).start();
}

test('estimate, create, created', async () => {
  const actor = start();
  actor.send({ type: 'user.create', key: 'k' });
  expect(actor.getSnapshot().value).toBe('editing');
  actor.send({ type: 'user.estimate' });
  await waitFor(actor, (state) => state.context.form.estimate !== null);
  expect(actor.getSnapshot().context.form.name).toBe('Backtest based on Switch');
  actor.send({ type: 'user.create', key: 'k' });
  await waitFor(actor, (state) => state.matches('created'));
  expect(actor.getSnapshot().context.createdId).toBe('b1');
});

test('an estimate that comes back after a change is dropped', async () => {
  let answer: (estimate: Estimate) => void = () => {};
  const actor = start({
    estimate: () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  });
  actor.send({ type: 'user.estimate' });
  actor.send({ type: 'user.change', change: (now) => setText(now, '$A', 'IWM') });
  answer(ESTIMATE);
  await Promise.resolve();
  expect([actor.getSnapshot().value, actor.getSnapshot().context.form.estimate]).toEqual(['editing', null]);
});

test('a failed create keeps the form and says why until the next change', async () => {
  const actor = start({ create: () => Promise.reject(failure(400, { error: 'Not today' })) });
  actor.send({ type: 'user.estimate' });
  await waitFor(actor, (state) => state.context.form.estimate !== null);
  actor.send({ type: 'user.create', key: 'k' });
  await waitFor(actor, (state) => state.context.createError !== null);
  expect(actor.getSnapshot().context.createError).toBe('Not today');
  actor.send({ type: 'user.change', change: (now) => ({ ...now, name: 'x' }) });
  expect(actor.getSnapshot().context.createError).toBeNull();
});

test('each press of the button is sent with its own key, and says nothing of the one before', async () => {
  const keys: string[] = [];
  const errors: (string | null)[] = [];
  const actor = start({
    create: (key) => {
      keys.push(key);
      return Promise.reject(failure(500, { error: `Not ${key}` }));
    },
  });
  actor.send({ type: 'user.estimate' });
  await waitFor(actor, (state) => state.context.form.estimate !== null);
  for (const key of ['k1', 'k2']) {
    actor.send({ type: 'user.create', key });
    errors.push(actor.getSnapshot().context.createError);
    await waitFor(actor, (state) => state.matches('editing'));
    errors.push(actor.getSnapshot().context.createError);
  }
  expect([keys, errors]).toEqual([
    ['k1', 'k2'],
    [null, 'Not k1', null, 'Not k2'],
  ]);
});

test('a new estimate takes back what the one before was refused for', async () => {
  let isRefused = true;
  const usage = { monthly_limit: 1, current_monthly_usage: 1, remaining: 0, remaining_after_backtests: -1 };
  const actor = start({
    estimate: async () => {
      if (isRefused) throw failure(403, { error: 'Used up', usage });
      return ESTIMATE;
    },
  });
  actor.send({ type: 'user.estimate' });
  await waitFor(actor, (state) => state.matches('editing'));
  expect(actor.getSnapshot().context.form).toMatchObject({ estimateError: 'Used up', refusedUsage: usage });
  isRefused = false;
  actor.send({ type: 'user.estimate' });
  await waitFor(actor, (state) => state.matches('editing'));
  expect(actor.getSnapshot().context.form).toMatchObject({
    estimate: ESTIMATE,
    estimateError: null,
    refusedUsage: null,
  });
});

test('lists stay when others are found, and are as they were found last', () => {
  const list = (id: string, name: string) => ({ id, name, variables: ['SPY'] }) as unknown as VariableList;
  const actor = start();
  actor.send({ type: 'lists.loaded', lists: [list('a', 'Old'), list('b', 'Bonds')] });
  actor.send({ type: 'lists.loaded', lists: [list('a', 'New'), list('c', 'Gold')] });
  expect(actor.getSnapshot().context.lists.map(({ id, name }) => `${id} ${name}`)).toEqual([
    'a New',
    'b Bonds',
    'c Gold',
  ]);
});

test('texts of a failed estimate', () => {
  const usage = { monthly_limit: 1, current_monthly_usage: 1, remaining: 0, remaining_after_backtests: -1 };
  expect(estimateFault(failure(403, { usage }))).toEqual({
    estimateError: 'Monthly limit exceeded',
    refusedUsage: usage,
  });
  expect(estimateFault(failure(403, { error: 'Used up' })).estimateError).toBe('Used up');
  expect(estimateFault(failure(500, { error: 'Away' })).estimateError).toBe('Away');
  expect(estimateFault(new Error('Offline')).estimateError).toBe('Offline');
  expect(estimateFault('?').estimateError).toBe('An error occurred while getting the estimate');
});

test('texts of a failed create', () => {
  expect(createFault(failure(400, { error: 'Bad' }))).toBe('Bad');
  const named = { error: 'Asset X (node_1) is odd', errors: [{ nodeId: 'node_1', message: 'odd' }] };
  expect(createFault(failure(400, named))).toBe('Asset X is odd');
  expect(createFault(failure(400, {}))).toBe('Failed to create batch backtest');
  expect(createFault(failure(500, { message: 'Away' }))).toBe('Away');
  expect(createFault(new Error('Offline'))).toBe('Offline');
  expect(createFault('?')).toBe('An error occurred while creating the batch backtest');
});
