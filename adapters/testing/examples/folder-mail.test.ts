import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailContract } from '../../testing/mail/contract.ts';
import { createFolderMail } from './folder-mail.ts';

describe('mail in a folder', () => {
  let folder = '';
  let sent = 0;
  const open = () => createFolderMail(folder, () => String(++sent).padStart(8, '0'));
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'folder-mail-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  mailContract('folder', () => {
    const mail = open();
    return { mail, arrived: () => mail.all() };
  });

  const message = { to: 'ann@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };

  it('is read by its owner alone', async () => {
    await open().send(message);
    const [name = ''] = readdirSync(folder);
    expect(statSync(path.join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('rejects what it cannot keep, so that it is sent again', async () => {
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file where the folder should be');
    await expect(open().send(message)).rejects.toThrow(/EEXIST|ENOTDIR/);
  });
});
