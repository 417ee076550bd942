import { ExternalLink } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { settleProof } from '../lib/proof.ts';
import { Button, buttonClass } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';

/** Where the issuer asks for the password, and for a code where the account has a second factor. */
const CONFIRMATION = '/u/account';

/** Leads to the issuer for a fresh password; what was refused goes on by itself when the person comes back. */
export default function ProofDialog() {
  const [isOnTheWay, setOnTheWay] = useState(false);
  const left = useRef(false);
  useEffect(() => {
    if (!isOnTheWay) return;
    const look = () => {
      if (document.visibilityState === 'hidden') left.current = true;
      else if (left.current) settleProof(true);
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [isOnTheWay]);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && settleProof(false)}
      size="sm"
      title="Confirm that it is you"
      footer={
        <>
          <Button onClick={() => settleProof(false)}>Cancel</Button>
          {isOnTheWay ? (
            <Button variant="primary" onClick={() => settleProof(true)}>
              I have confirmed it
            </Button>
          ) : (
            <a
              href={CONFIRMATION}
              target="_blank"
              rel="noopener"
              className={buttonClass('primary')}
              onClick={() => setOnTheWay(true)}
            >
              Enter password
              <ExternalLink size={14} aria-hidden />
            </a>
          )}
        </>
      }
    >
      <p>
        The password of this sign-in was given more than ten minutes ago. Enter it again in the page that
        opens, and come back: what you were about to do then goes on.
      </p>
    </Dialog>
  );
}
