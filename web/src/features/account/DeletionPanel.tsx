import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callPath, messageOf } from '../../lib/api.ts';
import { formatDate } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { ErrorState, Skeleton } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.tsx';

const KEY = ['deletion'];

/** When the account is to be erased; null: it stays. */
function parseEraseAt(value: unknown): string | null {
  const { erase_at: eraseAt } = (value ?? {}) as Record<string, unknown>;
  return typeof eraseAt === 'string' && eraseAt !== '' ? eraseAt : null;
}

/** Deletes the account: says what will happen, and lets it be undone until then. */
export function DeletionPanel() {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => parseEraseAt(await callPath('GET', '/api/v1/users/me', { signal })),
  });
  const remember = (value: unknown) => queries.setQueryData(KEY, parseEraseAt(value));
  const undo = useMutation({
    mutationFn: () => callPath('DELETE', '/api/v1/users/me/deletion'),
    onSuccess: (value) => {
      remember(value);
      toast.success('Your account stays');
    },
    onError: (failure) =>
      toast.error('The deletion could not be undone', { description: messageOf(failure) }),
  });
  const request = async () => remember(await callPath('POST', '/api/v1/users/me/deletion', { body: {} }));
  return (
    <Panel title="Delete account">
      {error && data === undefined ? (
        <ErrorState title="This could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : isPending ? (
        <Skeleton className="h-12" />
      ) : data ? (
        <div className="flex flex-col items-start gap-3">
          <p role="status">
            Your account is erased on <strong>{formatDate(data)}</strong>. Until then everything works, and
            you can change your mind.
          </p>
          <Button variant="primary" isBusy={undo.isPending} onClick={() => undo.mutate()}>
            Keep my account
          </Button>
        </div>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <p className="text-muted">
            Strategies, variable lists, batches with their results, API clients and your address are erased
            after seven days. What others have cloned stays with them.
          </p>
          <Button variant="danger" onClick={() => setAsking(true)}>
            Delete my account
          </Button>
        </div>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Delete your account?"
        confirmLabel="Delete my account"
        isDangerous
        onConfirm={request}
      >
        Everything in your account is erased in seven days: strategies with their history, variable lists,
        batches with their results, API clients. You can change your mind until then; afterwards nobody can
        bring it back.
      </ConfirmDialog>
    </Panel>
  );
}
