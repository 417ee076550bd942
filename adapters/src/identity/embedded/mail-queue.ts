import { randomInt, randomUUID } from 'node:crypto';
import { normalizeEmail } from '@quantloom/domain/identity/email';
import type { Mail, MailMessage } from '@quantloom/domain/ports/mail';
import type { IdentityStore } from './store.ts';

const LOOK_EVERY_MS = 5_000;
/**
 * A new message goes at some time within this: the request after the one that asked for it would tell by its
 * time that there is one.
 */
const SENT_WITHIN_MS = 1_500;
/** Waits between tries: a minute, doubled up to an hour. */
const FIRST_WAIT_MS = 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;
/** A message that could not be sent for this long is out of date. */
const GIVEN_UP_AFTER_MS = 24 * 60 * 60_000;
/** Messages in one look. */
const BATCH = 20;

/** Messages that wait for the mail server, in the issuer's file: an outage or a restart loses none. */
export interface MailQueue {
  /** Takes it over; it leaves when the mail server takes it. Costs the same whoever it is for. */
  add(message: MailMessage): void;
  /** Costs what a message costs, and sends none: nobody can tell by the time whether there was somebody to write to. */
  pretend(message: MailMessage): void;
  /** Removes the messages that wait for these addresses (in their compared form). */
  forget(addresses: ReadonlySet<string>): Promise<void>;
  /** Resolves once what is due has been tried. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface MailRow {
  readonly id: string;
  readonly message_box: string;
  readonly tries: number;
  readonly created_at: number;
}

/** What is sealed in a row. */
type Queued = MailMessage & { readonly isPretended?: true };

/** @param onError what the mail server said when it refused a message */
export function createMailQueue(
  { database, box }: IdentityStore,
  mail: Mail,
  onError: (error: unknown) => void,
  now: () => number = () => Date.now(),
): MailQueue {
  const connection = database.durable;
  let running: Promise<void> | null = null;
  let isClosed = false;

  const tryOne = async (row: MailRow): Promise<void> => {
    // It is put off before it is sent: a process that dies meanwhile sends it again later instead of at once
    // and for ever.
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** row.tries);
    connection
      .prepare('UPDATE identity_mails SET tries = tries + 1, next_at = ? WHERE id = ?')
      .run(now() + wait, row.id);
    try {
      const { isPretended, ...message } = JSON.parse(box.open(row.message_box, `mail:${row.id}`)) as Queued;
      if (!isPretended) await mail.send(message);
    } catch (error) {
      onError(new Error('A message could not be handed to the mail server', { cause: error }));
      if (now() - row.created_at < GIVEN_UP_AFTER_MS) return;
    }
    connection.prepare('DELETE FROM identity_mails WHERE id = ?').run(row.id);
  };

  const work = async (): Promise<void> => {
    for (;;) {
      if (isClosed) return;
      const due = connection
        .prepare('SELECT * FROM identity_mails WHERE next_at <= ? ORDER BY next_at LIMIT ?')
        .all(now(), BATCH) as unknown as readonly MailRow[];
      if (due.length === 0) return;
      for (const row of due) {
        if (isClosed) return;
        await tryOne(row);
      }
    }
  };
  const flush = (): Promise<void> => {
    running ??= work().finally(() => {
      running = null;
    });
    return running;
  };
  const look = () => {
    if (!isClosed) void flush().catch(onError);
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();

  const queue = (queued: Queued): void => {
    const id = randomUUID();
    connection
      .prepare(
        'INSERT INTO identity_mails (id, message_box, tries, next_at, created_at) VALUES (?, ?, 0, ?, ?)',
      )
      .run(id, box.seal(JSON.stringify(queued), `mail:${id}`), now(), now());
    setTimeout(look, randomInt(SENT_WITHIN_MS)).unref();
  };

  return {
    add: (message) => queue(message),
    pretend: (message) => queue({ ...message, isPretended: true }),
    async forget(addresses) {
      // What is being sent ends first, or it would be there again.
      await running?.catch(onError);
      const rows = connection
        .prepare('SELECT id, message_box FROM identity_mails')
        .all() as unknown as readonly Pick<MailRow, 'id' | 'message_box'>[];
      for (const { id, message_box: sealed } of rows) {
        const { to } = JSON.parse(box.open(sealed, `mail:${id}`)) as MailMessage;
        if (addresses.has(normalizeEmail(to)))
          connection.prepare('DELETE FROM identity_mails WHERE id = ?').run(id);
      }
    },
    flush,
    close: async () => {
      isClosed = true;
      clearInterval(timer);
      // What is being sent ends first; the rest waits in the file.
      await running?.catch(() => undefined);
      await mail.close();
    },
  };
}
