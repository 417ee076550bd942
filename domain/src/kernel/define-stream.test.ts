import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { defineStream, isOf, only, without } from './define-stream.ts';
import { eventCatalogue, upcast } from './event-type.ts';

const Named = Type.Object({ name: Type.String() });
const Emptied = Type.Object({});
const toName = (data: unknown) => ({ name: (data as { readonly title: string }).title });
const BOX_EVENTS = defineStream({
  category: 'box',
  events: { BoxNamed: { schema: Named, upcasters: [toName] }, BoxEmptied: Emptied },
});

describe('a declared stream', () => {
  it('tells the log each of its events, at the version that their upcasters lead to', () => {
    expect(BOX_EVENTS.category).toBe('box');
    expect(BOX_EVENTS.types).toEqual(['BoxNamed', 'BoxEmptied']);
    expect(BOX_EVENTS.schemas).toEqual({ BoxNamed: Named, BoxEmptied: Emptied });
    expect(BOX_EVENTS.events).toEqual([
      { type: 'BoxNamed', version: 2, schema: Named, upcasters: [toName] },
      { type: 'BoxEmptied', version: 1, schema: Emptied },
    ]);
  });

  it('reads what was written before an upcaster was there', () => {
    const catalogue = eventCatalogue(BOX_EVENTS.events);
    const written = {
      id: 'e1',
      type: 'BoxNamed',
      data: { title: 'Old' },
      stream: 'box-1',
      revision: 0,
      position: 0n,
      metadata: {
        schemaVersion: 1,
        commandId: 'c',
        correlationId: 'c',
        causationId: 'c',
        actor: { kind: 'system', name: 'test' },
        recordedAt: '2026-01-01T00:00:00.000Z',
      },
    } as const;
    expect(upcast(catalogue, written)).toMatchObject({
      data: { name: 'Old' },
      metadata: { schemaVersion: 2 },
    });
  });

  it('is of the same category in part, with what the part needs and no more', () => {
    for (const part of [only(BOX_EVENTS, 'BoxNamed'), without(BOX_EVENTS, 'BoxEmptied')]) {
      expect(part).toEqual({
        category: 'box',
        types: ['BoxNamed'],
        schemas: { BoxNamed: Named },
        events: BOX_EVENTS.events.slice(0, 1),
      });
      expect(isOf(part, { type: 'BoxNamed', data: {} })).toBe(true);
      expect(isOf(part, { type: 'BoxEmptied', data: {} })).toBe(false);
    }
    expect(without(BOX_EVENTS).types).toEqual(['BoxNamed', 'BoxEmptied']);
  });
});
