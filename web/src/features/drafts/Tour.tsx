import { useState } from 'react';
import { useCurrentUser } from '../../lib/auth/session.ts';
import { useCommands } from '../../lib/commands.ts';
import { markSeen, usePersonal } from '../../lib/personal.ts';
import { Button } from '../../ui/Button.tsx';
import { FLOATING } from '../../ui/classes.ts';
import { Shortcut } from '../../ui/Kbd.tsx';

const TOUR = 'welcome';
const STEPS = [
  {
    title: 'Strategies are trees of blocks',
    text:
      'Read them top to bottom: IF this holds THEN own that ELSE own something else. Click any words ' +
      'to change them.',
    keys: null,
  },
  {
    title: 'A backtest takes a moment',
    text: 'Run it in the editor and compare with SPY. Hover a metric to see what it means.',
    keys: 'Mod+Enter',
  },
  {
    title: 'Everything is a keystroke away',
    text: 'Search strategies, go anywhere and run any action. The question mark lists all shortcuts.',
    keys: 'Mod+K',
  },
] as const;

/** Three cards in a corner; they block nothing and can be skipped. `isOffered`: shown without being asked for, once. */
export function Tour({ isOffered = false }: { isOffered?: boolean }) {
  const { id } = useCurrentUser();
  const { seen } = usePersonal(id);
  const [step, setStep] = useState(0);
  const [isForced, setForced] = useState(false);
  useCommands([
    {
      id: 'tour',
      label: 'Take the tour',
      group: 'General',
      run: () => {
        setStep(0);
        setForced(true);
      },
    },
  ]);
  const current = STEPS[step];
  if ((!isForced && (!isOffered || seen.includes(TOUR))) || !current) return null;
  const close = () => {
    setForced(false);
    markSeen(id, TOUR);
  };
  const isLast = step === STEPS.length - 1;
  return (
    <aside
      aria-label="Tour"
      className={`${FLOATING} fixed bottom-4 left-4 right-4 z-20 p-4 sm:left-auto sm:w-80`}
    >
      <p className="num text-xs text-muted">
        {step + 1} of {STEPS.length}
      </p>
      <h2 className="mt-1 font-semibold">{current.title}</h2>
      <p className="mt-1 text-muted">{current.text}</p>
      {current.keys && (
        <p className="mt-2">
          <Shortcut keys={current.keys} />
        </p>
      )}
      <div className="mt-4 flex justify-between gap-2">
        <Button variant="ghost" onClick={close}>
          Skip the tour
        </Button>
        <Button onClick={() => (isLast ? close() : setStep(step + 1))}>{isLast ? 'Done' : 'Next'}</Button>
      </div>
    </aside>
  );
}
