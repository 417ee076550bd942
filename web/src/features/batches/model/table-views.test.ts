import { afterEach, describe, expect, it, vi } from 'vitest';
import { columnHeader, columnWidth, columnWords } from './columns.ts';
import {
  CHOICES,
  DEFAULT_COLUMNS,
  keptText,
  listedColumns,
  moved,
  readKept,
  rememberColumns,
  rememberedColumns,
  shownColumns,
  toggled,
  withoutIdleVariables,
  withSorted,
} from './table-views.ts';

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
    expect(columnHeader('alpha', false)).toBe('Alpha a Year');
    // Beside columns of the days before and after the date it would pass for one of the former.
    expect(columnHeader('alpha', true)).toBe('Alpha a Year, Whole Period');
  });

  it('have different names', () => {
    expect(new Set(CHOICES.map((name) => columnWords(name).label)).size).toBe(CHOICES.length);
  });

  it('are as wide as the longest value of a variable', () => {
    expect(columnWidth('$A', ['SHARES:IWM', 'SPY'])).toBeGreaterThanOrEqual(10 * 9 + 40);
    expect(columnWidth('$A', ['SPY'])).toBeLessThan(columnWidth('$A', ['SHARES:IWM']));
  });
});

describe('which columns the result table shows', () => {
  const AVAILABLE = ['combination', 'start_date', 'end_date', '$W', '$A', ...CHOICES.slice(2)];

  it('are the chosen ones in their order, and variables behind the dates unless they are placed', () => {
    expect(shownColumns(['start_date', 'sharpe_ratio', 'n'], AVAILABLE)).toEqual([
      'start_date',
      '$W',
      '$A',
      'sharpe_ratio',
      'n',
    ]);
    expect(shownColumns(['sharpe_ratio', '$A', 'end_date'], AVAILABLE)).toEqual([
      '$W',
      'sharpe_ratio',
      '$A',
      'end_date',
    ]);
    expect(shownColumns(['$ELSEWHERE', 'n'], AVAILABLE)).toEqual(['$W', '$A', 'n']);
    expect(shownColumns([], AVAILABLE)).toEqual(['$W', '$A']);
  });

  it('are the variables behind the dates where nothing but dates is chosen', () => {
    expect(shownColumns(['start_date', 'end_date'], AVAILABLE)).toEqual([
      'start_date',
      'end_date',
      '$W',
      '$A',
    ]);
  });

  it('have the one that is sorted by among them, where it would come', () => {
    expect(withSorted(['$W', 'n'], 'n', AVAILABLE)).toEqual(['$W', 'n']);
    expect(withSorted(['$W', 'n'], 'start_date', AVAILABLE)).toEqual(['start_date', '$W', 'n']);
    expect(withSorted(['$W', 'cumulative_return', 'n'], 'sharpe_ratio', AVAILABLE)).toEqual([
      '$W',
      'cumulative_return',
      'sharpe_ratio',
      'n',
    ]);
    expect(withSorted(['$W'], 'not_there', AVAILABLE)).toEqual(['$W']);
  });

  it('are listed with those that are not shown, each once', () => {
    const listing = listedColumns(['sharpe_ratio', 'start_date'], AVAILABLE);
    expect(listing.toSorted()).toEqual(AVAILABLE.filter((name) => name !== 'combination').toSorted());
    expect(listing.filter((name) => ['sharpe_ratio', 'start_date'].includes(name))).toEqual([
      'sharpe_ratio',
      'start_date',
    ]);
    expect(listedColumns(DEFAULT_COLUMNS, AVAILABLE)).toEqual(AVAILABLE.slice(1));
  });

  it('are one more or less by a press, in the place of the list', () => {
    const listing = listedColumns(DEFAULT_COLUMNS, AVAILABLE);
    const more = toggled(DEFAULT_COLUMNS, 'trades', listing);
    expect(more).toEqual([...DEFAULT_COLUMNS, 'trades']);
    expect(toggled(more, 'trades', listing)).toEqual(DEFAULT_COLUMNS);
    expect(toggled(toggled(DEFAULT_COLUMNS, 'start_date', listing), 'start_date', listing)).toEqual(
      DEFAULT_COLUMNS,
    );
    expect(toggled(['n', 'sharpe_ratio'], 'trades', ['n', 'trades', 'sharpe_ratio'])).toEqual([
      'n',
      'trades',
      'sharpe_ratio',
    ]);
  });

  it('are moved by one place, variables too, and not beyond the ends', () => {
    const two = ['sharpe_ratio', 'n'];
    expect(moved(two, 'n', -1, AVAILABLE)).toEqual(['n', 'sharpe_ratio']);
    expect(moved(two, 'sharpe_ratio', -1, AVAILABLE)).toEqual(['$W', 'sharpe_ratio', '$A', 'n']);
    expect(moved(['$W', 'sharpe_ratio', '$A', 'n'], '$A', -1, AVAILABLE)).toEqual(two);
    expect(moved(two, '$W', -1, AVAILABLE)).toEqual(two);
    expect(moved(two, 'n', 1, AVAILABLE)).toEqual(two);
    expect(moved(['sharpe_ratio', '$ELSEWHERE', 'n'], 'n', -1, AVAILABLE)).toEqual([
      'n',
      'sharpe_ratio',
      '$ELSEWHERE',
    ]);
    expect(withoutIdleVariables(['$W', '$A', 'n'], AVAILABLE)).toEqual(['n']);
  });

  it('are read back from the browser, and what cannot be read is left out', () => {
    const kept = { columns: ['trades', 'n'], saved: [{ name: 'Mine', columns: ['n'] }] };
    expect(readKept(keptText(kept))).toEqual(kept);
    for (const text of [null, '', '{', '7', 'null', '[]', '{"columns":3,"saved":{}}'])
      expect(readKept(text)).toEqual({ columns: DEFAULT_COLUMNS, saved: [] });
    const messy = {
      columns: ['nonsense', 'trades', '$W', 'trades'],
      saved: [7, null, { name: 'A' }, { name: 'B', columns: ['n', 'x'] }],
      hasOtherFill: true,
    };
    expect(readKept(JSON.stringify(messy))).toEqual({
      columns: ['trades', '$W'],
      saved: [{ name: 'B', columns: ['n'] }],
    });
  });

  it('show the columns of the other fill until somebody hides them, also where a selection was kept before there were any', () => {
    const other = 'other_fill_sharpe_ratio';
    expect(DEFAULT_COLUMNS).toContain(other);
    const before = readKept(JSON.stringify({ columns: ['sharpe_ratio'], saved: [] }));
    expect(before.columns.filter((name) => !name.startsWith('other_fill_'))).toEqual(['sharpe_ratio']);
    expect(before.columns).toContain(other);
    const less = toggled(before.columns, other, CHOICES);
    expect(readKept(keptText({ ...before, columns: less })).columns).not.toContain(other);
  });
});

describe('the columns that this browser remembers', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
    rememberColumns(DEFAULT_COLUMNS);
  });

  it('are those that another tab has chosen last', () => {
    rememberColumns(['trades']);
    expect(rememberedColumns()).toEqual(['trades']);
    localStorage.setItem('result-table-views', keptText({ columns: ['alpha'], saved: [] }));
    expect(rememberedColumns()).toEqual(['alpha']);
    rememberColumns(['trades']);
    expect(rememberedColumns()).toEqual(['trades']);
  });

  it('hold for as long as the page lives where nothing can be stored', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => keptText({ columns: ['trades'], saved: [] }),
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    rememberColumns(['alpha']);
    expect(rememberedColumns()).toEqual(['alpha']);
  });
});
