/**
 * Writes the log of a made-up year as a file for `quantloom log import`.
 *
 *   node e2e/log/write-year.ts FILE EVENTS [EXPORTED-LOG]
 *
 * The year belongs to the demo user of `BOOTSTRAP_API_CLIENT`, or to the first person who signed up in the
 * exported log, whose events then come first: sign up, stop, `log export`, write the year behind it, import
 * it beside a copy of the identity file, and look at it in the browser.
 */
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { userIdOf } from '@quantloom/domain/user/user';
import { exportLines, type LogLine, readLines } from '@quantloom/projectors/log/log-lines';
import { Year, type YearShape } from './year.ts';

const DEMO_SUBJECT = 'bootstrap|demo';

interface Registered {
  readonly userId: string;
  readonly subject: string;
}

/** Writes the file; resolves with the number of events. */
export async function writeYear(
  file: string,
  events: number,
  {
    before = [],
    openBatches = 3,
    mine = { strategies: 15_000, batches: 12_000, lists: 3_000 },
  }: {
    readonly before?: readonly LogLine[];
    readonly openBatches?: number;
    /** What the heavy person has. */
    readonly mine?: Pick<YearShape, 'strategies' | 'batches' | 'lists'>;
  } = {},
): Promise<number> {
  const people = before.filter(({ type }) => type === 'UserRegistered').map(({ data }) => data as Registered);
  const first = people.find(({ subject }) => subject !== DEMO_SUBJECT);
  const heavyUserId = first?.userId ?? userIdOf(DEMO_SUBJECT);
  const year = new Year({
    events,
    heavyUserId,
    ...mine,
    openBatches,
    people: Math.ceil(events / 100),
    until: new Date().toISOString(),
    dataVersion: 'year',
  });
  let count = 0;
  const recorded = async function* (): AsyncGenerator<RecordedEvent> {
    for (const event of before) yield { ...event, position: BigInt(++count) };
    if (people.length === 0) yield { ...demoUser(heavyUserId), position: BigInt(++count) };
    for (const event of year.events()) yield { ...event, position: BigInt(++count) };
  };
  const out = createWriteStream(file, { mode: 0o600 });
  for await (const line of exportLines(recorded(), new Date()))
    if (!out.write(line)) await once(out, 'drain');
  out.end();
  await once(out, 'finish');
  return count;
}

/** As `BOOTSTRAP_API_CLIENT` registers it at the first start. */
function demoUser(userId: string): LogLine {
  const id = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
  return {
    id,
    type: 'UserRegistered',
    stream: `user-${userId}`,
    revision: 0,
    metadata: {
      schemaVersion: 1,
      commandId: id,
      correlationId: id,
      causationId: id,
      actor: { kind: 'system', name: 'bootstrap' },
      recordedAt: '2020-01-01T00:00:00.000Z',
    },
    data: {
      userId,
      subject: DEMO_SUBJECT,
      email: 'demo@quantloom.invalid',
      planId: 'api',
      grantedFeatures: [],
    },
  };
}

if (import.meta.main) {
  const [file, events, exported] = process.argv.slice(2);
  if (!file || !Number.isInteger(Number(events)) || Number(events) < 1_000)
    throw new Error('node e2e/log/write-year.ts FILE EVENTS (1000 or more) [EXPORTED-LOG]');
  const before: LogLine[] = [];
  if (exported)
    for await (const line of readLines(createInterface({ input: createReadStream(exported) })))
      before.push(line);
  console.log(`${await writeYear(file, Number(events), { before })} events written`);
}
