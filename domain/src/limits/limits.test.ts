import { describe, expect, it } from 'vitest';
import {
  bytesOf,
  changesKey,
  FREE_ACCOUNTS_OF_A_NETWORK,
  LIMIT_LINES,
  limitsAsMarkdown,
  USE_LIMITS,
  windowsOf,
  writtenKey,
} from './limits.ts';

describe('the limits of use', () => {
  it('are a table for people, a column for each plan and as wide as its widest cell', () => {
    const names = { free: 'Free', api: 'API', 'copy-trader': 'Copy trader' };
    const [head = '', rule = '', ...rows] = limitsAsMarkdown(names).split('\n');
    const cells = (row: string) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
    expect(cells(head)).toEqual(['limit', ...Object.keys(USE_LIMITS).map((id) => names[id as 'free'])]);
    expect(rule).toMatch(/^\| -+ \| -+ \| -+ \| -+ \|$/);
    expect(new Set([head, rule, ...rows].map(({ length }) => length)).size).toBe(1);
    expect(rows.map(cells)).toEqual(
      LIMIT_LINES.map(({ name, values }) => [
        name,
        ...Object.keys(USE_LIMITS).map((id) => values[id as 'free']),
      ]),
    );
  });

  it('are said with their units', () => {
    const line = (name: string) => LIMIT_LINES.find((one) => one.name === name)?.values;
    const { free, api } = USE_LIMITS;
    expect(line('Cost a minute')?.free).toBe(`${free.costPerMinute} s of a processor`);
    expect(line('Longest backtest or estimate')?.api).toBe(`${api.deadlineSeconds} s of a processor`);
    expect(line('Written a day')?.free).toBe(`${free.writtenMegabytesPerDay} MB`);
    expect(line('Rows taken over a month')?.api).toBe(api.copiedRowsPerMonth.toLocaleString('en-US'));
    expect(line('Tickers in a strategy')).toEqual({ free: '1,000', api: '1,000', 'copy-trader': '1,000' });
    expect(line('Tickers in a batch')?.free).toBe('2,000');
    expect(line('Blocks × days of a run with reasons')?.free).toBe('20,000,000');
    expect(line('Size of a strategy as JSON')?.free).toBe('8 MB');
    expect(bytesOf(2)).toBe(2 * 1024 * 1024);
  });

  it('are counted by user, what is written apart from changes', () => {
    expect(new Set([writtenKey('a'), writtenKey('b'), changesKey('a'), changesKey('b')]).size).toBe(4);
  });

  it('are counted for all free accounts of one network together as well', () => {
    const network = '203.0.113.7';
    const [own, shared, ...more] = windowsOf('written', { userId: 'ada', planId: 'free', network });
    expect(own).toEqual({ key: writtenKey('ada'), times: 1 });
    expect(shared).toEqual({ key: expect.stringContaining(network), times: FREE_ACCOUNTS_OF_A_NETWORK });
    expect(more).toEqual([]);
    expect(windowsOf('written', { userId: 'bob', planId: 'free', network })[1]).toEqual(shared);
    expect(windowsOf('changes', { userId: 'ada', planId: 'free', network })[1]?.key).not.toBe(shared?.key);
    for (const user of [
      { planId: 'free', network: null },
      { planId: 'free' },
      { planId: 'api', network },
      { planId: 'copy-trader', network },
    ] as const)
      expect(windowsOf('cost', { userId: 'ada', ...user })).toEqual([{ key: 'cost:ada', times: 1 }]);
    expect(LIMIT_LINES.find(({ name }) => name === 'All accounts of one network')?.values.free).toBe(
      `${FREE_ACCOUNTS_OF_A_NETWORK} times that of one`,
    );
  });
});
