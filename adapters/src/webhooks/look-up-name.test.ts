import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { createHttpWebhooks } from './http-webhooks.ts';
import { lookUpByServers } from './look-up-name.ts';

const MESSAGE = { secret: 'whsec_x', id: 'one', body: '{}' };
const key = new Uint8Array(32);

/** The first label of the name in a question of DNS (RFC 1035, 4.1.2). */
const firstLabel = (question: Buffer) => question.subarray(13, 13 + (question[12] ?? 0)).toString();

it('asks for all names at the same time, however long their servers are silent', async () => {
  const asked = new Set<string>();
  const server = createSocket('udp4');
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const allAsked = new Promise<void>((resolve) => {
    server.on('message', (question) => {
      asked.add(firstLabel(question));
      if (asked.size === 20) resolve();
    });
  });
  const resolver = new Resolver({ timeout: 60_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  const webhooks = createHttpWebhooks({
    key,
    allowsPrivate: false,
    resolve: lookUpByServers(resolver),
    timeLimitMs: 60_000,
  });
  const posts = Array.from({ length: 20 }, (_, i) =>
    webhooks.post({ ...MESSAGE, url: `https://silent-${i}.example/` }),
  );
  await allAsked;
  resolver.cancel();
  server.close();
  const reasons = (await Promise.all(posts)).map(({ isDelivered, reason }) => `${isDelivered} ${reason}`);
  expect(new Set(reasons)).toEqual(new Set(['false The name of the address could not be looked up']));
});

it('hands every address to whoever looks whether they are public', async () => {
  const resolve = lookUpByServers({
    resolve4: (async () => ['93.184.216.34', '10.0.0.1']) as never,
    resolve6: (async () => Promise.reject(new Error('none'))) as never,
  });
  const webhooks = createHttpWebhooks({ key, allowsPrivate: false, resolve });
  const { reason } = await webhooks.post({ ...MESSAGE, url: 'https://hook.example/' });
  expect(reason).toBe('The address is not one on the public internet');
});

it('finds a name that has addresses of one family only', async () => {
  const none = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENODATA' }));
  for (const [four, six] of [
    [none, async () => ['2606:2800:220:1::1']],
    [async () => ['93.184.216.34'], none],
  ]) {
    const resolve = lookUpByServers({ resolve4: four as never, resolve6: six as never });
    const found = await new Promise((done) =>
      resolve('hook.example', { all: true }, (error, addresses) => done(error ?? addresses)),
    );
    expect(found).toHaveLength(1);
  }
});

it('says in words that there is no such name', async () => {
  const none = async () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' }));
  const resolve = lookUpByServers({ resolve4: none as never, resolve6: none as never });
  const webhooks = createHttpWebhooks({ key, allowsPrivate: false, resolve });
  const { reason } = await webhooks.post({ ...MESSAGE, url: 'https://nobody.example/' });
  expect(reason).toBe('The name of the address is not known');
});

it('gives addresses of both families as `dns.lookup` does', async () => {
  const resolve = lookUpByServers({
    resolve4: (async () => ['93.184.216.34']) as never,
    resolve6: (async () => ['2606:2800:220:1::1']) as never,
  });
  const found = await new Promise((done) =>
    resolve('hook.example', { all: true }, (_error, addresses) => done(addresses)),
  );
  expect(found).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:2800:220:1::1', family: 6 },
  ]);
});
