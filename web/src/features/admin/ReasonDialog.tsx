import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextField } from '../../ui/text-inputs.tsx';

/** Asks an administrator why, and then does it; a failure is said in the dialog. Mounted anew for each question. */
export function ReasonDialog({
  title,
  of,
  verb,
  isDangerous = false,
  onConfirm,
  onClose,
  children,
}: {
  title: string;
  /** Whom it is about. */
  of: string;
  verb: string;
  isDangerous?: boolean;
  onConfirm: (reason: string) => Promise<void>;
  onClose: () => void;
  children: ReactNode;
}) {
  const formId = useId();
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') return;
    setBusy(true);
    setError(null);
    try {
      await onConfirm(reason.trim());
      onClose();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      size="sm"
      title={title}
      description={of}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant={isDangerous ? 'danger' : 'primary'}
            type="submit"
            form={formId}
            isBusy={isBusy}
            disabled={reason.trim() === ''}
          >
            {verb}
          </Button>
        </>
      }
    >
      <form id={formId} className="flex flex-col gap-3" onSubmit={(event) => void submit(event)}>
        <p>{children}</p>
        <TextField
          label="Reason"
          hint="Kept in the user's history with your name."
          required
          maxLength={500}
          value={reason}
          onChange={setReason}
          error={error === null ? null : messageOf(error)}
        />
      </form>
    </Dialog>
  );
}
