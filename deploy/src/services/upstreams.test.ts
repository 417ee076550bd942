import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { ConfigurationError } from '../config.ts';
import { type Upstreams, upstreamUrls, watchUpstreams } from './upstreams.ts';

type Answer = 'ready' | 'partly' | 'not_ready';
const servers: Server[] = [];
let upstreams: Upstreams | undefined;
afterEach(() => {
  upstreams?.close();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A process that says how it is; without `partly=enough` one that lacks a server says that it is not ready. */
async function process(answer: { is: Answer }): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isEnough = url?.includes('partly=enough') ?? false;
    const isOk = answer.is === 'ready' || (answer.is === 'partly' && isEnough);
    response.writeHead(isOk ? 200 : 503).end(JSON.stringify({ status: isOk ? answer.is : 503 }));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const picked = () => new Set(Array.from({ length: 6 }, () => upstreams?.next()));

it('asks those that are ready, else those that do a part of their work, else any', async () => {
  const [one, two, three] = [{ is: 'ready' }, { is: 'partly' }, { is: 'not_ready' }] as { is: Answer }[];
  if (!one || !two || !three) throw new Error('unreachable');
  const urls = [await process(one), await process(two), await process(three)];
  upstreams = watchUpstreams(urls, { checkMs: 10 });
  await expect.poll(picked).toEqual(new Set([urls[0]]));
  one.is = 'not_ready';
  await expect.poll(picked).toEqual(new Set([urls[1]]));
  expect(upstreams?.areThere()).toBe(true);
  two.is = 'not_ready';
  await expect.poll(picked).toEqual(new Set(urls));
  expect(upstreams?.areThere()).toBe(false);
});

it('are those that the settings name, however they are written; a gateway without any says what is missing', () => {
  const settings = { COMMAND_API_URLS: ' http://a:1/ ,http://b:2//,, ', QUERY_API_URLS: ' , ' };
  expect(upstreamUrls('COMMAND_API_URLS', settings)).toEqual(['http://a:1', 'http://b:2']);
  expect(() => upstreamUrls('QUERY_API_URLS', settings)).toThrow(ConfigurationError);
  expect(() => upstreamUrls('QUERY_API_URLS', {})).toThrow('QUERY_API_URLS is needed by the gateway');
});
