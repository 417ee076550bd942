import type { Estimate } from '@quantloom/domain/contracts/http/batches';
import { formatCount, formatDuration } from '../../../lib/format.ts';
import { cx } from '../../../ui/classes.ts';

export interface UsageFigures {
  readonly monthly_limit: number;
  readonly current_monthly_usage: number;
  readonly remaining: number;
  readonly remaining_after_backtests?: number;
}

/** The month's quota, and what the batch would leave of it. */
export function UsagePanel({ usage, estimate }: { usage: UsageFigures | null; estimate: Estimate | null }) {
  const after = estimate?.usage.remaining_after_backtests ?? usage?.remaining_after_backtests;
  return (
    <dl className="flex flex-col gap-1.5 text-sm" aria-label="Usage">
      <Line label="Monthly Limit" value={usage && formatCount(usage.monthly_limit)} />
      <Line label="Current Usage" value={usage && formatCount(usage.current_monthly_usage)} />
      <Line
        label="Current Balance"
        value={usage && formatCount(usage.remaining)}
        tone={usage && usage.remaining > 0}
      />
      <Line label="# of Backtests" value={estimate && formatCount(estimate.combinations)} />
      <Line
        label="Time Estimate"
        value={estimate && formatDuration(Math.max(1, Math.round(estimate.time_estimate.seconds)))}
      />
      <Line
        label="Remaining Balance"
        value={after === undefined ? null : formatCount(after)}
        tone={after === undefined ? null : after > 0}
      />
    </dl>
  );
}

function Line({ label, value, tone = null }: { label: string; value: string | null; tone?: boolean | null }) {
  return (
    <div className="flex justify-between gap-3">
      <dt className="text-muted">{label}</dt>
      <dd className={cx('num', tone === true && 'text-gain', tone === false && 'text-loss')}>
        {value ?? '--'}
      </dd>
    </div>
  );
}
