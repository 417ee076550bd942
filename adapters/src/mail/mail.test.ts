import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { MailMessage } from '@quantloom/domain/ports/mail';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mailContract } from '../../testing/mail/contract.ts';
import { createOutboxMail, outboxFolder } from './outbox/outbox-mail.ts';
import { createSmtpMail } from './smtp/smtp-mail.ts';

describe('with an outbox', () => {
  let dataDir = '';
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(tmpdir(), 'outbox-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  mailContract('outbox', () => {
    const mail = createOutboxMail(dataDir);
    return { mail, arrived: async () => (await mail.list(10)).toReversed() };
  });

  it('is read by its owner alone, and keeps the newest thousand', async () => {
    let time = Date.UTC(2026, 0, 1);
    const mail = createOutboxMail(dataDir, () => {
      time += 1000;
      return new Date(time);
    });
    for (let i = 0; i < 1_003; i += 1) await mail.send({ to: 'a@b.ch', subject: `${i}`, text: '', html: '' });
    const names = readdirSync(outboxFolder(dataDir));
    expect(names).toHaveLength(1_000);
    expect(statSync(path.join(outboxFolder(dataDir), names[0] ?? '')).mode & 0o777).toBe(0o600);
    expect((await mail.list(2)).map(({ subject }) => subject)).toEqual(['1002', '1001']);
  });

  it('forgets the messages to an address, however it was written, and no others', async () => {
    const mail = createOutboxMail(dataDir);
    for (const to of ['Ann@Example.com', 'ben@example.com', 'ann@example.com'])
      await mail.send({ to, subject: 'Hello', text: '', html: '' });
    await mail.forget(new Set(['ann@example.com']));
    expect((await mail.list(10)).map(({ to }) => to)).toEqual(['ben@example.com']);
  });

  it('is empty before the first message', async () => {
    expect(await createOutboxMail(dataDir).list(10)).toEqual([]);
  });
});

/** A part of a message in quoted-printable or base64, as text. */
function decoded(part: string): string {
  const [head = '', body = ''] = part.split(/\r\n\r\n([\s\S]*)/);
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(/quoted-printable/i.test(head) ? bytes : body, 'latin1').toString('utf8');
}

function parsed(to: string, raw: string): MailMessage {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? '';
  const [, text = '', html = ''] = raw.split(`--${boundary}`);
  const subject = (/^Subject: ((?:.*)(?:\r\n[ \t].*)*)/m.exec(raw)?.[1] ?? '').replaceAll(/\r\n[ \t]/g, '');
  const words = subject.replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, word: string) =>
    kind.toUpperCase() === 'B'
      ? Buffer.from(word, 'base64').toString('latin1')
      : word
          .replaceAll('_', ' ')
          .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
            String.fromCharCode(Number.parseInt(hex, 16)),
          ),
  );
  const plain = (part: string) => decoded(part.replace(/^\r\n/, '')).replaceAll('\r\n', '\n').trim();
  return { to, subject: Buffer.from(words, 'latin1').toString('utf8'), text: plain(text), html: plain(html) };
}

describe('with a mail server', () => {
  const received: MailMessage[] = [];
  let server: SMTPServer;
  let url = '';
  beforeEach(async () => {
    received.length = 0;
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData: (stream, session, callback) => {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () => {
          const raw = Buffer.concat(chunks).toString('latin1');
          for (const { address } of session.envelope.rcptTo) received.push(parsed(address, raw));
          callback();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    url = `smtp://127.0.0.1:${(server.server.address() as { port: number }).port}`;
  });
  afterEach(() => new Promise<void>((resolve) => void server.close(() => resolve())));

  mailContract('smtp', () => ({
    mail: createSmtpMail({ url, from: 'Quantloom <no-reply@example.com>' }),
    arrived: async () => received,
  }));

  it('takes nothing in an address for a second recipient', async () => {
    const mail = createSmtpMail({ url, from: 'no-reply@example.com' });
    const to = 'ann@example.com,ben@example.com';
    await mail.send({ to, subject: 's', text: 't', html: 'h' }).catch(() => undefined);
    await mail.close();
    expect(received.map((message) => message.to)).not.toContain('ben@example.com');
  });

  it('rejects where no server answers, so that the message is tried again', async () => {
    const mail = createSmtpMail({ url: 'smtp://127.0.0.1:1', from: 'no-reply@example.com' });
    await expect(mail.send({ to: 'a@b.ch', subject: 's', text: 't', html: 'h' })).rejects.toThrow();
    await mail.close();
  });
});
