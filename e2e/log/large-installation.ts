import { createReadStream, mkdtempSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type LogLine, readLines } from '@quantloom/projectors/log/log-lines';
import { quantloom, removeDataDir, startServer } from '../harness/server.ts';
import { signIn } from '../upgrade/people.ts';
import { writeYear } from './write-year.ts';

/** Strategies, variable lists and batches that Ada has, of each. */
export const OF_EACH = 15_000;

/**
 * A data folder in which Ada (`upgrade/people.ts`) has very much of everything: she signs up on an empty one,
 * and a year of work is written behind that. The server is not started again. The caller removes the folder.
 */
export async function largeInstallation(): Promise<string> {
  const first = await startServer({ environment: { BOOTSTRAP_API_CLIENT: '' } });
  await signIn(first.url, 'ada', 'signup');
  await first.stop();
  const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-large-'));
  const file = path.join(folder, 'log.jsonl');
  await run(first.dataDir, 'log', 'export', file);
  const before: LogLine[] = [];
  for await (const line of readLines(createInterface({ input: createReadStream(file) }))) before.push(line);
  // A batch is seven events, and a quarter of them are of other people.
  const events = Math.ceil((OF_EACH * 9) / 0.75);
  const mine = { strategies: OF_EACH, batches: OF_EACH, lists: OF_EACH };
  await writeYear(file, events, { before, openBatches: 0, mine });
  const dataDir = path.join(folder, 'data');
  await cp(first.dataDir, dataDir, {
    recursive: true,
    filter: (from) => !path.basename(from).startsWith('quantloom.sqlite'),
  });
  await removeDataDir(first.dataDir);
  await run(dataDir, 'log', 'import', file);
  await rm(file);
  return dataDir;
}

async function run(dataDir: string, ...words: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await quantloom(dataDir, ...words);
  if (code !== 0) throw new Error(stdout + stderr);
}
