import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';

const OUTPUT = new URL('log-output.ts', import.meta.url).href;

let child: ChildProcess;
afterEach(() => child.kill('SIGKILL'));

/** A process that says `ready` and then does what it is told at SIGTERM. */
async function started(atTheEnd: string, first = "output.write('ready\\n');"): Promise<ChildProcess> {
  const code = `
    import { LogOutput } from '${OUTPUT}';
    const output = new LogOutput(1);
    process.on('SIGTERM', () => { ${atTheEnd} });
    setInterval(() => undefined, 1_000);
    ${first}`;
  child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return child;
}

describe('log lines', () => {
  it('come in their order, the last ones as well, whatever their size', async () => {
    const lines = `for (let i = 0; i < 500; i++) output.write(i + 'x'.repeat(1_000) + '\\n');`;
    await started('', `${lines} setTimeout(() => { ${lines} process.exit(0); }, 100);`);
    const read = (await text(child.stdout as NonNullable<ChildProcess['stdout']>)).split('\n').slice(0, -1);
    const expected = Array.from({ length: 500 }, (_, i) => `${i}${'x'.repeat(1_000)}`);
    expect(read).toEqual([...expected, ...expected]);
  });

  it.each(['1', '2'])('keep no process from ending where nobody reads any more (%s)', async (count) => {
    await started(`for (let i = 0; i < ${count}; i++) output.write('ending\\n'); process.exit(0);`);
    await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
    child.stdout?.destroy();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  });

  it('go nowhere once nobody reads them, and the process goes on', async () => {
    await started(
      'process.exit(7);',
      "output.write('ready\\n'); setInterval(() => output.write('more\\n'), 5);",
    );
    await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
    child.stdout?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(child.exitCode).toBeNull();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([7, null]);
  });
});
