import { hash } from 'node:crypto';
import type { StatementSync } from 'node:sqlite';
import { linkedText } from '@quantloom/domain/kernel/event-chain';
import { type SqliteDatabase, transaction } from '../../sqlite/database.ts';

/** An event as its row holds it. */
export interface LinkedRow {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly id: string;
  readonly metadata: string;
  readonly data: string;
}

/** The link of an event, lower-case hex; `previous` is the link of the event before it, empty for the first one. */
export function linkOf(previous: string, row: LinkedRow): string {
  return hash('sha256', linkedText(previous, row, row.metadata, row.data));
}

/** Events linked per transaction: other processes get their turn in between. */
const AT_ONCE = 2_000;

/**
 * Gives the events their links that were written before there were any, or by an earlier version that still
 * runs beside this one. Begins behind the last link there is, so a process that dies in the middle loses nothing.
 */
export function linkEvents(database: SqliteDatabase): void {
  const steps = statements(database);
  while (transaction(database.durable, () => linkSome(steps, AT_ONCE)) === AT_ONCE);
}

/** Links everything within the transaction that is open; resolves with the last link, empty where there is no event. */
export function linkRest(database: SqliteDatabase): string {
  const steps = statements(database);
  while (linkSome(steps, AT_ONCE) === AT_ONCE);
  return String(steps.lastLinked.get()?.link ?? '');
}

interface Steps {
  readonly lastLinked: StatementSync;
  readonly after: StatementSync;
  readonly link: StatementSync;
}

function statements({ durable }: SqliteDatabase): Steps {
  return {
    // Events are linked from the first on: those without a link are the last ones.
    lastLinked: durable.prepare(
      `SELECT position, lower(hex(link)) AS link FROM events
       WHERE position < coalesce((SELECT min(position) FROM events WHERE link IS NULL), 9223372036854775807)
       ORDER BY position DESC LIMIT 1`,
    ),
    after: durable.prepare(
      `SELECT position, stream, revision, type, id, metadata, data FROM events
       WHERE position > ? ORDER BY position LIMIT ?`,
    ),
    link: durable.prepare('UPDATE events SET link = unhex(?) WHERE position = ?'),
  };
}

function linkSome({ lastLinked, after, link }: Steps, count: number): number {
  const last = lastLinked.get() as { position: number; link: string } | undefined;
  const rows = after.all(last?.position ?? -1, count) as unknown as (LinkedRow & { position: number })[];
  let previous = last?.link ?? '';
  for (const row of rows) {
    previous = linkOf(previous, row);
    link.run(previous, row.position);
  }
  return rows.length;
}
