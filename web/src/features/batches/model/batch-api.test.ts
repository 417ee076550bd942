import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { ApiClient } from '@quantloom/domain/contracts/http/client';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { expect, it } from 'vitest';
import { queryClient, setApi } from '../../../lib/api.ts';
import { createBatch, runAgain } from './batch-api.ts';
import { chooseTemplate, emptyForm } from './batch-form.ts';

let count = 0;
const template = { name: 'Switch', variables: ['$A'], algorithm: newAlgorithm(() => `node_${++count}`) };

it('creates a batch once for one press of the button, however often it is sent', async () => {
  const keys: (string | undefined)[] = [];
  const names: string[] = [];
  setApi({
    call: async (_route: unknown, input: { body: { name: string }; idempotencyKey?: string }) => {
      keys.push(input.idempotencyKey);
      names.push(input.body.name);
      return { id: 'b1' };
    },
  } as unknown as ApiClient);
  queryClient.setQueryData(['batch-backtests', 'count'], 3);
  const form = chooseTemplate(emptyForm(new Date('2026-11-25T17:00:00Z')), template);
  await createBatch(form, [], 'press-1');
  await createBatch(form, [], 'press-1');
  expect(keys).toEqual(['press-1', 'press-1']);
  // Unnamed, it is called after its template.
  expect(names).toEqual(['Backtest based on Switch', 'Backtest based on Switch']);
  expect(queryClient.getQueryState(['batch-backtests', 'count'])?.isInvalidated).toBe(true);
  queryClient.clear();
});

it('runs a batch again as it was made, under a key of its own and without its histories', async () => {
  const sent: { body: object; idempotencyKey?: string }[] = [];
  setApi({
    call: async (_route: unknown, input: (typeof sent)[number]) => {
      sent.push(input);
      return { id: 'b2' };
    },
  } as unknown as ApiClient);
  const asMade = {
    ...{ name: 'Switch', template_bot: template, variables: { $A: ['SPY', 'TLT'] } },
    ...{ combinations: 2, partitions: 2, time_estimate: { seconds: 7 } },
  };
  const backtest_config = { start_date: '2010-01-04', slippage_bps: 3, include: { history: true } };
  const batch = { ...asMade, backtest_config, is_public: true, id: 'b1', status: 'Finished' };
  expect(await runAgain(batch as unknown as BatchDetail)).toEqual({ id: 'b2' });
  await runAgain(batch as unknown as BatchDetail);
  expect(sent[0]?.body).toEqual({
    ...asMade,
    // Who shares the first one has not shared this one.
    is_public: false,
    backtest_config: { ...backtest_config, include: { history: false } },
  });
  expect(sent[0]?.idempotencyKey).not.toBe(sent[1]?.idempotencyKey);
});
