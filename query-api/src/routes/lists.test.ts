import {
  type VariableListDocument,
  variableListsProjection,
} from '@quantloom/domain/variable-list/projection';
import { until } from '@quantloom/projectors/testing/batch-stack';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type BatchApi, body, openBatchApi } from '../../testing/batch-api.ts';
import { asset, root } from '../../testing/blocks.ts';
import { mountVariableListQueries } from './variable-lists.ts';

let api: BatchApi;
const LISTS = '/api/v1/variable-lists';
const names = (answer: { readonly body: readonly { readonly name: string }[] }) =>
  answer.body.map(({ name }) => name).join();

beforeAll(async () => {
  api = await openBatchApi({ also: [mountVariableListQueries] });
  for (let i = 0; i < 12; i += 1)
    await api.call('POST', LISTS, {
      name: `Funds ${String.fromCharCode(97 + ((i * 5) % 12))}`,
      is_public: i % 3 === 0,
      variables: i % 2 === 0 ? ['SPY', 'QQQ'] : ['TLT'],
    });
  for (const name of ['Über momentum', 'Carry'])
    await api.call('POST', '/api/v1/trading-bots', {
      name,
      algorithm: root(asset('node_1', name === 'Carry' ? '$A' : 'A1')),
    });
});
afterAll(() => api.close());

it('gives the plain array, the last changed first, where nothing is asked for', async () => {
  const answer = await api.call('GET', LISTS);
  expect(Array.isArray(answer.body)).toBe(true);
  expect(answer.body).toHaveLength(12);
  const changed = answer.body.map(({ updated_at }: { updated_at: string }) => updated_at);
  expect(changed).toEqual(changed.toSorted().reverse());
});

it('sorts, pages and counts', async () => {
  const pages = [];
  for (const skip of [0, 5, 10])
    pages.push(names(await api.call('GET', `${LISTS}?sort=name:asc&limit=5&skip=${skip}`)));
  expect(pages.join()).toBe(
    'abcdefghijkl'
      .split('')
      .map((letter) => `Funds ${letter}`)
      .join(),
  );
  expect(names(await api.call('GET', `${LISTS}?sort=name:desc&limit=2`))).toBe('Funds l,Funds k');
});

it('finds by name, ticker and day, whatever the case and order of the words', async () => {
  expect(names(await api.call('GET', `${LISTS}?search=C%20funds`))).toBe('Funds c');
  expect((await api.call('GET', `${LISTS}?search=tlt`)).body).toHaveLength(6);
  const today = new Date().toISOString().slice(0, 10);
  expect((await api.call('GET', `${LISTS}?search=${today}%20spy`)).body).toHaveLength(6);
  expect((await api.call('GET', `${LISTS}?created_from=${today}&created_to=${today}`)).body).toHaveLength(12);
  expect((await api.call('GET', `${LISTS}?created_to=2020-01-01`)).body).toHaveLength(0);
  expect((await api.call('GET', `${LISTS}?visibility=public`)).body).toHaveLength(4);
  const drafts = '/api/v1/drafts';
  expect(names(await api.call('GET', `${drafts}?search=%C3%BCBER`))).toBe('Über momentum');
  expect(names(await api.call('GET', `${drafts}?search=a1`))).toBe('Über momentum');
  expect(names(await api.call('GET', `${drafts}?type=template`))).toBe('Carry');
  expect(names(await api.call('GET', '/api/v1/templates'))).toBe('Carry');
});

it('refuses what it cannot sort by', async () => {
  expect((await api.call('GET', `${LISTS}?sort=color`)).status).toBe(400);
});

it('shows neither what is deleted nor what is others’', async () => {
  const [first] = (await api.call('GET', `${LISTS}?search=funds%20a`)).body;
  await api.call('DELETE', `${LISTS}/${first.id}`);
  expect((await api.call('GET', `${LISTS}?search=funds%20a`)).body).toHaveLength(0);
  await api.call('POST', `${LISTS}/${first.id}/undo-delete`, {});
  expect((await api.call('GET', `${LISTS}?ids=${first.id}`)).body).toHaveLength(1);
});

it('filters batches by their status', async () => {
  const { body: created } = await api.call('POST', '/api/v1/batch-backtests', { ...body(), name: 'Pairs' });
  await until(async () => {
    const { body: found } = await api.call('GET', '/api/v1/batch-backtests?status=Finished&search=pairs');
    return found[0]?.id === created.id;
  });
  expect((await api.call('GET', '/api/v1/batch-backtests?status=Error,Queued')).body).toEqual([]);
});

it('finds the batches that were made from one strategy', async () => {
  const request = body();
  const { body: template } = await api.call('POST', '/api/v1/trading-bots', {
    name: 'Template',
    algorithm: request.template_bot.algorithm,
  });
  const made = await api.call('POST', '/api/v1/batch-backtests', {
    ...request,
    name: 'Made from it',
    template_bot: { ...request.template_bot, id: template.id },
  });
  expect(made.status).toBe(201);
  const of = async (query: string) =>
    names(await api.call('GET', `/api/v1/batch-backtests?strategy=${template.id}${query}`));
  expect(await of('')).toBe('Made from it');
  expect(await of('&search=made&sort=size:desc&status=Queued,Running,CompilingResults,Finished')).toBe(
    'Made from it',
  );
  expect(await of('&search=pairs')).toBe('');
  expect((await api.call('GET', '/api/v1/batch-backtests?strategy=nobody')).body).toEqual([]);
});

it('knows the revision that a batch was made of, though the page holds its tree as it sent it', async () => {
  const request = body();
  // The server works out that this is of version 2.
  const algorithm = { ...(request.template_bot.algorithm as object), rebalance: 'monthly' };
  const template = { ...request.template_bot, algorithm };
  const { body: saved } = await api.call('POST', '/api/v1/trading-bots', { name: 'Template', algorithm });
  expect(saved.algorithm.version).toBe('v2');
  const revisionOf = async (over: object) => {
    const made = await api.call('POST', '/api/v1/batch-backtests', {
      ...request,
      template_bot: { ...template, ...over, id: saved.id },
    });
    const batch = await api.call('GET', `/api/v1/batch-backtests/${made.body.id}`);
    return batch.body.provenance.strategy_revision;
  };
  expect(await revisionOf({})).toBe(saved.revision);
  expect(await revisionOf({ algorithm: { ...algorithm, rebalance: 'weekly' } })).toBeNull();
});

it('refuses what is too long for one answer, and gives it in parts', async () => {
  const variables = Array.from({ length: 20_000 }, (_, i) => `T${String(i).padStart(9, '0')}`);
  const { readModels } = api.stores;
  const { name } = variableListsProjection.collection;
  const found = await readModels.find<VariableListDocument>(name, { where: { ownerId: 'u1' }, limit: 1 });
  // As if there were seven long ones in the place of each.
  const real = readModels.getMany.bind(readModels);
  const many = vi
    .spyOn(readModels, 'getMany')
    .mockImplementation(async (collection, ids) =>
      collection === name
        ? (Array.from({ length: 7 * ids.length }, () => ({ ...found[0], variables })) as never)
        : await real(collection, ids),
    );
  const refused = await api.call('GET', LISTS);
  expect(refused).toMatchObject({ status: 422, body: { code: 'answer_too_long' } });
  expect((await api.call('GET', `${LISTS}?limit=5`)).body).toHaveLength(35);
  many.mockRestore();
});
