import { useQuery } from '@tanstack/react-query';
import { Bell, BellRing } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { NamedRow } from '../../lib/resources.ts';
import { Button } from '../../ui/Button.tsx';
import { followed } from './follows.ts';

const FollowDialog = lazy(() => import('./FollowDialog.tsx'));

/** `Follow`, or `Following` with the way out of it. */
export default function FollowButton({ strategy, size }: { strategy: NamedRow; size?: 'sm' | 'md' }) {
  const { data: follows } = useQuery(followed);
  const isFollowed = follows?.some((one) => one.strategy_id === strategy.id) ?? false;
  const [asked, setAsked] = useState<boolean | null>(null);
  const [open, setOpen] = useState(false);
  const label = isFollowed ? 'Following' : 'Follow';
  return (
    <>
      <Button
        icon={isFollowed ? BellRing : Bell}
        disabled={follows === undefined}
        aria-label={`${label} ${strategy.name}`}
        onClick={() => {
          setAsked(isFollowed);
          setOpen(true);
        }}
        {...(size && { size })}
      >
        {label}
      </Button>
      {asked !== null && (
        <Suspense>
          <FollowDialog strategy={strategy} isFollowed={asked} open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  );
}
