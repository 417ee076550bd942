import { hash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import type { EventStore } from '@quantloom/domain/ports/event-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  added,
  COUNTER_CATALOGUE,
  type Counter,
  clock,
  counters,
  type EmbeddedLog,
  openEmbeddedLog,
} from '../../testing/embedded-log.ts';
import { createProjectors } from '../projectors.ts';
import { importLog } from './import-log.ts';
import { logHead } from './log-head.ts';
import { exportLines, LogFileError, readLines } from './log-lines.ts';
import { isSound, verifyLog } from './verify-log.ts';

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n').slice(0, text.endsWith('\n') ? -1 : undefined);
}

describe('log tools', () => {
  let log: EmbeddedLog;
  let other: EmbeddedLog;
  beforeEach(async () => {
    log = await openEmbeddedLog();
    other = await openEmbeddedLog();
    for (const stream of ['c-1', 'c-2', 'c-3'])
      await log.eventStore.append(
        stream,
        [1, 2, 3].map((amount) => added(stream, amount)),
        'noStream',
      );
    await log.eventStore.append('c-1', [added('c-1', 0.1 + 0.2)], 2);
  });
  afterEach(async () => {
    await log.close();
    await other.close();
  });

  const exported = async (from: EmbeddedLog) => {
    let text = '';
    for await (const line of exportLines(from.eventStore.readAll(-1n), new Date(0))) text += line;
    return text;
  };
  const importInto = async (target: EmbeddedLog, text: string) =>
    (await importLog(target.eventStore, readLines(linesOf(text)), { end: await target.eventStore.last() }))
      .events;
  const verify = (kept?: string) =>
    verifyLog({
      ...log,
      catalogue: COUNTER_CATALOGUE,
      projections: [counters()],
      clock,
      ...(kept !== undefined && { kept }),
    });
  const project = async () => {
    const projectors = createProjectors({
      ...log,
      projections: [counters()],
      catalogue: COUNTER_CATALOGUE,
      clock,
    });
    await projectors.start();
    await projectors.whenReached(await log.eventStore.head());
    await projectors.stop();
  };

  it('export and import move a log as it is, again and after breaking off', async () => {
    const text = await exported(log);
    expect(await importInto(other, text)).toBe(10);
    expect(await exported(other)).toBe(text);
    expect(await importInto(other, text)).toBe(10);
    expect(await exported(other)).toBe(text);
  });

  it('an export says of a log that was changed what the log itself says, so that no import takes it', async () => {
    const file = new DatabaseSync(log.file);
    file.exec('UPDATE events SET data = replace(data, \'"amount":2\', \'"amount":7\') WHERE position = 2');
    file.close();
    await expect(importInto(other, await exported(log))).rejects.toThrow(/does not continue the chain/);
  });

  it('a later export goes behind an earlier one of the same log', async () => {
    expect(await importInto(other, await exported(log))).toBe(10);
    // The last stream of the earlier export goes on where that ended: one run of events in the later one.
    await log.eventStore.append('c-1', [added('c-1', 7), added('c-1', 8)], 3);
    const later = await exported(log);
    expect(await importInto(other, later)).toBe(12);
    expect(await exported(other)).toBe(later);
  });

  it('import refuses a file that was cut off or changed, and a target that differs', async () => {
    const text = await exported(log);
    const lines = text.trimEnd().split('\n');
    const attempt = (changed: string) => expect(importInto(other, changed)).rejects;
    await attempt(`${lines.slice(0, -1).join('\n')}\n`).toThrow('cut off');
    await attempt(text.replace('"amount":2', '"amount":7')).toThrow('was changed');
    await attempt('{"some":"json"}\n').toThrow('not an exported log');
    await attempt(text.replace('"version":1,', '"version":2,')).toThrow('Version 2 of the format');
    const line = lines.length + 1;
    await attempt(`${text}\n${lines[1]}\n`).toThrow(`Line ${line + 1} comes after the end of the log`);
    await attempt(text.replace(/"events":10,/, '"events":9,')).toThrow('its last line speaks of others');
    await attempt(`${lines[0]}\n[]x\n`).toThrow('Line 2 is not a JSON object');
    await attempt(text.replace('"revision":1,', '"revision":"x",')).toThrow('is not an event');
    const different = await openEmbeddedLog();
    await different.eventStore.append('c-2', [added('c-2', 99)], 'noStream');
    await expect(importInto(different, text)).rejects.toThrow(LogFileError);
    await different.close();
  });

  it('verify finds a sound log sound, whether or not the projections have begun', async () => {
    expect(await verify()).toMatchObject({ projections: [{ result: 'behind' }] });
    await project();
    const report = await verify();
    expect(report).toMatchObject({
      events: 10,
      streams: 3,
      faultCount: 0,
      parkedEvents: 0,
      projections: [{ name: 'counters', result: 'equal', documents: 3, changedMeanwhile: 0 }],
    });
    expect(isSound(report)).toBe(true);
  });

  it('verify finds a spoilt, a missing and a surplus document', async () => {
    await project();
    const document = (await log.readModels.get<Counter>('counters_v1', 'c-1')) as Counter;
    await log.readModels.put('counters_v1', { ...document, sum: document.sum + 1 } as Counter);
    await log.readModels.delete('counters_v1', 'c-2');
    await log.readModels.put('counters_v1', { ...document, id: 'c-9' } as Counter);
    const report = await verify();
    expect(report.projections).toMatchObject([{ result: 'different', differences: ['c-1', 'c-2', 'c-9'] }]);
    expect(isSound(report)).toBe(false);
  });

  it('verify finds an event that was changed, removed or inserted, without the read models', async () => {
    const kept = (await logHead(log.eventStore))?.hash ?? '';
    const faultsAfter = async (change: string, undo: string) => {
      const file = new DatabaseSync(log.file);
      file.exec(change);
      const { faults } = await verify();
      file.exec(undo);
      file.close();
      return faults.join('\n');
    };
    const breaks = /does not continue the chain/;
    const data = 'UPDATE events SET data = replace(data, \'"amount":2\', \'"amount":7\') WHERE position = 2';
    const dataBack =
      'UPDATE events SET data = replace(data, \'"amount":7\', \'"amount":2\') WHERE position = 2';
    const changed = await faultsAfter(data, dataBack);
    expect(changed).toMatch(breaks);
    // Once, and not for all that stands behind it.
    expect(changed.match(/does not continue the chain:/g)).toHaveLength(1);
    // The last one of a stream: no revision is missing.
    const remove =
      'CREATE TABLE taken AS SELECT * FROM events WHERE position = 6; DELETE FROM events WHERE position = 6';
    expect(await faultsAfter(remove, 'INSERT INTO events SELECT * FROM taken')).toMatch(breaks);
    const insert =
      "INSERT INTO events SELECT 90, 'c-9', 0, type, 'new', metadata, data, link FROM events WHERE position = 1";
    expect(await faultsAfter(insert, 'DELETE FROM events WHERE position = 90')).toMatch(breaks);
    expect(await verify()).toMatchObject({ faultCount: 0, head: { position: '10', hash: kept } });
  });

  it('verify names the revision that is missing, or there twice, where the store keeps no chain', async () => {
    /** The log of a store that keeps no chain, with each event as many times as `times` says. */
    const read = (times: (event: RecordedEvent) => number): Pick<EventStore, 'readAll'> => ({
      readAll: async function* (from, options) {
        for await (const { link: _, ...event } of log.eventStore.readAll(from, options))
          for (let i = 0; i < times(event); i += 1) yield event;
      },
    });
    const faultsOf = async (times: (event: RecordedEvent) => number) => {
      const eventStore = { ...log.eventStore, ...read(times) } as EventStore;
      const report = await verifyLog({
        ...log,
        eventStore,
        catalogue: COUNTER_CATALOGUE,
        projections: [],
        clock,
      });
      return report.faults
        .filter((fault) => fault.includes('revision'))
        .map((fault) => fault.replace(/ \(.*?\)/, ''));
    };
    expect(await faultsOf(() => 1)).toEqual([]);
    const isMiddle = ({ stream, revision }: RecordedEvent) => stream === 'c-2' && revision === 1;
    expect(await faultsOf((event) => (isMiddle(event) ? 0 : 1))).toEqual([
      'c-2 revision 2: has revision 2, expected 1',
    ]);
    expect(await faultsOf((event) => (isMiddle(event) ? 2 : 1))).toContain(
      'c-2 revision 1: has revision 1, expected 2',
    );
  });

  it('verify finds a log that was cut off or written anew by the hash that was kept', async () => {
    const head = await logHead(log.eventStore);
    const kept = head?.hash ?? '';
    await log.eventStore.append('c-4', [added('c-4', 1)], 'noStream');
    expect((await verify(kept)).faultCount).toBe(0);
    const file = new DatabaseSync(log.file);
    file.exec('DELETE FROM events WHERE position > 9');
    file.close();
    expect((await verify()).faultCount).toBe(0);
    expect((await verify(kept)).faults).toEqual([expect.stringContaining(`No event has the hash ${kept}`)]);
  });

  it('the hash is the same in a copy, and an import refuses a line that breaks the chain', async () => {
    const text = await exported(log);
    await importInto(other, text);
    expect((await logHead(other.eventStore))?.hash).toBe((await logHead(log.eventStore))?.hash);
    const [link = ''] = /(?<="link":")[0-9a-f]{64}/.exec(text) ?? [];
    await expect(importInto(other, text.replace(link, link.replaceAll(/[0-9]/g, '0')))).rejects.toThrow(
      /Line 2 does not continue the chain/,
    );
    // As versions before 2027 wrote them.
    const without = text.replaceAll(/"link":"[0-9a-f]{64}",/g, '');
    const body = without
      .split('\n')
      .slice(1, -2)
      .map((line) => `${line}\n`)
      .join('');
    const sha256 = hash('sha256', body);
    const old = without.replace(/"sha256":"[0-9a-f]{64}"/, `"sha256":"${sha256}"`);
    expect(await importInto(other, old)).toBe(10);
  });

  it('verify accepts the ids that the first sign-in shared in earlier versions, and no others', async () => {
    const claim = { ...added('x', 1), id: '01M81PW9EBVQTWBNKEMTC4EHPZ' };
    const shared = async (stream: string, type: string) =>
      await log.eventStore.append(stream, [{ ...claim, type }], 'noStream');
    const idFaults = async () =>
      (await verify()).faults.filter((fault) => fault.includes('id of an earlier event'));
    await shared('installation-main', 'FirstAccountClaimed');
    await shared('user-1', 'UserRegistered');
    expect(await idFaults()).toEqual([]);
    expect((await verify()).accepted).toEqual([expect.stringMatching(/^user-1: the first account/)]);
    await shared('user-2', 'UserRegistered');
    expect(await idFaults()).toEqual([expect.stringMatching(/^user-2 /)]);
  });

  it('verify finds events that cannot be read or have another shape', async () => {
    await log.eventStore.append('x-1', [{ ...added('x', 1), type: 'Unheard' }], 'noStream');
    await log.eventStore.append('x-2', [{ ...added('x', 1), data: { counter: 5 } }], 'noStream');
    const future = added('x', 1);
    await log.eventStore.append(
      'x-3',
      [{ ...future, metadata: { ...future.metadata, schemaVersion: 2 } }],
      'noStream',
    );
    const { faults, faultCount } = await verify();
    expect(faultCount).toBeGreaterThanOrEqual(3);
    expect(faults.join('\n')).toMatch(
      /Unheard[\s\S]*does not know the type[\s\S]*x-2[\s\S]*x-3[\s\S]*version 2/,
    );
  });
});
