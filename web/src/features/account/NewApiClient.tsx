import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { messageOf } from '../../lib/api.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextField } from '../../ui/text-inputs.tsx';
import { createClient, SCOPES, type Scope } from './api-client-list.ts';

const ALL_SCOPES: readonly Scope[] = SCOPES.map(({ value }) => value);

/** Asks for the name, the scopes and the last day of a new API client, and makes it. */
export function NewApiClient({
  open,
  onOpenChange,
  onCreated,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onCreated: () => Promise<unknown>;
}) {
  const form = useId();
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState(ALL_SCOPES);
  const [endsOn, setEndsOn] = useState('');
  const create = useMutation({
    mutationFn: async () => {
      await createClient({ name: name.trim(), scopes, endsOn });
      await onCreated();
    },
    onSuccess: () => {
      setName('');
      setScopes(ALL_SCOPES);
      setEndsOn('');
      onOpenChange(false);
    },
  });
  // What was refused before, perhaps when nobody saw it any more, says nothing of what is asked for next.
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it opens
  useEffect(() => {
    if (open && create.isError) create.reset();
  }, [open]);
  const isReady = name.trim() !== '' && scopes.length > 0;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !create.isPending) create.mutate();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      size="sm"
      title="Create API Client"
      description="A client id and a secret let a program act for you, with no more than you allow here."
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" disabled={!isReady} isBusy={create.isPending}>
            Create
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label="Name"
          hint="What it is for, so that you know it again."
          value={name}
          onChange={setName}
          maxLength={100}
          autoComplete="off"
        />
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1.5 text-sm text-muted">May</legend>
          {SCOPES.map(({ value, label, hint }) => (
            <Switch
              key={value}
              label={label}
              hint={hint}
              checked={scopes.includes(value)}
              onChange={(isOn) =>
                setScopes(ALL_SCOPES.filter((each) => (each === value ? isOn : scopes.includes(each))))
              }
            />
          ))}
        </fieldset>
        <TextField
          label="Last day (optional)"
          hint="It is refused from the day after (UTC)."
          type="date"
          value={endsOn}
          onChange={setEndsOn}
        />
        {create.error && (
          <p role="alert" className="rounded bg-danger-soft px-3 py-2 text-danger">
            {messageOf(create.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
