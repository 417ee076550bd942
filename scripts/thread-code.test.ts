import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { THREAD_PROGRAMS } from './keep-thread-code.ts';
import { sourceFiles } from './source-files.ts';

const ROOT = path.join(import.meta.dirname, '..');
/** Those of the product: what only measures may start others. */
const WORKSPACES = [
  'adapters',
  'command-api',
  'compute',
  'deploy',
  'domain',
  'http',
  'projectors',
  'query-api',
];

function startedThreads(): string[] {
  const found: string[] = [];
  for (const file of sourceFiles(WORKSPACES)) {
    const text = readFileSync(file, 'utf8');
    // Processes of their own have names that say so.
    for (const [, program = ''] of text.matchAll(
      /new URL\('(\.[^']+(?<!-process)\.ts)', import\.meta\.url\)/g,
    ))
      found.push(path.relative(ROOT, path.join(path.dirname(file), program)));
  }
  return found.sort();
}

describe('the code of threads', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-code-'));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is named whole', () => {
    expect(startedThreads()).toEqual([...THREAD_PROGRAMS].sort());
  });

  it('is kept without types, so that no thread has to take them out', () => {
    const env = { ...process.env, NODE_COMPILE_CACHE: folder };
    const run = (...given: string[]) =>
      execFileSync(process.execPath, given, {
        cwd: ROOT,
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'inherit'],
      });
    const load = `for (const program of ${JSON.stringify(THREAD_PROGRAMS)})
      await import('${ROOT}/' + program).catch(() => undefined);
      console.log(process.moduleLoadList.filter((name) => name.includes('amaro')).length);
      process.exit(0);`;
    const typesTakenOut = () => Number(run('--input-type=module', '--eval', load).trim().split('\n').at(-1));
    expect(typesTakenOut()).toBeGreaterThan(0);
    run('scripts/keep-thread-code.ts');
    expect(typesTakenOut()).toBe(0);
  });
});
