/** By workspace: test files that put something else in a module's place, which whoever has loaded it would not notice. */
export const ALONE: Readonly<Record<string, string[]>> = {
  adapters: ['src/identity/embedded/passkeys.test.ts'],
  compute: ['src/pool/thread-starts.test.ts'],
  deploy: [
    'src/backup/snapshot.test.ts',
    'src/commands/migrate.test.ts',
    'src/commands/results.test.ts',
    'src/mcp/api.test.ts',
  ],
};
