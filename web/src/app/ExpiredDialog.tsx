import { useSession } from '../lib/auth/session.ts';
import { signInSentence } from '../lib/auth/sign-in-errors.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/** The session was lost while the page is in use: signs in again in a popup, so that unsaved work stays. */
export default function ExpiredDialog() {
  const { error, login, leave } = useSession();
  return (
    <Dialog
      open
      size="sm"
      title="You have been signed out"
      description="What is on this page stays, but cannot be saved until you sign in again."
      footer={
        <>
          <Button variant="ghost" onClick={leave}>
            Leave this page
          </Button>
          <Button variant="primary" onClick={() => void login({ popup: true })}>
            Sign in again
          </Button>
        </>
      }
    >
      {error && (
        <div role="alert" className="flex flex-col items-start gap-2 rounded bg-danger-soft px-3 py-2">
          <p className="text-danger">{signInSentence(error)}</p>
          <p>Without a window of its own, signing in gives up what is not saved here.</p>
          <Button size="sm" onClick={() => void login()}>
            Sign in on this page
          </Button>
        </div>
      )}
    </Dialog>
  );
}
