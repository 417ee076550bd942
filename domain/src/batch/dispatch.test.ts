import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DispatchBoard, type Places } from './dispatch.ts';

let board: DispatchBoard;
beforeEach(() => {
  board = new DispatchBoard();
});

function note(
  batchId: string,
  userId: string,
  waiting: number,
  inFlight = 0,
  { isQuick = false, isReady = true } = {},
): void {
  board.note({ batchId, userId, isQuick, waiting, inFlight }, isReady);
}
const places = (all: number | null, perUser = 8): Places => ({ all, perUser });
const next = (where: Places, isQuick = false) =>
  Object.fromEntries(board.next(isQuick, where).map(({ batchId, count }) => [batchId, count]));

describe('places, where it is known how many there are', () => {
  it('all go to one who is alone', () => {
    note('a', 'u1', 100);
    expect(next(places(40))).toEqual({ a: 40 });
    expect(next(places(40))).toEqual({});
  });
  it('are shared equally, however many batches somebody has', () => {
    for (let i = 0; i < 50; i += 1) note(`a${i}`, 'u1', 10);
    note('b', 'u2', 100);
    const given = next(places(20));
    expect(given.b).toBe(10);
    expect(Object.keys(given)).toHaveLength(11);
  });
  it('go to others where somebody has less to do than his share', () => {
    note('a', 'u1', 1);
    note('b', 'u2', 1);
    note('c', 'u3', 100);
    expect(next(places(20))).toEqual({ a: 1, b: 1, c: 18 });
  });
  it('are found by a newcomer at once, though all are taken', () => {
    note('a', 'u1', 100);
    next(places(8));
    note('b', 'u2', 100);
    expect(next(places(8))).toEqual({ b: 1 });
    // As the other one's partitions finish, his get the places until both have the same.
    note('a', 'u1', 92, 5);
    expect(next(places(8))).toEqual({ b: 2 });
    note('a', 'u1', 92, 4);
    expect(next(places(8))).toEqual({ b: 1 });
    note('a', 'u1', 92, 3);
    expect(next(places(8))).toEqual({ a: 1 });
  });
});

describe('places, while it is not known how many there are', () => {
  it('are so many for each', () => {
    note('a', 'u1', 100);
    note('b', 'u2', 3);
    expect(next(places(null, 4))).toEqual({ a: 4, b: 3 });
  });
});

describe('the places of one user', () => {
  it('go round his batches, the older one first', () => {
    note('a', 'u1', 9);
    note('b', 'u1', 9);
    note('c', 'u1', 9);
    expect(next(places(4))).toEqual({ a: 2, b: 1, c: 1 });
  });
  it('go to a new batch before the second partition of another one', () => {
    note('a', 'u1', 100, 3);
    note('b', 'u1', 5);
    expect(next(places(4))).toEqual({ b: 1 });
  });
  it('go to a batch whose only partition failed before those that came later', () => {
    note('a', 'u1', 1);
    note('b', 'u1', 1);
    note('c', 'u1', 1);
    expect(next(places(1))).toEqual({ a: 1 });
    note('a', 'u1', 1, 0);
    expect(next(places(1))).toEqual({ a: 1 });
  });
  it('are free again where a batch with partitions on the way is deleted', () => {
    note('a', 'u1', 10);
    note('b', 'u1', 10, 0, { isReady: false });
    expect(next(places(4))).toEqual({ a: 4 });
    note('b', 'u1', 10);
    board.forget('a');
    expect(next(places(4))).toEqual({ b: 4 });
  });
  it('are counted apart for quick batches', () => {
    note('a', 'u1', 100, 4);
    note('q', 'u1', 3, 0, { isQuick: true });
    expect(next(places(4), true)).toEqual({ q: 3 });
    expect(next(places(4))).toEqual({});
  });
});

it('leaves a batch alone that is not ready, and forgets what is through', () => {
  note('a', 'u1', 5, 0, { isReady: false });
  expect(next(places(4))).toEqual({});
  note('a', 'u1', 5);
  expect(next(places(2))).toEqual({ a: 2 });
  expect([board.size, board.isIdle('a'), board.openIn('a')]).toEqual([1, false, 5]);
  note('a', 'u1', 0, 0);
  expect([board.size, board.has('a'), board.openIn('a')]).toEqual([0, false, 0]);
});

it('never leaves a place free where somebody waits, gives nobody more than others want, and loses nothing', () => {
  const batches = fc.array(
    fc.record({ user: fc.nat(5), waiting: fc.integer({ min: 1, max: 30 }), inFlight: fc.nat(6) }),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(batches, fc.integer({ min: 1, max: 60 }), (all, size) => {
      board = new DispatchBoard();
      for (const [i, { user, waiting, inFlight }] of all.entries())
        note(`b${i}`, `u${user}`, waiting, inFlight);
      const given = next(places(size));
      const users = Map.groupBy(all.entries(), ([, { user }]) => user);
      const after = [...users.values()].map((own) => ({
        had: own.reduce((sum, [, { inFlight }]) => sum + inFlight, 0),
        got: own.reduce((sum, [i]) => sum + (given[`b${i}`] ?? 0), 0),
        wanted: own.reduce((sum, [, { waiting }]) => sum + waiting, 0),
      }));
      for (const [i, { waiting }] of all.entries()) expect(given[`b${i}`] ?? 0).toBeLessThanOrEqual(waiting);
      const taken = after.reduce((sum, { had, got }) => sum + had + got, 0);
      const hungry = after.filter(({ got, wanted }) => got < wanted);
      if (hungry.length > 0) expect(taken).toBeGreaterThanOrEqual(size);
      for (const { had, got } of hungry) {
        expect(had + got).toBeGreaterThan(0);
        for (const other of after)
          if (other.got > 0) expect(other.had + other.got).toBeLessThanOrEqual(had + got + 1);
      }
    }),
  );
});
