import { conceptAddress } from '@quantloom/domain/contracts/metric-concepts';
import type { ReactNode } from 'react';
import { formatMetric, formatSignedPercent, type MetricSpec } from '../lib/format.ts';
import { cx } from './classes.ts';
import { Term } from './Tooltip.tsx';

/** A return with its sign, an arrow's worth of position, and a colour that is never the only clue. */
export function Change({ fraction, className }: { fraction: number | null | undefined; className?: string }) {
  const color =
    fraction == null || !Number.isFinite(fraction) || fraction === 0
      ? 'text-muted'
      : fraction > 0
        ? 'text-gain'
        : 'text-loss';
  return <span className={cx('num', color, className)}>{formatSignedPercent(fraction)}</span>;
}

/** Label (definition on hover and focus) and value of one metric. */
export function MetricLine({
  spec,
  value,
  second,
}: {
  spec: MetricSpec;
  value: number | null | undefined;
  second?: ReactNode;
}) {
  return (
    <div className="flex h-9 items-center justify-between gap-3">
      <span className="text-muted">
        <Term definition={spec.definition} href={conceptAddress(spec.key)}>
          {spec.label}
        </Term>
      </span>
      <span className="num font-medium">{formatMetric(spec, value)}</span>
      {second}
    </div>
  );
}

/** A figure that stands alone on a page. */
export function Stat({ label, value, note }: { label: ReactNode; value: ReactNode; note?: ReactNode }) {
  return (
    <div className="flex h-full flex-col gap-0.5 rounded border border-line p-4">
      <div className="text-sm text-muted">{label}</div>
      <div className="num text-xl font-semibold tracking-tight">{value}</div>
      {note && <div className="text-sm text-muted">{note}</div>}
    </div>
  );
}
