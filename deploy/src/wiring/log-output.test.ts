import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';

const OUTPUT = new URL('log-output.ts', import.meta.url).href;

let child: ChildProcess;
afterEach(() => child.kill('SIGKILL'));

/** A process that says `ready` and then does what it is told at SIGTERM. */
async function started(
  atTheEnd: string,
  first = "output.write('ready\\n');",
  most = 'undefined',
): Promise<ChildProcess> {
  const code = `
    import { LogOutput } from '${OUTPUT}';
    const output = new LogOutput(1, ${most});
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

  it('do not fill the memory where they are not read: some are lost, and it is said where', async () => {
    const lines = `for (let i = 0; i < 3_000; i++) output.write(i + 'x'.repeat(1_000) + '\\n');`;
    const later = `setTimeout(() => { output.write('later\\n'); process.exit(0); }, 300);`;
    await started('', `${lines} output.write('x'.repeat(2_000_000)); ${later}`, '1_000_000');
    const read = (await text(child.stdout as NonNullable<ChildProcess['stdout']>)).split('\n');
    const kept = read.findIndex((line) => line.startsWith('{'));
    expect(kept).toBeGreaterThan(900);
    expect(read.slice(0, kept)).toEqual(Array.from({ length: kept }, (_, i) => `${i}${'x'.repeat(1_000)}`));
    expect(JSON.parse(read[kept] ?? '')).toMatchObject({
      level: 40,
      msg: `${3_001 - kept} log lines were lost: nobody read them, and no more could wait`,
    });
    expect(read.slice(kept + 1)).toEqual(['later', '']);
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
