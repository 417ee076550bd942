import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { systemCommand } from '@quantloom/domain/batch/system-command';
import { loadState } from '@quantloom/domain/kernel/handle-command';
import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { USAGE_STREAM, usageId } from '@quantloom/domain/usage/stream';
import type { UsageCommand } from '@quantloom/domain/usage/usage';
import fc from 'fast-check';
import { ulid } from 'ulid';
import { afterAll, expect, it } from 'vitest';

const folder = mkdtempSync(path.join(tmpdir(), 'quantloom-quota-'));
// Two handles on one file, as two processes have them.
const databases = [0, 1].map(() => openSqliteDatabase(path.join(folder, 'log.sqlite')));
const eventStores = databases.map((database) => openSqliteEventStore(database));
afterAll(async () => {
  for (const store of eventStores) await store.close();
  for (const database of databases) database.close();
  rmSync(folder, { recursive: true, force: true });
});

const month = '2026-11';
const LIMIT = 1_000;

it('is never passed by reservations and releases at the same instant, from two processes', async () => {
  const step = fc.record({
    batch: fc.integer({ min: 0, max: 9 }),
    combinations: fc.integer({ min: 1, max: 400 }),
    isRelease: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 24 }), async (steps) => {
      const userId = ulid();
      const id = usageId(userId, month);
      const results = await Promise.all(
        steps.map(({ batch, combinations, isRelease }, i) => {
          const common = { userId, month, batchId: `b${batch}`, combinations };
          const command: UsageCommand = isRelease
            ? { type: 'ReleaseQuota', ...common, reason: 'batch_deleted' }
            : { type: 'ReserveQuota', ...common, monthlyLimit: LIMIT };
          return systemCommand(eventStores[i % 2] as (typeof eventStores)[0], USAGE_STREAM, id, command, {
            commandId: ulid(),
            correlationId: 'test',
            actor: { kind: 'user', userId },
            now: '2026-11-21T00:00:00.000Z',
          });
        }),
      );
      for (const result of results)
        if (isRefusal(result))
          expect(['monthly_limit_exceeded', 'reservation_expired']).toContain(result.code);
      let used = 0;
      for await (const event of (eventStores[0] as (typeof eventStores)[0]).readStream(`usage-${id}`)) {
        const { combinations } = event.data as { combinations: number };
        used += event.type === 'QuotaReserved' ? combinations : -combinations;
        expect(used).toBeGreaterThanOrEqual(0);
        expect(used).toBeLessThanOrEqual(LIMIT);
      }
      const { state } = await loadState(eventStores[1] as (typeof eventStores)[0], USAGE_STREAM, id);
      expect(state.used).toBe(used);
    }),
    { numRuns: 25 },
  );
}, 60_000);
