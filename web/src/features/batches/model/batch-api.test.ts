import type { ApiClient } from '@quantloom/domain/contracts/http/client';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { expect, it } from 'vitest';
import { queryClient, setApi } from '../../../lib/api.ts';
import { createBatch } from './batch-api.ts';
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
