import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import type { RecordedEvent } from '../kernel/event.ts';
import { eventCatalogue, upcast } from '../kernel/event-type.ts';
import { BATCH_CONTEXT_EVENTS } from './context.ts';

const folder = path.join(import.meta.dirname, '../../testing/samples');
const catalogue = eventCatalogue(BATCH_CONTEXT_EVENTS);

/** Samples are never edited: they are what old logs hold. */
it.each(BATCH_CONTEXT_EVENTS.map((event) => [event.type, event] as const))(
  '%s of every version is read',
  (type, event) => {
    const files = readdirSync(folder).filter((file) => file.startsWith(`${type}.v`));
    expect(files.length).toBe(event.version);
    for (const file of files) {
      const sample = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as {
        schemaVersion: number;
        data: unknown;
      };
      const recorded = {
        type,
        data: sample.data,
        metadata: { schemaVersion: sample.schemaVersion },
      } as RecordedEvent;
      expect(Check(event.schema, upcast(catalogue, recorded).data), file).toBe(true);
    }
  },
);
