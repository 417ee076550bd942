import { FIRST_STARTER_ID } from '@quantloom/domain/strategy/starters';
import { Play } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { starterOf } from './create-from-starter.ts';
import { useStarter } from './use-starter.ts';

/** Puts a newcomer one click away from a first backtest. */
export default function FirstRun() {
  const { busyId, start } = useStarter();
  const first = starterOf(FIRST_STARTER_ID);
  return (
    <section
      aria-labelledby="first-run"
      className="flex flex-wrap items-center justify-between gap-4 rounded border border-line bg-brand-soft p-5"
    >
      <div className="max-w-xl">
        <h2 id="first-run" className="text-lg font-semibold">
          See a backtest first
        </h2>
        <p className="text-muted">
          {first.name}: {first.summary} It opens in the editor and runs at once; every part of it can be
          changed.
        </p>
      </div>
      <Button
        variant="primary"
        size="lg"
        icon={Play}
        isBusy={busyId === first.id}
        onClick={() => void start(first)}
      >
        Run my first backtest
      </Button>
    </section>
  );
}
