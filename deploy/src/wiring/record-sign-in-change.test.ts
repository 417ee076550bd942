import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { usersOf } from '@quantloom/domain/account-history/projection';
import type { RecordedEvent } from '@quantloom/domain/kernel/event';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { openLogStores } from './log-stores.ts';
import { recordSignInChange } from './record-sign-in-change.ts';

const dataDir = mkdtempSync(path.join(tmpdir(), 'sign-in-change-'));
afterAll(() => rmSync(dataDir, { recursive: true }));

it('writes a change once, by the person, at its time, however often it is told', async () => {
  const { eventStore, close } = await openLogStores(readConfig({ DATA_DIR: dataDir }), { mayCreate: true });
  const change = { id: 'c1', change: 'PasskeyAdded', userId: 'u1', at: '2026-11-23T23:10:00.000Z' } as const;
  await recordSignInChange(eventStore, change);
  await recordSignInChange(eventStore, change);
  await recordSignInChange(eventStore, { ...change, id: 'c2', change: 'PasskeyRemoved' });
  const events: RecordedEvent[] = [];
  for await (const event of eventStore.readStream('signIn-u1-2026-11')) events.push(event);
  expect(events.map(({ type }) => type)).toEqual(['PasskeyAdded', 'PasskeyRemoved']);
  for (const event of events) {
    expect(event.data).toEqual({ userId: 'u1' });
    expect(event.metadata).toMatchObject({ actor: { kind: 'user', userId: 'u1' }, recordedAt: change.at });
    // So it stands in the history of the account.
    expect(usersOf(event)).toEqual(['u1']);
  }
  await close();
});
