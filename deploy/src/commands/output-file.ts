import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError } from './command-error.ts';

/**
 * Refuses a place that no file can be written to, before anything is computed for it.
 * @param option that names the file, for the sentence
 */
export async function checkOutput(option: string, file: string): Promise<void> {
  const refuse = (what: string): never => {
    throw new CommandError(400, `${option} ${file} cannot be written: ${what}`);
  };
  const folder = path.dirname(file);
  const [facts, around] = await Promise.all([file, folder].map((name) => stat(name).catch(() => null)));
  if (facts?.isDirectory()) refuse('it is a folder; name a file in it');
  if (!around?.isDirectory()) refuse(`there is no folder ${folder}`);
  await access(folder, constants.W_OK).catch(() => refuse('its folder may not be written to by this user'));
}
