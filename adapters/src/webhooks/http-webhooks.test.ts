import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpWebhooks, type HttpWebhooksOptions, signatureOf } from './http-webhooks.ts';
import { isPublicAddress } from './public-addresses.ts';

const key = new Uint8Array(32).fill(7);
const now = () => new Date('2026-11-21T01:00:00Z');
const MESSAGE = {
  secret: 'whsec_test',
  id: 'u-webhook-s-2026-11-20',
  body: '{"type":"test","name":"Zürich €"}',
};

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A receiver on loopback; its address and what it got. */
async function receiver(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const got: { headers: IncomingMessage['headers']; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ headers: request.headers, body });
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { got, port: (server.address() as AddressInfo).port };
}
const webhooks = (more: Partial<HttpWebhooksOptions> = {}) =>
  createHttpWebhooks({ key, allowsPrivate: true, now, ...more });
/** A resolver that says that every name is at these addresses. */
const resolvesTo = (...addresses: string[]) =>
  ((_name: string, _options: object, done: (error: null, found: LookupAddress[]) => void) =>
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never;

describe('webhooks over HTTP', () => {
  it('posts the body with a signature that the receiver can compute', async () => {
    const { got, port } = await receiver((_, response) => response.writeHead(204).end());
    const delivery = await webhooks().post({ ...MESSAGE, url: `http://127.0.0.1:${port}/hook` });
    expect(delivery).toEqual({ isDelivered: true, status: 204, reason: null });
    const [{ headers, body } = { headers: {}, body: '' }] = got;
    expect(body).toBe(MESSAGE.body);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'quantloom-delivery': MESSAGE.id });
    const [, seconds = '', signature = ''] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['quantloom-signature'])) ?? [];
    expect(Number(seconds) * 1000).toBe(now().getTime());
    expect(signature).toBe(createHmac('sha256', MESSAGE.secret).update(`${seconds}.${body}`).digest('hex'));
  });

  it('says what the receiver answered', async () => {
    const { port } = await receiver((_, response) => response.writeHead(500).end('x'.repeat(10_000)));
    expect(await webhooks().post({ ...MESSAGE, url: `http://127.0.0.1:${port}/` })).toEqual({
      isDelivered: false,
      status: 500,
      reason: 'It answered 500',
    });
  });

  it.each([
    [299, true],
    [300, false],
    [399, false],
  ])('takes an answer of %i for delivered: %j', async (status, isDelivered) => {
    const { port } = await receiver((_, response) => response.writeHead(status).end());
    const delivery = await webhooks().post({ ...MESSAGE, url: `http://127.0.0.1:${port}/` });
    expect(delivery).toEqual({
      isDelivered,
      status,
      reason: isDelivered ? null : 'It answered with a redirect, which is not followed',
    });
  });

  it('sends nothing where a name has no address at all', async () => {
    const delivery = await webhooks({ allowsPrivate: false, resolve: resolvesTo() }).post({
      ...MESSAGE,
      url: 'https://nowhere.example/',
    });
    expect(delivery).toMatchObject({ status: null, reason: 'The address is not one on the public internet' });
  });

  it('has a secret of its own for each user and each time that one is asked for', () => {
    const of = [
      ['u1', 1],
      ['u1', 11],
      ['u11', 1],
      ['u1 1', 1],
    ] as const;
    expect(new Set(of.map(([user, number]) => webhooks().secretOf(user, number))).size).toBe(4);
    expect(webhooks().secretOf('u1', 1)).toBe(webhooks().secretOf('u1', 1));
  });

  it('follows no redirect', async () => {
    const inside = await receiver((_, response) => response.end());
    const { port } = await receiver((_, response) =>
      response.writeHead(302, { location: `http://127.0.0.1:${inside.port}/` }).end(),
    );
    const { isDelivered, reason } = await webhooks().post({ ...MESSAGE, url: `http://127.0.0.1:${port}/` });
    expect({ isDelivered, reason, reached: inside.got.length }).toEqual({
      isDelivered: false,
      reason: 'It answered with a redirect, which is not followed',
      reached: 0,
    });
  });

  it('waits for so long and no longer', async () => {
    const { port } = await receiver(() => {});
    const given = webhooks({ timeLimitMs: 50 });
    expect(await given.post({ ...MESSAGE, url: `http://127.0.0.1:${port}/` })).toEqual({
      isDelivered: false,
      status: null,
      reason: 'There was no answer within 0.05 s',
    });
  });

  it('says that nobody listens', async () => {
    const { port } = await receiver(() => {});
    closers.splice(0).forEach((close) => {
      close();
    });
    const { reason } = await webhooks().post({ ...MESSAGE, url: `http://127.0.0.1:${port}/` });
    expect(reason).toBe('Nobody listens at the address');
  });

  it('reaches no private address, whatever it is called', async () => {
    const { got, port } = await receiver((_, response) => response.end());
    for (const address of [
      '127.0.0.1',
      '::1',
      '::ffff:127.0.0.1',
      '10.1.2.3',
      '169.254.169.254',
      'fd00::1',
    ]) {
      const given = webhooks({ allowsPrivate: false, resolve: resolvesTo(address) });
      const { isDelivered, status, reason } = await given.post({
        ...MESSAGE,
        url: `https://hook.example:${port}/`,
      });
      expect({ address, isDelivered, status, reason }).toEqual({
        address,
        isDelivered: false,
        status: null,
        reason: 'The address is not one on the public internet',
      });
    }
    // One public address among them is no way in: the system would go on to the other.
    for (const addresses of [
      ['93.184.216.34', '127.0.0.1'],
      ['127.0.0.1', '93.184.216.34'],
    ]) {
      const mixed = webhooks({ allowsPrivate: false, resolve: resolvesTo(...addresses) });
      expect(await mixed.post({ ...MESSAGE, url: `https://hook.example:${port}/` })).toMatchObject({
        status: null,
        reason: 'The address is not one on the public internet',
      });
    }
    expect(got).toEqual([]);
  });

  it.each([
    ['http://example.com/', 'A webhook needs an address that begins with https://'],
    ['https://127.0.0.1/', 'The address is not one on the public internet'],
    ['https://0x7f.1/', 'The address is not one on the public internet'],
    ['https://[::1]/', 'The address is not one on the public internet'],
    ['https://[::ffff:10.0.0.1]/', 'The address is not one on the public internet'],
    ['https://example.com/', null],
  ])('looks at %s before it is kept', (url, reason) => {
    expect(webhooks({ allowsPrivate: false }).refusal(url)).toBe(reason);
    expect(webhooks().refusal(url)).toBeNull();
  });

  it('signs as the guide says how to verify', async () => {
    const guide = readFileSync(path.join(import.meta.dirname, '../../../docs/guide/tomorrow.md'), 'utf8');
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];
    const { isFromQuantloom: isOurs } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    const signature = signatureOf('whsec_a', 1_000, '{"a":1}');
    expect(isOurs('whsec_a', signature, '{"a":1}', 1_000)).toBe(true);
    expect(isOurs('whsec_b', signature, '{"a":1}', 1_000)).toBe(false);
    expect(isOurs('whsec_a', signature, '{"a":2}', 1_000)).toBe(false);
    expect(isOurs('whsec_a', signature, '{"a":1}', 2_000)).toBe(false);
    expect(isOurs('whsec_a', '', '{"a":1}', 0)).toBe(false);
  });

  it('has one secret for each user and number', () => {
    const { secretOf } = webhooks();
    expect(secretOf('a', 0)).toMatch(/^whsec_[\w-]{43}$/);
    expect(new Set([secretOf('a', 0), secretOf('a', 1), secretOf('b', 0)]).size).toBe(3);
    expect(webhooks({ key: new Uint8Array(32) }).secretOf('a', 0)).not.toBe(secretOf('a', 0));
  });
});

describe('public addresses', () => {
  it.each(['93.184.216.34', '8.8.8.8', '2606:2800:220:1:248:1893:25c8:1946'])('%s is one', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '127.1.2.3',
    '169.254.169.254',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
    'fc00::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001::1',
    'example.com',
    '',
  ])('%j is none', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
