import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import type { Actor, RecordedEvent } from './event.ts';
import { createEventCheck } from './event-check.ts';
import { exactly } from './event-fields.ts';
import { eventCatalogue } from './event-type.ts';

const Measured = exactly({ a: Type.Number(), b: Type.Number(), c: Type.Number(), d: Type.Number() });
const CATALOGUE = eventCatalogue([
  { type: 'Measured', version: 1, schema: Measured },
  { type: 'Named', version: 2, schema: exactly({ name: Type.String() }), upcasters: [named] },
]);
const check = (event: RecordedEvent) => createEventCheck(CATALOGUE)(event);
function named(data: unknown): unknown {
  const { title } = data as { readonly title?: string };
  if (title === 'broken') throw new Error('That title cannot be read');
  if (title === 'odd') throw 'an odd thing';
  return { name: title };
}

function recorded(
  type: string,
  data: unknown,
  metadata: Partial<Record<keyof RecordedEvent['metadata'] | 'extra', unknown>> = {},
): RecordedEvent {
  return {
    id: 'e1',
    type,
    data,
    stream: 's-1',
    revision: 0,
    position: 0n,
    metadata: {
      schemaVersion: 1,
      commandId: 'c1',
      correlationId: 'c1',
      causationId: 'c1',
      actor: { kind: 'system', name: 'test' },
      recordedAt: '2026-01-01T00:00:00.000Z',
      ...metadata,
    } as RecordedEvent['metadata'],
  };
}
const whole = { a: 1, b: 2, c: 3, d: 4 };
/** Where the faults are, without what is said of them. */
const places = (event: RecordedEvent) => check(event).map((fault) => fault.split(' ')[0]);

describe('the check of an event', () => {
  it('finds nothing wrong with one of today, nor with an old one that can be brought to today', () => {
    expect(check(recorded('Measured', whole))).toEqual([]);
    expect(check(recorded('Named', { title: 'x' }))).toEqual([]);
    expect(check(recorded('Named', { name: 'x' }, { schemaVersion: 2 }))).toEqual([]);
    // The second time its shape is known.
    const one = createEventCheck(CATALOGUE);
    const faults = [5, 'five', 6].map((a) => one(recorded('Measured', { ...whole, a })).length);
    expect(faults).toEqual([0, 1, 0]);
  });

  it('says where its data are wrong, of many faults the first three', () => {
    expect(places(recorded('Measured', { ...whole, b: '2' }))).toEqual(['data/b']);
    expect(places(recorded('Measured', { a: '', b: '', c: '', d: '' }))).toEqual([
      'data/a',
      'data/b',
      'data/c',
    ]);
    expect(places(recorded('Measured', null))).toEqual(['data']);
    expect(places(recorded('Named', { title: 7 }))).toEqual(['data/name']);
  });

  it('says what today cannot read', () => {
    expect(check(recorded('Lost', {}))).toEqual([expect.stringContaining('Lost')]);
    expect(check(recorded('Measured', whole, { schemaVersion: 2 }))).toEqual([
      expect.stringContaining('version 2'),
    ]);
    expect(check(recorded('Named', { title: 'broken' }))).toEqual(['That title cannot be read']);
    expect(check(recorded('Named', { title: 'odd' }))).toEqual(['an odd thing']);
  });

  it.each<[string, Actor]>([
    ['a person', { kind: 'user', userId: 'u' }],
    ['a program of a person', { kind: 'apiClient', userId: 'u', clientId: 'k' }],
    ['the product itself', { kind: 'system', name: 'scheduler' }],
  ])('knows %s as who caused it, and nobody unnamed', (_, actor) => {
    expect(check(recorded('Measured', whole, { actor }))).toEqual([]);
    const { kind, ...who } = actor;
    for (const name of Object.keys(who)) {
      expect(places(recorded('Measured', whole, { actor: { ...actor, [name]: '' } }))).not.toEqual([]);
      expect(places(recorded('Measured', whole, { actor: { ...actor, [name]: undefined } }))).not.toEqual([]);
    }
    expect(places(recorded('Measured', whole, { actor: { ...actor, more: 'x' } }))).not.toEqual([]);
    expect(places(recorded('Measured', whole, { actor: { ...who, kind: `${kind}s` } }))).not.toEqual([]);
  });

  it('wants its metadata whole, and nothing beside them', () => {
    const broken = {
      schemaVersion: ['1', 0, 1.5],
      commandId: ['', 1],
      correlationId: ['', 1],
      causationId: ['', 1],
    };
    for (const [name, values] of Object.entries(broken))
      for (const value of values) {
        const faults = places(recorded('Measured', whole, { [name]: value }));
        expect(faults, `${name} ${value}`).toContain(`metadata/${name}`);
      }
    expect(places(recorded('Measured', whole, { extra: 1 }))).not.toEqual([]);
    expect(check(recorded('Measured', whole, { recordedAt: 'yesterday' }))).toEqual([
      expect.stringMatching(/^metadata\.recordedAt .*time/),
    ]);
  });

  it('tells of data and metadata at once, of these the first three faults', () => {
    const damaged = recorded('Measured', { ...whole, a: 'x' }, { commandId: '', causationId: '' });
    expect(places(damaged)).toEqual(['metadata/commandId', 'metadata/causationId', 'data/a']);
    const lost = recorded('Lost', {}, { commandId: '', correlationId: '', causationId: '', recordedAt: '' });
    expect(places(lost).filter((place) => place?.startsWith('metadata/'))).toHaveLength(3);
    expect(check(lost).at(-1)).toContain('Lost');
  });
});
