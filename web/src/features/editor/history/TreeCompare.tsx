import { diffStrategies, type StrategyChange } from '@quantloom/domain/strategy/diff';
import { weightText } from '@quantloom/domain/strategy/field-changes';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { useMemo } from 'react';
import { plural } from '../../../lib/format.ts';
import { cx } from '../../../ui/classes.ts';
import { ScrollRegion } from '../../../ui/ScrollRegion.tsx';
import { expandAll, type Row, visibleRows } from '../model/rows.ts';
import { blockWords, conditionWords, groupWords, kindWords, rebalancingWords } from '../model/words.ts';
import { railOf } from '../tree/BlockLine.tsx';
import { ChangeText, type Jump } from './ChangeText.tsx';

type Mark = StrategyChange['kind'];

const MARKS: Readonly<Record<Mark, { readonly sign: string; readonly className: string }>> = {
  added: { sign: '+', className: 'bg-brand-soft' },
  removed: { sign: '−', className: 'bg-danger-soft' },
  changed: { sign: '≠', className: 'bg-warning-soft' },
  moved: { sign: '↕', className: 'bg-warning-soft' },
};

/** Two versions of a strategy side by side, what differs marked in both and told in sentences above. */
export function TreeCompare({
  before,
  after,
  beforeLabel,
  afterLabel,
  jump,
}: {
  before: Algorithm;
  after: Algorithm;
  beforeLabel: string;
  afterLabel: string;
  /** The way from a difference to its block in the editor. */
  jump?: Jump;
}) {
  const changes = useMemo(() => diffStrategies(before, after), [before, after]);
  const marks = useMemo(() => new Map(changes.map(({ nodeId, kind }) => [nodeId, kind])), [changes]);
  return (
    <div className="flex flex-col gap-3">
      {changes.length === 0 && <p className="text-sm font-medium">No differences in the blocks</p>}
      <details open={changes.length <= 6} hidden={changes.length === 0} className="text-sm">
        <summary className="font-medium">{plural(changes.length, 'difference')}</summary>
        <ul className="mt-1 flex list-disc flex-col gap-0.5 pl-5">
          {changes.map(({ nodeId, text }) => (
            <li key={nodeId + text}>
              <ChangeText text={text} onJump={jump?.(nodeId) ?? null} />
            </li>
          ))}
        </ul>
      </details>
      <div className="grid gap-3 md:grid-cols-2">
        <Outline algorithm={before} label={beforeLabel} marks={marks} />
        <Outline algorithm={after} label={afterLabel} marks={marks} />
      </div>
    </div>
  );
}

/** A tree to read: every line in sight, marked where it differs. */
function Outline({
  algorithm,
  label,
  marks,
}: {
  algorithm: Algorithm;
  label: string;
  marks: ReadonlyMap<string, Mark>;
}) {
  const rows = useMemo(
    () => visibleRows(expandAll(algorithm)).filter((row) => row.kind !== 'add'),
    [algorithm],
  );
  const wholes = useMemo(() => wholesOf(algorithm, marks), [algorithm, marks]);
  return (
    <section aria-label={label} className="min-w-0 rounded border border-line">
      <h3 className="border-b border-line px-3 py-1.5 text-sm font-medium">{label}</h3>
      <ScrollRegion label={`Lines: ${label.split(':')[0]}`} className="max-h-[50dvh] overflow-auto">
        <ul className="py-1 text-sm">
          {rows.map((row) => {
            const mark = row.kind === 'lane' ? undefined : marks.get(row.key);
            const tint = mark ?? wholes.get(row.node.id);
            return (
              <li
                key={row.key}
                className={cx(
                  'flex min-h-7 items-center gap-2 whitespace-nowrap pr-2 [content-visibility:auto]',
                  tint && MARKS[tint].className,
                )}
                style={{ paddingLeft: row.depth * 14 + 4 }}
              >
                <span aria-hidden className="w-3 shrink-0 text-center font-mono">
                  {mark ? MARKS[mark].sign : ''}
                </span>
                {mark && <span className="sr-only">{mark}: </span>}
                <span
                  className={cx(
                    'border-l-3 pl-2',
                    row.kind === 'block' ? railOf(row.node.node_type) : 'border-kind-if',
                  )}
                >
                  {wordsOf(row)}
                </span>
                {row.kind === 'block' && row.parent?.node_type === 'wt-cash-specified' && (
                  <span className="num ml-auto text-muted">{weightText(row.node.weight)}</span>
                )}
              </li>
            );
          })}
        </ul>
      </ScrollRegion>
    </section>
  );
}

/** Everything that came or went, with all that is inside it: a block that is added brings its own. */
function wholesOf(algorithm: Algorithm, marks: ReadonlyMap<string, Mark>): ReadonlyMap<string, Mark> {
  const wholes = new Map<string, Mark>();
  for (const { node, parent } of nodesOf(algorithm)) {
    const mark = marks.get(node.id) ?? (parent ? wholes.get(parent.id) : undefined);
    if (mark === 'added' || mark === 'removed') wholes.set(node.id, mark);
  }
  return wholes;
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
  return node.node_type === 'asset' || node.node_type === 'group' || node.node_type === 'filter'
    ? blockWords(node)
    : kindWords(node);
}
