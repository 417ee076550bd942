import { addFavorite, listFavorites, removeFavorite } from '@quantloom/domain/contracts/http/calls';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { toast } from '../ui/toast.tsx';
import { api, messageOf, queryClient, statusOf } from './api.ts';
import { favoritesOfBefore, forgetFavoritesOfBefore } from './personal.ts';

const NONE: readonly string[] = [];
const keyOf = (userId: string) => ['favorites', userId];

async function fetchFavorites(signal?: AbortSignal): Promise<readonly string[]> {
  return (await api().call(listFavorites, signal && { signal })).strategy_ids;
}

/** Tells the server of favourites that only this browser knew. Those that are gone meanwhile are left behind. */
async function bringFavoritesOfBefore(userId: string, known: readonly string[]): Promise<void> {
  for (const id of favoritesOfBefore(userId)) {
    if (known.includes(id)) continue;
    try {
      await api().call(addFavorite, { params: { id } });
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
  }
  forgetFavoritesOfBefore(userId);
}

const favoritesOf = (userId: string) =>
  queryOptions({
    queryKey: keyOf(userId),
    queryFn: async ({ signal }) => {
      const known = await fetchFavorites(signal);
      if (favoritesOfBefore(userId).length === 0) return known;
      await bringFavoritesOfBefore(userId, known);
      return await fetchFavorites(signal);
    },
  });

/** Ids of the strategies that the user marked as favourites, the first marked first; null until they are known. */
export function useFavorites(userId: string): {
  readonly favorites: readonly string[] | null;
  readonly error: Error | null;
  readonly retry: () => void;
} {
  const { data, error, refetch } = useQuery(favoritesOf(userId));
  return { favorites: data ?? null, error: data ? null : error, retry: () => void refetch() };
}

/**
 * Marks a strategy as a favourite, or takes the mark away: at once in the lists, which are put right again
 * where the server does not take it.
 */
export async function toggleFavorite(userId: string, id: string): Promise<void> {
  const queryKey = keyOf(userId);
  const before = queryClient.getQueryData<readonly string[]>(queryKey) ?? NONE;
  const isMarked = before.includes(id);
  // An answer that is under way knows nothing of this.
  await queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, isMarked ? before.filter((one) => one !== id) : [...before, id]);
  try {
    await api().call(isMarked ? removeFavorite : addFavorite, { params: { id } });
  } catch (error) {
    toast.error(isMarked ? 'It is still a favorite' : 'It could not be made a favorite', {
      description: messageOf(error),
    });
    await queryClient.invalidateQueries({ queryKey });
  }
}
