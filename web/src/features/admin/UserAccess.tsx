import type { AdminUser } from '@quantloom/domain/contracts/http/admin-users';
import { setUserAccess } from '@quantloom/domain/contracts/http/calls';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, messageOf } from '../../lib/api.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/text-inputs.tsx';
import { toast } from '../../ui/toast.tsx';

/** Whether somebody may get in at all; asks for the reason of a change. */
export function UserAccess({ user }: { user: AdminUser }) {
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const change = useMutation({
    mutationFn: (body: { disabled: boolean; reason: string }) =>
      api().call(setUserAccess, { params: { id: user.id }, body }),
    onSuccess: ({ disabled }) => {
      setOpen(false);
      toast.success(disabled ? 'Account disabled' : 'Account enabled');
      void queries.invalidateQueries({ queryKey: ['admin'] });
    },
  });
  const verb = user.disabled ? 'Enable' : 'Disable';
  if (!user.disabled && user.features.includes('web.admin.view'))
    return <span className="text-muted">Administrator; cannot be disabled</span>;
  return (
    <div className="flex flex-wrap items-center gap-3">
      {user.disabled ? <Badge color="red">Disabled</Badge> : <span>Enabled</span>}
      <Button
        size="sm"
        variant={user.disabled ? 'secondary' : 'danger'}
        onClick={() => {
          setReason('');
          change.reset();
          setOpen(true);
        }}
      >
        {verb} account
      </Button>
      <Dialog
        open={isOpen}
        onOpenChange={setOpen}
        size="sm"
        title={`${verb} this account?`}
        description={user.email}
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button
              variant={user.disabled ? 'primary' : 'danger'}
              type="submit"
              form="access-reason"
              isBusy={change.isPending}
              disabled={reason.trim() === ''}
            >
              {verb}
            </Button>
          </>
        }
      >
        <form
          id="access-reason"
          className="flex flex-col gap-3"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ disabled: !user.disabled, reason: reason.trim() });
          }}
        >
          <p>
            {user.disabled
              ? 'The person and his API clients get in again, with everything as it was.'
              : 'Within a minute, neither the person nor his API clients get in any more. Nothing in the account is lost.'}
          </p>
          <TextField
            label="Reason"
            hint="Kept in the user's history with your name."
            required
            maxLength={500}
            value={reason}
            onChange={setReason}
            error={change.error ? messageOf(change.error) : null}
          />
        </form>
      </Dialog>
    </div>
  );
}
