import { type ApiClient, ApiError } from '@quantloom/domain/contracts/http/client';
import type { TradingBot } from '@quantloom/domain/contracts/http/strategies';
import { newAlgorithm } from '@quantloom/domain/strategy/node-factory';
import { expect, it } from 'vitest';
import { setApi } from '../../../lib/api.ts';
import { saveBot } from './editor-api.ts';

let count = 0;
const algorithm = newAlgorithm(() => `node_${++count}`);
const base = {
  id: 'a',
  name: 'Mine',
  is_public: false,
  algorithm,
  revision: 3,
  tags: [],
} as unknown as TradingBot;
const input = {
  id: 'a',
  revision: 3,
  document: { name: 'Mine, renamed', isPublic: false, algorithm },
  base,
};

/** A server that has gone on to `now`; answers what it was asked to write on. */
function serverWith(now: TradingBot): (number | undefined)[] {
  const writtenOn: (number | undefined)[] = [];
  const call = async ({ method }: { method: string }, { ifMatch }: { ifMatch?: number }) => {
    if (method === 'GET') return now;
    writtenOn.push(ifMatch);
    if (ifMatch === now.revision) return { ...now, revision: now.revision + 1 };
    throw new ApiError(409, {
      error: 'It was changed',
      code: 'revision_conflict',
      currentRevision: now.revision,
    } as never);
  };
  setApi({ call } as unknown as ApiClient);
  return writtenOn;
}

it('saves on a later revision that only has other tags, or is archived', async () => {
  const writtenOn = serverWith({ ...base, tags: ['momentum'], revision: 5 } as TradingBot);
  expect((await saveBot(input)).revision).toBe(6);
  expect(writtenOn).toEqual([3, 5]);
});

it.each([
  ['name', { name: 'Renamed elsewhere' }],
  ['tree', { algorithm: { ...algorithm, name: 'Another' } }],
  ['visibility', { is_public: true }],
])('leaves a change of the %s to the person', async (_what, changed) => {
  const writtenOn = serverWith({ ...base, ...changed, revision: 5 } as TradingBot);
  await expect(saveBot(input)).rejects.toMatchObject({ status: 409 });
  expect(writtenOn).toEqual([3]);
});

it('passes other refusals on', async () => {
  setApi({
    call: () => Promise.reject(new ApiError(400, { error: 'No', code: 'invalid_request' })),
  } as unknown as ApiClient);
  await expect(saveBot(input)).rejects.toMatchObject({ status: 400 });
});
