import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Runs a script that prints one line for every write it has seen acknowledged, kills it (SIGKILL) after
 * `lines` of them, in the middle of whatever it is doing then, and answers with all lines that got out.
 */
export async function killWhileWriting(
  script: string,
  args: readonly string[],
  lines: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const acknowledged: string[] = [];
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(line);
    if (acknowledged.length === lines) child.kill('SIGKILL');
  }
  if (acknowledged.length < lines) throw new Error(`${script} ended by itself: ${errors}`);
  return acknowledged;
}
