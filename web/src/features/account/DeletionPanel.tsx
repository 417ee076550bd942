import { getCurrentUser, requestDeletion, undoDeletion } from '@quantloom/domain/contracts/http/calls';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../lib/api.ts';
import { formatDate } from '../../lib/format.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { ErrorState, Skeleton } from '../../ui/feedback.tsx';
import { Panel } from '../../ui/Page.tsx';
import { toast } from '../../ui/toast.tsx';

const KEY = ['deletion'];

/** Deletes the account: says what will happen, and lets it be undone until then. */
export function DeletionPanel() {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }) => (await api().call(getCurrentUser, { signal })).erase_at,
  });
  /** When the account is to be erased; null: it stays. */
  const remember = ({ erase_at: eraseAt }: { readonly erase_at: string | null }) =>
    queries.setQueryData(KEY, eraseAt);
  const undo = useMutation({
    mutationFn: () => api().call(undoDeletion),
    onSuccess: (value) => {
      remember(value);
      toast.success('Your account stays');
    },
    onError: (failure) =>
      toast.error('The deletion could not be undone', { description: messageOf(failure) }),
  });
  const request = async () => remember(await api().call(requestDeletion));
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
