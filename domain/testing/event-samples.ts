import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { RecordedEvent } from '../src/kernel/event.ts';

const FOLDER = path.join(import.meta.dirname, 'samples');
const ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/**
 * An event of every version ever written. A sample is never edited: today's code must read it. A new type or version gets one from
 * `quantloom log export` of an installation that has written it.
 */
export function eventSamples(): { readonly file: string; readonly event: RecordedEvent }[] {
  return readdirSync(FOLDER)
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
}
