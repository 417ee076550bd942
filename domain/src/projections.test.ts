import { describe, expect, it } from 'vitest';
import { eventSamples } from '../testing/event-samples.ts';
import { EVENT_CATALOGUE } from './event-catalogue.ts';
import { upcast } from './kernel/event-type.ts';
import { PROJECTIONS } from './projections.ts';

const CAMEL_CASE = /^[a-z][a-zA-Z0-9]*$/;
const samples = eventSamples().map(({ event }) => upcast(EVENT_CATALOGUE, event));

/** The fields that a projection's documents have after any one event, and after a second one. */
function fieldsOf({ handles, keys, evolve }: (typeof PROJECTIONS)[number]): string[] {
  const fields = new Set<string>();
  const events = samples.filter(({ type }) => handles.includes(type) || handles.includes('*'));
  const documents = events.flatMap((event) => {
    const [id] = keys(event);
    try {
      const document = id === undefined ? null : evolve(null, event, id);
      return document ? [{ ...document, _revision: 0, _position: '1' }] : [];
    } catch {
      // It needs a document to begin with.
      return [];
    }
  });
  for (const document of documents) {
    for (const field of Object.keys(document)) fields.add(field);
    for (const event of events) {
      const next = evolve(document, event, document.id);
      for (const field of Object.keys(next ?? {})) fields.add(field);
    }
  }
  return [...fields].filter((field) => !field.startsWith('_'));
}

describe('documents of read models', () => {
  it.each(PROJECTIONS.map((projection) => [projection.name, projection] as const))(
    'of %s are spelled in camelCase',
    (_, projection) => {
      const fields = fieldsOf(projection);
      expect(fields).toContain('id');
      const spelled = [...fields, ...projection.collection.indexes.flat().flatMap((path) => path.split('.'))];
      expect(spelled.filter((field) => !CAMEL_CASE.test(field))).toEqual([]);
    },
  );

  it('are named apart, with their version', () => {
    const names = PROJECTIONS.map(({ collection }) => collection.name);
    expect(new Set(names).size).toBe(names.length);
    expect(
      PROJECTIONS.filter(({ version, collection }) => !collection.name.endsWith(`_v${version}`)),
    ).toEqual([]);
  });
});
