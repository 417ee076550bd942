import { type ApiClient, ApiError } from '@quantloom/domain/contracts/http/client';
import { expect, it } from 'vitest';
import { api, setApi } from './api.ts';
import { settleProof } from './proof.ts';

const REFUSED = new ApiError(403, { error: 'Please confirm that it is you', code: 'confirmation_needed' });
const route = { method: 'POST', path: '/api/v1/x', access: { kind: 'user' } } as never;

it('sends again what was refused for want of a fresh password, as often as it is given', async () => {
  let refusals = 2;
  const call = async () => {
    refusals -= 1;
    if (refusals >= 0) throw REFUSED;
    return 'done';
  };
  setApi({ call } as unknown as ApiClient);
  const done = api().call(route);
  await new Promise((resolve) => setTimeout(resolve));
  settleProof(true);
  await new Promise((resolve) => setTimeout(resolve));
  settleProof(true);
  expect(await done).toBe('done');
});

it('stays refused where somebody would rather not, and asks nothing for other refusals', async () => {
  setApi({ call: () => Promise.reject(REFUSED) } as unknown as ApiClient);
  const refused = api().call(route);
  await new Promise((resolve) => setTimeout(resolve));
  settleProof(false);
  await expect(refused).rejects.toBe(REFUSED);
  const other = new ApiError(404, { error: 'There is no such thing', code: 'not_found' });
  setApi({ call: () => Promise.reject(other) } as unknown as ApiClient);
  await expect(api().call(route)).rejects.toBe(other);
});
