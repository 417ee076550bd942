import { hkdfSync } from 'node:crypto';
import { createOutboxMail } from '@quantloom/adapters/mail/outbox/outbox-mail';
import { createSmtpMail } from '@quantloom/adapters/mail/smtp/smtp-mail';
import { createHttpWebhooks } from '@quantloom/adapters/webhooks/http-webhooks';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import type { Mail } from '@quantloom/domain/ports/mail';
import type { Webhooks } from '@quantloom/domain/ports/webhooks';
import type { Config } from '../config.ts';

/** The mail server that the configuration names; null: messages wait in the data folder. */
export function openSmtp({ SMTP_URL, MAIL_FROM, SUPPORT_EMAIL }: Config): Mail | null {
  if (!SMTP_URL) return null;
  return createSmtpMail({ url: SMTP_URL, from: MAIL_FROM ?? `${PRODUCT_NAME} <${SUPPORT_EMAIL}>` });
}

/** The mail of this installation. */
export function openMail(config: Config): Mail {
  return openSmtp(config) ?? createOutboxMail(config.DATA_DIR);
}

/** Webhooks whose secrets follow from the installation's. */
export function openWebhooks(config: Config, secretKey: string): Webhooks {
  const key = hkdfSync('sha256', Buffer.from(secretKey, 'hex'), '', 'quantloom webhooks', 32);
  return createHttpWebhooks({
    key: new Uint8Array(key),
    allowsPrivate: config.WEBHOOKS_TO_PRIVATE_ADDRESSES,
  });
}
