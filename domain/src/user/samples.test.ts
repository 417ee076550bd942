import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Check } from 'typebox/value';
import { expect, it } from 'vitest';
import { API_CLIENT_EVENTS } from '../api-client/api-client.ts';
import type { RecordedEvent } from '../kernel/event.ts';
import { eventCatalogue, upcast } from '../kernel/event-type.ts';
import { INSTALLATION_EVENTS, USER_EVENTS } from './events.ts';

const folder = path.join(import.meta.dirname, '../../testing/samples');
const events = [...USER_EVENTS, ...INSTALLATION_EVENTS, ...API_CLIENT_EVENTS];
const catalogue = eventCatalogue(events);

/** Samples are never edited: they are what old logs hold. */
it.each(events.map((event) => [event.type, event] as const))('%s of every version is read', (type, event) => {
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
});
