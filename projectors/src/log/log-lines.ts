import { createHash } from 'node:crypto';
import type { EventMetadata, RecordedEvent } from '@quantloom/domain/kernel/event';
import { EventChain } from './event-chain.ts';

/** First line of an exported log. */
export interface LogHeader {
  readonly format: 'quantloom-log';
  readonly version: 1;
  readonly exportedAt: string;
}
/** Last line: without it the file was cut off. */
export interface LogTrailer {
  readonly end: true;
  readonly events: number;
  /** SHA-256 of all event lines, each with its line feed. */
  readonly sha256: string;
}

export class LogFileError extends Error {
  readonly code = 'log_file';
}

/**
 * An event as a line, without the line feed. `position` is of the log it came from, for reference only.
 *
 * @param link in the chain of the whole log
 */
export function lineOf(event: RecordedEvent, link: string): string {
  const { id, type, stream, revision, position, metadata, data } = event;
  return JSON.stringify({ id, type, stream, revision, position: String(position), link, metadata, data });
}

export interface LogLine {
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  readonly revision: number;
  readonly metadata: EventMetadata;
  readonly data: unknown;
}

/** The lines of an export, header and trailer included, each with its line feed. */
export async function* exportLines(events: AsyncIterable<RecordedEvent>, now: Date): AsyncGenerator<string> {
  const header: LogHeader = { format: 'quantloom-log', version: 1, exportedAt: now.toISOString() };
  yield `${JSON.stringify(header)}\n`;
  const hash = createHash('sha256');
  let count = 0;
  const chain = new EventChain();
  for await (const event of events) {
    // What the log itself says, also where it is at fault: whoever reads the file is to see it.
    const computed = chain.next(event);
    const line = `${lineOf(event, event.link ?? computed)}\n`;
    hash.update(line);
    count += 1;
    yield line;
  }
  const trailer: LogTrailer = { end: true, events: count, sha256: hash.digest('hex') };
  yield `${JSON.stringify(trailer)}\n`;
}

/**
 * Reads an export line by line; throws a `LogFileError` with the line's number where something is wrong or
 * the end is missing.
 */
export async function* readLines(lines: AsyncIterable<string>): AsyncGenerator<LogLine> {
  const hash = createHash('sha256');
  let number = 0;
  let count = 0;
  let trailer: LogTrailer | null = null;
  const chain = new EventChain();
  for await (const line of lines) {
    number += 1;
    if (line === '') continue;
    if (trailer) throw new LogFileError(`Line ${number} comes after the end of the log`);
    const value = parse(line, number);
    if (number === 1) {
      if (value.format !== 'quantloom-log') throw new LogFileError('This is not an exported log');
      if (value.version !== 1)
        throw new LogFileError(`Version ${String(value.version)} of the format is not known`);
    } else if (value.end === true) trailer = value as unknown as LogTrailer;
    else {
      hash.update(`${line}\n`);
      count += 1;
      const event = eventOf(value, number);
      const link = chain.next(event);
      // Versions before 2027 wrote none.
      if (value.link !== undefined && value.link !== link)
        throw new LogFileError(
          `Line ${number} does not continue the chain: this event or one before it was changed, removed or inserted`,
        );
      yield event;
    }
  }
  if (!trailer)
    throw new LogFileError(`The log ends after ${count} events without its last line: the file was cut off`);
  if (trailer.events !== count || trailer.sha256 !== hash.digest('hex'))
    throw new LogFileError(
      `The log holds ${count} events, its last line speaks of others: the file was changed`,
    );
}

function parse(line: string, number: number): Record<string, unknown> {
  try {
    const value = JSON.parse(line) as unknown;
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Told below, with the number of the line.
  }
  throw new LogFileError(`Line ${number} is not a JSON object`);
}

function eventOf(value: Record<string, unknown>, number: number): LogLine {
  const { id, type, stream, revision, metadata, data } = value;
  const isEvent =
    [id, type, stream].every((text) => typeof text === 'string' && text !== '') &&
    Number.isInteger(revision) &&
    typeof metadata === 'object' &&
    metadata !== null;
  if (!isEvent) throw new LogFileError(`Line ${number} is not an event`);
  return { id, type, stream, revision, metadata, data } as LogLine;
}
