import type { Starter } from '@quantloom/domain/strategy/starters';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../../lib/api.ts';
import { toast } from '../../ui/toast.tsx';
import { createFromStarter } from './create-from-starter.ts';

/** Saves a starter and opens it in the editor, which runs it at once. */
export function useStarter() {
  const navigate = useNavigate();
  const [busyId, setBusyId] = useState<string | null>(null);
  const start = async (starter: Starter) => {
    setBusyId(starter.id);
    try {
      await navigate(await createFromStarter(starter));
    } catch (error) {
      toast.error('The strategy could not be created', { description: messageOf(error) });
      setBusyId(null);
    }
  };
  return { busyId, start };
}
