import type { BatchDetail } from '@quantloom/domain/contracts/http/batches';
import type { OutOfSample } from '@quantloom/domain/contracts/http/out-of-sample';
import { useQuery } from '@tanstack/react-query';
import { Lock, LockOpen } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { formatDate, formatDateTime, plural } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { ConfirmDialog } from '../../../ui/Dialog.tsx';
import { openLockedPart, outOfSampleQuery } from '../model/batch-api.ts';
import { holdOutText } from '../model/hold-out-text.ts';

/** What is locked away, what was known of it before, and the click that opens it. */
export function OutOfSampleLock({
  batch,
  part: { date, opened },
}: {
  batch: BatchDetail;
  part: NonNullable<BatchDetail['out_of_sample']>;
}) {
  const [isAsking, setAsking] = useState(false);
  const known = useQuery(outOfSampleQuery(batch.id));
  const from = formatDate(date);
  const Icon = opened ? LockOpen : Lock;
  return (
    <section
      aria-label="Out of sample"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded border border-line px-3 py-2 text-sm"
    >
      <Icon size={16} aria-hidden className="shrink-0 text-muted max-md:hidden" />
      <div className="min-w-0 flex-1 basis-72">
        <p>
          {opened
            ? `The days from ${from} on were opened on ${formatDateTime(opened.at)} by ` +
              `${opened.by_you ? 'you' : 'the owner'}. Rows are still ranked on the days before; ` +
              'what came after stands beside.'
            : `Rows are ranked on the days before ${from}. What they did from then on is locked ` +
              'away: no ranking, filter, picture or file knows it.'}
        </p>
        {batch.hold_out && <p className="text-muted">{holdOutText(batch.hold_out, date)}</p>}
        {known.data && <Before known={known.data} isSaved={batch.provenance.strategy_id !== null} />}
      </div>
      {!opened && batch.is_owner && (
        <Button size="sm" onClick={() => setAsking(true)}>
          Open it once
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Open the out-of-sample part?"
        confirmLabel="Open"
        cancelLabel="Keep it locked"
        isDangerous={false}
        onConfirm={() => openLockedPart(batch.id)}
      >
        Decide first which row you would trade. The days from {from} on can test that choice once: whatever is
        chosen afterwards, is chosen knowing them. That they were opened now, by you, stays in the log.
      </ConfirmDialog>
    </section>
  );
}

/** Whether the date was chosen before its future was known. */
function Before({
  known: { ranked_whole: isWhole, seen_before: seen },
  isSaved,
}: {
  known: OutOfSample;
  /** Of a template that was never saved only batches of exactly this tree are known. */
  isSaved: boolean;
}) {
  if (isWhole)
    return (
      <p className="text-warning">
        This batch was ranked over its whole period when it finished, as all were then: these days are no test
        of it any more.
      </p>
    );
  if (seen.count === 0 && !isSaved)
    return (
      <p className="text-warning">
        No batch of exactly this tree had ranked those days. But the template was never saved: any edit makes
        it another tree, to which all days are new, so that nobody can tell whether a version of it has seen
        them. Save it as a strategy first, and every later edit and clone counts as well.
      </p>
    );
  if (seen.count === 0)
    return <p className="text-muted">Chosen before any batch of this strategy had ranked those days.</p>;
  const others = seen.count - seen.batches.length;
  return (
    <p className="text-warning">
      Those days were ranked before this batch was made, by{' '}
      {seen.batches.map(({ id, name, at }, i) => (
        <span key={id}>
          {i > 0 && ', '}
          <Link to={`/batch-backtests/${id}`} className="underline">
            {name}
          </Link>{' '}
          ({formatDateTime(at)})
        </span>
      ))}
      {others > 0 &&
        `${seen.batches.length > 0 ? ' and ' : ''}${plural(others, seen.batches.length > 0 ? 'more batch' : 'batch', seen.batches.length > 0 ? 'more batches' : 'batches')} ` +
          'of this lineage'}
      : they are a weak test at best.
    </p>
  );
}
