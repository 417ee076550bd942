import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { importSource } from '@quantloom/domain/exchange/import-source';
import { MAX_SOURCE_LENGTH, tooLargeSentence } from '@quantloom/domain/exchange/syntax/source-limits';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { nodeId } from '@quantloom/domain/strategy/node-factory';
import { Command } from 'commander';
import { ulid } from 'ulid';
import { CommandError } from './command-error.ts';

/** What the command prints of one file. */
type Answer =
  | { readonly file: string; readonly name: string; readonly algorithm: unknown; readonly report: unknown }
  | { readonly file: string; readonly status: number; readonly error: string };

/**
 * `quantloom import FILE…`: reads strategies of this and other tools and prints one JSON a file: the strategy with the report of what
 * became of it, or the reason why there is none. Nothing is stored.
 */
export function importCommand(): Command {
  return new Command('import')
    .description(
      'read strategies of Composer, QuantMage or this product and print each as JSON, with a report',
    )
    .argument('<files...>', 'files with a strategy; "-" reads standard input')
    .option('--pretty', 'indent the JSON')
    .action(async (files: readonly string[], options: { readonly pretty?: boolean }) => {
      for (const file of files) {
        const answer = await importFile(file);
        if ('error' in answer) process.exitCode = 2;
        process.stdout.write(`${JSON.stringify(answer, null, options.pretty ? 2 : 0)}\n`);
      }
    });
}

async function importFile(file: string): Promise<Answer> {
  let source: string;
  try {
    source = await readText(file);
  } catch (error) {
    if (error instanceof CommandError) return { file, status: error.status, error: error.message };
    return { file, status: 400, error: `${file} cannot be read: ${(error as Error).message}` };
  }
  const imported = importSource(source, () => nodeId(ulid()));
  if (isRefusal(imported)) return { file, status: imported.status, error: imported.detail };
  const { name, algorithm, report, settings } = imported;
  return { file, name, algorithm, report, ...(Object.keys(settings).length > 0 && { settings }) };
}

/** A file as text; one that is too large is not read at all. */
async function readText(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    // A character is at most three bytes in UTF-8.
    if (size > 3 * MAX_SOURCE_LENGTH) throw new CommandError(413, tooLargeSentence(size));
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}
