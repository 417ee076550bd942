import { getStorage } from '@quantloom/domain/contracts/http/calls';
import type { Storage } from '@quantloom/domain/contracts/http/storage';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { cx } from '../../ui/classes.ts';
import { ErrorState, Skeleton } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';

const MEGABYTE = 1024 * 1024;
/** From this part on the bar warns. */
const NEARLY_FULL = 0.9;

/** Bytes in MB, as exact as somebody who makes room needs it. */
export function megabytes(bytes: number): string {
  const value = bytes / MEGABYTE;
  const decimals = value === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  if (bytes > 0 && value < 0.01) return 'less than 0.01 MB';
  return `${value.toLocaleString('en-US', { maximumFractionDigits: decimals })} MB`;
}

/** How much of his plan's room the user takes. */
export function StoragePanel() {
  const { data, error, refetch } = useQuery({
    queryKey: ['storage'],
    queryFn: async ({ signal }) => await api().call(getStorage, { signal }),
  });
  return (
    <Panel title="Storage">
      {error && !data ? (
        <ErrorState title="Storage could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Room {...data} />
      ) : (
        <Skeleton className="h-12" />
      )}
    </Panel>
  );
}

function Room({ used_bytes: usedBytes, limit_bytes: limitBytes }: Storage) {
  const part = Math.min(1, usedBytes / limitBytes);
  const words = `${megabytes(usedBytes)} of ${megabytes(limitBytes)}`;
  return (
    <div className="flex flex-col gap-2">
      <p className="num">
        {words}
        {part >= NEARLY_FULL && <strong> – nearly full</strong>}
      </p>
      <meter aria-label="Storage used" min={0} max={1} value={part} className="sr-only">
        {words}
      </meter>
      <div aria-hidden="true" className="h-1.5 w-full overflow-hidden rounded-full bg-sunken">
        <div
          className={cx('h-full rounded-full', part >= NEARLY_FULL ? 'bg-warning' : 'bg-brand')}
          style={{ width: `${part * 100}%` }}
        />
      </div>
      <p className="text-muted">
        Trading bots, variable lists and batch tests with all of their revisions. Deleting what you no longer
        need gives its room back.
      </p>
    </div>
  );
}
