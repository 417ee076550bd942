import { listParkedEvents, replayParkedEvent } from '@quantloom/domain/contracts/http/calls';
import type { AnswerOf } from '@quantloom/domain/contracts/http/route';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { api, messageOf } from '../../lib/api.ts';
import { formatDateTime, plural } from '../../lib/format.ts';
import { pause } from '../../lib/pause.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { CodeBlock } from '../../ui/CodeBlock.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../ui/feedback.tsx';
import { PageHeader } from '../../ui/Page.tsx';
import { Table } from '../../ui/Table.tsx';
import { toast } from '../../ui/toast.tsx';

type Parked = AnswerOf<typeof listParkedEvents>[number];
const KEY = ['admin', 'parked-events'];
/** The projection takes a replay from the log: usually within a second, later when it has much to do. */
const WATCH_MS = 10_000;
const LOOK_EVERY_MS = 400;

const parkedEvents = (signal?: AbortSignal) =>
  api().call(listParkedEvents, { ...(signal && { signal }), query: { limit: 1000 } });

/** Asks for a replay and follows it: `null` when the event has been applied, else why it is still parked. */
async function replayAndWatch(parked: Parked): Promise<{ isWaiting: boolean; reason: string } | null> {
  await api().call(replayParkedEvent, { params: { id: parked.id } });
  const until = Date.now() + WATCH_MS;
  while (Date.now() < until) {
    const now = (await parkedEvents()).find(({ id }) => id === parked.id);
    if (!now) return null;
    if (now.attempts > parked.attempts) return { isWaiting: false, reason: now.reason };
    await pause(LOOK_EVERY_MS);
  }
  return { isWaiting: true, reason: parked.reason };
}

/** Events that a projection could not apply. Its other streams go on; these wait here until somebody replays them. */
export default function ParkedEventsPage() {
  const queries = useQueryClient();
  const [shown, setShown] = useState<Parked | null>(null);
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => parkedEvents(signal),
  });
  const replay = useMutation({
    mutationFn: replayAndWatch,
    onSuccess: (outcome, { event }) => {
      if (outcome === null) toast.success('Event applied', { description: event });
      else if (outcome.isWaiting)
        toast.info('Replay requested', {
          description: 'The event leaves this list once it has been applied.',
        });
      else toast.error('The event failed again', { description: outcome.reason, timeout: 10_000 });
    },
    onError: (reason) => toast.error('Replaying failed', { description: messageOf(reason) }),
    onSettled: () => void queries.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <div className="flex flex-col gap-4">
      <PageHeader
        title="Parked Events"
        description="Events that a projection could not apply. What follows them in the same stream waits with them."
        actions={data && <span className="num text-sm text-muted">{plural(data.length, 'event')}</span>}
      />
      {error && !data ? (
        <ErrorState title="Parked events could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Table
          label="Parked events"
          rows={data}
          rowId={(row) => row.id}
          onOpen={(row) => {
            setShown(row);
            setOpen(true);
          }}
          columns={[
            { id: 'event', header: 'Event', cell: (row) => <span className="font-medium">{row.event}</span> },
            {
              id: 'projection',
              header: 'Projection',
              className: 'max-sm:hidden',
              cell: (row) => <span className="font-mono text-sm">{row.projection}</span>,
            },
            {
              id: 'reason',
              header: 'Reason',
              className: 'w-full max-w-0 max-md:hidden',
              cell: (row) => (
                <span className="flex items-center gap-2">
                  {row.is_waiting && <Badge color="yellow">waiting</Badge>}
                  <span className="truncate" title={row.reason}>
                    {row.reason}
                  </span>
                </span>
              ),
            },
            {
              id: 'attempts',
              header: 'Tries',
              isNumeric: true,
              className: 'max-sm:hidden',
              cell: (row) => row.attempts,
            },
            {
              id: 'parked',
              header: 'Parked at',
              className: 'whitespace-nowrap max-sm:hidden',
              cell: (row) => formatDateTime(row.parked_at),
            },
            {
              id: 'actions',
              header: null,
              label: 'Actions',
              cell: (row) => (
                <span className="flex justify-end gap-1">
                  <Button
                    size="sm"
                    variant="ghost"
                    onClick={() => {
                      setShown(row);
                      setOpen(true);
                    }}
                  >
                    View
                  </Button>
                  <Button
                    size="sm"
                    icon={RotateCcw}
                    isBusy={replay.isPending && replay.variables.id === row.id}
                    onClick={() => replay.mutate(row)}
                  >
                    Replay
                  </Button>
                </span>
              ),
            },
          ]}
          empty={<EmptyState title="Nothing is parked">Every projection has applied every event.</EmptyState>}
        />
      ) : (
        <div className="rounded border border-line">
          <SkeletonRows columns={4} />
        </div>
      )}
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="lg"
        title={shown?.event ?? ''}
        description={shown?.reason}
      >
        {shown && (
          <div className="flex flex-col gap-3">
            <dl className="grid grid-cols-[7rem_1fr] gap-y-1">
              <dt className="text-muted">Stream</dt>
              <dd className="break-all font-mono text-sm">
                {shown.stream} at revision {shown.revision}
              </dd>
              <dt className="text-muted">Event id</dt>
              <dd className="break-all font-mono text-sm">{shown.event_id}</dd>
              <dt className="text-muted">Position</dt>
              <dd className="font-mono text-sm">{shown.position}</dd>
            </dl>
            {shown.stack && <CodeBlock label="Stack" code={shown.stack} />}
          </div>
        )}
      </Dialog>
    </div>
  );
}
