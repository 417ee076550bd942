import type { EventMetadata } from '@quantloom/domain/kernel/event';
import { PERSONAL_FIELDS } from '@quantloom/domain/personal-data';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import type { SqliteDatabase } from '../../sqlite/database.ts';
import { sealEvent } from '../sealed/sealing.ts';
import { linkEvents, linkOf } from './link-events.ts';

/** Events looked at at once. */
const PAGE = 1_000;

/** Where the log stood when personal data in it were first sealed. */
export interface FormerHead {
  readonly position: number;
  /** Link of that event before and after, lower-case hex. */
  readonly former: string;
  readonly link: string;
}

interface Row {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly id: string;
  readonly metadata: string;
  readonly data: string;
  readonly link: string;
}

/** The head that was kept of a log from before its personal data were sealed; null where there was none. */
export function formerHead({ durable }: SqliteDatabase): FormerHead | null {
  const row = durable
    .prepare(
      `SELECT s.position, lower(hex(s.former_link)) AS former, lower(hex(e.link)) AS link
       FROM event_sealing AS s JOIN events AS e USING (position)`,
    )
    .get() as unknown as FormerHead | undefined;
  return row ?? null;
}

/**
 * Seals what a log from before there were keys says about people, and links it anew from the first such event
 * on. All or nothing, once in the life of a file; the link that the log ended with is kept, so that a hash
 * that was noted down elsewhere can still be found. Nobody else may use the connection meanwhile.
 *
 * @returns how many events were changed
 */
export async function sealLog(database: SqliteDatabase, keys: PersonKeys): Promise<number> {
  const { durable } = database;
  if (durable.prepare('SELECT 1 FROM event_sealing').get()) return 0;
  linkEvents(database);
  const page = durable.prepare(
    `SELECT position, stream, revision, type, id, metadata, data, lower(hex(link)) AS link FROM events
     WHERE position > ? ORDER BY position LIMIT ?`,
  );
  const update = durable.prepare('UPDATE events SET data = ?, link = unhex(?) WHERE position = ?');
  // What is written over becomes zeros.
  const before = Number(durable.prepare('PRAGMA secure_delete').get()?.secure_delete ?? 0);
  durable.exec('PRAGMA secure_delete = ON');
  durable.exec('BEGIN IMMEDIATE');
  let changed = 0;
  try {
    let position = -1;
    let link = '';
    let former = '';
    for (;;) {
      const rows = page.all(position, PAGE) as unknown as Row[];
      for (const row of rows) {
        const data = await sealed(row, keys);
        if (data !== row.data) changed += 1;
        const next = linkOf(link, { ...row, data });
        if (next !== row.link) update.run(data, next, row.position);
        link = next;
        former = row.link;
        position = row.position;
      }
      if (rows.length < PAGE) break;
    }
    durable
      .prepare('INSERT INTO event_sealing (position, former_link) VALUES (?, unhex(?))')
      .run(position, former);
    durable.exec('COMMIT');
  } catch (error) {
    if (durable.isTransaction) durable.exec('ROLLBACK');
    throw error;
  } finally {
    durable.exec(`PRAGMA secure_delete = ${before}`);
  }
  if (changed > 0) durable.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  return changed;
}

async function sealed(row: Row, keys: PersonKeys): Promise<string> {
  if (PERSONAL_FIELDS[row.type] === undefined) return row.data;
  const event = {
    id: row.id,
    type: row.type,
    data: JSON.parse(row.data) as unknown,
    metadata: JSON.parse(row.metadata) as EventMetadata,
  };
  const written = await sealEvent(keys, row.stream, event, { isCopy: true });
  return written === event ? row.data : JSON.stringify(written.data);
}
