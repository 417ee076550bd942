import { createEmbeddedIdentity } from '@quantloom/adapters/identity/embedded/embedded-identity';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { secretKeyOf } from '../wiring/secret-key.ts';
import { CommandError } from './command-error.ts';

/** `quantloom identity …`: what an operator does to the embedded issuer. A running product takes it within a minute. */
export function identityCommand(): Command {
  const command = new Command('identity').description('the embedded issuer: keys');
  command
    .command('rotate-keys')
    .description('sign new tokens with a new key; tokens of the old one stay valid until they expire')
    .action(async () => {
      const config = readConfig();
      if (config.OIDC_ISSUER)
        throw new CommandError(
          409,
          'This installation uses an external issuer (OIDC_ISSUER): rotate its keys there',
        );
      const embedded = await createEmbeddedIdentity({
        issuerUrl: config.publicUrl,
        dataDir: config.DATA_DIR,
        encryptionKey: secretKeyOf(config),
      });
      try {
        await embedded.rotateSigningKey();
      } finally {
        embedded.close();
      }
      console.log('The signing key has been replaced.');
    });
  return command;
}
