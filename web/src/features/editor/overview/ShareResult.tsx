import { useQuery } from '@tanstack/react-query';
import { Share2 } from 'lucide-react';
import { useState } from 'react';
import { draftsById } from '../../../lib/resources.ts';
import { Button } from '../../../ui/Button.tsx';
import { FetchedWindow, fetchedPart } from '../../../ui/fetched.tsx';
import { tellFailure } from '../../../ui/tell-failure.ts';

const dialog = fetchedPart(async () => (await import('../../drafts/ShareDialog.tsx')).default);

/** Shares what a saved strategy came to, from beside the result. */
export function ShareResult({ id }: { id: string }) {
  const [isOpen, setOpen] = useState(false);
  // The run that is shown has just been recorded: what lists have of it may be older.
  const found = useQuery({ ...draftsById([id]), enabled: false });
  const draft = found.data?.[0];
  const open = async () => {
    dialog.fetch();
    const { error } = await found.refetch();
    if (error) tellFailure(error);
    else setOpen(true);
  };
  return (
    <>
      <Button size="sm" variant="ghost" isBusy={found.isFetching} onClick={() => void open()}>
        <Share2 size={14} aria-hidden /> Share
      </Button>
      {isOpen && draft && (
        <FetchedWindow
          part={dialog}
          props={{ draft, open: true, onOpenChange: setOpen, isInEditor: true }}
          onFailure={() => setOpen(false)}
        />
      )}
    </>
  );
}
