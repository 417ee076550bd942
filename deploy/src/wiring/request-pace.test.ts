import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { paceRequests } from './request-pace.ts';

let server: Server;
let time = 0;
let handled = 0;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function startServer(isBehindProxy = true) {
  handled = 0;
  const isInPace = paceRequests({ isBehindProxy, atOnce: 5, perSecond: 2, heldMs: 0, now: () => time });
  server = createServer((request, response) => {
    if (!isInPace(request, response)) return;
    handled += 1;
    response.end('done');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
const ask = async (from?: string): Promise<Response> =>
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, {
    ...(from !== undefined && { headers: { 'x-forwarded-for': from } }),
  });
const askTimes = async (count: number, from?: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) statuses.push((await ask(from)).status);
  return statuses;
};

describe('requests of one network', () => {
  it('are answered up to a number, and more as time goes by', async () => {
    await startServer();
    expect(await askTimes(7, '203.0.113.7')).toEqual([200, 200, 200, 200, 200, 429, 429]);
    time += 1_000;
    expect(await askTimes(3, '203.0.113.7')).toEqual([200, 200, 429]);
    time += 3_600_000;
    expect(await askTimes(6, '203.0.113.7')).toEqual([200, 200, 200, 200, 200, 429]);
    expect(handled).toBe(12);
  });

  it('beyond it are told when to come again, on a connection that ends', async () => {
    await startServer();
    await askTimes(5, '203.0.113.7');
    const refused = await ask('203.0.113.7');
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('connection')).toBe('close');
    expect(await refused.json()).toMatchObject({ code: 'too_many_requests', error: expect.any(String) });
  });

  it('take nothing from another, whatever a caller says before the word of the proxy', async () => {
    await startServer();
    await askTimes(6, '203.0.113.7');
    expect(await askTimes(1, '203.0.113.8')).toEqual([200]);
    expect(await askTimes(1, '198.51.100.1, 203.0.113.7')).toEqual([429]);
  });

  it('are counted as one whichever address of an IPv6 network they have', async () => {
    await startServer();
    for (let i = 1; i <= 5; i += 1) await ask(`2001:db8:1:2::${i}`);
    expect(await askTimes(1, '2001:db8:1:2::77')).toEqual([429]);
    expect(await askTimes(1, '2001:db8:1:3::77')).toEqual([200]);
  });

  it('stay counted however many other networks come and go', () => {
    const isInPace = paceRequests({ isBehindProxy: true, atOnce: 5, perSecond: 2, now: () => time });
    const leaving: (() => void)[] = [];
    const response = {
      once: (_: 'close', leave: () => void) => leaving.push(leave),
    } as unknown as ServerResponse;
    const isAnswered = (from: string) =>
      isInPace({ headers: { 'x-forwarded-for': from }, socket: {} } as unknown as IncomingMessage, response);
    const greedy = '203.0.113.7';
    for (let i = 0; i < 5; i += 1) expect(isAnswered(greedy)).toBe(true);
    // As many networks as are remembered, each with one request.
    for (let i = 0; i < 19_999; i += 1) isAnswered(`198.${18 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}`);
    time += 1_000;
    isAnswered('203.0.113.8');
    expect([isAnswered(greedy), isAnswered(greedy), isAnswered(greedy)]).toEqual([true, true, false]);
    // Nobody waits any more for the word that there were too many.
    for (const leave of leaving) leave();
  });

  it('of our own side are not counted', async () => {
    await startServer();
    expect(new Set(await askTimes(8))).toEqual(new Set([200]));
    server.closeAllConnections();
    server.close();
    // Without a proxy its word is anybody's.
    await startServer(false);
    expect(new Set(await askTimes(8, '203.0.113.7'))).toEqual(new Set([200]));
  });
});
