import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { quantloom } from '../harness/server.ts';

/**
 * The rows of a batch as `quantloom batch` computes them on the data folder of the product: by the engine
 * alone, without bus, stores, processes or anything that could fail. Rejects where the command does.
 */
export async function engineRows(dataDir: string, request: unknown): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'quantloom-rows-'));
  try {
    const file = path.join(folder, 'request.json');
    const out = path.join(folder, 'rows.csv');
    await writeFile(file, JSON.stringify(request));
    const { code, stderr } = await quantloom(dataDir, 'batch', file, '--out', out, '--threads', '1');
    if (code !== 0) throw new Error(`quantloom batch ended with ${code}: ${stderr.slice(-1_000)}`);
    return await readFile(out, 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * What tells the rows of a batch from those that belong there, in one sentence, or null where every row is
 * there once, in its place and with the same numbers to the last bit. Stores may write a number in other
 * digits, so cells that are numbers are compared as such.
 */
export function rowDifference(actual: string, expected: string): string | null {
  const actualLines = lines(actual);
  const expectedLines = lines(expected);
  const count = Math.max(actualLines.length, expectedLines.length);
  for (let index = 0; index < count; index += 1) {
    const one = actualLines[index];
    const other = expectedLines[index];
    if (one === other || (one !== undefined && other !== undefined && isSame(one, other))) continue;
    const what = index === 0 ? 'the header' : `row ${index} of ${expectedLines.length - 1}`;
    return `${what} is ${one ?? 'missing'} where ${other ?? 'nothing'} belongs`;
  }
  return null;
}

const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** No value of these batches contains a comma. */
function isSame(one: string, other: string): boolean {
  const cells = one.split(',');
  const others = other.split(',');
  return (
    cells.length === others.length &&
    cells.every((cell, index) => {
      const belongs = others[index];
      if (cell === belongs) return true;
      const number = Number(cell);
      return cell !== '' && belongs !== '' && !Number.isNaN(number) && Object.is(number, Number(belongs));
    })
  );
}
