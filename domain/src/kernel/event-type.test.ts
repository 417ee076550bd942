import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { RecordedEvent } from './event.ts';
import { eventCatalogue, UnreadableEventError, upcast } from './event-type.ts';

describe('upcast', () => {
  const event = (type: string, schemaVersion: number, data: unknown) =>
    ({
      id: 'i',
      type,
      data,
      stream: 's',
      revision: 0,
      position: 0n,
      metadata: { schemaVersion },
    }) as RecordedEvent;
  const catalogue = eventCatalogue([
    {
      type: 'Named',
      version: 3,
      schema: Type.Unknown(),
      upcasters: [(data) => ({ ...(data as object), b: 2 }), (data) => ({ ...(data as object), c: 3 })],
    },
  ]);
  it('brings every version to today', () => {
    expect(upcast(catalogue, event('Named', 1, { a: 1 })).data).toEqual({ a: 1, b: 2, c: 3 });
    const second = upcast(catalogue, event('Named', 2, { a: 1 }));
    expect(second.data).toEqual({ a: 1, c: 3 });
    expect(second.metadata).toEqual({ schemaVersion: 3 });
    expect(upcast(catalogue, event('Named', 3, { a: 1 })).data).toEqual({ a: 1 });
  });
  it('refuses what it does not know', () => {
    for (const unreadable of [
      event('Other', 1, {}),
      event('Named', 4, {}),
      event('Named', 0, {}),
      event('Named', 1.5, {}),
    ])
      expect(() => upcast(catalogue, unreadable)).toThrow(UnreadableEventError);
  });
  it('does not allow gaps or names used twice', () => {
    const schema = Type.Unknown();
    expect(() => eventCatalogue([{ type: 'A', version: 2, schema }])).toThrow('needs 1 upcasters');
    expect(() =>
      eventCatalogue([{ type: 'A', version: 1, schema }], [{ type: 'A', version: 1, schema }]),
    ).toThrow('twice');
  });
  it('leaves what is of today as it is, and what else an event says', () => {
    const today = event('Named', 3, { a: 1 });
    expect(upcast(catalogue, today)).toBe(today);
    const old = event('Named', 1, { a: 1 });
    const { data: _data, metadata: _metadata, ...others } = old;
    expect(upcast(catalogue, old)).toMatchObject(others);
    expect(old).toEqual(event('Named', 1, { a: 1 }));
  });
  it('says which event it cannot read, and why', () => {
    const reasonOf = (unreadable: RecordedEvent) => {
      try {
        return upcast(catalogue, unreadable);
      } catch (error) {
        return error;
      }
    };
    const unknown = reasonOf(event('Other', 1, {}));
    expect(unknown).toMatchObject({ name: 'UnreadableEventError', code: 'unreadable_event' });
    // Whoever reads this has a log of millions of events before him.
    for (const part of ['i', 'Other', 's revision 0', 'type'])
      expect((unknown as Error).message).toContain(part);
    expect((reasonOf(event('Named', 4, {})) as Error).message).toMatch(/version 4\b.* 3\b/);
  });
  it('holds every type that it was given, and no other', () => {
    const schema = Type.Unknown();
    const two = eventCatalogue([{ type: 'A', version: 1, schema }], [{ type: 'B', version: 1, schema }]);
    expect([...two.keys()]).toEqual(['A', 'B']);
    // One upcaster too many is as wrong as one too few.
    const upcasters = [(data: unknown) => data];
    expect(() => eventCatalogue([{ type: 'A', version: 1, schema, upcasters }])).toThrow('needs 0 upcasters');
  });
});
