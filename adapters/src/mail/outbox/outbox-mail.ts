import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { normalizeEmail } from '@quantloom/domain/identity/email';
import type { Mail, Outbox, OutboxMessage } from '@quantloom/domain/ports/mail';

/** Older messages go: what nobody has fetched by then is out of date, and a script must not fill the disk. */
const KEPT_MESSAGES = 1_000;

/** Folder of the outbox in the data folder. */
export const outboxFolder = (dataDir: string): string => path.join(dataDir, 'outbox');

export interface ForgettingOutbox {
  /** Removes the messages to these addresses (in their compared form). */
  forget(addresses: ReadonlySet<string>): Promise<void>;
}

/**
 * Messages as files in the data folder, where no mail server is set. They hold links that open an account, so
 * only the owner of the folder may read them.
 */
export function createOutboxMail(
  dataDir: string,
  now: () => Date = () => new Date(),
): Mail & Outbox & ForgettingOutbox {
  const folder = outboxFolder(dataDir);
  const names = async (): Promise<readonly string[]> => {
    try {
      return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  };
  return {
    async send(message) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const sentAt = now().toISOString();
      const id = `${sentAt.replaceAll(/[:.]/g, '-')}-${randomBytes(4).toString('hex')}`;
      const file = path.join(folder, `${id}.json`);
      const handle = await open(`${file}.part`, 'wx', 0o600);
      try {
        await handle.writeFile(JSON.stringify({ id, sentAt, ...message } satisfies OutboxMessage, null, 2));
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(`${file}.part`, file);
      for (const old of (await names()).slice(0, -KEPT_MESSAGES))
        await rm(path.join(folder, old), { force: true });
    },
    async list(limit) {
      const newest = (await names()).toReversed().slice(0, limit);
      const read = newest.map(async (name) => {
        try {
          return JSON.parse(await readFile(path.join(folder, name), 'utf8')) as OutboxMessage;
        } catch (error) {
          // Another process has just removed it.
          if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
          throw error;
        }
      });
      return (await Promise.all(read)).filter((message) => message !== null);
    },
    async forget(addresses) {
      for (const name of await names()) {
        const file = path.join(folder, name);
        const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return null;
          throw error;
        });
        if (text === null) continue;
        const { to } = JSON.parse(text) as OutboxMessage;
        if (addresses.has(normalizeEmail(to))) await rm(file, { force: true });
      }
    },
    close: async () => {},
  };
}
