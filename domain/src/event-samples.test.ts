import { describe, expect, it } from 'vitest';
import { eventSamples } from '../testing/event-samples.ts';
import { EVENT_CATALOGUE } from './event-catalogue.ts';
import { createEventCheck } from './kernel/event-check.ts';
import { upcast } from './kernel/event-type.ts';
import { PROJECTIONS } from './projections.ts';

const samples = eventSamples();
const written = [...EVENT_CATALOGUE.values()].flatMap(({ type, version }) =>
  Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`),
);

describe('samples of events', () => {
  it('exist for every version of every type', () => {
    const files = new Set(samples.map(({ file }) => file));
    expect(
      written.filter((file) => !files.has(file)),
      'Add these to domain/testing/samples, as the log holds such an event',
    ).toEqual([]);
  });

  it.each(samples.map(({ file, event }) => [file, event] as const))(
    '%s is read by today’s code',
    (file, event) => {
      // What stands behind the version says what is special about one of several samples.
      expect(file.replace(/(\.v\d+)\.[a-z-]+\.json$/, '$1.json')).toBe(
        `${event.type}.v${event.metadata.schemaVersion}.json`,
      );
      expect(createEventCheck(EVENT_CATALOGUE)(event)).toEqual([]);
      const today = upcast(EVENT_CATALOGUE, event);
      for (const projection of PROJECTIONS)
        if (projection.handles.includes(event.type) || projection.handles.includes('*'))
          expect(projection.keys(today).every((key) => typeof key === 'string' && key !== '')).toBe(true);
    },
  );
});
