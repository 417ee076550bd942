import {
  createEmbeddedIdentity,
  type EmbeddedIdentity,
} from '@quantloom/adapters/identity/embedded/embedded-identity';
import { createOutboxMail } from '@quantloom/adapters/mail/outbox/outbox-mail';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { secretKeyOf } from '../wiring/secret-key.ts';
import { CommandError } from './command-error.ts';

/** `quantloom identity …`: what an operator does to the embedded issuer. A running product takes it within a minute. */
export function identityCommand(): Command {
  const command = new Command('identity').description('the embedded issuer: keys, locked accounts, messages');
  command
    .command('rotate-keys')
    .description('sign new tokens with a new key; tokens of the old one stay valid until they expire')
    .action(async () => {
      await withIssuer('rotate its keys there', (issuer) => issuer.rotateSigningKey());
      console.log('The signing key has been replaced.');
    });
  command
    .command('unlock')
    .description('forget the failed log-ins of an account, so that its owner can try again at once')
    .argument('<email>', 'e-mail address of the account')
    .action(async (email: string) => {
      await withAccount(email, 'unlock the account there', (issuer) => issuer.unlock(email));
      console.log(`The failed log-ins of ${email} are forgotten.`);
    });
  command
    .command('remove-factors')
    .description(
      'take passkeys, codes and recovery codes off an account whose owner has lost them, and sign it out everywhere',
    )
    .argument('<email>', 'e-mail address of the account')
    .action(async (email: string) => {
      await withAccount(email, 'remove passkeys and codes there', (issuer) => issuer.removeFactors(email));
      console.log(`The passkeys and codes of ${email} are removed, and all its sessions are ended.`);
    });
  command
    .command('outbox')
    .description('messages that wait in the data folder, where no mail server (SMTP_URL) is set')
    .option('-n, --limit <count>', 'newest messages shown', '20')
    .action(async ({ limit }: { limit: string }) => {
      const count = Number(limit);
      if (!Number.isInteger(count) || count < 1)
        throw new CommandError(400, `--limit must be a whole number of at least 1, not ${limit}`);
      const messages = await createOutboxMail(readConfig().DATA_DIR).list(count);
      if (messages.length === 0) console.log('No message waits.');
      for (const { sentAt, to, text } of messages.toReversed())
        console.log(`${sentAt}  to ${to}\n${text.trim().replaceAll(/^/gm, '  ')}\n`);
    });
  return command;
}

/** Does something to the account of an address; `act` answers false where there is none. */
async function withAccount(
  email: string,
  instead: string,
  act: (issuer: EmbeddedIdentity) => boolean,
): Promise<void> {
  const isThere = await withIssuer(instead, act);
  if (!isThere) throw new CommandError(404, `There is no account with the address ${email}`);
}

/** Opens the embedded issuer's file for a piece of work. */
async function withIssuer<T>(
  instead: string,
  work: (issuer: EmbeddedIdentity) => T | Promise<T>,
): Promise<T> {
  const config = readConfig();
  if (config.OIDC_ISSUER)
    throw new CommandError(409, `This installation uses an external issuer (OIDC_ISSUER): ${instead}`);
  const embedded = await createEmbeddedIdentity({
    issuerUrl: config.publicUrl,
    dataDir: config.DATA_DIR,
    encryptionKey: secretKeyOf(config),
  });
  try {
    return await work(embedded);
  } finally {
    await embedded.close();
  }
}
