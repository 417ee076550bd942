import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { type ResultStore, ResultsMissingError } from '@quantloom/domain/ports/result-store';
import { expect, it } from 'vitest';
import { RESULTS_MISSING, withMissingResultsTold } from './missing-results.ts';

const failing = (error: Error) =>
  withMissingResultsTold({ countRows: () => Promise.reject(error) } as unknown as ResultStore);

it('says in words that the rows of a batch are gone', async () => {
  const error = await failing(new ResultsMissingError('b')).countRows('b').catch(String);
  expect(error).toBe(String(new RefusalError(RESULTS_MISSING)));
});

it('does not take rows for lost where the store has another trouble: nobody is to compute them again', async () => {
  const trouble = new Error('The disk is full');
  await expect(failing(trouble).countRows('b')).rejects.toBe(trouble);
});
