import { defineRoute } from '@quantloom/domain/contracts/http/route';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mountRoute } from './routes.ts';
import { createServer } from './server.ts';

const save = defineRoute({
  id: 'save',
  method: 'POST',
  path: '/api/v1/save',
  side: 'command',
  tag: 'Test',
  summary: 'Save',
  access: { kind: 'public' },
  body: Type.Object({ text: Type.String() }),
  answer: Type.Object({ length: Type.Integer() }),
  bodyLimit: 1024 * 1024,
});
const LENGTH = 300_000;
const TEXT = JSON.stringify({ text: 'x'.repeat(LENGTH) });

let app: FastifyInstance;
/** Who is kept waiting where, before his body is checked or in the handler, and until when. */
let held: Map<string, { readonly at: 'check' | 'handler'; readonly until: Promise<void> }>;
let told: Map<string, () => void>;
let seen: string[];
const tell = (what: string) => {
  seen.push(what);
  told.get(what)?.();
};
const when = (what: string) =>
  new Promise<void>((resolve) => (seen.includes(what) ? resolve() : void told.set(what, resolve)));
const hold = (name: string, at: 'check' | 'handler'): (() => void) => {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  held.set(name, { at, until });
  return release;
};

beforeEach(async () => {
  [held, told, seen] = [new Map(), new Map(), []];
  const pass = async (name: unknown, place: 'check' | 'handler') => {
    const found = held.get(String(name));
    if (found?.at !== place) return;
    tell(`${name} waits`);
    await found.until;
  };
  app = createServer({ authenticate: async () => null });
  app.addHook('preParsing', async ({ headers }, reply, payload) => {
    // By then it waits for its turn.
    payload.once('end', () => setImmediate(tell, `${headers['x-name']} has come`));
    reply.raw.once('close', () => tell(`${headers['x-name']} is gone`));
    return payload;
  });
  app.addHook('preValidation', async ({ headers }) => await pass(headers['x-name'], 'check'));
  mountRoute(app, save, async ({ request, body }) => {
    await pass(request.headers['x-name'], 'handler');
    return { length: body.text.length };
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

/** Sends a large body on a connection of its own. */
function send(name: string, body = TEXT) {
  const leaving = new AbortController();
  const { port } = app.server.address() as { port: number };
  const status = fetch(`http://127.0.0.1:${port}/api/v1/save`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', connection: 'close', 'x-name': name },
    body,
    signal: leaving.signal,
  }).then(
    async (answer) => {
      await answer.text();
      return answer.status;
    },
    () => 'left' as const,
  );
  return { status, leave: () => leaving.abort() };
}

describe('the turn of a large body', () => {
  it('ends when the body is checked: what is then done with it keeps nobody waiting', async () => {
    const release = hold('ann', 'handler');
    const ann = send('ann');
    await when('ann waits');
    expect(await send('bob').status).toBe(200);
    release();
    expect(await ann.status).toBe(200);
  });

  it('lasts until then: another one waits', async () => {
    const release = { ann: hold('ann', 'check'), bob: hold('bob', 'check') };
    const ann = send('ann');
    await when('ann waits');
    const bob = send('bob');
    await when('bob has come');
    expect(seen).not.toContain('bob waits');
    release.ann();
    await when('bob waits');
    release.bob();
    expect(await Promise.all([ann.status, bob.status])).toEqual([200, 200]);
  });

  it.each([
    ['is no JSON', `${TEXT}}`],
    ['is not what the route takes', JSON.stringify({ other: 'x'.repeat(LENGTH) })],
  ])('ends where the body %s', async (_, body) => {
    expect(await send('ann', body).status).toBe(400);
    expect(await send('bob').status).toBe(200);
  });

  it('ends, too, where its sender has left before the body is checked', async () => {
    const release = hold('ann', 'check');
    const ann = send('ann');
    await when('ann waits');
    ann.leave();
    await when('ann is gone');
    release();
    expect([await ann.status, await send('bob').status]).toEqual(['left', 200]);
  });

  it('is not kept by a sender who left while he waited for it', async () => {
    const release = { ann: hold('ann', 'check'), bob: hold('bob', 'check') };
    const ann = send('ann');
    await when('ann waits');
    const bob = send('bob');
    await when('bob has come');
    bob.leave();
    await when('bob is gone');
    const cyd = send('cyd');
    release.ann();
    expect([await ann.status, await bob.status, await cyd.status]).toEqual([200, 'left', 200]);
    release.bob();
  });
});
