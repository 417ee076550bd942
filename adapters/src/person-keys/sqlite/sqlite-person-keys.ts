import { randomBytes } from 'node:crypto';
import type { PersonKeyRecord, PersonKeys } from '@quantloom/domain/ports/person-keys';
import { openSqliteDatabase, transaction } from '../../sqlite/database.ts';

const SCHEMA = [
  `CREATE TABLE person_keys (
     id TEXT PRIMARY KEY,
     person TEXT NOT NULL UNIQUE,
     key BLOB NOT NULL
   ) STRICT;`,
];
/** Keys read at once for a copy. */
const PAGE = 1_000;

interface Row {
  readonly id: string;
  readonly key: Uint8Array;
}

/** Keys in a file of their own, apart from the log; an erased one is overwritten in the file, not only forgotten. */
export function openSqlitePersonKeys(file: string): PersonKeys {
  const database = openSqliteDatabase(file);
  const connection = database.durable;
  // Before anything is written: what is deleted becomes zeros.
  connection.exec('PRAGMA secure_delete = ON');
  database.migrate('person-keys', SCHEMA);
  const byPerson = connection.prepare('SELECT id, key FROM person_keys WHERE person = ?');
  const byId = connection.prepare('SELECT key FROM person_keys WHERE id = ?');
  const insert = connection.prepare(
    'INSERT INTO person_keys (id, person, key) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const remove = connection.prepare('DELETE FROM person_keys WHERE person = ?');
  const page = connection.prepare('SELECT id, person, key FROM person_keys WHERE id > ? ORDER BY id LIMIT ?');
  return {
    async keyFor(person) {
      let row = byPerson.get(person) as unknown as Row | undefined;
      if (!row) {
        insert.run(randomBytes(9).toString('base64url'), person, randomBytes(32));
        row = byPerson.get(person) as unknown as Row;
      }
      return { id: row.id, bytes: row.key };
    },
    find: async (id) => (byId.get(id) as unknown as Row | undefined)?.key ?? null,
    async erase(person) {
      if (Number(remove.run(person).changes) === 0) return;
      // The write-ahead log holds the key as it was; nobody reads this file for long.
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    forgetCopies() {
      // There are none: each key is read from the file.
    },
    async *all() {
      let last = '';
      for (;;) {
        const rows = page.all(last, PAGE) as unknown as (Row & { readonly person: string })[];
        for (const { id, person, key } of rows) yield { id, person, key: Buffer.from(key).toString('hex') };
        const end = rows.at(-1);
        if (!end) return;
        last = end.id;
      }
    },
    async add(records: readonly PersonKeyRecord[]) {
      transaction(connection, () => {
        for (const { id, person, key } of records) insert.run(id, person, Buffer.from(key, 'hex'));
      });
    },
    close: async () => database.close(),
  };
}
