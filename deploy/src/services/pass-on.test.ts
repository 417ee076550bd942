import { once } from 'node:events';
import { createServer, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { registerErrorHandling } from '@quantloom/http/errors';
import { trustNearest } from '@quantloom/http/server';
import Fastify, { type FastifyInstance, type FastifyRequest, type FastifyServerOptions } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { loggedRequest } from '../wiring/log.ts';
import { type PassOnOptions, passOn } from './pass-on.ts';

const EVENTS = '/api/v1/batch-backtests/b/events';
const BATCH = '/api/v1/batch-backtests/b';
const STRATEGIES = '/api/v1/trading-bots';

let behind: Server;
let app: FastifyInstance;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  behind.closeAllConnections();
  behind.close();
  await app.close();
});

/** A gateway before one process, which keeps the answers that `isHeld` tells until they are let go. */
async function startGateway(
  options: Partial<PassOnOptions> = {},
  isHeld: (url: string) => boolean = () => false,
  server: FastifyServerOptions = {},
) {
  const asked: string[] = [];
  const callers: unknown[] = [];
  const held: ServerResponse[] = [];
  behind = createServer((request, response) => {
    asked.push(request.url ?? '');
    callers.push(request.headers['x-forwarded-for']);
    if (isHeld(request.url ?? '')) {
      held.push(response.writeHead(200, { 'content-type': 'text/event-stream' }));
      response.write(': it goes on\n\n');
      return;
    }
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
    });
    request.on('end', () =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ size })),
    );
  });
  behind.listen(0, '127.0.0.1');
  await once(behind, 'listening');
  const url = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
  app = Fastify(server) as unknown as FastifyInstance;
  registerErrorHandling(app);
  await passOn(app, { command: { next: () => url }, query: { next: () => url }, ...options });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return { origin, asked, callers, held };
}

const room = (connections: number, waiting: number) => {
  const few = { connections, waiting, ofOneNetwork: Math.ceil(connections / 2) };
  return { calls: few, files: few, streams: few };
};

/** Asks and leaves the answer unread; the status. */
async function open(url: string): Promise<number> {
  const request = httpRequest(url);
  request.on('error', () => undefined);
  request.end();
  const [response] = await once(request, 'response');
  sockets.push(response.socket);
  return response.statusCode;
}

describe('what the gateway passes on', () => {
  it('arrives whole, whether it is small, large, or nothing', async () => {
    const { origin } = await startGateway();
    const sizeOf = async (body: string) =>
      await (
        await fetch(origin + STRATEGIES, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json' },
        })
      ).json();
    expect(await sizeOf('{"a":1}')).toEqual({ size: 7 });
    expect(await sizeOf('x'.repeat(3_000_000))).toEqual({ size: 3_000_000 });
    expect(await (await fetch(origin + BATCH)).json()).toEqual({ size: 0 });
  });

  it('is not held up by event streams, of which each holds a connection for as long as a batch runs', async () => {
    const { origin } = await startGateway({ room: room(4, 0) }, (url) => url === EVENTS);
    expect(await open(origin + EVENTS)).toBe(200);
    expect(await open(origin + EVENTS)).toBe(200);
    expect((await fetch(origin + BATCH)).status).toBe(200);
  });

  it('is refused beyond what may wait, with a word on when to come back', async () => {
    const { origin, held } = await startGateway({ room: room(2, 2) }, (url) => url === BATCH);
    const first = open(origin + BATCH);
    expect(await first).toBe(200);
    const second = open(origin + BATCH);
    await expect
      .poll(async () => {
        const answer = await fetch(origin + BATCH, { signal: AbortSignal.timeout(300) }).catch(() => null);
        return answer?.status ?? null;
      })
      .toBe(503);
    const refused = await fetch(origin + BATCH);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await refused.json()).toMatchObject({ code: 'unavailable', status: 503 });
    held[0]?.end();
    expect(await second).toBe(200);
  });

  it('takes nothing of the process behind before a small body is there', async () => {
    const { origin, asked } = await startGateway({ bodies: { windowMs: 100 } });
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    socket.write(
      `POST ${STRATEGIES} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
    );
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1.1 408 /);
    expect(String(answer)).toContain('came too slowly');
    expect(asked).toEqual([]);
  });

  it('may be large and slow to be taken, but not slow to be sent', async () => {
    const { origin, asked } = await startGateway({ bodies: { windowMs: 100 } });
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    const head = `POST ${STRATEGIES} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
    socket.write(`${head}content-length: 200000\r\n\r\n${'x'.repeat(100_000)}`);
    const [answer] = await once(socket, 'data');
    expect(asked).toEqual([STRATEGIES]);
    expect(String(answer)).toMatch(/^HTTP\/1.1 [45]\d\d /);
  });

  it('goes to the side that its contract names, whether it reads or writes', async () => {
    const side = (name: string) => ({
      next: () => {
        sides.push(name);
        return url;
      },
    });
    const sides: string[] = [];
    let url = '';
    const { origin } = await startGateway({ command: side('command'), query: side('query') });
    url = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
    const post = (path: string) => fetch(origin + path, { method: 'POST', body: '{}' });
    await fetch(origin + BATCH);
    await post(STRATEGIES);
    // Running a backtest is a question, however long it is.
    await post('/api/v1/backtests');
    await fetch(`${origin}/feeds/some-token.atom`);
    expect(sides).toEqual(['query', 'command', 'query', 'query']);
  });

  it('says who asks, as the gateway knows it and not as the caller does', async () => {
    const { origin, callers } = await startGateway();
    await fetch(origin + BATCH, { headers: { 'x-forwarded-for': '203.0.113.7' } });
    expect(callers).toEqual(['127.0.0.1']);
  });

  it('is refused to the network that has taken its part, and to no other', async () => {
    const calls = { connections: 8, waiting: 2, ofOneNetwork: 2 };
    const { origin, callers, held } = await startGateway(
      { room: { calls, files: calls, streams: calls } },
      (url) => url === BATCH,
      { trustProxy: trustNearest },
    );
    const refused: number[] = [];
    const ask = (from: string) =>
      fetch(origin + BATCH, { headers: { 'x-forwarded-for': from } }).then(({ status }) => {
        if (status !== 200) refused.push(status);
      });
    const all = Array.from({ length: 6 }, () => ask('203.0.113.7'));
    // Two are worked on, two wait.
    await expect.poll(() => refused).toEqual([503, 503]);
    expect(callers).toEqual(['203.0.113.7', '203.0.113.7']);
    all.push(ask('203.0.113.8'));
    await expect.poll(() => callers.at(-1)).toBe('203.0.113.8');
    await expect
      .poll(async () => {
        for (const response of held.splice(0)) response.end();
        return await Promise.race([Promise.all(all).then(() => 'over'), new Promise(setImmediate)]);
      })
      .toBe('over');
    expect(refused).toEqual([503, 503]);
  });

  it('waits for a process behind in a line of a certain length', async () => {
    const calls = { connections: 1, waiting: 2, ofOneNetwork: 100 };
    const { origin, asked, held } = await startGateway(
      { room: { calls, files: calls, streams: calls } },
      (url) => url === BATCH,
    );
    let refused = 0;
    const all = Array.from({ length: 6 }, async () => {
      const { status } = await fetch(origin + BATCH);
      if (status === 503) refused += 1;
    });
    await expect.poll(() => [asked.length, refused]).toEqual([1, 3]);
    await expect
      .poll(async () => {
        for (const response of held.splice(0)) response.end();
        return await Promise.race([Promise.all(all).then(() => 'over'), new Promise(setImmediate)]);
      })
      .toBe('over');
    expect([asked.length, refused]).toEqual([3, 3]);
  });

  it('leaves no secret of an address in the log', async () => {
    const lines: string[] = [];
    const stream = { write: (line: string) => void lines.push(line) };
    const logger = {
      level: 'trace',
      stream,
      serializers: { req: (one: FastifyRequest) => ({ ...loggedRequest(one) }) },
    };
    const { origin, asked } = await startGateway({}, () => false, { logger });
    const address = `${BATCH}/results/download?expires=1&signature=very-secret`;
    await fetch(origin + address);
    await fetch(`${origin}/feeds/very-secret-too.atom`);
    expect(asked).toEqual([address, '/feeds/very-secret-too.atom']);
    expect(lines.join('')).toContain('[hidden]');
    expect(lines.join('')).not.toContain('very-secret');
  });
});
