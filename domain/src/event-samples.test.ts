import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EVENT_CATALOGUE } from './event-catalogue.ts';
import type { RecordedEvent } from './kernel/event.ts';
import { createEventCheck } from './kernel/event-check.ts';
import { upcast } from './kernel/event-type.ts';
import { PROJECTIONS } from './projections.ts';

/**
 * The data of an event of every version ever written. A sample is never edited: today's code must read it. A new type or version gets
 * one from `quantloom log export` of an installation that has written it.
 */
const FOLDER = path.resolve(import.meta.dirname, '../testing/samples');
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const samples = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.json'))
  .map((file) => {
    const { type, schemaVersion, data } = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8'));
    const event: RecordedEvent = {
      id: ID,
      type,
      data,
      stream: `sample-${type}`,
      revision: 0,
      position: 1n,
      metadata: {
        schemaVersion,
        commandId: ID,
        correlationId: ID,
        causationId: ID,
        actor: { kind: 'user', userId: ID },
        recordedAt: '2026-01-01T00:00:00.000Z',
      },
    };
    return { file, event };
  });
const written = [...EVENT_CATALOGUE.values()].flatMap(({ type, version }) =>
  Array.from({ length: version }, (_, index) => `${type}.v${index + 1}.json`),
);

describe('samples of events', () => {
  it('exist for every version of every type', () => {
    const files = new Set(samples.map(({ file }) => file));
    expect(written.filter((file) => !files.has(file))).toEqual([]);
  });

  it.each(samples.map(({ file, event }) => [file, event] as const))(
    '%s is read by today’s code',
    (file, event) => {
      expect(file).toBe(`${event.type}.v${event.metadata.schemaVersion}.json`);
      expect(createEventCheck(EVENT_CATALOGUE)(event)).toEqual([]);
      const today = upcast(EVENT_CATALOGUE, event);
      for (const projection of PROJECTIONS)
        if (projection.handles.includes(event.type) || projection.handles.includes('*'))
          expect(projection.keys(today).every((key) => typeof key === 'string' && key !== '')).toBe(true);
    },
  );
});
