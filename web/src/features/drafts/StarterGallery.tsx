import { FIRST_STARTER_ID, STARTERS, type Starter } from '@quantloom/domain/strategy/starters';
import { Lock, Play } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { messageOf } from '../../lib/api.ts';
import { useFeature } from '../../lib/auth/session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { toast } from '../../ui/toast.tsx';
import { createFromStarter, starterOf } from './create-from-starter.ts';

/** Saves a starter and opens it in the editor, which runs it at once. */
function useStarter() {
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

/** Strategies and templates to begin with, each explained. The first run puts one of them a click away from its backtest. */
export default function StarterGallery({ isFirstRun = false }: { isFirstRun?: boolean }) {
  const { busyId, start } = useStarter();
  const canUseVariables = useFeature('web.batch-backtests.create');
  const first = starterOf(FIRST_STARTER_ID);
  return (
    <section aria-labelledby="starters" className="flex flex-col gap-4">
      {isFirstRun && (
        <div className="flex flex-wrap items-center justify-between gap-4 rounded border border-line bg-brand-soft p-5">
          <div className="max-w-xl">
            <h2 id="starters" className="text-lg font-semibold">
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
        </div>
      )}
      <h2
        id={isFirstRun ? undefined : 'starters'}
        className={isFirstRun ? 'text-lg font-semibold' : 'sr-only'}
      >
        Or start from one of these
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {STARTERS.map((starter) => {
          const isLocked = starter.type === 'template' && !canUseVariables;
          return (
            <li key={starter.id} className="flex flex-col rounded border border-line p-4">
              <div className="flex items-center justify-between gap-2">
                <h3 className="font-semibold">{starter.name}</h3>
                <Badge color={starter.type === 'template' ? 'purple' : 'gray'}>{starter.type}</Badge>
              </div>
              <p className="mt-1">{starter.summary}</p>
              <details className="mt-2 text-sm text-muted">
                <summary className="cursor-pointer rounded-sm hover:text-ink">
                  Why it might work, what it costs
                </summary>
                <p className="mt-1.5">{starter.explanation}</p>
                <p className="mt-1.5">
                  <b className="font-medium text-ink">Try next: </b>
                  {starter.tryNext}
                </p>
              </details>
              <div className="mt-auto pt-4">
                {isLocked ? (
                  <ButtonLink to="/account/billing" icon={Lock} size="sm">
                    Upgrade to use variables
                  </ButtonLink>
                ) : (
                  <Button
                    size="sm"
                    isBusy={busyId === starter.id}
                    disabled={busyId !== null}
                    aria-label={`${starter.type === 'template' ? 'Use this template' : 'Use and run'}: ${starter.name}`}
                    onClick={() => void start(starter)}
                  >
                    {starter.type === 'template' ? 'Use this template' : 'Use and run'}
                  </Button>
                )}
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
