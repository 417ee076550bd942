import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createOutboxMail } from '@quantloom/adapters/mail/outbox/outbox-mail';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runCommand } from '../../testing/run-command.ts';
import { identityCommand } from './identity.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'identity-command-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const identity = (...args: string[]) => runCommand(identityCommand(), dataDir, ...args);

it('shows the newest messages of the outbox, the newest of them last', async () => {
  expect(await identity('outbox')).toBe('No message waits.');
  let minute = 0;
  const mail = createOutboxMail(dataDir, () => new Date(Date.UTC(2026, 0, 1, 0, minute++)));
  for (const to of ['ann', 'ben', 'cid'])
    await mail.send({ to: `${to}@example.com`, subject: 'Hello', text: `Dear ${to}\nHello\n`, html: '' });
  expect(await identity('outbox', '--limit', '2')).toBe(
    '2026-01-01T00:01:00.000Z  to ben@example.com\n  Dear ben\n  Hello\n\n' +
      '2026-01-01T00:02:00.000Z  to cid@example.com\n  Dear cid\n  Hello\n',
  );
  for (const limit of ['0', '1.5', 'many'])
    await expect(identity('outbox', '-n', limit), limit).rejects.toMatchObject({ status: 400 });
});

it('refuses accounts that there are not, and an installation whose accounts are elsewhere', async () => {
  for (const what of ['unlock', 'remove-factors'])
    await expect(identity(what, 'nobody@example.com'), what).rejects.toMatchObject({ status: 404 });
  vi.stubEnv('OIDC_ISSUER', 'https://issuer.example');
  vi.stubEnv('OIDC_CLIENT_ID', 'client');
  vi.stubEnv('OIDC_AUDIENCE', 'api');
  await expect(identity('rotate-keys')).rejects.toMatchObject({ status: 409 });
});
