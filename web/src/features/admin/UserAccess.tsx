import type { AdminUser } from '@quantloom/domain/contracts/http/admin-users';
import { assistUser, setUserAccess, setUserDeletion } from '@quantloom/domain/contracts/http/calls';
import type { Assistance } from '@quantloom/domain/ports/identity';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { formatDate } from '../../lib/format.ts';
import { isOwnIssuer } from '../../lib/own-issuer.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { toast } from '../../ui/toast.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';

interface Act {
  readonly button: string;
  readonly title: string;
  readonly verb: string;
  readonly text: string;
  readonly done: string;
  readonly isDangerous?: boolean;
  readonly run: (id: string, reason: string) => Promise<unknown>;
}

const assist = (act: Assistance) => (id: string, reason: string) =>
  api().call(assistUser, { params: { id }, body: { act, reason } });
const setAccess = (disabled: boolean) => (id: string, reason: string) =>
  api().call(setUserAccess, { params: { id }, body: { disabled, reason } });
const setDeletion = (deleted: boolean) => (id: string, reason: string) =>
  api().call(setUserDeletion, { params: { id }, body: { deleted, reason } });

const DISABLE: Act = {
  button: 'Disable account',
  title: 'Disable this account?',
  verb: 'Disable',
  text: 'Within a minute, neither the person nor their API clients get in any more. Nothing in the account is lost.',
  done: 'Account disabled',
  isDangerous: true,
  run: setAccess(true),
};
const ENABLE: Act = {
  button: 'Enable account',
  title: 'Enable this account?',
  verb: 'Enable',
  text: 'The person and their API clients get in again, with everything as it was.',
  done: 'Account enabled',
  run: setAccess(false),
};
const DELETE: Act = {
  button: 'Delete account',
  title: 'Delete this account?',
  verb: 'Delete in seven days',
  text: 'In seven days the account and everything in it are erased for good. Until then you or the person can keep it.',
  done: 'The account is deleted in seven days',
  isDangerous: true,
  run: setDeletion(true),
};
const KEEP: Act = {
  button: 'Keep account',
  title: 'Keep this account?',
  verb: 'Keep',
  text: 'It is not deleted, and stays as it is.',
  done: 'The account stays',
  run: setDeletion(false),
};
const SIGN_IN_ACTS: readonly Act[] = [
  {
    button: 'Sign out',
    title: 'Sign this person out everywhere?',
    verb: 'Sign out',
    text: 'All sessions end within a minute, on every device. API clients go on.',
    done: 'Signed out everywhere',
    run: assist('sign_out'),
  },
  {
    button: 'Send password link',
    title: 'Send a link for a new password?',
    verb: 'Send',
    text:
      'It goes to the address of the account, and works once and for an hour. The present password ' +
      'stays until then.',
    done: 'The link is on its way',
    run: assist('send_reset'),
  },
  {
    button: 'Unlock',
    title: 'Unlock this account?',
    verb: 'Unlock',
    text: 'Failed attempts to sign in are forgotten, wherever they came from.',
    done: 'Account unlocked',
    run: assist('unlock'),
  },
];
const REMOVE_FACTORS: Act = {
  button: 'Remove passkeys and codes',
  title: 'Remove all passkeys and codes?',
  verb: 'Remove',
  text:
    'For somebody who has lost their phone, or whose account was taken over: the password alone is ' +
    'asked for afterwards. All sessions end, and a mail tells the person. Be sure who it is that ' +
    'asks.',
  done: 'Passkeys and codes removed',
  isDangerous: true,
  run: assist('remove_factors'),
};

/** Whether somebody may get in at all, and help with getting in; every act asks for its reason. */
export function UserAccess({ user }: { user: AdminUser }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Act | null>(null);
  const isAdministrator = user.features.includes('web.admin.view');
  const acts = [
    ...(isOwnIssuer() ? SIGN_IN_ACTS : []),
    ...(isOwnIssuer() && !isAdministrator ? [REMOVE_FACTORS] : []),
    ...(user.disabled ? [ENABLE] : isAdministrator ? [] : [DISABLE]),
    ...(user.erase_at !== null ? [KEEP] : isAdministrator ? [] : [DELETE]),
  ];
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-center gap-2">
        {user.disabled ? <Badge color="red">Disabled</Badge> : <span>Enabled</span>}
        {user.erase_at !== null && <Badge color="orange">To be deleted on {formatDate(user.erase_at)}</Badge>}
        {isAdministrator && (
          <span className="text-muted">Administrator; cannot be disabled or deleted as such</span>
        )}
      </p>
      <div className="flex flex-wrap gap-2">
        {acts.map((act) => (
          <Button
            key={act.button}
            size="sm"
            variant={act.isDangerous ? 'danger' : 'secondary'}
            onClick={() => setAsked(act)}
          >
            {act.button}
          </Button>
        ))}
      </div>
      {asked && (
        <ReasonDialog
          key={asked.button}
          title={asked.title}
          of={user.email}
          verb={asked.verb}
          isDangerous={asked.isDangerous ?? false}
          onClose={() => setAsked(null)}
          onConfirm={async (reason) => {
            await asked.run(user.id, reason);
            toast.success(asked.done);
            void queries.invalidateQueries({ queryKey: ['admin'] });
          }}
        >
          {asked.text}
        </ReasonDialog>
      )}
    </div>
  );
}
