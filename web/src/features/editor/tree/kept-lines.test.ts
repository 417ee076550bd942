import { describe, expect, it } from 'vitest';
import type { Row } from '../model/rows.ts';
import { withKept } from './kept-lines.ts';

const rows = (keys: string): Row[] => [...keys].map((key) => ({ kind: 'block', key }) as Row);
const NOTHING = { lines: [], inSight: new Set<string>() };

/** The lines in order, those out of sight in brackets. */
const shown = ({ lines, inSight }: ReturnType<typeof withKept>): string =>
  lines.map(({ key }) => (inSight.has(key) ? key : `(${key})`)).join('');

describe('lines that an edit takes out of sight', () => {
  const open = withKept(NOTHING, rows('abcde'), true);
  it('stay hidden behind the line that they stood behind, and come back in their place', () => {
    const closed = withKept(open, rows('adefg'), true);
    expect(shown(closed)).toBe('a(b)(c)defg');
    expect(shown(withKept(closed, rows('abcde'), true))).toBe('abcde(f)(g)');
  });
  it('are not kept by scrolling, which lets those be that are hidden already', () => {
    expect(shown(withKept(open, rows('defgh'), false))).toBe('defgh');
    const closed = withKept(open, rows('ade'), true);
    expect(shown(withKept(closed, rows('def'), false))).toBe('(b)(c)def');
  });
  it('are kept up to a number, the latest first', () => {
    const many = rows(Array.from({ length: 60 }, (_, index) => String.fromCharCode(0x4e00 + index)).join(''));
    const gone = withKept(withKept(NOTHING, many, true), rows('a'), true);
    expect(gone.lines).toHaveLength(1 + 48);
    const next = withKept(gone, rows('z'), true);
    expect(next.lines).toHaveLength(1 + 48);
    expect(next.lines.map(({ key }) => key)).toContain('a');
  });
});
