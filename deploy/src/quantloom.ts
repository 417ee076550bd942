import './code-cache.ts';
import { PRODUCT_NAME } from '@quantloom/domain/kernel/product';
import { Command, CommanderError } from 'commander';
import { errorBody } from './commands/command-error.ts';

/** Commands by name, loaded when they are called: each starts as fast as what it needs. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  backtest: async () => (await import('./commands/backtest.ts')).backtestCommand(),
  backup: async () => (await import('./commands/backup.ts')).backupCommand(),
  batch: async () => (await import('./commands/batch.ts')).batchCommand(),
  data: async () => (await import('./commands/data.ts')).dataCommand(),
  'dead-letters': async () => (await import('./commands/dead-letters.ts')).deadLettersCommand(),
  import: async () => (await import('./commands/import.ts')).importCommand(),
  identity: async () => (await import('./commands/identity.ts')).identityCommand(),
  log: async () => (await import('./commands/log.ts')).logCommand(),
  mcp: async () => (await import('./commands/mcp.ts')).mcpCommand(),
  migrate: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  projections: async () => (await import('./commands/projections.ts')).projectionsCommand(),
  restore: async () => (await import('./commands/backup.ts')).restoreCommand(),
  results: async () => (await import('./commands/results.ts')).resultsCommand(),
  'upgrade-check': async () => (await import('./commands/upgrade-check.ts')).upgradeCheckCommand(),
  verify: async () => (await import('./commands/verify.ts')).verifyCommand(),
  users: async () => (await import('./commands/users.ts')).usersCommand(),
};

async function program(name: string | undefined): Promise<Command> {
  const root = new Command('quantloom').description(`${PRODUCT_NAME} on the command line`);
  const named = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  for (const load of named === undefined ? Object.values(COMMANDS) : [named]) root.addCommand(await load());
  for (const command of [root, ...root.commands]) command.exitOverride();
  return root;
}

/** Runs a command line; every failure ends with exit code 2 and `{status, error}` on standard output. */
async function main(args: readonly string[]): Promise<number> {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader of a pipe may leave early (`| head`); that is no fault of the command.
    if (error.code === 'EPIPE') process.exit(0);
  });
  try {
    await (await program(args[0])).parseAsync(args, { from: 'user' });
    // A command that went on after a failure has set the code itself.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      process.stdout.write(`${JSON.stringify({ status: 400, error: error.message })}\n`);
      return 2;
    }
    process.stdout.write(`${JSON.stringify(errorBody(error))}\n`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
