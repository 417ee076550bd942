import { useState } from 'react';
import type { NamedRow } from '../../lib/resources.ts';
import { ConfirmDialog } from '../../ui/Dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { follow, unfollow } from './follows.ts';
import { RegistrationFields } from './RegistrationFields.tsx';
import { NOTHING_REGISTERED, registrationBody, registrationFault } from './registration.ts';

/** Says what following means before it begins, and what stays when it ends. */
export default function FollowDialog({
  strategy: { id, name },
  isFollowed,
  open,
  onOpenChange,
}: {
  strategy: NamedRow;
  /** What it was when the dialog was asked for. */
  isFollowed: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const [registration, setRegistration] = useState(NOTHING_REGISTERED);
  const strategy = <b className="font-medium text-ink">{name}</b>;
  if (isFollowed)
    return (
      <ConfirmDialog
        open={open}
        onOpenChange={onOpenChange}
        title="Stop following"
        confirmLabel="Stop following"
        cancelLabel="Go on"
        isDangerous={false}
        onConfirm={async () => {
          await unfollow(id);
          toast.success(`You no longer follow ${name}`);
        }}
      >
        No further decision of {strategy} is recorded for you, and it leaves Tomorrow. The decisions made so
        far stay as they are, and nobody can change them.
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => {
        // The dialog stays for the next strategy that is followed.
        if (!next) setRegistration(NOTHING_REGISTERED);
        onOpenChange(next);
      }}
      title="Follow this strategy"
      confirmLabel="Follow"
      cancelLabel="Not now"
      isDangerous={false}
      onConfirm={async () => {
        const fault = registrationFault(registration);
        if (fault !== null) throw new Error(fault);
        await follow(id, registrationBody(registration));
        toast.success(`You follow ${name}. Its first decision appears under Tomorrow.`);
      }}
    >
      <p>
        From the next trading day on, what {strategy} decides each night is recorded, as it is saved then.
      </p>
      <p className="mt-2">
        A decision cannot be changed or dated back later. Where prices are corrected, what they would have
        come to stands beside it. What was decided from simulated prices is marked so.
      </p>
      <RegistrationFields value={registration} onChange={setRegistration} />
    </ConfirmDialog>
  );
}
