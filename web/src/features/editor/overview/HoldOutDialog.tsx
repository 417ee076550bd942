import { useSelector } from '@xstate/react';
import { useState } from 'react';
import { messageOf } from '../../../lib/api.ts';
import { formatDate } from '../../../lib/format.ts';
import { Button } from '../../../ui/Button.tsx';
import { DatePicker } from '../../../ui/DatePicker.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Notice } from '../../../ui/feedback.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { EditorActor } from '../machines/actors.ts';
import { setHoldOut } from '../model/editor-api.ts';

/** Sets, moves or takes off the day from which on no batch of the strategy ranks anything. */
export function HoldOutDialog({
  id,
  actor,
  onClose,
}: {
  id: string;
  actor: EditorActor;
  onClose: () => void;
}) {
  const bot = useSelector(actor, ({ context }) => context.bot);
  const date = bot?.hold_out?.date ?? null;
  const givenAway = bot?.hold_out?.given_away_until ?? null;
  const [chosen, setChosen] = useState(date);
  const [refused, setRefused] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const save = async (next: string | null) => {
    setBusy(true);
    setRefused(null);
    try {
      const { revision, hold_out: holdOut } = await setHoldOut(id, next, bot?.revision ?? null);
      actor.send({ type: 'server.heldOut', revision, holdOut });
      toast.success(next === null ? 'Batches rank all days again' : `Held out from ${formatDate(next)}`);
      onClose();
    } catch (error) {
      setRefused(messageOf(error));
    } finally {
      setBusy(false);
    }
  };
  const isLater = date !== null && chosen !== null && chosen > date;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Hold-out"
      description="Batches of this strategy rank nothing from this day on, so that those days can test what you choose."
      footer={
        <>
          {date !== null && (
            <Button isBusy={isBusy} onClick={() => void save(null)}>
              Take it off
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            isBusy={isBusy}
            disabled={chosen === null || chosen === date}
            onClick={() => chosen !== null && void save(chosen)}
          >
            Hold out
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <DatePicker
          label="Held out from"
          className="w-56"
          value={chosen}
          onChange={(day) => {
            setChosen(day);
            setRefused(null);
          }}
        />
        <p className="text-sm text-muted">
          Every batch whose period reaches the day keeps it as its out-of-sample date. It can be set as long
          as no batch of this strategy, its original or its clones has ranked those days. Single backtests are
          not covered: a run in the editor shows what it runs over.
        </p>
        {givenAway !== null && (
          <p className="text-sm text-muted">
            The days before {formatDate(givenAway)} were held out once and given away: they cannot be held out
            again.
          </p>
        )}
        {isLater && (
          <Notice kind="warning">
            The days from {formatDate(date)} to {formatDate(chosen)} are given away for good: batches rank
            them from now on.
          </Notice>
        )}
        {refused !== null && <Notice kind="danger">{refused}</Notice>}
      </div>
    </Dialog>
  );
}
