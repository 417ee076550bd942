import { RefusalError } from '@quantloom/domain/kernel/refusal';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DocumentThreads } from './document-threads.ts';

const common = { weight: { num: 100, den: 100 }, is_collapsed: false };
const tree = (blocks: number, ticker = 'SPY') => ({
  ...common,
  id: 'root',
  node_type: 'root',
  name: 'Large',
  description: '',
  rebalance: 'daily',
  version: 'v1',
  children: Array.from({ length: blocks }, (_, i) => ({
    ...common,
    id: `node_${i}`,
    node_type: 'asset',
    ticker,
    name: ticker,
  })),
});
const FIELDS = { name: 'read' } as const;
const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body));

describe('the thread of large documents', () => {
  let threads: DocumentThreads;
  beforeEach(() => {
    threads = new DocumentThreads();
  });
  afterEach(() => threads.close());

  const read = (user: string, text = JSON.stringify(tree(2_000))) =>
    threads.run(user, 'tree', { text, features: null });

  it('reads bodies, trees and differences as the serving thread would', async () => {
    const body = { name: 'N', algorithm: tree(1_000) };
    const found = await threads.run('u', 'body', { body: bytesOf(body), features: [], fields: FIELDS });
    expect(found).toMatchObject({
      body: { name: 'N' },
      tree: { name: 'Large', held: { tree: { blocks: 1_000, tickers: ['SPY'] } } },
    });
    expect(JSON.parse((found as { tree: { text: string } }).tree.text)).toEqual(tree(1_000));
    const changes = await threads.run('u', 'changes', {
      before: JSON.stringify(tree(3)),
      after: JSON.stringify(tree(3, 'TLT')),
    });
    expect(changes).toHaveLength(3);
  });

  it('lets the time that a job had end with it, so that no later job is ended for it', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      await read('u');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['no JSON', '{"algorithm":'],
    ['a name that changes objects', '{"algorithm":{"children":[{"__proto__":{}}]}}'],
    ['a constructor', '{"constructor":{"prototype":{}},"algorithm":{}}'],
  ])('leaves %s to the usual parser', async (_, body) => {
    const found = await threads.run('u', 'body', {
      body: new TextEncoder().encode(body),
      features: [],
      fields: FIELDS,
    });
    expect(found).toEqual({ isUnreadable: true });
  });

  it('refuses text that cannot be kept, wherever it is', async () => {
    const body = bytesOf({ algorithm: { ...tree(1), name: 'a\u0000' } });
    expect(await threads.run('u', 'body', { body, features: [], fields: FIELDS })).toMatchObject({
      tree: { status: 400, code: 'invalid_text' },
    });
  });

  it('gives users their turns, so that nobody waits for all of somebody else’s', async () => {
    const order: string[] = [];
    const jobs = Array.from({ length: 6 }, () => read('many').then(() => order.push('many')));
    jobs.push(read('one').then(() => order.push('one')));
    await Promise.all(jobs);
    expect(order.indexOf('one')).toBeLessThanOrEqual(2);
  });

  it('serves who seldom comes before all who send many', async () => {
    const many = ['a', 'b', 'c'];
    await Promise.all(many.map((user) => read(user)));
    const order: string[] = [];
    const jobs = [...many, ...many, 'one'].map((user) => read(user).then(() => order.push(user)));
    await Promise.all(jobs);
    // One job of theirs was begun already.
    expect(order[1]).toBe('one');
  });

  it('lets so many wait, of a user and of all', async () => {
    const outcomes = async (users: readonly string[]) => {
      const settled = await Promise.allSettled(users.map((user) => read(user, JSON.stringify(tree(1)))));
      const refused = settled.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
      for (const { reason } of refused) {
        expect(reason).toBeInstanceOf(RefusalError);
        expect((reason as RefusalError).refusal).toMatchObject({ status: 429, code: 'too_many_at_once' });
      }
      return settled.length - refused.length;
    };
    // One is being read, eight wait.
    expect(await outcomes(Array.from({ length: 20 }, () => 'u'))).toBe(9);
    expect(await outcomes(Array.from({ length: 200 }, (_, i) => `u${i}`))).toBe(65);
  });

  it('tells what each job spent, also one that cannot be done', async () => {
    const spent: number[] = [];
    const onSpent = (milliseconds: number) => void spent.push(milliseconds);
    await threads.run('u', 'tree', { text: JSON.stringify(tree(9_000)), features: null }, onSpent);
    expect(spent).toHaveLength(1);
    expect(spent[0]).toBeGreaterThan(0);
    const broken = threads.run('u', 'tree', { text: 'no JSON', features: null }, onSpent);
    await expect(broken).rejects.toThrow(SyntaxError);
    expect(spent).toHaveLength(2);
  });

  it('goes on after a job that cannot be done', async () => {
    await expect(read('u', 'no JSON')).rejects.toThrow(SyntaxError);
    expect(await read('u')).toMatchObject({ name: 'Large' });
  });

  it('serves those it has worked for equally long in the order in which they came', async () => {
    const order: string[] = [];
    // The first one occupies the thread; of the others nobody was served before.
    const jobs = ['first', 'a', 'b', 'c', 'd'].map((user) =>
      read(user, JSON.stringify(tree(1))).then(() => order.push(user)),
    );
    await Promise.all(jobs);
    expect(order).toEqual(['first', 'a', 'b', 'c', 'd']);
  });

  it('leaves nobody waiting for ever where it is closed', async () => {
    const jobs = ['a', 'a', 'b'].map((user) => read(user));
    const settled = Promise.allSettled(jobs);
    await threads.close();
    for (const outcome of await settled) expect(outcome).toMatchObject({ status: 'rejected' });
    await expect(read('c')).rejects.toMatchObject({ refusal: { code: 'too_many_at_once' } });
  });
});
