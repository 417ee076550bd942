import { useQuery } from '@tanstack/react-query';
import { Bell, BellRing } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { NamedRow } from '../../lib/resources.ts';
import { Button } from '../../ui/Button.tsx';
import { followed } from './follows.ts';

/** What the address of a strategy says where it is to be followed. */
const FOLLOW = 'follow';

const FollowDialog = lazy(() => import('./FollowDialog.tsx'));

/** `Follow`, or `Following` with the way out of it. */
export default function FollowButton({ strategy, size }: { strategy: NamedRow; size?: 'sm' | 'md' }) {
  const { data: follows } = useQuery(followed);
  const isFollowed = follows?.some((one) => one.strategy_id === strategy.id) ?? false;
  const [asked, setAsked] = useState<boolean | null>(null);
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useSearchParams();
  // Visitors of a public strategy's page come here by way of the sign-in, to follow it.
  const isAsked = search.has(FOLLOW) && follows !== undefined;
  useEffect(() => {
    if (!isAsked) return;
    setSearch(
      (before) => {
        before.delete(FOLLOW);
        return before;
      },
      { replace: true },
    );
    if (isFollowed) return;
    setAsked(false);
    setOpen(true);
  }, [isAsked, isFollowed, setSearch]);
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
