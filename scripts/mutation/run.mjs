// `npm run test:mutation [-- WORKSPACE [FILES]]`: plants defects in a workspace (Stryker's) and counts those
// that its tests find.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

const folder = import.meta.dirname;
const root = path.join(folder, '..', '..');
const [workspace = 'domain', files = `${workspace}/src/**/*.ts`] = process.argv.slice(2);

function run(command, options) {
  const { status } = spawnSync(command[0], command.slice(1), { stdio: 'inherit', ...options });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(path.join(folder, 'node_modules')))
  run(['npm', 'install', '--no-audit', '--no-fund', '--no-package-lock'], { cwd: folder });
run(
  [
    path.join(folder, 'node_modules', '.bin', 'stryker'),
    'run',
    path.join(folder, 'stryker.config.json'),
    '--mutate',
    [files, '!**/*.test.ts', '!**/testing/**'].join(),
  ],
  { cwd: root, env: { ...process.env, WORKSPACE: workspace } },
);
