import type { FidelityItem, FidelityKind, FidelityReport } from '@quantloom/domain/exchange/fidelity-report';
import { useState } from 'react';
import { Badge, type BadgeColor } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/classes.ts';

const KINDS: Readonly<Record<FidelityKind, { readonly label: string; readonly color: BadgeColor }>> = {
  lost: { label: 'Lost', color: 'red' },
  guessed: { label: 'Guessed', color: 'yellow' },
  differs: { label: 'Computes differently', color: 'blue' },
  taken: { label: 'Taken as it is', color: 'green' },
};
const ORDER: readonly FidelityKind[] = ['lost', 'guessed', 'differs', 'taken'];
/** Lines shown at first. */
const SHOWN = 100;

/** What became of an imported strategy: counts on top, then every line with its place and its block. */
export function FidelityList({
  report,
  onBlock,
}: {
  report: FidelityReport;
  /** The way to a block of the tree beside it. */
  onBlock?: (id: string) => void;
}) {
  const [kind, setKind] = useState<FidelityKind | null>(null);
  const [isWhole, setWhole] = useState(false);
  const items = report.items.filter((item) => kind === null || item.kind === kind);
  const shown = isWhole ? items : items.slice(0, SHOWN);
  return (
    <section aria-label="What became of it" className="flex min-w-0 flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        {ORDER.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={kind === name}
            onClick={() => setKind(kind === name ? null : name)}
            className={cx(
              'flex items-center gap-1.5 rounded border px-2 py-1 text-sm hover:bg-hover',
              kind === name ? 'border-accent' : 'border-line',
            )}
          >
            <span className="num font-medium">{report.counts[name].toLocaleString('en-US')}</span>
            {KINDS[name].label.toLowerCase()}
          </button>
        ))}
      </div>
      {items.length === 0 && (
        <p className="text-sm text-muted">
          {kind === 'taken'
            ? 'Every block and condition counted here was taken letter for letter.'
            : 'Nothing of this kind.'}
        </p>
      )}
      <ul className="flex flex-col divide-y divide-line">
        {shown.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a report never change.
          <Line key={index} item={item} {...(onBlock && { onBlock })} />
        ))}
      </ul>
      {items.length > shown.length && (
        <Button size="sm" onClick={() => setWhole(true)}>
          Show all {items.length.toLocaleString('en-US')} lines
        </Button>
      )}
    </section>
  );
}

function Line({ item, onBlock }: { item: FidelityItem; onBlock?: (id: string) => void }) {
  const { block_id: blockId, times = 1 } = item;
  return (
    <li className="flex flex-col gap-1 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <Badge color={KINDS[item.kind].color}>{KINDS[item.kind].label}</Badge>
        <span className="break-all font-mono text-xs text-muted">
          {item.path === '' ? 'the whole strategy' : item.path}
        </span>
        {times > 1 && <span className="text-xs text-muted">and {times - 1} more</span>}
        {blockId !== null && onBlock && (
          <Button variant="link" size="sm" onClick={() => onBlock(blockId)}>
            Show the block
          </Button>
        )}
      </div>
      <p className="break-words">
        {item.said} → {item.became}
      </p>
      {item.effect !== '' && !item.effect.startsWith('None') && (
        <p className="break-words text-muted">What this may change: {item.effect}.</p>
      )}
    </li>
  );
}
