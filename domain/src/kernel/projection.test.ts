import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { type StarsDocument, starsProjection } from '../../testing/examples/stars.ts';
import type { ReadDocument } from '../ports/read-models.ts';
import { defineStream, isOf, only, without } from './define-stream.ts';
import type { RecordedEvent } from './event.ts';
import { checkpointName, defineProjection, type Projection } from './projection.ts';

const DOOR_EVENTS = defineStream({
  category: 'door',
  events: {
    DoorOpened: Type.Object({ doorId: Type.String(), by: Type.String() }),
    DoorShut: Type.Object({ doorId: Type.String() }),
    DoorPainted: Type.Object({ doorId: Type.String(), color: Type.String() }),
  },
});

function recorded(type: string, data: unknown): RecordedEvent {
  return {
    id: 'e1',
    type,
    data,
    stream: 'door-1',
    revision: 0,
    position: 1n,
    metadata: {
      schemaVersion: 1,
      commandId: 'c1',
      correlationId: 'c1',
      causationId: 'c1',
      actor: { kind: 'system', name: 'test' },
      recordedAt: '2026-01-01T00:00:00.000Z',
    },
  };
}

describe('some of the events of a stream', () => {
  const names = ({ types, schemas, events }: typeof DOOR_EVENTS | ReturnType<typeof shut>) => [
    types,
    Object.keys(schemas),
    events.map(({ type }) => type),
  ];
  const shut = () => only(DOOR_EVENTS, 'DoorShut');

  it('are named, or those that are left out are', () => {
    expect(names(shut())).toEqual([['DoorShut'], ['DoorShut'], ['DoorShut']]);
    expect(without(DOOR_EVENTS, 'DoorShut').types).toEqual(['DoorOpened', 'DoorPainted']);
  });

  it('are told from others', () => {
    expect(isOf(shut(), recorded('DoorShut', {}))).toBe(true);
    expect(isOf(shut(), recorded('DoorOpened', {}))).toBe(false);
    expect(isOf(shut(), recorded('toString', {}))).toBe(false);
  });
});

interface OpenDoor extends ReadDocument {
  readonly by: string;
  readonly at: { readonly hour: string };
}

describe('defineProjection', () => {
  const openDoors: Projection<OpenDoor> = defineProjection({
    name: 'openDoors',
    version: 1,
    collection: { name: 'openDoors_v1', indexes: [['by', 'at.hour'], ['id']] },
    events: [without(DOOR_EVENTS, 'DoorPainted')],
    keys: (event) => [event.data.doorId],
    evolve: (_, event, id) =>
      event.type === 'DoorShut' ? null : { id, by: event.data.by, at: { hour: event.metadata.recordedAt } },
  });

  it('handles what it names', () => {
    expect(openDoors.handles).toEqual(['DoorOpened', 'DoorShut']);
    expect(openDoors.keys(recorded('DoorShut', { doorId: 'd1' }))).toEqual(['d1']);
    expect(openDoors.evolve(null, recorded('DoorOpened', { doorId: 'd1', by: 'u1' }), 'd1')).toEqual({
      id: 'd1',
      by: 'u1',
      at: { hour: '2026-01-01T00:00:00.000Z' },
    });
  });

  it('handles whatever the log holds where it says so', () => {
    const all = defineProjection({
      name: 'all',
      version: 1,
      collection: { name: 'all_v1', indexes: [] },
      events: '*',
      keys: ({ id }) => [id],
      evolve: (_, __, id) => ({ id }),
    });
    expect(all.handles).toEqual(['*']);
    expect(all.keys(recorded('DoorPainted', {}))).toEqual(['e1']);
  });

  it('goes on from where its own version was', () => {
    // The names of what installations have stored: under another one they would begin anew.
    expect(checkpointName(openDoors)).toBe('openDoors.v1');
    expect(checkpointName({ name: 'openDoors', version: 2 })).toBe('openDoors.v2');
  });

  // The compiler is what is tested here: it complains where a mistake is no longer one.
  it('is held by the compiler to its events and its document', () => {
    const common = { name: 'wrong', version: 1 };
    const collection = { name: 'wrong_v1', indexes: [] };
    const keys = () => [];
    const wrong: Projection<OpenDoor>[] = [
      defineProjection({
        ...common,
        // @ts-expect-error a door has no color
        collection: { name: 'wrong_v1', indexes: [['color']] },
        events: [DOOR_EVENTS],
        keys,
        evolve: () => null,
      }),
      defineProjection({
        ...common,
        collection,
        events: [DOOR_EVENTS],
        // @ts-expect-error no event of a door has such a field
        keys: (event) => [event.data.windowId],
        evolve: () => null,
      }),
      defineProjection({
        ...common,
        collection,
        events: [DOOR_EVENTS],
        keys,
        // @ts-expect-error not every event says by whom
        evolve: (document, event) => document && { ...document, by: event.data.by },
      }),
      defineProjection({
        ...common,
        collection,
        events: [only(DOOR_EVENTS, 'DoorShut')],
        keys,
        // @ts-expect-error it doesn't handle that event
        evolve: (document, event) => (event.type === 'DoorOpened' ? null : document),
      }),
      defineProjection({
        ...common,
        collection,
        events: [DOOR_EVENTS],
        keys,
        // @ts-expect-error the document is not whole
        evolve: (_, __, id) => ({ id, by: 'u1' }),
      }),
    ];
    expect(wrong.every(({ name }) => name === 'wrong')).toBe(true);
  });
});

describe('the example in CONTRIBUTING', () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const stars = (...types: readonly string[]) =>
    types.reduce<StarsDocument | null>((document, type, position) => {
      const event = recorded(type, { userId: 'u1', strategyId: 's1' });
      expect(starsProjection.keys(event)).toEqual(['s1']);
      const next = starsProjection.evolve(document, event, 's1');
      return next && { ...next, _revision: position, _position: String(position) };
    }, null);

  it('counts', () => {
    expect(stars('FavoriteAdded', 'FavoriteAdded', 'FavoriteRemoved')?.stars).toBe(1);
    expect(stars('FavoriteAdded', 'FavoriteRemoved')).toBeNull();
  });

  it('is the one that was run here', () => {
    const code = readFileSync(path.join(root, 'domain/testing/examples/stars.ts'), 'utf8');
    const [, ...shown] = code.replaceAll("'../../src/", "'../").split('\n\n');
    expect(readFileSync(path.join(root, 'CONTRIBUTING.md'), 'utf8')).toContain(shown.join('\n\n').trim());
  });
});
