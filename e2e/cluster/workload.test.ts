import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { type AcceptedBatch, Workload } from './workload.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Answers renamings only when the bot has been deleted, and then that it cannot be found. */
async function slowToRename(): Promise<string> {
  const waiting: ServerResponse[] = [];
  const answers: Readonly<Record<string, unknown>> = {
    '/config.json': { audience: 'here' },
    '/oauth/token': { access_token: 'token' },
    '/api/v1/tickers': { data: [] },
  };
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.method === 'PATCH') {
      waiting.push(response);
      return;
    }
    if (request.url?.startsWith('/api/v1/drafts/'))
      for (const one of waiting.splice(0)) one.writeHead(404).end('{"code":"strategy_not_found"}');
    response.end(JSON.stringify(answers[request.url ?? ''] ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('takes no fault from a renaming that met the deletion of its bot', async () => {
  const workload = await Workload.open(await slowToRename());
  const batch = { id: 'batch-1', bot: 'bot-1' } as AcceptedBatch;
  workload.batches.push(batch);
  workload.names.set(batch.bot, 'Before');
  const renaming = workload.rename(batch.bot, 'After');
  await workload.deleteBatch(batch);
  await renaming;
  expect([...workload.names]).toEqual([]);
});

it('takes a fault from a bot that is gone although nobody deleted it', async () => {
  const workload = await Workload.open(await slowToRename());
  for (const bot of ['bot-1', 'bot-2']) workload.names.set(bot, 'Before');
  const renaming = workload.rename('bot-2', 'After');
  const refused = expect(renaming).rejects.toThrow('404');
  await workload.deleteBatch({ id: 'batch-1', bot: 'bot-1' } as AcceptedBatch);
  await refused;
});
