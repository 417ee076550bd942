import { type AddressInfo, connect, type Socket } from 'node:net';
import { RefusalError, refuse } from '@quantloom/domain/kernel/refusal';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerErrorHandling } from './errors.ts';
import { leaveRefusedBodies } from './unread-bodies.ts';

const TAKEN = 10;
const MEGABYTE = 1024 * 1024;
const spent = refuse(429, 'cost_limit', 'The budget is spent.', { data: { retry_after: 7 } });

let app: FastifyInstance;
let now: number;
let received: Socket[];

beforeEach(async () => {
  now = 1_000_000;
  received = [];
  app = Fastify({ logger: false, bodyLimit: 8 * MEGABYTE, forceCloseConnections: true });
  app.decorateRequest('principal', null);
  registerErrorHandling(app);
  leaveRefusedBodies(app, { lingerMs: 50, now: () => now });
  app.addHook('onRequest', async (request) => {
    const name = String(request.headers['x-user']);
    request.principal = { userId: name } as never;
    if (request.url === '/refused') throw new RefusalError(spent);
  });
  app.post('/refused', async () => ({}));
  app.post('/taken', async (request) => ({
    letters: String((request.body as { text: string }).text).length,
  }));
  app.server.on('connection', (socket) => received.push(socket));
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

const addressOf = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;

async function send(path: string, bytes: number, user = 'ann') {
  const response = await fetch(addressOf() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': user },
    body: JSON.stringify({ text: 'x'.repeat(bytes) }),
  });
  return {
    status: response.status,
    isLast: response.headers.get('connection') === 'close',
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as { code?: string; letters?: number },
  };
}

const bytesRead = () => received.reduce((sum, socket) => sum + socket.bytesRead, 0);

/** Resolves also where the connection was cut: `once` of node:events would reject. */
const closing = (socket: Socket) =>
  new Promise<void>((resolve) => {
    socket.on('error', () => undefined);
    socket.once('close', () => resolve());
  });

async function spendThoseTaken(user?: string): Promise<void> {
  for (let i = 0; i < TAKEN; i += 1)
    expect(await send('/refused', MEGABYTE, user)).toMatchObject({ isLast: false });
}

describe('bodies of refused requests', () => {
  it('stay on the wire from the eleventh in a minute, and the whole refusal is told', async () => {
    await spendThoseTaken();
    const before = bytesRead();
    expect(await send('/refused', 4 * MEGABYTE)).toEqual({
      status: 429,
      isLast: true,
      retryAfter: '7',
      body: expect.objectContaining({ code: 'cost_limit' }),
    });
    expect(bytesRead() - before).toBeLessThan(MEGABYTE);
  });

  it('are taken again a minute later, and those of others always', async () => {
    await spendThoseTaken();
    expect(await send('/refused', MEGABYTE)).toMatchObject({ isLast: true });
    expect(await send('/refused', MEGABYTE, 'bob')).toMatchObject({ status: 429, isLast: false });
    now += 60_000;
    expect(await send('/refused', MEGABYTE)).toMatchObject({ status: 429, isLast: false });
  });

  it('do not count where they are small, nor where they were read', async () => {
    for (let i = 0; i < 2 * TAKEN; i += 1) {
      expect(await send('/refused', 1_000)).toMatchObject({ status: 429, isLast: false });
      expect(await send('/taken', MEGABYTE)).toMatchObject({ status: 200, body: { letters: MEGABYTE } });
    }
    expect(await send('/refused', MEGABYTE)).toMatchObject({ isLast: false });
  });

  it('end the connection of a client that goes on sending', async () => {
    await spendThoseTaken();
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('data', (piece) => {
      answer += piece.toString();
    });
    const closed = closing(socket);
    socket.write(
      'POST /refused HTTP/1.1\r\nhost: x\r\nx-user: ann\r\ncontent-type: ' +
        `application/json\r\ncontent-length: ${100 * MEGABYTE}\r\n\r\n`,
    );
    const sending = setInterval(() => socket.write(Buffer.alloc(MEGABYTE)), 5);
    await closed;
    clearInterval(sending);
    expect(answer).toMatch(/^HTTP\/1\.1 429 /);
    expect(answer).toContain('cost_limit');
    expect(received.at(-1)?.bytesRead).toBeLessThan(2 * MEGABYTE);
    expect(await send('/taken', 10)).toMatchObject({ status: 200 });
  });

  it('end the connection where the body says nothing of its length', async () => {
    await spendThoseTaken();
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1');
    const closed = closing(socket);
    socket.resume();
    socket.write(
      'POST /refused HTTP/1.1\r\nhost: x\r\nx-user: ann\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
    );
    await closed;
    expect(received.at(-1)?.destroyed).toBe(true);
  });
});
