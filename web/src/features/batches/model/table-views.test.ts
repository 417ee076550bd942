import { describe, expect, it } from 'vitest';
import { columnHeader, columnWidth, columnWords } from './columns.ts';
import {
  CHOICES,
  DEFAULT_COLUMNS,
  MAX_VIEWS,
  readViews,
  toggled,
  withView,
  writeViews,
} from './table-views.ts';

const EMPTY = { columns: DEFAULT_COLUMNS, saved: [] };

describe('the columns of the result table', () => {
  it('are named in words, each with what it means', () => {
    for (const name of CHOICES) {
      const { label, definition } = columnWords(name);
      expect(label, name).not.toMatch(/_|^[a-z]/);
      expect(definition, name).toMatch(/\.$/);
    }
    expect(columnHeader('sharpe_ratio', false)).toBe('Sharpe Ratio');
    expect(columnHeader('sharpe_ratio', true)).toBe('Sharpe Ratio, In Sample');
    expect(columnHeader('out_sharpe_ratio', true)).toBe('Sharpe Ratio, Out of Sample');
    expect(columnHeader('other_fill_max_drawdown', false)).toBe('Max Drawdown, Other Fill');
    expect(columnHeader('other_fill_max_drawdown', true)).toBe('Max Drawdown, Other Fill, In Sample');
    expect(columnHeader('$WINDOW', true)).toBe('$WINDOW');
  });

  it('have different names', () => {
    expect(new Set(CHOICES.map((name) => columnWords(name).label)).size).toBe(CHOICES.length);
  });

  it('are as wide as the longest value of a variable', () => {
    expect(columnWidth('$A', ['SHARES:IWM', 'SPY'])).toBeGreaterThanOrEqual(10 * 9 + 40);
    expect(columnWidth('$A', ['SPY'])).toBeLessThan(columnWidth('$A', ['SHARES:IWM']));
  });
});

describe('the views of the result table', () => {
  it('show a column more or less, in the order of the table', () => {
    const more = toggled(EMPTY, 'trades');
    expect(more.columns.at(-1)).toBe('trades');
    expect(toggled(more, 'trades').columns).toEqual(DEFAULT_COLUMNS);
    expect(toggled(toggled(EMPTY, 'start_date'), 'start_date').columns).toEqual(DEFAULT_COLUMNS);
  });

  it('are kept under a name, the same name once, and not without end', () => {
    const once = withView(EMPTY, 'Mine');
    const twice = withView(toggled(once, 'trades'), 'Mine');
    expect(twice.saved).toEqual([{ name: 'Mine', columns: [...DEFAULT_COLUMNS, 'trades'] }]);
    let many = EMPTY as ReturnType<typeof withView>;
    for (let i = 0; i < MAX_VIEWS + 5; i += 1) many = withView(many, `View ${i}`);
    expect(many.saved).toHaveLength(MAX_VIEWS);
    expect(many.saved.at(-1)?.name).toBe('View 24');
  });

  it('are read back, and what cannot be read is left out', () => {
    const kept = withView(toggled(EMPTY, 'trades'), 'Mine');
    expect(readViews(writeViews(kept))).toEqual(kept);
    for (const text of [null, '', '{', '7', 'null', '[]', '{"columns":3,"saved":{}}'])
      expect(readViews(text)).toEqual(EMPTY);
    const messy = {
      columns: ['nonsense', 'trades'],
      saved: [7, null, { name: 'A' }, { name: 'B', columns: ['n', 'x'] }],
      hasOtherFill: true,
    };
    expect(readViews(JSON.stringify(messy))).toEqual({
      columns: ['trades'],
      saved: [{ name: 'B', columns: ['n'] }],
    });
  });

  it('show the columns of the other fill until somebody hides them, also where a selection was kept before there were any', () => {
    const other = 'other_fill_sharpe_ratio';
    expect(DEFAULT_COLUMNS).toContain(other);
    const before = readViews(JSON.stringify({ columns: ['sharpe_ratio'], saved: [] }));
    expect(before.columns.filter((name) => !name.startsWith('other_fill_'))).toEqual(['sharpe_ratio']);
    expect(before.columns).toContain(other);
    expect(readViews(writeViews(toggled(before, other))).columns).not.toContain(other);
  });
});
