import {
  deleteDraft,
  followStrategy,
  getTradingBot,
  undoTradingBotDeletion,
  unfollowStrategy,
  updateTradingBot,
} from '@quantloom/domain/contracts/http/calls';
import type { BodyOf } from '@quantloom/domain/contracts/http/route';
import { ApiError, api, messageOf, queryClient } from '../../lib/api.ts';
import { downloadText } from '../../lib/csv.ts';
import { pause } from '../../lib/pause.ts';
import type { DraftRow } from '../../lib/resources.ts';
import { runLatest } from '../../lib/run-latest.ts';
import { toast } from '../../ui/toast.tsx';
import { refreshFollows } from '../forward-test/follows.ts';

/** Calls under way at the same time: more would only wait for each other. */
const AT_ONCE = 3;

/**
 * Seconds that one of them waits for the server at most. A budget of a minute is free again sooner; one of a
 * day is not.
 */
const LONGEST_WAIT = 120;

const askFirst = (event: BeforeUnloadEvent) => event.preventDefault();

const named = (count: number) => (count === 1 ? '1 strategy' : `${count.toLocaleString('en-US')} strategies`);

/**
 * Does it again when the server has time for it: whoever chose three hundred meant all of them, however many
 * fit into a minute.
 */
export async function inTime(act: () => Promise<void>): Promise<void> {
  for (let waited = 0; ; ) {
    try {
      return await act();
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfter : null;
      if (seconds === null || waited + seconds > LONGEST_WAIT) throw error;
      waited += seconds;
      await pause(seconds * 1_000);
    }
  }
}

/**
 * Does something to each of them, some at a time, telling how far it has come. What fails is told and leaves
 * the others alone.
 *
 * @returns those with which it worked, in their order
 */
async function each(
  rows: readonly DraftRow[],
  doing: string,
  act: (row: DraftRow) => Promise<void>,
): Promise<readonly DraftRow[]> {
  const id = `several-${doing}`;
  const done = new Set<DraftRow>();
  const failures: string[] = [];
  let next = 0;
  const tell = () => {
    if (rows.length > AT_ONCE)
      toast.info(`${doing} ${done.size + failures.length} of ${named(rows.length)} …`, { id, timeout: 0 });
  };
  const work = async () => {
    for (let row = rows[next++]; row; row = rows[next++]) {
      try {
        await inTime(() => act(row));
        done.add(row);
      } catch (error) {
        failures.push(`${row.name}: ${messageOf(error)}`);
      }
      tell();
    }
  };
  // Who leaves the page in the middle leaves the rest undone: the browser asks first.
  window.addEventListener('beforeunload', askFirst);
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    window.removeEventListener('beforeunload', askFirst);
  }
  await queryClient.invalidateQueries({ queryKey: ['drafts'] });
  if (failures.length > 0)
    toast.error(`${named(failures.length)} could not be done`, {
      // Beside what is said of those with which it worked, which takes the place of how far it has come.
      id: done.size === 0 ? id : `${id}-failed`,
      description: failures.slice(0, 3).join(' '),
    });
  return rows.filter((row) => done.has(row));
}

const patch = (body: BodyOf<typeof updateTradingBot>) => async (row: DraftRow) => {
  await api().call(updateTradingBot, { params: { id: row.id }, body });
};

function tellDone(doing: string, said: string, rows: readonly DraftRow[], undo?: () => void): void {
  if (rows.length === 0) return;
  toast.success(`${said} ${named(rows.length)}`, {
    id: `several-${doing}`,
    ...(undo && { action: { label: 'Undo', onSelect: undo }, timeout: 15_000 }),
  });
}

/** Does the opposite to each of them, and says so at its end. */
async function undoEach(
  rows: readonly DraftRow[],
  doing: string,
  said: string,
  act: (row: DraftRow) => Promise<void>,
): Promise<void> {
  tellDone(doing, said, await each(rows, doing, act));
}

/** Puts them into the archive, or takes them out; can be undone. */
export async function archiveAll(rows: readonly DraftRow[], isArchived: boolean): Promise<void> {
  const doing = isArchived ? 'Archiving' : 'Taking out';
  const done = await each(rows, doing, patch({ is_archived: isArchived }));
  const undo = () => void undoEach(done, 'Undoing', 'Undone for', patch({ is_archived: !isArchived }));
  tellDone(doing, isArchived ? 'Archived' : 'Taken out of the archive:', done, undo);
}

/** Deletes them; can be undone. */
export async function deleteAll(rows: readonly DraftRow[]): Promise<void> {
  const done = await each(rows, 'Deleting', async ({ id }) => {
    await api().call(deleteDraft, { params: { id } });
  });
  const undo = () =>
    void undoEach(done, 'Bringing back', 'Brought back', async ({ id }) => {
      await api().call(undoTradingBotDeletion, { params: { id } });
    });
  tellDone('Deleting', 'Deleted', done, undo);
}

/** The tags of a row with some more and some less, whatever their case. */
export function tagsAfter(
  tags: readonly string[],
  { add, remove }: { readonly add: readonly string[]; readonly remove: readonly string[] },
): readonly string[] {
  const without = new Set([...add, ...remove].map((tag) => tag.toLowerCase()));
  return [...tags.filter((tag) => !without.has(tag.toLowerCase())), ...add];
}

/** Gives them tags and takes others away; can be undone. */
export async function tagAll(
  rows: readonly DraftRow[],
  change: { readonly add: readonly string[]; readonly remove: readonly string[] },
): Promise<void> {
  const done = await each(rows, 'Tagging', (row) => patch({ tags: [...tagsAfter(row.tags, change)] })(row));
  tellDone('Tagging', 'Tagged', done, () => {
    void undoEach(done, 'Undoing', 'Undone for', (row) => patch({ tags: [...row.tags] })(row));
  });
}

/** Runs each on the terms that it was run on last: the figures in the list are then of today. */
export async function runAll(rows: readonly DraftRow[]): Promise<void> {
  const bots = rows.filter(({ type }) => type === 'bot');
  const done = await each(bots, 'Running', runLatest);
  tellDone('Running', 'Ran', done);
  if (bots.length < rows.length)
    toast.info(`${named(rows.length - bots.length)} left out: templates run in batch backtests.`);
}

/**
 * Follows those of them that are strategies and not followed yet; can be undone.
 *
 * @param follows ids of the strategies that are followed already
 */
export async function followAll(rows: readonly DraftRow[], follows: ReadonlySet<string>): Promise<void> {
  const bots = rows.filter(({ type }) => type === 'bot');
  const done = await each(
    bots.filter(({ id }) => !follows.has(id)),
    'Following',
    async ({ id }) => {
      await api().call(followStrategy, { params: { id }, body: {} });
    },
  );
  await refreshFollows();
  tellDone('Following', 'Now following', done, () => {
    void undoEach(done, 'Undoing', 'Undone for', async ({ id }) => {
      await api().call(unfollowStrategy, { params: { id } });
    }).then(refreshFollows);
  });
  if (done.length === 0 && bots.length > 0 && bots.every(({ id }) => follows.has(id)))
    toast.info(bots.length === 1 ? 'You follow it already.' : 'You follow all of them already.');
  if (bots.length < rows.length)
    toast.info(`${named(rows.length - bots.length)} left out: templates hold nothing to follow.`);
}

/** One JSON file of all of them, which can be imported again. */
export async function exportAll(rows: readonly DraftRow[]): Promise<void> {
  const found = new Map<string, unknown>();
  const done = await each(rows, 'Exporting', async ({ id }) => {
    const { name, tags, algorithm } = await api().call(getTradingBot, { params: { id } });
    found.set(id, { name, tags: tags ?? [], algorithm });
  });
  if (done.length === 0) return;
  const all = done.map(({ id }) => found.get(id));
  downloadText('strategies.json', 'application/json', JSON.stringify(all, null, 2));
  tellDone('Exporting', 'Exported', done);
}
