import Fastify, { type FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { registerErrorHandling } from './errors.ts';
import { bodyFault, useStrictShapes } from './validation.ts';

const told = (schema: object, body: unknown) => {
  const [problem] = bodyFault(schema, body)?.problems ?? [];
  return problem && [problem.path, problem.message];
};

describe('what is wrong with a body', () => {
  it('is told with the place of the field, whatever its name holds', () => {
    const schema = Type.Object({
      a: Type.Object({ 'x/y~z': Type.Number() }, { additionalProperties: false }),
    });
    expect(told(schema, { a: {} })).toEqual(['/a/x~1y~0z', "body/a must have required property 'x/y~z'"]);
    expect(told(schema, { a: { 'x/y~z': 1, '~1': 2 } })).toEqual([
      '/a/~01',
      "body/a must not have the property '~1'",
    ]);
    expect(told(schema, { a: { 'x/y~z': '1' } })).toEqual(['/a/x~1y~0z', 'body/a/x~1y~0z must be number']);
    expect(told(schema, { a: { 'x/y~z': 1 } })).toBeUndefined();
  });

  it('names all that would do, as one list', () => {
    const choice = ['daily', 'weekly'] as const;
    expect(told(Type.Enum([...choice]), 'hourly')).toEqual(['', 'body must be one of "daily", "weekly"']);
    const constants = { anyOf: choice.map((value) => ({ const: value })) };
    expect(told({ type: 'object', properties: { r: constants } }, { r: 'x' })).toEqual([
      '/r',
      'body/r must be one of "daily", "weekly"',
    ]);
    expect(told({ const: 7 }, 8)).toEqual(['', 'body must be 7']);
    // Not a choice between constants alone.
    const mixed = { anyOf: [{ const: 'x' }, { type: 'number' }] };
    expect(told(mixed, 'y')?.[1]).not.toContain('one of');
  });

  it('is that a number is none that anything can work with', () => {
    expect(bodyFault(Type.Number(), JSON.parse('1e309'))).toMatchObject({ status: 400 });
    expect(bodyFault(Type.Number(), 1e300)).toBeNull();
  });
});

describe('a request', () => {
  async function asked(url: string, payload: object = {}) {
    const app = Fastify() as unknown as FastifyInstance;
    useStrictShapes(app);
    registerErrorHandling(app);
    app.post(
      '/',
      {
        schema: {
          querystring: Type.Object({
            n: Type.Optional(Type.Integer()),
            all: Type.Optional(Type.Boolean()),
            ids: Type.Optional(Type.Array(Type.String())),
          }),
          body: Type.Object({ n: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
        },
      },
      async ({ query, body }) => ({ query, body }),
    );
    const answer = await app.inject({ method: 'POST', url, payload });
    await app.close();
    return { status: answer.statusCode, ...answer.json() };
  }

  it('has numbers, truths and lists read out of its address', async () => {
    expect((await asked('/?n=7&all=true&ids=a')).query).toEqual({ n: 7, all: true, ids: ['a'] });
    expect((await asked('/?ids=a&ids=b')).query).toEqual({ ids: ['a', 'b'] });
  });

  it('has nothing read out of its body, and nothing taken away', async () => {
    expect(await asked('/', { n: '7' })).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await asked('/', { n: 7, m: 1 })).toMatchObject({ status: 400 });
    expect(await asked('/', { n: 7 })).toMatchObject({ status: 200, body: { n: 7 } });
  });

  it('names no number that is not kept exactly, on either side of nothing', async () => {
    const most = Number.MAX_SAFE_INTEGER;
    for (const n of [most, -most]) expect(await asked(`/?n=${n}`)).toMatchObject({ query: { n } });
    for (const n of ['9007199254740992', '-9007199254740992', '1e300'])
      expect(await asked(`/?n=${n}`), n).toMatchObject({
        status: 400,
        error: 'querystring/n must be a smaller number',
      });
  });
});
