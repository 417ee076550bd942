import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Mail, MailMessage } from '@quantloom/domain/ports/mail';

export interface FolderMail extends Mail {
  /** What was sent, the oldest first. */
  all(): Promise<readonly MailMessage[]>;
}

/**
 * Mail that is kept in a folder, one file for each message, for a program that fetches it from there.
 *
 * @param folder made where it is missing
 * @param newName of the next message's file; names sort in the order of sending
 */
export function createFolderMail(folder: string, newName: () => string): FolderMail {
  return {
    async send(message) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = path.join(folder, `${newName()}.json`);
      // Whole or not at all, whoever looks into the folder meanwhile; a failure rejects, so the caller tries again.
      await writeFile(`${file}.part`, JSON.stringify(message), { mode: 0o600, flag: 'wx' });
      await rename(`${file}.part`, file);
    },
    async all() {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
      const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
      return texts.map((text) => JSON.parse(text) as MailMessage);
    },
    // No connection is held.
    close: async () => undefined,
  };
}
