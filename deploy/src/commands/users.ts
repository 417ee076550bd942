import { normalizeEmail } from '@quantloom/domain/identity/email';
import { handleCommand } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { type UserDocument, usersProjection } from '@quantloom/domain/user/projection';
import { USER_STREAM } from '@quantloom/domain/user/user';
import { Command } from 'commander';
import { ulid } from 'ulid';
import { readConfig } from '../config.ts';
import { type LogStores, openLogStores } from '../wiring/log-stores.ts';
import { CommandError } from './command-error.ts';

const { collection } = usersProjection;

/** The one user of an address or id. Throws a `CommandError` where there is none, or more than one. */
async function userOf({ readModels }: LogStores, name: string): Promise<UserDocument> {
  await readModels.ensureCollection(collection);
  const byId = await readModels.get<UserDocument>(collection.name, name);
  const users = byId
    ? [byId]
    : await readModels.find<UserDocument>(collection.name, { where: { emailKey: normalizeEmail(name) } });
  const [user, ...others] = users;
  if (!user) throw new CommandError(404, `There is no user ${name}; who has signed in once is one`);
  if (others.length > 0) {
    const ids = users.map(({ id }) => id).join(', ');
    throw new CommandError(409, `Several users have the address ${name}; name one by his id: ${ids}`);
  }
  return user;
}

async function makeAdministrator(stores: LogStores, name: string, reason: string): Promise<string> {
  const { id, email } = await userOf(stores, name);
  const commandId = ulid();
  const result = await handleCommand(
    stores.eventStore,
    USER_STREAM,
    id,
    { type: 'SetFeature', feature: 'web.admin.view', isGranted: true, reason, administratorId: '' },
    {
      commandId,
      correlationId: commandId,
      actor: { kind: 'system', name: 'command line' },
      now: new Date().toISOString(),
    },
  );
  if (isRefusal(result)) throw new CommandError(result.status, result.detail);
  return result.events.length > 0
    ? `${email} (${id}) is an administrator now.`
    : `${email} (${id}) is an administrator already.`;
}

/** Asks for the erasure as the owner would, without the days in which he could undo it. */
async function deleteUser(stores: LogStores, name: string): Promise<string> {
  const { id, email } = await userOf(stores, name);
  const commandId = ulid();
  const now = new Date().toISOString();
  const result = await handleCommand(
    stores.eventStore,
    USER_STREAM,
    id,
    { type: 'RequestDeletion', eraseAt: now },
    { commandId, correlationId: commandId, actor: { kind: 'system', name: 'command line' }, now },
  );
  if (isRefusal(result)) throw new CommandError(result.status, result.detail);
  return `${email} (${id}) is erased within a minute, or when the product starts.`;
}

/**
 * `quantloom users …`: what cannot be done by an administrator, because there is none yet. A running product
 * takes it at once.
 */
export function usersCommand(): Command {
  const command = new Command('users').description('users: make one an administrator, delete one');
  command
    .command('make-administrator')
    .description('let a user administrate; with an external issuer nobody does until this was called')
    .argument('<user>', 'e-mail address or id of somebody who has signed in once')
    .option('--reason <text>', 'kept in his history', 'Made an administrator on the command line')
    .action(async (user: string, { reason }: { reason: string }) => {
      const stores = await openLogStores(readConfig(), { mayCreate: false });
      try {
        console.log(await makeAdministrator(stores, user, reason));
      } finally {
        await stores.close();
      }
    });
  command
    .command('delete')
    .description('erase an account with everything in it; this cannot be undone')
    .argument('<user>', 'e-mail address or id of the user')
    .action(async (user: string) => {
      const stores = await openLogStores(readConfig(), { mayCreate: false });
      try {
        console.log(await deleteUser(stores, user));
      } finally {
        await stores.close();
      }
    });
  return command;
}
