import { EventEmitter } from 'node:events';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { DownloadTurns } from './download-turns.ts';

it('lets one network take two files of an owner at a time, and the owner’s other readers go on', async () => {
  const app = Fastify();
  const turns = new DownloadTurns();
  const read = Promise.withResolvers<void>();
  let begun = 0;
  app.get('/file', async (request, reply) => {
    if (!(await turns.take('owner', request, reply))) return reply.code(429).send();
    begun += 1;
    if (request.headers['x-reads'] === undefined) await read.promise;
    return 'file';
  });
  const download = (remoteAddress: string, headers = {}) =>
    app.inject({ method: 'GET', url: '/file', remoteAddress, headers });
  try {
    const lazy = Array.from({ length: 18 }, () => download('10.0.0.1'));
    await expect.poll(() => begun).toBe(2);
    expect((await download('10.0.0.1')).statusCode).toBe(429);
    expect((await download('10.0.0.2', { 'x-reads': 'at once' })).statusCode).toBe(200);
    read.resolve();
    expect((await Promise.all(lazy)).map(({ statusCode }) => statusCode)).toEqual(lazy.map(() => 200));
  } finally {
    read.resolve();
    await app.close();
  }
});

it('keeps no turn for clients that have left before theirs came', async () => {
  const turns = new DownloadTurns();
  const take = (destroyed: boolean) => {
    const request = { ip: '10.0.0.1', socket: { destroyed } } as FastifyRequest;
    return turns.take('owner', request, { raw: new EventEmitter() } as unknown as FastifyReply);
  };
  for (let i = 0; i < 5; i += 1) await take(true).catch(() => undefined);
  let isBegun = false;
  const reading = take(false).then((isTaken) => {
    isBegun = isTaken;
  });
  await new Promise(setImmediate);
  expect(isBegun).toBe(true);
  await reading;
});

it('keeps no network waiting for the files of another owner', async () => {
  const turns = new DownloadTurns();
  const request = { ip: '10.0.0.1', socket: { destroyed: false } } as FastifyRequest;
  const take = (owner: string) =>
    turns.take(owner, request, { raw: new EventEmitter() } as unknown as FastifyReply);
  expect(await Promise.all([take('ann'), take('ann')])).toEqual([true, true]);
  let isTaken = false;
  void take('ann').then(() => {
    isTaken = true;
  });
  expect(await Promise.all([take('bob'), take('bob')])).toEqual([true, true]);
  expect(isTaken).toBe(false);
});

it('sends eight files of an owner at a time, whatever networks they go to', async () => {
  const turns = new DownloadTurns();
  const replies: EventEmitter[] = [];
  const take = async (ip: string) => {
    const raw = new EventEmitter();
    const request = { ip, socket: { destroyed: false } } as FastifyRequest;
    await turns.take('owner', request, { raw } as unknown as FastifyReply);
    replies.push(raw);
  };
  const all = Array.from({ length: 9 }, (_, i) => take(`10.0.0.${i}`));
  await new Promise(setImmediate);
  expect(replies).toHaveLength(8);
  replies[0]?.emit('close');
  await Promise.all(all);
  expect(replies).toHaveLength(9);
});

it('takes all addresses that one subscriber has for one network', async () => {
  const turns = new DownloadTurns();
  const take = (ip: string) =>
    turns.take(
      'owner',
      { ip, socket: { destroyed: false } } as FastifyRequest,
      {
        raw: new EventEmitter(),
      } as unknown as FastifyReply,
    );
  await Promise.all([take('2001:db8:1:2::1'), take('2001:db8:1:2::2')]);
  let isTaken = false;
  void take('2001:db8:1:2:3:4:5:6').then(() => {
    isTaken = true;
  });
  await take('2001:db8:1:9::1');
  expect(isTaken).toBe(false);
});
