import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { closed, withFieldsOf } from './closed-body.ts';

const Inner = Type.Object({ b: Type.Optional(Type.Number()) });
const Body = Type.Object({
  a: Type.String(),
  inner: Type.Optional(Inner),
  list: Type.Optional(Type.Array(Inner)),
  either: Type.Optional(Type.Union([Inner, Type.Null()])),
  open: Type.Optional(Type.Object({}, { additionalProperties: true })),
  map: Type.Optional(Type.Record(Type.String(), Type.Number())),
});
const takes = (value: unknown) => Value.Check(closed(Body), value);

describe('a closed body', () => {
  it('takes what its schema names, and may lack what may be missing', () => {
    const whole = {
      a: 'x',
      inner: { b: 1 },
      list: [{ b: 1 }, {}],
      either: null,
      open: { any: 1 },
      map: { k: 2 },
    };
    expect(takes(whole)).toBe(true);
    expect(takes({ a: 'x' })).toBe(true);
    expect(takes({ ...whole, either: { b: 2 } })).toBe(true);
    expect(takes({})).toBe(false);
    expect(takes({ a: 'x', inner: { b: 'no number' } })).toBe(false);
  });

  it('refuses a misspelled field, however deep it is', () => {
    const more = { b: 1, c: 1 };
    for (const wrong of [{ aa: 1 }, { inner: more }, { list: [{ b: 1 }, more] }, { either: more }])
      expect(takes({ a: 'x', ...wrong }), JSON.stringify(wrong)).toBe(false);
  });

  it('leaves the schema alone, which answers use as well', () => {
    expect(Value.Check(Body, { a: 'x', more: 1, inner: { c: 1 } })).toBe(true);
    expect(closed(Type.String())).toEqual(Type.String());
  });
});

describe('a body that may come back as it was answered', () => {
  const Answer = Type.Object({ id: Type.String(), a: Type.Number() });
  const Other = Type.Object({ revision: Type.Integer() });
  const echoed = () => closed(withFieldsOf(Type.Object({ a: Type.String() }), Answer, Other));

  it('may hold the fields of the answers, whatever is in them, and no others', () => {
    expect(Value.Check(echoed(), { a: 'x' })).toBe(true);
    expect(Value.Check(echoed(), { a: 'x', id: 7, revision: 'none' })).toBe(true);
    expect(Value.Check(echoed(), { a: 'x', idd: 7 })).toBe(false);
  });

  it('holds its own fields to its own schema', () => {
    expect(Value.Check(echoed(), { a: 5 })).toBe(false);
    expect(Value.Check(echoed(), { id: 'x' })).toBe(false);
  });

  it('tells the readers of the documentation which ones are not read', () => {
    const { a, id } = echoed().properties as unknown as Record<
      string,
      { readOnly?: boolean; description?: string }
    >;
    expect(a?.readOnly).toBeUndefined();
    expect(id?.readOnly).toBe(true);
    expect(id?.description).toContain('ignored');
  });
});
