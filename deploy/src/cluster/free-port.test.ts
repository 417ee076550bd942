import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const FREE_PORT = path.join(import.meta.dirname, 'free-port.ts');

describe('freePort', () => {
  it('gives processes that ask at the same time ports of their own, below those of outgoing connections', async () => {
    const script = `import { freePort } from '${FREE_PORT}';
      console.log(JSON.stringify(await Promise.all(Array.from({ length: 40 }, () => freePort()))));`;
    const answers = await Promise.all(
      Array.from({ length: 3 }, () => run(process.execPath, ['--input-type=module', '-e', script])),
    );
    const ports = answers.flatMap(({ stdout }) => JSON.parse(stdout) as number[]);
    expect(ports).toHaveLength(120);
    expect(new Set(ports).size).toBe(120);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(20_000);
    expect(Math.max(...ports)).toBeLessThan(32_000);
  });

  it('does not give this process the same one twice', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => freePort()));
    expect(new Set(ports).size).toBe(50);
  });
});
