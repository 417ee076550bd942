import { isRefusal } from '@quantloom/domain/kernel/refusal';
import { describe, expect, it } from 'vitest';
import { type CheckedKind, checkRequest, writeRun } from './check-request.ts';

const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
const asset = (i: number, ticker: string) => ({
  ...common,
  id: `node_${i}`,
  node_type: 'asset',
  ticker,
  name: ticker,
});
const tree = (blocks: number, ticker = 'SPY') => ({
  ...common,
  id: 'root',
  node_type: 'root',
  name: 'Large',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: Array.from({ length: blocks }, (_, i) => asset(i, ticker)),
});
const bodyWith = (kind: CheckedKind, algorithm: unknown, more: object = {}) =>
  kind === 'batch' ? { template_bot: { algorithm }, ...more } : { trading_bot: algorithm, ...more };
const stuffed = { ...tree(2), junk: Array.from({ length: 5_000 }, () => ({ a: {} })) };

describe.each(['run', 'sensitivity', 'batch', 'certificate'] as const)('the body of a %s', (kind) => {
  it('is passed on with the size of its tree', () => {
    expect(checkRequest(kind, bodyWith(kind, tree(9_000)), [])).toMatchObject({ size: { blocks: 9_000 } });
  });

  it('is refused where its tree holds more than its blocks can', () => {
    const found = checkRequest(kind, bodyWith(kind, stuffed), []);
    expect(found).toMatchObject({ status: 413, code: 'body_too_large' });
    expect(isRefusal(found) && found.detail).toContain('2 blocks');
  });

  it('is refused where it holds more beside its tree than anything needs', () => {
    const body = bodyWith(kind, tree(2), { more: Array.from({ length: 300_000 }, () => 1) });
    expect(checkRequest(kind, body, [])).toMatchObject({ status: 413, code: 'body_too_large' });
  });

  it.each([null, 7, [], {}, { template_bot: 'x' }])('is left to the schema without a tree: %j', (body) => {
    expect(checkRequest(kind, body, [])).toEqual({ size: null });
  });
});

describe('the tree of a body', () => {
  it('is refused for what is wrong with its blocks, but that of a certificate, whose answer tells', () => {
    const broken = { ...tree(2), children: [{ ...asset(1, 'SPY'), ticker: '' }] };
    expect(checkRequest('run', bodyWith('run', broken), [])).toMatchObject({ status: 400 });
    expect(checkRequest('batch', bodyWith('batch', broken), [])).toMatchObject({ status: 400 });
    expect(checkRequest('certificate', bodyWith('certificate', broken), [])).toMatchObject({
      size: { blocks: 1 },
    });
  });

  it('may have variables in a batch only, and only where the plan has them', () => {
    expect(checkRequest('run', bodyWith('run', tree(2, '$T')), [])).toMatchObject({ status: 400 });
    expect(checkRequest('batch', bodyWith('batch', tree(2, '$T')), [])).toMatchObject({ status: 403 });
    const found = checkRequest('batch', bodyWith('batch', tree(2, '$T')), ['web.batch-backtests.create']);
    expect(found).toMatchObject({ size: { blocks: 2 } });
  });

  it.each(['run', 'certificate'] as const)('is refused for its size first, also that of a %s', (kind) => {
    expect(checkRequest(kind, bodyWith(kind, tree(30_000)), [])).toMatchObject({
      status: 400,
      problems: [{ code: 'too_many_nodes' }],
    });
  });
});

describe('a single run that was found sound', () => {
  it('is handed on with its tree as JSON, its tickers, and what stands beside it', () => {
    const algorithm = { ...tree(2), children: [asset(1, 'SPY'), asset(2, 'BND'), asset(3, 'SPY')] };
    const run = writeRun({ start_date: '2010-01-04', trading_bot: algorithm });
    if (isRefusal(run)) throw new Error(run.detail);
    expect(run.rest).toEqual({ start_date: '2010-01-04' });
    expect(run.tree.tickers).toEqual(['SPY', 'BND']);
    expect(JSON.parse(new TextDecoder().decode(run.tree.json))).toEqual(algorithm);
  });

  it('is refused where what stands beside its tree is large itself', () => {
    const found = writeRun({ trading_bot: tree(2), benchmarks: Array.from({ length: 20_000 }, () => 'SPY') });
    expect(found).toMatchObject({ status: 413, code: 'body_too_large' });
  });
});
