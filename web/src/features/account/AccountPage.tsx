import { updateCurrentUser } from '@quantloom/domain/contracts/http/calls';
import { useMachine } from '@xstate/react';
import { useMemo } from 'react';
import { fromPromise } from 'xstate';
import { api, messageOf } from '../../lib/api.ts';
import { useCurrentUser, useSession } from '../../lib/auth/session.ts';
import { Button } from '../../ui/Button.tsx';
import { Panel } from '../../ui/Page.tsx';
import { TextField } from '../../ui/text-inputs.tsx';
import { AccountFrame } from './AccountFrame.tsx';
import { ArchivePanel } from './ArchivePanel.tsx';
import { DeletionPanel } from './DeletionPanel.tsx';
import { emailMachine } from './email.machine.ts';
import { SecurityPanel } from './SecurityPanel.tsx';
import { StoragePanel } from './StoragePanel.tsx';

/** The user's e-mail address, the room that is taken, and the way to what the issuer keeps. */
export default function AccountPage() {
  const user = useCurrentUser();
  const { logout } = useSession();
  const machine = useMemo(
    () =>
      emailMachine.provide({
        actors: {
          save: fromPromise(async ({ input }) => {
            try {
              return await api().call(updateCurrentUser, { body: { email: input.email } });
            } catch (error) {
              throw new Error(messageOf(error));
            }
          }),
        },
        actions: { logOut: () => void logout() },
      }),
    [logout],
  );
  const [state, send] = useMachine(machine, { input: { email: user.email } });
  const { email, failure } = state.context;
  const isSaved = state.matches('saved') || state.matches('loggedOut');
  return (
    <AccountFrame title="Account">
      <Panel>
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            send({ type: 'email.save' });
          }}
        >
          <TextField
            label="E-mail"
            type="email"
            required
            autoComplete="email"
            value={email}
            disabled={isSaved}
            onChange={(text) => send({ type: 'email.edit', email: text })}
            error={failure}
            hint="If you update your emaill, you will be logged out and will need to log in again."
          />
          <div className="flex items-center gap-3">
            <Button
              type="submit"
              variant="primary"
              isBusy={state.matches('saving')}
              disabled={isSaved || email.trim() === '' || email === user.email}
            >
              Save
            </Button>
            <span role="status" className="text-accent">
              {isSaved && 'Saved'}
            </span>
          </div>
        </form>
      </Panel>
      <StoragePanel />
      <SecurityPanel />
      <ArchivePanel />
      <DeletionPanel />
    </AccountFrame>
  );
}
