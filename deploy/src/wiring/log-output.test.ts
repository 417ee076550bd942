import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';

const OUTPUT = new URL('log-output.ts', import.meta.url).href;

let child: ChildProcess;
afterEach(() => child.kill('SIGKILL'));

const codeOf = (atTheEnd: string, first: string, most = 'undefined') => `
  import { LogOutput } from '${OUTPUT}';
  const output = new LogOutput(1, ${most});
  process.on('SIGTERM', () => { ${atTheEnd} });
  setInterval(() => undefined, 1_000);
  ${first}`;
const NODE = ['--input-type=module-typescript', '-e'];
const READY = "output.write('ready\\n');";

/** A process that says `ready` and then does what it is told at SIGTERM. */
async function started(atTheEnd: string, first = READY): Promise<ChildProcess> {
  child = spawn(process.execPath, [...NODE, codeOf(atTheEnd, first)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return child;
}

/** What comes out of a pipe of the shell, which is another thing than one of Node's. */
async function readFromPipe(code: string, reader: string): Promise<string[]> {
  const command = `"${process.execPath}" ${NODE.join(' ')} "$CODE" | ${reader}`;
  child = spawn('sh', ['-c', command], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, CODE: code },
  });
  return (await text(child.stdout as NonNullable<ChildProcess['stdout']>)).split('\n');
}

describe('log lines', () => {
  const lines = `for (let i = 0; i < 500; i++) output.write(i + 'x'.repeat(1_000) + '\\n');`;
  const twice = `${lines} setTimeout(() => { ${lines} process.exit(0); }, 100);`;
  const block = Array.from({ length: 500 }, (_, i) => `${i}${'x'.repeat(1_000)}`);

  it('come in their order, the last ones as well, whatever their size', async () => {
    await started('', twice);
    const read = (await text(child.stdout as NonNullable<ChildProcess['stdout']>)).split('\n');
    expect(read).toEqual([...block, ...block, '']);
  });

  it('do so through a pipe, too', async () => {
    expect(await readFromPipe(codeOf('', twice), 'cat')).toEqual([...block, ...block, '']);
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
    const folder = await mkdtemp(path.join(tmpdir(), 'log-output-'));
    const done = path.join(folder, 'pid');
    try {
      const many = `for (let i = 0; i < 3_000; i++) output.write(i + 'x'.repeat(1_000) + '\\n');`;
      const tell = `(await import('node:fs')).writeFileSync('${done}', String(process.pid));`;
      const code = codeOf("output.write('later\\n'); process.exit(0);", `${many} ${tell}`, '1_000_000');
      const reading = readFromPipe(code, `(until [ -s ${done} ]; do sleep 0.05; done; cat)`);
      let all = '';
      child.stdout?.on('data', (part) => {
        const hadTold = all.includes('"level"');
        all += part;
        if (!hadTold && all.includes('"level"')) process.kill(Number(readFileSync(done, 'utf8')), 'SIGTERM');
      });
      const read = await reading;
      const kept = read.findIndex((line) => line.startsWith('{'));
      expect(kept).toBeGreaterThan(900);
      expect(read.slice(0, kept)).toEqual(Array.from({ length: kept }, (_, i) => `${i}${'x'.repeat(1_000)}`));
      expect(JSON.parse(read[kept] ?? '')).toMatchObject({
        level: 40,
        msg: `${3_000 - kept} log lines were lost: nobody read them, and no more could wait`,
      });
      expect(read.slice(kept + 1)).toEqual(['later', '']);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('go nowhere once nobody reads them, and the process goes on', async () => {
    await started('process.exit(7);', `${READY} setInterval(() => output.write('more\\n'), 5);`);
    await once(child.stdout as NonNullable<ChildProcess['stdout']>, 'data');
    child.stdout?.destroy();
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(child.exitCode).toBeNull();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await ended).toEqual([7, null]);
  });
});
