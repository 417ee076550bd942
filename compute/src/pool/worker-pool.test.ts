import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { treeFingerprint } from '@quantloom/domain/batch/reuse';
import { decodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import { NO_DAY, type ResultBlock } from '@quantloom/domain/contracts/result-block';
import { writeTree } from '@quantloom/domain/strategy/written-tree';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { differences } from '../../testing/compare-blocks.ts';
import { asset, batchOf, condition, filter, ifThenElse, marketOf, root } from '../../testing/fixtures.ts';
import { runBacktest } from '../engine/answers/backtest.ts';
import { runBatchRange } from '../engine/batch/batch-reference.ts';
import { planBatch } from '../engine/batch/compile/batch-plan.ts';
import { BatchJob, PART_AMONG_OTHERS } from './jobs.ts';
import { createWorkerPool } from './worker-pool.ts';

const OPTIONS = { today: '2026-11-21' };
const FIRST_DAY = 12_000;
const prices = marketOf({
  SPY: { seed: 1, firstDay: FIRST_DAY, bars: 1500 },
  AAA: { seed: 2, firstDay: FIRST_DAY, bars: 1500 },
  BBB: { seed: 3, firstDay: FIRST_DAY, bars: 1400, gaps: 0.05 },
  CCC: { seed: 4, firstDay: FIRST_DAY + 300, bars: 1000 },
});
const tree = root(
  ifThenElse(
    [condition({ lhs_val: 'SPY', lhs_fn_params: { window: '$W' } })],
    [filter({ fn: 'cumulative-return', window: 20 }, { fn: 'top', num: 1 }, asset('$A'), asset('$B'))],
    [asset('$B')],
  ),
);
const batch = batchOf(tree, {
  $A: ['AAA', 'BBB', 'CCC', 'ZZZ'],
  $B: ['SPY', 'BBB', 'CCC'],
  $W: Array.from({ length: 40 }, (_, i) => i + 2),
});
const input = { batch, prices, ...OPTIONS, batchId: 'b1', owner: 'ann' };

const pool = createWorkerPool({ threads: 2, cacheBytes: 64 << 20 });
afterAll(() => pool.close());

describe('worker pool', () => {
  test('answers a single backtest like the engine itself', async () => {
    const request = {
      start_date: '2003-01-01',
      end_date: '2007-01-01',
      include: { history: true },
      trading_bot: root(asset('AAA'), asset('BBB')),
    };
    const expected = runBacktest(request, prices, OPTIONS);
    const input = { request, prices, ...OPTIONS, owner: 'ann' };
    expect(decodeColumns(await pool.runBacktest({ ...input, form: 'columns' }))).toEqual(expected);
    const json = new TextDecoder().decode(await pool.runBacktest({ ...input, form: 'json' }));
    expect(json).toBe(JSON.stringify(expected));
  });

  test('runs a strategy that is still JSON, and tells its hashes to who asks', async () => {
    const trading_bot = root(asset('AAA'), asset('BBB'));
    const terms = { start_date: '2003-01-01', end_date: '2007-01-01', include: { history: true } };
    const hashes: unknown[] = [];
    const answer = (tree: typeof trading_bot | ReturnType<typeof writeTree>) =>
      pool.runBacktest({
        request: { ...terms, trading_bot: tree },
        prices,
        ...OPTIONS,
        owner: 'ann',
        form: 'json',
        onHashes: (found) => hashes.push(found),
      });
    expect(await answer(writeTree(trading_bot))).toEqual(await answer(trading_bot));
    expect(hashes).toHaveLength(2);
    expect(hashes[0]).toEqual(hashes[1]);
    expect(hashes[0]).toMatchObject({ tree: treeFingerprint(trading_bot) });
  });

  test('refuses what the engine refuses, with the block', async () => {
    const request = { start_date: '2003-01-01', end_date: '2007-01-01', trading_bot: root(asset('ZZZ')) };
    const refusal = { code: 'unknown_ticker', status: 400, detail: expect.stringContaining('ZZZ') };
    await expect(
      pool.runBacktest({ request, prices, ...OPTIONS, owner: 'ann', form: 'json' }),
    ).rejects.toMatchObject({
      refusal,
    });
  });

  test('computes the gaps of a block and leaves the rows between them empty', async () => {
    const gaps = [
      { from: 40, to: 41 },
      { from: 43, to: 90 },
      { from: 99, to: 100 },
    ];
    const blocks: ResultBlock[] = [];
    await pool.runBatchRange({ ...input, from: 40, count: 60, gaps }, async (block) => {
      blocks.push(block);
    });
    const [block, ...others] = blocks;
    expect(others).toEqual([]);
    const whole = runBatchRange(planBatch(batch, prices, OPTIONS), 40, 60);
    const isGap = (row: number) => gaps.some(({ from, to }) => row + 40 >= from && row + 40 < to);
    expect(block?.count).toBe(60);
    for (let row = 0; row < 60; row += 1)
      expect(block?.startDay[row]).toBe(isGap(row) ? whole.startDay[row] : NO_DAY);
    expect(block?.failures.map(({ combination }) => combination)).toEqual(
      whole.failures.map(({ combination }) => combination).filter((k) => isGap(k - 40)),
    );
  });

  test.each(['$A $V $W', '$W $V $A', '$V $A $W', '$A $W $V'])(
    'computes gaps of single combinations in whatever order the engine asks for them: %s',
    async (order) => {
      const values: Readonly<Record<string, (string | number)[]>> = {
        $A: ['AAA', 'SPY'],
        $V: [5, 10, 15, 20],
        $W: [3, 6, 9, 12, 15],
      };
      const ordered = batchOf(
        root(
          ifThenElse(
            [condition({ lhs_val: 'SPY', lhs_fn_params: { window: '$W' } })],
            [ifThenElse([condition({ lhs_val: 'AAA', lhs_fn_params: { window: '$V' } })], [asset('$A')], [])],
            [asset('SPY')],
          ),
        ),
        Object.fromEntries(order.split(' ').map((name) => [name, values[name] ?? []])),
      );
      const gaps = Array.from({ length: 13 }, (_, i) => ({ from: 3 * i, to: 3 * i + 1 }));
      const blocks: ResultBlock[] = [];
      await pool.runBatchRange({ ...input, batch: ordered, from: 0, count: 37, gaps }, async (block) => {
        blocks.push(block);
      });
      const whole = runBatchRange(planBatch(ordered, prices, OPTIONS), 0, 37);
      const expected = Array.from(whole.startDay, (day, row) => (row % 3 === 0 ? day : NO_DAY));
      expect(Array.from(blocks[0]?.startDay ?? [])).toEqual(expected);
      expect(expected.filter((day) => day !== NO_DAY)).toHaveLength(13);
    },
  );

  test.each([
    [0, 480],
    [37, 301],
    [479, 1],
    [5, 0],
  ])('runs %i and the next %i combinations like one thread does', async (from, count) => {
    const blocks: ResultBlock[] = [];
    const progress: number[] = [];
    await pool.runBatchRange(
      { ...input, from, count },
      async (block) => {
        blocks.push(block);
      },
      { onProgress: (done) => progress.push(done) },
    );
    const expected = runBatchRange(planBatch(batch, prices, OPTIONS), from, count, 'b1');
    expect(blocks).toHaveLength(count === 0 ? 0 : 1);
    if (blocks[0] !== undefined) expect(differences(blocks[0], expected)).toEqual([]);
    expect(progress.at(-1) ?? 0).toBe(count);
  });

  test('cuts tasks shorter as soon as somebody else has small jobs', async () => {
    const take = vi.spyOn(BatchJob.prototype, 'take');
    const alone = createWorkerPool({ threads: 1, cacheBytes: 16 << 20 });
    const range = () => alone.runBatchRange({ ...input, from: 0, count: 480 }, async () => undefined);
    const single = (owner: string) =>
      alone.runBacktest({
        request: { start_date: '2003-01-01', end_date: '2007-01-01', trading_bot: root(asset('AAA')) },
        prices,
        ...OPTIONS,
        owner,
        form: 'json',
      });
    /** Parts of a usual task that a range of ann's was given. */
    const partsOfRange = async () => {
      take.mockClear();
      await range();
      return new Set(take.mock.calls.map(([part]) => part));
    };
    await single('ann');
    expect(await partsOfRange()).toEqual(new Set([1]));
    await single('bob');
    expect(await partsOfRange()).toEqual(new Set([PART_AMONG_OTHERS]));
    take.mockRestore();
    await alone.close();
  });

  test('refuses a range the batch does not have', async () => {
    await expect(
      pool.runBatchRange({ ...input, from: 400, count: 100 }, async () => undefined),
    ).rejects.toThrow(RangeError);
  });

  test('passes on what storing a block rejects with', async () => {
    const storing = pool.runBatchRange({ ...input, from: 0, count: 10 }, () =>
      Promise.reject(new Error('disk full')),
    );
    await expect(storing).rejects.toThrow('disk full');
  });

  test('stops a cancelled job and stays usable', async () => {
    const abort = new AbortController();
    const blocks: ResultBlock[] = [];
    const running = pool.runBatchRange(
      { ...input, from: 0, count: 480 },
      async (block) => {
        blocks.push(block);
      },
      { signal: abort.signal, onProgress: () => abort.abort(new Error('enough')) },
    );
    await expect(running).rejects.toThrow('enough');
    expect(blocks).toEqual([]);
    await pool.runBatchRange({ ...input, from: 0, count: 3 }, async (block) => {
      blocks.push(block);
    });
    expect(blocks[0]?.count).toBe(3);
  });

  test('does not start a job whose signal is aborted already', async () => {
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(
      pool.runBatchRange({ ...input, from: 0, count: 3 }, async () => undefined, { signal }),
    ).rejects.toThrow('too late');
  });

  test('lets a small job overtake a large one', async () => {
    const order: string[] = [];
    const started = Promise.withResolvers<void>();
    const large = pool
      .runBatchRange({ ...input, force: 'reference', from: 0, count: 480 }, async () => undefined, {
        onProgress: () => started.resolve(),
      })
      .then(() => order.push('large'));
    await started.promise;
    const small = pool
      .runBatchRange({ ...input, from: 0, count: 1, owner: 'bob' }, async () => undefined)
      .then(() => order.push('small'));
    await Promise.all([large, small]);
    expect(order).toEqual(['small', 'large']);
  });
});

describe('a long backtest', () => {
  /** Choosing half of many takes seconds; of very many minutes. */
  const choosingHalf = (children: number) => ({
    start_date: '2003-01-01',
    end_date: '2007-01-01',
    trading_bot: root(
      filter(
        { fn: 'cumulative-return', window: 20 },
        { fn: 'top', num: children / 2 },
        ...Array.from({ length: children }, (_, i) => asset(['AAA', 'BBB', 'SPY'][i % 3] as string)),
      ),
    ),
  });
  const slow = choosingHalf(300);
  const endless = choosingHalf(8_000);
  const quick = { ...slow, trading_bot: root(asset('AAA')) };
  const run = (request: typeof slow, owner: string, more: { expectedMs?: number; deadlineMs?: number }) =>
    pool.runBacktest({ request, prices, ...OPTIONS, owner, form: 'json', ...more });

  test('is ended at its deadline, and leaves a thread to short ones all the while', async () => {
    let ended = 0;
    const long = Array.from({ length: 3 }, async () => {
      await expect(run(endless, 'ann', { expectedMs: 10_000, deadlineMs: 500 })).rejects.toMatchObject({
        refusal: { status: 422, code: 'took_too_long' },
      });
      ended += 1;
    });
    await run(quick, 'bob', {});
    expect(ended).toBeLessThan(3);
    await Promise.all(long);
    await expect(run(quick, 'ann', {})).resolves.toBeDefined();
  });

  test('waits while threads are measured, and is run when that has ended, be it in vain', async () => {
    const measured = createWorkerPool({ threads: 2, cacheBytes: 64 << 20 });
    const ended = Promise.withResolvers<void>();
    const measuring = measured.measuring(() => ended.promise);
    const order: string[] = [];
    const of = (request: typeof slow, expectedMs: number) =>
      measured.runBacktest({ request, prices, ...OPTIONS, owner: 'ann', form: 'json', expectedMs });
    const long = of(quick, 10_000).then(() => order.push('long'));
    await of(quick, 0).then(() => order.push('short'));
    ended.reject(new Error('in vain'));
    await expect(measuring).rejects.toThrow('in vain');
    await long;
    expect(order).toEqual(['short', 'long']);
    await measured.close();
  });

  test('that was not foretold is put back when a short one needs its thread', async () => {
    const hasty = createWorkerPool({ threads: 2, cacheBytes: 64 << 20, patienceMs: 1 });
    const runIn = (request: typeof slow, owner: string, signal?: AbortSignal) =>
      hasty.runBacktest(
        { request, prices, ...OPTIONS, owner, form: 'json', deadlineMs: 600_000 },
        { signal },
      );
    // Both threads are taken for longer than anybody waits: the short one has an answer only if one of them is freed.
    const ended = new AbortController();
    const held = Array.from({ length: 2 }, () => runIn(endless, 'ann', ended.signal));
    await expect(runIn(quick, 'bob')).resolves.toBeDefined();
    ended.abort();
    for (const one of held) await expect(one).rejects.toMatchObject({ name: 'AbortError' });
    // What is put back is run later on.
    await expect(
      Promise.all([runIn(slow, 'ann'), runIn(slow, 'ann'), runIn(quick, 'bob')]),
    ).resolves.toHaveLength(3);
    await hasty.close();
  });
});

describe('a worker that crashes', () => {
  const workerFile = new URL('../../testing/crashing-worker.ts', import.meta.url);

  test('fails its job with a clear error and is replaced', async () => {
    const crashing = createWorkerPool({ threads: 1, cacheBytes: 1 << 20, workerFile });
    const request = { start_date: '2003-01-01', end_date: '2007-01-01', trading_bot: root(asset('AAA')) };
    const run = (name: string) =>
      crashing.runBacktest({
        request: { ...request, benchmark_ticker: name },
        prices,
        ...OPTIONS,
        owner: 'ann',
        form: 'json',
      });
    await expect(run('CRASH')).rejects.toMatchObject({
      code: 'worker_crashed',
      message: expect.stringContaining('crashed'),
    });
    await expect(run('SPY')).resolves.toBeDefined();
    const defect = { code: 'engine_defect', debugData: { error: { message: 'broken' } } };
    await expect(run('DEFECT')).rejects.toMatchObject(defect);
    await crashing.close();
  });

  test.each([
    ['throws at its start', new URL('../../testing/no-such-worker.ts', import.meta.url)],
    ['the system refuses', new URL('https://localhost/worker.ts')],
  ])('that %s breaks the pool instead of looping', async (_, workerFile) => {
    const broken = createWorkerPool({ threads: 2, cacheBytes: 1 << 20, workerFile });
    const request = { start_date: '2003-01-01', end_date: '2007-01-01', trading_bot: root(asset('AAA')) };
    const run = () => broken.runBacktest({ request, prices, ...OPTIONS, owner: 'ann', form: 'json' });
    // As where a server is away: it is not the strategy that is at fault.
    await expect(run()).rejects.toMatchObject({ code: 'dependency_away' });
    await expect(broken.whenStarted()).rejects.toMatchObject({ code: 'dependency_away' });
    await broken.close();
    await expect(run()).rejects.toMatchObject({ code: 'pool_closed' });
  });

  test('that starts at the third try breaks nothing, however often that happens', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'worker-'));
    await writeFile(join(folder, 'starts'), '0');
    await writeFile(
      join(folder, 'worker.mjs'),
      `import { readFileSync, writeFileSync } from 'node:fs';
       import { parentPort } from 'node:worker_threads';
       const file = new URL('./starts', import.meta.url);
       const starts = Number(readFileSync(file, 'utf8')) + 1;
       writeFileSync(file, String(starts));
       if (starts % 3 !== 0) throw new Error('no memory just now');
       parentPort.on('message', () => { throw new Error('crashed on request'); });
       parentPort.postMessage({ type: 'ready' });`,
    );
    const workerFile = pathToFileURL(join(folder, 'worker.mjs'));
    const shaky = createWorkerPool({ threads: 1, cacheBytes: 1 << 20, workerFile });
    const request = { start_date: '2003-01-01', end_date: '2007-01-01', trading_bot: root(asset('AAA')) };
    for (let times = 0; times < 2; times += 1)
      await expect(
        shaky.runBacktest({ request, prices, ...OPTIONS, owner: 'ann', form: 'json' }),
      ).rejects.toThrow('crashed on request');
    await shaky.close();
    await rm(folder, { recursive: true });
  });

  test('closing rejects what runs and what comes after', async () => {
    const closing = createWorkerPool({ threads: 1, cacheBytes: 1 << 20 });
    const running = closing.runBatchRange({ ...input, from: 0, count: 480 }, async () => undefined);
    const rejected = expect(running).rejects.toMatchObject({ code: 'pool_closed' });
    await closing.close();
    await rejected;
    await expect(
      closing.runBatchRange({ ...input, from: 0, count: 1 }, async () => undefined),
    ).rejects.toMatchObject({
      code: 'pool_closed',
    });
  });
});
