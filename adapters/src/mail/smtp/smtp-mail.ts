import type { Mail } from '@quantloom/domain/ports/mail';
import { createTransport } from 'nodemailer';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` (with STARTTLS where the server offers it) or `smtps://…:465`. */
  readonly url: string;
  /** Sender, for example `Quantloom <no-reply@example.com>`. */
  readonly from: string;
}

/** How long a mail server may take to answer, in ms; the message stays in the queue and is tried again. */
const TIMEOUT_MS = 20_000;

/** Hands messages to a mail server. */
export function createSmtpMail({ url, from }: SmtpOptions): Mail {
  const transport = createTransport(
    {
      url,
      pool: true,
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      // A message names no file or address to load.
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  );
  return {
    send: async ({ to, subject, text, html }) => {
      // As an object, so that nothing in the address is read as a second recipient.
      await transport.sendMail({ to: { name: '', address: to }, subject, text, html });
    },
    close: async () => transport.close(),
  };
}
