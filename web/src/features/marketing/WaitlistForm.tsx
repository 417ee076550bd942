import { joinWaitlist } from '@quantloom/domain/contracts/http/calls';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, messageOf } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/text-inputs.tsx';

/** Leaves an e-mail address for what is not ready yet; works without sign-in. */
export function WaitlistForm({ what }: { what: string }) {
  const [email, setEmail] = useState('');
  // The page is there before its script: what is typed until then would be lost.
  const [isAwake, setIsAwake] = useState(false);
  useEffect(() => setIsAwake(true), []);
  const join = useMutation({
    mutationFn: () => api().call(joinWaitlist, { body: { email } }),
  });
  if (join.isSuccess)
    return (
      <p role="status" className="rounded bg-brand-soft px-4 py-3 text-base text-accent">
        Thank you. We will write to {email} when {what} is ready.
      </p>
    );
  return (
    <form
      className="flex flex-col gap-2 text-base sm:flex-row sm:items-start"
      onSubmit={(event) => {
        event.preventDefault();
        join.mutate();
      }}
    >
      <TextField
        label="E-mail for the waitlist"
        isLabelHidden
        type="email"
        required
        autoComplete="email"
        placeholder="you@example.com"
        value={email}
        disabled={!isAwake}
        onChange={setEmail}
        error={join.error ? messageOf(join.error) : null}
        className="flex-1"
      />
      <Button type="submit" isBusy={join.isPending} disabled={!isAwake}>
        Join the waitlist
      </Button>
    </form>
  );
}
