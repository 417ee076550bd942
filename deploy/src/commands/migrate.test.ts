import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteEventStore } from '@quantloom/adapters/event-store/sqlite/sqlite-event-store';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import type { BatchEvent } from '@quantloom/domain/batch/events';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import { created } from '@quantloom/domain/testing/batch-builders';
import { ulid } from 'ulid';
import { expect, it, vi } from 'vitest';
import { copyResults } from './migrate.ts';

const copyBatch = vi.hoisted(() => vi.fn());
vi.mock('../migrate/copy-results.ts', () => ({ copyBatch }));

it('copies the rows of every batch that is not deleted, and names those finished ones that have none', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'migrate-'));
  const database = openSqliteDatabase(path.join(folder, 'log.sqlite'));
  const log = openSqliteEventStore(database);
  const write = async (batchId: string, ...events: readonly BatchEvent[]) => {
    const id = ulid();
    const metadata = {
      ...{ schemaVersion: 1, commandId: id, correlationId: 'c', causationId: 'c' },
      actor: { kind: 'system', name: 'test' },
      recordedAt: '2026-11-21T00:00:00.000Z',
    } as const;
    await log.append(
      `batch-${batchId}`,
      [created({ batchId, userId: batchId }), ...events].map((event) => ({ ...event, id: ulid(), metadata })),
      'noStream',
    );
  };
  const summary = { rows: 40, failures: 0, best: null, medians: {}, hash: 'h' };
  const finished = (batchId: string): BatchEvent => ({
    type: 'BatchBacktestFinished',
    data: { batchId, summary },
  });
  const deleted = (batchId: string): BatchEvent => ({
    type: 'BatchBacktestDeleted',
    data: { batchId, userId: batchId, quotaMonth: '2026-11', quotaReleased: 0 },
  });
  await write('whole', finished('whole'));
  await write('gone', finished('gone'), deleted('gone'));
  await write('lost', finished('lost'));
  await write('begun');
  await write('waiting');
  const rowsOf: Readonly<Record<string, number>> = { whole: 40, begun: 7, gone: 40 };
  copyBatch.mockImplementation(
    async (_from: ResultStore, _to: ResultStore, batchId: string, variables: readonly BatchVariable[]) => {
      expect(variables).toHaveLength(1);
      return rowsOf[batchId] ?? null;
    },
  );
  expect(await copyResults(log, {} as ResultStore, {} as ResultStore)).toEqual({
    batches: 2,
    rows: 47,
    missing: ['lost'],
  });
  expect(copyBatch.mock.calls.map(([, , batchId]) => batchId)).toEqual(['whole', 'lost', 'begun', 'waiting']);
  await log.close();
  database.close();
  rmSync(folder, { recursive: true });
});
