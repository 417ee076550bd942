// @vitest-environment happy-dom
import {
  addFavorite,
  cloneTradingBot,
  deleteDraft,
  listDrafts,
  listDraftTags,
  listFavorites,
  listFollows,
  undoTradingBotDeletion,
  updateTradingBot,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answer, choose, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import { queryClient } from '../../lib/api.ts';
import DraftsPage from './DraftsPage.tsx';

let asked: Record<string, unknown>[];
let acts: string[];
let total: number;
let isAway: boolean;
let tags: readonly string[];

const RUN = {
  id: 'r1',
  at: '2026-03-02T20:00:00Z',
  terms: { slippage_bps: 10 },
  metrics: { annualized_return: -0.0312, max_drawdown: 0.255, sharpe: 1.234 },
  first_day: '2010-01-04',
  last_day: '2026-02-27',
  is_simulated: false,
};
const draft = (at: number) => ({
  id: `d${at}`,
  name: `Strategy ${at}`,
  type: at === 1 ? 'template' : 'bot',
  is_public: at === 1,
  created_at: '2026-01-05T12:00:00Z',
  updated_at: '2026-02-10T12:00:00Z',
  variables: [],
  tags: at === 0 ? tags : [],
  ...(at === 0 && { last_run: RUN }),
});
beforeEach(() => {
  [asked, acts, total, isAway, tags] = [[], [], 4, false, ['trend', 'bonds']];
  // happy-dom lays nothing out.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(41);
  const list = ({ query = {} }: Sent) => {
    asked.push(query);
    if (isAway) throw refusal('The list is away.');
    const { limit, skip = 0, ids } = query as { limit: number; skip?: number; ids?: string };
    const rows = Array.from({ length: total }, (_, at) => draft(at));
    const found = ids === undefined ? rows : rows.filter(({ id }) => ids.split(',').includes(id));
    const headers = new Headers({ 'x-total-count': String(found.length) });
    return { body: found.slice(skip, skip + limit), headers };
  };
  const take =
    (what: string) =>
    ({ params, body }: Sent) => {
      acts.push(`${what} ${params?.id}${body ? ` ${JSON.stringify(body)}` : ''}`);
      return {};
    };
  answer(
    [listDrafts, list],
    [listDraftTags, () => [{ tag: 'trend', count: 7 }]],
    [listFavorites, () => ({ strategy_ids: ['d2', 'd3'] })],
    [listFollows, () => []],
    [deleteDraft, take('delete')],
    [undoTradingBotDeletion, take('bring back')],
    [cloneTradingBot, take('copy')],
    [addFavorite, take('mark')],
    [updateTradingBot, take('change')],
  );
});
afterEach(() => {
  leave();
  vi.restoreAllMocks();
});

/** What the list was asked for last; the count asks for one row. */
const question = () => asked.filter(({ limit }) => limit !== 1).at(-1);
const rowOf = async (at: number) =>
  (await screen.findByRole('link', { name: `Strategy ${at}` })).closest('tr') as HTMLElement;
const box = (at: number) => screen.getByRole<HTMLInputElement>('checkbox', { name: `Choose Strategy ${at}` });
const chosenOnes = () => [0, 1, 2, 3].filter((at) => box(at).checked);
const goTo = async (name: string) => {
  const before = asked.length;
  fireEvent.click(await screen.findByRole('radio', { name }));
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
};

it('asks for what the address says, and for what is chosen then', async () => {
  show(<DraftsPage />, {
    at: '/drafts?q=spy&sort=name:asc&type=bot&visibility=public&tag=trend&archived=only',
  });
  await rowOf(0);
  expect(question()).toEqual({
    search: 'spy',
    sort: 'name:asc',
    type: 'bot',
    visibility: 'public',
    tag: 'trend',
    archived: 'only',
    limit: 100,
    skip: 0,
  });
  await goTo('Templates');
  expect(question()).toMatchObject({ type: 'template', visibility: 'public' });
  await goTo('Any');
  expect(question()).not.toHaveProperty('visibility');
  await choose('Tag', 'Any tag');
  await waitFor(() => expect(question()).not.toHaveProperty('tag'));
  await press('Archive');
  await waitFor(() => expect(question()).not.toHaveProperty('archived'));
  await press('Favorites');
  await waitFor(() => expect(question()).toMatchObject({ ids: 'd2,d3', search: 'spy', type: 'template' }));
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Strategy 0' })).toBeNull());
  expect(screen.getByText('2 of 4 strategies')).toBeDefined();
});

it('says of each strategy what it is and how its last run went', async () => {
  show(<DraftsPage />);
  const first = await rowOf(0);
  expect(question()).toEqual({ sort: 'updated:desc', limit: 100, skip: 0 });
  const cells = within(first)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect(cells[0]).toContain('#trend #bonds');
  expect(cells.slice(1, 5)).toEqual(['bot', 'Private', 'January 5, 2026', 'February 10, 2026']);
  expect(cells[5]).toContain('-3.12%');
  expect(cells.slice(6, 8)).toEqual(['25.50%', '1.23']);
  const second = within(await rowOf(1))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  expect([second[1], second[2], ...second.slice(5, 8)]).toEqual(['template', 'Public', '--', '--', '--']);
  const pressed = (at: number) =>
    screen.getByRole('button', { name: `Favorite Strategy ${at}` }).getAttribute('aria-pressed');
  await waitFor(() => expect([0, 1, 2, 3].map(pressed)).toEqual(['false', 'false', 'true', 'true']));
});

it('does what a key says to the row that it was pressed on, and can bring back what was deleted', async () => {
  show(<DraftsPage />);
  const row = await rowOf(1);
  fireEvent.keyDown(row, { key: 'd' });
  fireEvent.keyDown(row, { key: 's' });
  await waitFor(() => expect(acts).toEqual(['copy d1', 'mark d1']));
  fireEvent.keyDown(row, { key: 'Delete' });
  expect((await screen.findByRole('alertdialog')).textContent).toContain('Strategy 1 will be deleted.');
  await act(
    async () => void fireEvent.click(screen.getAllByRole('button', { name: 'Delete' }).at(-1) as HTMLElement),
  );
  await waitFor(() => expect(acts.at(-1)).toBe('delete d1'));
  await waitFor(() => expect(toasts().at(-1)?.title).toBe('Deleted Strategy 1'));
  toasts().at(-1)?.options.action?.onSelect();
  await waitFor(() => expect(acts.at(-1)).toBe('bring back d1'));
});

it('chooses one, a range, all and none', async () => {
  show(<DraftsPage />);
  await rowOf(3);
  fireEvent.click(box(1));
  fireEvent.click(box(3), { shiftKey: true });
  expect(chosenOnes()).toEqual([1, 2, 3]);
  fireEvent.click(box(2));
  expect(chosenOnes()).toEqual([1, 3]);
  const before = asked.length;
  await press('Choose all 4');
  await waitFor(() => expect(chosenOnes()).toEqual([0, 1, 2, 3]));
  expect(asked.slice(before)).toEqual([{ sort: 'updated:desc', limit: 1_000, skip: 0 }]);
  await press('Choose none');
  await waitFor(() => expect(chosenOnes()).toEqual([]));
});

it('keeps what was chosen where not all can be, and forgets it in the archive', async () => {
  total = 150;
  show(<DraftsPage />);
  await rowOf(0);
  fireEvent.click(box(1));
  await screen.findByText('1 chosen');
  isAway = true;
  await press('Choose all 150');
  await waitFor(() => expect(toasts().at(-1)?.options.description).toBe('The list is away.'));
  expect(screen.getByText('1 chosen')).toBeDefined();
  isAway = false;
  fireEvent.click(screen.getByRole('button', { name: 'Archive', pressed: false }));
  await waitFor(() => expect(question()).toMatchObject({ archived: 'only' }));
  expect(screen.queryByText('1 chosen')).toBeNull();
});

it('tells an account without strategies from a search that finds none', async () => {
  total = 0;
  show(<DraftsPage />);
  await screen.findByText('No Trading Bots');
  leave();
  show(<DraftsPage />, { at: '/drafts?q=nothing&tag=trend' });
  await screen.findByText('Nothing matches');
  await press('Clear filters');
  await screen.findByText('No Trading Bots');
  expect(question()).toEqual({ sort: 'updated:desc', limit: 100, skip: 0 });
});

it('changes what is chosen as it is by then, not as it was when it was chosen', async () => {
  show(<DraftsPage />);
  await rowOf(0);
  fireEvent.click(box(0));
  // In another window.
  tags = ['trend', 'bonds', 'hedged'];
  await act(() => queryClient.invalidateQueries({ queryKey: ['drafts'] }));
  await screen.findByText('#trend #bonds #hedged');
  await press('Tag…');
  fireEvent.change(await screen.findByLabelText('Add tags'), { target: { value: 'calm' } });
  await press('Save tags');
  await waitFor(() =>
    expect(acts).toEqual([`change d0 ${JSON.stringify({ tags: ['trend', 'bonds', 'hedged', 'calm'] })}`]),
  );
});
