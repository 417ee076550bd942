import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useMemo, useRef } from 'react';
import { cx } from '../../../ui/classes.ts';
import { expandAll, type Row, visibleRows } from '../model/rows.ts';
import { blockWords, conditionWords, groupWords, kindWords, rebalancingWords } from '../model/words.ts';

const LINE = 28;

/** A tree to read, one line a block; only the lines in sight are in the page. */
export function Outline({
  algorithm,
  marked,
}: {
  algorithm: Algorithm;
  marked: { readonly id: string } | null;
}) {
  const rows = useMemo(
    () => visibleRows(expandAll(algorithm)).filter((row) => row.kind !== 'add'),
    [algorithm],
  );
  const box = useRef<HTMLElement>(null);
  const lines = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => LINE,
    overscan: 12,
  });
  useEffect(() => {
    const at =
      marked === null ? -1 : rows.findIndex((row) => row.kind !== 'lane' && row.node.id === marked.id);
    if (at >= 0) lines.scrollToIndex(at, { align: 'center' });
  }, [marked, rows, lines]);
  return (
    <section
      ref={box}
      aria-label="The strategy as it was read"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keys too.
      tabIndex={0}
      className="h-[min(28rem,50dvh)] min-w-0 overflow-auto rounded border border-line"
    >
      <ul className="relative" style={{ height: lines.getTotalSize() }}>
        {lines.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          return (
            <li
              key={row.key}
              className={cx(
                'absolute flex h-7 items-center whitespace-nowrap pr-3 text-sm',
                marked?.id === row.node.id && row.kind !== 'lane' && 'bg-warning-soft',
              )}
              style={{ top: start, paddingLeft: Math.min(row.depth, 40) * 12 + 8 }}
            >
              {wordsOf(row)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function wordsOf(row: Exclude<Row, { kind: 'add' }>): string {
  const lane = row.kind === 'block' && row.lane?.isFirst ? `${row.lane.name.toUpperCase()} ` : '';
  return lane + ownWordsOf(row);
}

function ownWordsOf(row: Exclude<Row, { kind: 'add' }>): string {
  if (row.kind === 'condition') return conditionWords(row.node);
  if (row.kind === 'condition-group') return groupWords(row.node);
  if (row.kind === 'lane') return row.lane.toUpperCase();
  const { node } = row;
  if (node.node_type === 'root') return `${node.name}, ${rebalancingWords(node)}`;
  if (node.node_type === 'asset')
    return node.ticker === '' ? `${node.name || 'Asset'}: no ticker` : `${node.ticker} ${node.name}`;
  return node.node_type === 'group' || node.node_type === 'filter' ? blockWords(node) : kindWords(node);
}
