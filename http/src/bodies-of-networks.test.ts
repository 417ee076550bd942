import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { boundBodiesOfNetworks } from './bodies-of-networks.ts';
import { registerErrorHandling } from './errors.ts';

const AT_ONCE = 16;
const WAITING = 64;
const MEGABYTE = 1024 * 1024;

let app: FastifyInstance;
let begun: number;
let open: Socket[];
/** What comes before the body is looked at: finding out who asks, for example. */
let before: (reply: FastifyReply) => Promise<unknown>;
let answerOf: (letters: number) => Promise<object>;

beforeEach(async () => {
  [begun, open] = [0, []];
  before = async () => undefined;
  answerOf = async (letters) => ({ letters });
  app = Fastify({ logger: false, trustProxy: true, bodyLimit: 2 * MEGABYTE, forceCloseConnections: true });
  registerErrorHandling(app);
  app.addHook('onRequest', async (_request, reply) => void (await before(reply)));
  boundBodiesOfNetworks(app);
  app.addHook('preParsing', async (_request, _reply, payload) => {
    begun += 1;
    return payload;
  });
  app.post('/', (request) => answerOf((request.body as { text: string }).text.length));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  await app.close();
});

const port = () => (app.server.address() as AddressInfo).port;

/** Begins a body that does not go on. */
async function begin(from: string, length = `content-length: ${MEGABYTE}`): Promise<Socket> {
  const socket = connect(port(), '127.0.0.1');
  open.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(
    `POST / HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
  );
  return socket;
}

async function send(from: string, bytes: number) {
  const response = await fetch(`http://127.0.0.1:${port()}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify({ text: 'x'.repeat(bytes) }),
  });
  return { status: response.status, body: (await response.json()) as { code?: string; letters?: number } };
}

/** Until so many bodies are being read. */
async function reading(count: number): Promise<void> {
  while (begun < count) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(begun).toBe(count);
}

it('lets so many large bodies of a network come at once, whatever they say of their length, and some wait', async () => {
  for (let i = 0; i < AT_ONCE; i += 1)
    await begin('203.0.113.7', i % 2 === 0 ? undefined : 'transfer-encoding: chunked');
  await reading(AT_ONCE);
  // Those of others, private ones and small ones are read meanwhile.
  expect(await send('203.0.113.8', MEGABYTE)).toMatchObject({ status: 200, body: { letters: MEGABYTE } });
  expect(await send('192.168.0.7', MEGABYTE)).toMatchObject({ status: 200 });
  expect(await send('203.0.113.7', 1_000)).toMatchObject({ status: 200 });
  const further = Array.from({ length: WAITING + 1 }, () => send('203.0.113.7', MEGABYTE));
  expect(await Promise.race(further)).toMatchObject({ status: 429, body: { code: 'too_many_at_once' } });
  // A turn ends with the connection that has it, and is passed on.
  open[0]?.destroy();
  const statuses = (await Promise.all(further)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(WAITING);
});

it('ends the turn with the body, not with the answer', async () => {
  let asked = 0;
  const held = Promise.withResolvers<void>();
  answerOf = async (letters) => {
    asked += 1;
    if (asked === AT_ONCE + 1) held.resolve();
    await held.promise;
    return { letters };
  };
  const sent = Array.from({ length: AT_ONCE + 1 }, () => send('203.0.113.7', MEGABYTE));
  expect((await Promise.all(sent)).every(({ status }) => status === 200)).toBe(true);
});

it('ends the turn with the body, one after the other', async () => {
  for (let i = 0; i < 3 * AT_ONCE; i += 1)
    expect(await send('203.0.113.7', MEGABYTE)).toMatchObject({ status: 200 });
});

it('keeps no turn for who has left before it was asked for', async () => {
  let arrived = 0;
  before = (reply) => {
    arrived += 1;
    return once(reply.raw, 'close');
  };
  for (let i = 1; i <= AT_ONCE; i += 1) {
    const leaving = await begin('203.0.113.7');
    while (arrived < i) await new Promise(setImmediate);
    leaving.destroy();
  }
  await reading(AT_ONCE);
  before = async () => undefined;
  expect(await send('203.0.113.7', MEGABYTE)).toMatchObject({ status: 200 });
});

it('forgets who leaves while he waits', async () => {
  for (let i = 0; i < AT_ONCE; i += 1) await begin('203.0.113.7');
  await reading(AT_ONCE);
  const left = await begin('203.0.113.7');
  const after = send('203.0.113.7', MEGABYTE);
  left.destroy();
  open[0]?.destroy();
  expect(await after).toMatchObject({ status: 200 });
});
