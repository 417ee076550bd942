import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it.runIf(process.platform === 'linux')('leaves the main thread first, and libuv’s beside it', async () => {
  const file = new URL('./others-give-way.ts', import.meta.url).href;
  const program = `
    import { readdirSync, readFileSync } from 'node:fs';
    import { readFile } from 'node:fs/promises';
    import { getPriority } from 'node:os';
    import { letOthersGiveWay } from ${JSON.stringify(file)};
    await readFile('/proc/self/stat');
    letOthersGiveWay();
    const all = readdirSync('/proc/self/task').map((id) => [
      readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(), getPriority(Number(id)), Number(id) === process.pid]);
    console.log(JSON.stringify({ own: getPriority(process.pid), all }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  const { own, all } = JSON.parse(stdout) as { own: number; all: [string, number, boolean][] };
  const of = (names: RegExp) => all.filter(([name, , isMain]) => !isMain && names.test(name));
  expect(all.filter(([, , isMain]) => isMain).map(([, priority]) => priority)).toEqual([own]);
  expect(of(/^V8/).length).toBeGreaterThan(0);
  for (const [, priority] of of(/^V8/)) expect(priority).toBe(Math.min(19, own + 5));
  expect(of(/^libuv/).length).toBeGreaterThan(0);
  for (const [, priority] of of(/^libuv/)) expect(priority).toBe(own);
});
