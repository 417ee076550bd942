import { STARTERS } from '@quantloom/domain/strategy/starters';
import { Lock } from 'lucide-react';
import { useFeature } from '../../lib/auth/session.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import { useStarter } from './use-starter.ts';

/** Strategies and templates to begin with, each explained. */
export default function StarterGallery({ isFirstRun = false }: { isFirstRun?: boolean }) {
  const { busyId, start } = useStarter();
  const canUseVariables = useFeature('web.batch-backtests.create');
  return (
    <section aria-labelledby="starters" className="flex flex-col gap-4">
      <h2 id="starters" className={isFirstRun ? 'text-lg font-semibold' : 'sr-only'}>
        {isFirstRun ? 'Or start from one of these' : 'All starters'}
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
