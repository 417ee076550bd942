import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HttpSource } from './http-source.ts';

const requests: string[] = [];
/** Requests that are told to wait. */
let limited = 1;
const server = createServer((request, response) => {
  requests.push(String(request.url));
  response.writeHead(limited > 0 ? 429 : 200, limited > 0 ? { 'retry-after': '600' } : {}).end('prices');
  limited -= 1;
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

it('keeps every request back for as long as one of them was told to wait', async () => {
  const waits: number[] = [];
  const source = new HttpSource({
    name: 'Somebody',
    requestsPerHour: 1_000,
    concurrency: 1,
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  const { port } = server.address() as AddressInfo;
  const get = async (name: string) =>
    (await source.get(new URL(`http://127.0.0.1:${port}/${name}`)))?.toString();
  expect([await get('one'), await get('two')]).toEqual(['prices', 'prices']);
  expect(requests).toEqual(['/one', '/one', '/two']);
  // Time stands still here: who was told waits that long, then sees what is left of it, and so does the next.
  expect(waits[0]).toBe(600_000);
  expect(waits).toHaveLength(3);
  for (const wait of waits) expect(wait).toBeGreaterThan(300_000);
});

it('waits five times where its limit stays reached, and then gives up', async () => {
  const { port } = server.address() as AddressInfo;
  const get = async (times: number) => {
    limited = times;
    const wait = async () => undefined;
    const source = new HttpSource({ name: 'Somebody', requestsPerHour: 1_000, concurrency: 1, wait });
    return (await source.get(new URL(`http://127.0.0.1:${port}/again`)))?.toString();
  };
  expect(await get(5)).toBe('prices');
  await expect(get(6)).rejects.toThrow('Somebody keeps saying that its limit is reached (429)');
});
