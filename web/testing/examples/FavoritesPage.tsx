import { listFavorites, removeFavorite } from '@quantloom/domain/contracts/http/calls';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, messageOf, queryClient } from '../../src/lib/api.ts';
import { Button } from '../../src/ui/Button.tsx';
import { ErrorState, SkeletonRows } from '../../src/ui/feedback.tsx';
import { Page } from '../../src/ui/Page.tsx';
import { toast } from '../../src/ui/toast.tsx';

const KEY = ['favorites-page'];

/** The bots that somebody has marked, to be opened or taken out. */
export default function FavoritesPage() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api().call(listFavorites, { signal }),
  });
  const remove = useMutation({
    mutationFn: (id: string) => api().call(removeFavorite, { params: { id } }),
    onError: (reason) => toast.error('It is still a favorite', { description: messageOf(reason) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <Page title="Favorites" isNarrow>
      {error && !data ? (
        <ErrorState title="The favorites could not be loaded" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <ul aria-label="Favorites" className="divide-y divide-line">
          {data.strategy_ids.map((id) => (
            <li key={id} className="flex items-center justify-between gap-2 py-2">
              <Link to={`/editor/${id}`}>{id}</Link>
              <Button disabled={remove.isPending} onClick={() => remove.mutate(id)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      ) : (
        <SkeletonRows />
      )}
    </Page>
  );
}
