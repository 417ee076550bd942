import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqliteReadModels } from '@quantloom/adapters/read-models/sqlite/sqlite-read-models';
import { openSqliteDatabase } from '@quantloom/adapters/sqlite/database';
import { POSITION_HEADER } from '@quantloom/domain/contracts/http/route';
import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { awaitOwnWrites, type Consistency, checkpointConsistency, STALE_HEADER } from './consistency.ts';

const lists = { name: 'lists', version: 2 };
const bots = { name: 'bots', version: 1 };

describe('awaitOwnWrites', () => {
  const call = (position?: string) => {
    const reply = { header: vi.fn() };
    const headers = position === undefined ? {} : { [POSITION_HEADER]: position };
    return { call: { request: { headers }, reply } as never, reply };
  };
  const answering = (isReached: boolean): Consistency & { whenReached: ReturnType<typeof vi.fn> } => ({
    whenReached: vi.fn(async () => isReached),
  });

  it('waits for the projections behind the answer, and for nothing without a position', async () => {
    const consistency = answering(true);
    await awaitOwnWrites(call().call, consistency, lists);
    expect(consistency.whenReached).not.toHaveBeenCalled();
    const { call: own, reply } = call('17');
    await awaitOwnWrites(own, consistency, lists, bots);
    expect(consistency.whenReached).toHaveBeenCalledWith(17n, {
      projections: [lists, bots],
      timeoutMs: 2000,
    });
    expect(reply.header).not.toHaveBeenCalled();
  });

  it('marks an answer that does not show everything yet', async () => {
    const { call: own, reply } = call('17');
    await awaitOwnWrites(own, answering(false), lists);
    expect(reply.header).toHaveBeenCalledWith(STALE_HEADER, 'true');
  });

  it.each(['', '-1', '1.5', 'x', '99999999999999999999'])('refuses the position %j', async (position) => {
    await expect(awaitOwnWrites(call(position).call, answering(true), lists)).rejects.toThrow(RefusalError);
  });
});

describe('checkpointConsistency', () => {
  let folder: string;
  let close: () => void;
  let readModels: ReturnType<typeof openSqliteReadModels>;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'quantloom-consistency-'));
    const database = openSqliteDatabase(path.join(folder, 'test.sqlite'));
    readModels = openSqliteReadModels(database);
    close = () => database.close();
  });
  afterEach(async () => {
    close();
    await rm(folder, { recursive: true, force: true });
  });
  const move = (name: string, expected: bigint | null, next: bigint) =>
    readModels.commit(name, { expected, next, writes: [] });

  it('is reached when every projection has stored the position', async () => {
    const consistency = checkpointConsistency(readModels);
    const wait = (position: bigint, timeoutMs: number) =>
      consistency.whenReached(position, { projections: [lists, bots], timeoutMs });
    expect(await wait(5n, 30)).toBe(false);
    await move('lists.v2', null, 5n);
    expect(await wait(5n, 30)).toBe(false);
    const waiting = wait(5n, 5000);
    await move('bots.v1', null, 7n);
    expect(await waiting).toBe(true);
    expect(await wait(6n, 30)).toBe(false);
  });
});
