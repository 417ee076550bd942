import { describe, expect, it } from 'vitest';
import { created, failed, finished, queued, started, stopped } from '../../testing/batch-builders.ts';
import { folded } from '../../testing/folded.ts';
import type { Algorithm } from '../strategy/tree.ts';
import type { BatchEvent } from './events.ts';
import { type BatchDocument, batchDefinitionsProjection, batchesProjection } from './projections.ts';
import { rowAsGroup, rowsAsGroup, withNewIds } from './rows-as-group.ts';

const event = (type: string, data: object = {}) =>
  ({ type, data: { batchId: 'b1', ...data } }) as unknown as BatchEvent;
const batch = (...events: readonly BatchEvent[]) =>
  folded(batchesProjection, created(), ...events) as BatchDocument;
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const gone = event('BatchBacktestFailed', {
  userId: 'u1',
  errorId: 'e1',
  partition: 0,
  fault: { message: 'no', stack: [] },
});

describe('the document of a batch', () => {
  it('begins with everything to be done', () => {
    const over = { quotaByPartition: [10, 0, 5, 1] };
    expect(folded(batchesProjection, created(over))).toEqual({
      id: 'b1',
      userId: 'u1',
      name: 'Batch',
      isPublic: false,
      createdAt: at(1),
      status: 'Queued',
      requestedCombinations: 40,
      combinations: 40,
      partitions: 4,
      partitionSize: 10,
      openPartitions: [0, 1, 2, 3],
      startedAt: null,
      finishedAt: null,
      timeEstimateSeconds: 12,
      isQuick: false,
      summary: null,
      errorId: null,
      errorMessage: null,
      note: '',
      pins: [],
      dataVersion: 'v1',
      engineVersion: '1',
      isSimulated: false,
      strategyId: null,
      strategyRevision: null,
      lineageId: 'l1',
      fingerprint: 'f',
      newCombinations: 16,
      outOfSampleDate: null,
      outOfSampleOpened: null,
    });
    const config = { start_date: '2000-01-01', end_date: '2020-12-31', out_of_sample_date: '2015-01-02' };
    expect(folded(batchesProjection, created({ config }))?.outOfSampleDate).toBe('2015-01-02');
  });

  it('runs from its first partition on, and is through when all are', () => {
    expect(batch(started(1))).toMatchObject({ status: 'Running', startedAt: at(2) });
    expect(batch(started(1), started(2))).toMatchObject({ status: 'Running', startedAt: at(2) });
    expect(batch(started(1), finished(1))).toMatchObject({ openPartitions: [0, 2, 3], startedAt: at(2) });
    expect(batch(event('BatchCompilingStarted'))).toMatchObject({ status: 'CompilingResults' });
    const summary = { rows: 40 };
    expect(batch(event('BatchBacktestFinished', { summary }))).toMatchObject({
      status: 'Finished',
      finishedAt: at(2),
      summary,
    });
    expect(batch(stopped(5, 5))).toMatchObject({ status: 'Stopped', finishedAt: at(2) });
  });

  it('keeps its end, though a partition begins after it', () => {
    expect(batch(started(0), gone, started(1))).toMatchObject({
      status: 'Error',
      finishedAt: at(3),
      errorId: 'e1',
      errorMessage: 'no',
    });
  });

  it('is open again where it is run again', () => {
    const again = event('BatchBacktestReplayed', { errorId: 'e1', partitions: [2, 0] });
    expect(batch(started(0), finished(2), finished(3), gone, again)).toMatchObject({
      status: 'Running',
      finishedAt: null,
      errorId: null,
      errorMessage: null,
      openPartitions: [0, 1, 2],
    });
    const engine = event('BatchEngineChanged', { engineVersion: '2', fingerprint: 'g' });
    expect(batch(finished(2), engine)).toMatchObject({
      engineVersion: '2',
      fingerprint: 'g',
      openPartitions: [0, 1, 2, 3],
    });
  });

  it('has what its owner says of it', () => {
    expect(batch(event('BatchBacktestRenamed', { name: 'Other' }))).toMatchObject({ name: 'Other' });
    expect(batch(event('BatchVisibilityChanged', { isPublic: true }))).toMatchObject({ isPublic: true });
    expect(batch(event('BatchNoteChanged', { text: 'n' }))).toMatchObject({ note: 'n' });
  });

  it('has its pinned rows, each once, with the last note', () => {
    const pin = (combination: number, note: string) => event('ResultRowPinned', { combination, note });
    expect(batch(pin(1, 'a'), pin(2, 'b'), pin(1, 'c')).pins).toEqual([
      { combination: 2, note: 'b', pinnedAt: at(3) },
      { combination: 1, note: 'c', pinnedAt: at(4) },
    ]);
    expect(batch(pin(1, 'a'), pin(2, 'b'), event('ResultRowUnpinned', { combination: 1 })).pins).toEqual([
      { combination: 2, note: 'b', pinnedAt: at(3) },
    ]);
  });

  it('remembers who opened the locked part first', () => {
    const opened = (userId: string) => event('OutOfSampleOpened', { userId });
    expect(batch(opened('u2'), opened('u1')).outOfSampleOpened).toEqual({ at: at(2), by: 'u2' });
  });

  it('goes with the batch, and is not made by what comes after it', () => {
    expect(batch(event('BatchBacktestDeleted'))).toBeNull();
    expect(folded(batchesProjection, started(0))).toBeNull();
    expect(folded(batchesProjection, finished(0))).toBeNull();
  });

  it('is not changed by what does not concern it', () => {
    for (const other of [queued(0), failed(0)])
      expect(batchesProjection.keys(other as never)).toEqual(['b1']);
    expect(batch(event('BatchBacktestAbandoned'))).toEqual(batch());
  });
});

describe('the definition of a batch', () => {
  it('has the template and its variables, in the order that numbers the combinations', () => {
    const variables = [
      { name: '$B', values: [1, 2] },
      { name: '$A', values: ['SPY'] },
    ];
    const first = created({ variables });
    expect(folded(batchDefinitionsProjection, first)).toEqual({
      id: 'b1',
      userId: 'u1',
      templateBot: first.type === 'BatchBacktestCreated' && first.data.template,
      variables: { $B: [1, 2], $A: ['SPY'] },
      variableNames: ['$B', '$A'],
      backtestConfig: { start_date: '2000-01-01', end_date: '2020-12-31' },
    });
    expect(folded(batchDefinitionsProjection, created({ holdOutDate: '2021-01-01' }))).toMatchObject({
      holdOutDate: '2021-01-01',
    });
    expect(folded(batchDefinitionsProjection, first, event('BatchBacktestDeleted'))).toBeNull();
  });
});

describe('rows as blocks to paste', () => {
  const weight = { num: 100, den: 100 };
  const asset = (id: string, ticker: string) => ({
    id,
    node_type: 'asset',
    ticker,
    name: 'node_of',
    weight,
    is_collapsed: false,
  });
  const algorithm = {
    id: 'node_r',
    node_type: 'root',
    name: 'T',
    weight,
    is_collapsed: false,
    children: [
      {
        id: 'node_g',
        node_type: 'group',
        name: 'G',
        weight,
        is_collapsed: false,
        children: [asset('node_a', '$A')],
      },
      asset('node_b', 'TLT'),
    ],
  } as unknown as Algorithm;
  const counted = () => {
    let count = 0;
    return () => {
      count += 1;
      return `node_new${count}`;
    };
  };

  it('hold the values in the place of the variables, under new ids', () => {
    const group = rowAsGroup(algorithm, { $A: 'SPY', $W: 10 }, counted());
    expect(group).toMatchObject({
      id: 'node_new1',
      node_type: 'group',
      name: 'SPY / 10',
      is_collapsed: true,
      weight,
      children: [
        { id: 'node_new2', node_type: 'group', children: [{ id: 'node_new3', ticker: 'SPY' }] },
        { id: 'node_new4', ticker: 'TLT', name: 'node_of' },
      ],
    });
  });

  it('stand side by side in one group', () => {
    const group = rowsAsGroup(algorithm, [{ $A: 'SPY' }, { $A: 'QQQ' }], 'Best', counted());
    expect(group).toMatchObject({
      id: 'node_new1',
      node_type: 'group',
      name: 'Best',
      is_collapsed: true,
      weight,
      children: [{ name: 'SPY' }, { name: 'QQQ' }],
    });
    const ids = JSON.stringify(group).match(/"id":"[^"]+"/g) ?? [];
    expect(new Set(ids).size).toBe(9);
  });

  it('keep ids that are no ids of blocks', () => {
    const value = { id: 'other', list: [{ id: 'node_x' }, 'node_y', null], id2: 'node_z' };
    expect(withNewIds(value, () => 'node_n')).toEqual({
      id: 'other',
      list: [{ id: 'node_n' }, 'node_y', null],
      id2: 'node_z',
    });
    expect(withNewIds({ id: 7 }, () => 'node_n')).toEqual({ id: 7 });
  });
});
