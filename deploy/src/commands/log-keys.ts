import { readFile, rename, writeFile } from 'node:fs/promises';
import type { PersonKeyRecord, PersonKeys } from '@quantloom/domain/ports/person-keys';
import { LogFileError } from '@quantloom/projectors/log/log-lines';

/** Where the keys of an exported log lie: apart from it, so that they can be thrown away when somebody has left. */
export const keysBeside = (file: string): string => `${file}.keys`;

/**
 * Writes the keys as JSON Lines, for their owner only. Beside and then renamed: a file of this name is always
 * whole.
 */
export async function writeKeys(keys: PersonKeys, file: string): Promise<void> {
  const lines: string[] = [];
  for await (const record of keys.all()) lines.push(JSON.stringify(record));
  await writeFile(`${file}.part`, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

/** Reads them; rejects with a `LogFileError` that names the line that is none. */
export async function readKeys(file: string): Promise<readonly PersonKeyRecord[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line, index) => (line === '' ? [] : [keyOf(line, file, index + 1)]));
}

function keyOf(line: string, file: string, number: number): PersonKeyRecord {
  try {
    const { id, person, key } = JSON.parse(line) as Partial<PersonKeyRecord>;
    if (typeof id === 'string' && typeof person === 'string' && /^[0-9a-f]{64}$/.test(key ?? ''))
      return { id, person, key: key ?? '' };
  } catch {
    // Told below, with the number of the line.
  }
  throw new LogFileError(`Line ${number} of ${file} is not a key`);
}
