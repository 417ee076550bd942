// Installs the dependencies when they are missing or older than package-lock.json (after a `git pull`, for
// example), so that `npm start` and `npm test` are the only commands a newcomer needs. Plain JavaScript: it
// runs on whatever Node (>= 20) the machine has.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';

const marker = 'node_modules/.package-lock.json';
const pinnedNode = 'node_modules/node/bin/node';
/** Says so and goes on where nothing can be kept: all works without, as it did before. */
function keepThreadCode() {
  const cache = path.resolve('node_modules/.cache/quantloom-code');
  try {
    execFileSync(pinnedNode, ['scripts/keep-thread-code.ts'], {
      env: { ...process.env, NODE_COMPILE_CACHE: cache },
      stdio: ['ignore', 'ignore', 'inherit'],
      timeout: 60_000,
    });
  } catch (error) {
    console.error(`The code of threads was not kept: ${error.message}`);
  }
}

const isCurrent =
  existsSync(marker) &&
  existsSync(pinnedNode) &&
  ['package.json', 'package-lock.json'].every(
    (file) => statSync(marker).mtimeMs >= statSync(file).mtimeMs - 1000,
  );

if (!isCurrent) {
  console.error('Installing dependencies (npm install) …');
  // `npm install`, not `npm ci`: a lock may lack another platform's optional binaries.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: ['ignore', 2, 2],
  });
  // npm leaves the marker alone where nothing was missing, and may write the lock after it.
  const now = new Date();
  utimesSync(marker, now, now);
  keepThreadCode();
}
