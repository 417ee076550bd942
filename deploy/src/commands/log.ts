import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { pipeline as pipelineOf, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { sealEvent } from '@quantloom/adapters/event-store/sealed/sealing';
import { EVENT_CATALOGUE } from '@quantloom/domain/event-catalogue';
import { BEFORE_FIRST } from '@quantloom/domain/ports/event-store';
import type { PersonKeys } from '@quantloom/domain/ports/person-keys';
import { PROJECTIONS } from '@quantloom/domain/projections';
import { type ImportedLog, importLog } from '@quantloom/projectors/log/import-log';
import { logHead } from '@quantloom/projectors/log/log-head';
import { exportLines, LogFileError, type LogLine, readLines } from '@quantloom/projectors/log/log-lines';
import { isSound, verifyLog } from '@quantloom/projectors/log/verify-log';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { type LogStores, openLogStores } from '../wiring/log-stores.ts';
import { CommandError } from './command-error.ts';
import { keysBeside, readKeys, writeKeys } from './log-keys.ts';

async function withStores<T>(mayCreate: boolean, work: (stores: LogStores) => Promise<T>): Promise<T> {
  const stores = await openLogStores(readConfig(), { mayCreate });
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
}

/** The lines of a file (`.gz`: unpacked), or of standard input for `-`, without their line feeds. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const source: Readable = file === '-' ? process.stdin : createReadStream(file);
  // The pipeline hands an error of the source on to the stream that is read below.
  const input: Readable = file.endsWith('.gz') ? pipelineOf(source, createGunzip(), () => {}) : source;
  input.setEncoding('utf8');
  let rest = '';
  for await (const chunk of input as AsyncIterable<string>) {
    const lines = chunk.split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

function log(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Of a log from before there were keys, personal data are sealed on their way in. */
async function* sealedLines(keys: PersonKeys, lines: AsyncIterable<LogLine>): AsyncGenerator<LogLine> {
  for await (const line of lines) yield await sealEvent(keys, line.stream, line, { isCopy: true });
}

async function exportLog(file: string): Promise<number> {
  return await withStores(false, async ({ eventLog, personKeys }) => {
    let events = -2;
    const lines = async function* () {
      for await (const line of exportLines(eventLog.readAll(BEFORE_FIRST), new Date())) {
        events += 1;
        yield line;
      }
    };
    if (file === '-') await pipeline(Readable.from(lines()), process.stdout, { end: false });
    else {
      // Beside and then renamed: a file of this name is always whole.
      const target = createWriteStream(`${file}.part`, { mode: 0o600 });
      if (file.endsWith('.gz')) await pipeline(Readable.from(lines()), createGzip(), target);
      else await pipeline(Readable.from(lines()), target);
      await rename(`${file}.part`, file);
    }
    if (file !== '-') await writeKeys(personKeys, keysBeside(file));
    return events;
  });
}

async function importFile(file: string): Promise<ImportedLog> {
  try {
    if (file !== '-') {
      // The whole file first, so that a damaged one changes nothing.
      for await (const _ of readLines(linesOf(file)));
    }
    return await withStores(true, async ({ personKeys, eventLog, copies }) => {
      if (file !== '-' && existsSync(keysBeside(file)))
        await personKeys.add(await readKeys(keysBeside(file)));
      return await importLog(copies, sealedLines(personKeys, readLines(linesOf(file))), {
        onProgress: (events) => log(`${events} events`),
        end: await eventLog.last(),
      });
    });
  } catch (error) {
    if (error instanceof LogFileError) throw new CommandError(422, error.message);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new CommandError(404, `There is no file ${file}`);
    throw error;
  }
}

/**
 * `quantloom log …`: verify, head, export, import. Works on the data folder directly, also while the product
 * runs on it.
 */
export function logCommand(): Command {
  const command = new Command('log').description('the event log: verify, head, export, import');
  command
    .command('verify')
    .description('walk the whole log, and compare every projection with one built anew')
    .option('--json', 'print the report as JSON')
    .option('--kept <hash>', 'a hash that "log head" printed earlier: the log must still contain it')
    .action(async (options: { json?: boolean; kept?: string }) => {
      const report = await withStores(false, async ({ eventStore, eventLog, presentLink, readModels }) =>
        verifyLog({
          eventStore: eventLog,
          readable: eventStore,
          readModels,
          catalogue: EVENT_CATALOGUE,
          projections: PROJECTIONS,
          clock: { now: () => new Date() },
          onProgress: log,
          ...(options.kept !== undefined && { kept: presentLink(options.kept.toLowerCase()) }),
        }),
      );
      if (options.json) console.log(JSON.stringify(report, null, 2));
      else {
        for (const fault of report.faults) console.log(fault);
        for (const known of report.accepted) log(`Accepted: ${known}`);
        for (const { name, result, differences } of report.projections)
          if (result === 'different')
            console.log(`${name} differs from its rebuild in ${differences.join(', ')}`);
        const shown = report.projections.reduce((sum, { erasedSince }) => sum + erasedSince, 0);
        if (shown > 0)
          log(`${shown} documents still show accounts that were erased; they are built anew at night`);
        if (report.parkedEvents > 0) console.log(`${report.parkedEvents} events are parked`);
      }
      if (!isSound(report)) throw new CommandError(422, 'The log or a projection is at fault');
      if (!options.json) console.log(`${report.events} events in ${report.streams} streams: sound`);
    });
  command
    .command('head')
    .description('print position and hash of the last event, to be kept elsewhere for "verify --kept"')
    .option('--json', 'print them as JSON')
    .action(async (options: { json?: boolean }) => {
      const head = await withStores(false, ({ eventLog }) => logHead(eventLog));
      if (options.json) console.log(JSON.stringify(head));
      else console.log(head ? `${head.position} ${head.hash}` : 'The log is empty');
    });
  command
    .command('export')
    .description('write the whole log as JSON Lines, and the keys of its personal data into FILE.keys')
    .argument('[file]', 'where to; .gz is compressed; - is standard output', '-')
    .action(async (file: string) => {
      log(`${await exportLog(file)} events exported`);
    });
  command
    .command('import')
    .description('append an exported log, with the keys in FILE.keys; what is there already stays as it is')
    .argument('<file>', 'as "export" writes it; - is standard input')
    .action(async (file: string) => {
      const { events, outOfPlace } = await importFile(file);
      log(`${events} events imported`);
      if (outOfPlace > 0)
        log(
          `${outOfPlace} of them stand behind events of other streams that they precede in the ` +
            'file, since the server failed in between. To have the order of the file, import it into ' +
            'an empty log',
        );
    });
  return command;
}
