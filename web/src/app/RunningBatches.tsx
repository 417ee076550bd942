import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useFeature } from '../lib/auth/session.ts';
import { plural } from '../lib/format.ts';
import { isRunning, openBatches } from '../lib/resources.ts';
import { ProgressRing } from '../ui/feedback.tsx';
import { Tooltip } from '../ui/Tooltip.tsx';
import { toast } from '../ui/toast.tsx';

/** A ring in the bar while batches run, and a toast when one has finished, wherever the user is. */
export function RunningBatches() {
  const isEnabled = useFeature('web.batch-backtests.create');
  const { data } = useQuery({
    ...openBatches,
    enabled: isEnabled,
    refetchInterval: (query) => (query.state.data?.some(isRunning) ? 2_000 : 60_000),
  });
  const before = useRef<ReadonlyMap<string, string> | null>(null);
  useEffect(() => {
    if (data === undefined) return;
    for (const batch of data) {
      const old = before.current?.get(batch.id);
      if (old === undefined || old === batch.status || isRunning(batch)) continue;
      const open = { label: 'Open', onSelect: () => window.open(`/batch-backtests/${batch.id}`, '_self') };
      if (window.location.pathname === `/batch-backtests/${batch.id}`) continue;
      if (batch.status === 'Finished') toast.success(`${batch.name} has finished`, { action: open });
      else if (batch.status === 'Error') toast.error(`${batch.name} has failed`, { action: open });
    }
    before.current = new Map(data.map((batch) => [batch.id, batch.status ?? '']));
  }, [data]);

  const running = data?.filter(isRunning) ?? [];
  if (running.length === 0) return null;
  const known = running.flatMap((batch) => (batch.progress === null ? [] : [batch.progress]));
  const progress = known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
  const text =
    `${plural(running.length, 'batch', 'batches')} ` +
    `running${progress === null ? '' : `, ${Math.round(progress)}% done`}`;
  const only = running.length === 1 ? running[0] : undefined;
  return (
    <Tooltip content={only ? `${only.name}: ${text}` : text}>
      <Link
        to={only ? `/batch-backtests/${only.id}` : '/batch-backtests'}
        className="flex size-8 items-center justify-center rounded hover:bg-hover"
      >
        <ProgressRing value={progress} label={text} />
      </Link>
    </Tooltip>
  );
}
