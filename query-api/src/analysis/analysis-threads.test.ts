import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AnalysisThreads, createAnalysisThreads } from './analysis-threads.ts';

let threads: AnalysisThreads;
beforeEach(() => {
  threads = createAnalysisThreads();
});
afterEach(() => threads.close());

const values = () => Float64Array.of(3, 1, 2);
const sample = () => threads.run({ kind: 'sample', values: values(), size: 10 });
const unknown = { name: '$NO', order: 'given' } as const;
const impossible = () =>
  threads.run({
    kind: 'heatMap',
    variables: [],
    values: values(),
    isLowerBetter: false,
    x: unknown,
    y: unknown,
    mostCells: 10,
  });

describe('the analysis threads', () => {
  it('tell who asked what went wrong with a task, and go on with the next', async () => {
    const [failed, next] = await Promise.allSettled([impossible(), sample()]);
    expect(failed).toMatchObject({
      status: 'rejected',
      reason: { message: 'The batch has no variable $NO', stack: expect.stringContaining('heat-map') },
    });
    expect(next).toMatchObject({ status: 'fulfilled', value: { top: Uint32Array.of(0) } });
  });

  it('answer each question to who asked it, whatever other line it waits in', async () => {
    const columns = [Float64Array.of(1, 2, 3), Float64Array.of(3, 2, 1), Float64Array.of(1, 3, 2)];
    const best = await Promise.all(
      columns.map((column, i) =>
        threads.run({ kind: 'sample', values: column, size: 10 }, i === 1 ? 'slow' : 'quick'),
      ),
    );
    expect(best.map(({ top }) => [...top])).toEqual([[2], [0], [1]]);
  });

  it('leave nobody waiting who had asked when they are closed, and begin anew afterwards', async () => {
    const waiting = Promise.allSettled([
      sample(),
      threads.run({ kind: 'sample', values: values(), size: 10 }, 'slow'),
    ]);
    await threads.close();
    const reasons = (await waiting).map((each) => each.status === 'rejected' && String(each.reason));
    expect(reasons).toEqual([
      expect.stringContaining('thread ended'),
      expect.stringContaining('thread ended'),
    ]);
    expect((await sample()).top).toEqual(Uint32Array.of(0));
  });

  it('take the numbers of a task with them, and leave what several share where it is', async () => {
    const own = values();
    const shared = new Float64Array(new SharedArrayBuffer(24));
    shared.set([3, 1, 2]);
    await threads.run({ kind: 'sample', values: own, size: 10 });
    const { top } = await threads.run({ kind: 'sample', values: shared, size: 10 });
    expect([own.length, [...shared], [...top]]).toEqual([0, [3, 1, 2], [0]]);
  });
});
