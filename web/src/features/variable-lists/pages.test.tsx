// @vitest-environment happy-dom
import {
  cloneVariableList,
  deleteVariableList,
  getVariableList,
  listVariableLists,
  undoVariableListDeletion,
} from '@quantloom/domain/contracts/http/calls';
import { act, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import ListVariableListsPage from './ListVariableListsPage.tsx';
import ShowVariableListPage from './ShowVariableListPage.tsx';

afterEach(() => {
  leave();
  vi.restoreAllMocks();
});

const listOf = (id: string, over: object = {}) => ({
  id,
  name: `List ${id}`,
  is_public: false,
  user_id: 'ann',
  variables: ['SPY', 'QQQ', 'IWM'],
  revision: 1,
  created_at: '2026-01-05T12:00:00Z',
  ...over,
});
const pageOf = (rows: readonly unknown[]) => ({
  body: rows,
  headers: new Headers({ 'x-total-count': String(rows.length) }),
});

/** Rows exist only in sight, and nothing is laid out here. */
function layOut() {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(41);
}

it('finds lists by what the address asks for, and all of them once that is cleared', async () => {
  layOut();
  const asked: unknown[] = [];
  answer([
    listVariableLists,
    ({ query }) => {
      // The count of all asks for one row.
      if (query?.limit !== 1) asked.push(query);
      return pageOf(query?.search === undefined ? [listOf('a')] : []);
    },
  ]);
  show(<ListVariableListsPage />, { at: '/variable-lists?q=bonds&sort=name' });
  await screen.findByText('Nothing matches');
  expect(asked).toContainEqual(expect.objectContaining({ search: 'bonds', sort: 'name' }));
  expect(screen.getByLabelText<HTMLInputElement>('Search variable lists').value).toBe('bonds');
  await press('Clear the search');
  await screen.findByText('List a');
  expect(asked.at(-1)).not.toHaveProperty('search');
  expect(screen.getByLabelText<HTMLInputElement>('Search variable lists').value).toBe('');
});

it('deletes a list once that was confirmed, and brings it back', async () => {
  layOut();
  const done: unknown[] = [];
  let lists = [listOf('a'), listOf('b')];
  answer(
    [listVariableLists, () => pageOf(lists)],
    [
      deleteVariableList,
      ({ params }: Sent) => {
        done.push(['delete', params]);
        lists = [listOf('b')];
      },
    ],
    [undoVariableListDeletion, ({ params }: Sent) => void done.push(['undo', params])],
  );
  await act(async () => {
    show(<ListVariableListsPage />);
    await import('../../ui/DialogWindow.tsx');
  });
  await press('Delete List a');
  expect(done).toEqual([]);
  await screen.findByText(/The list List a is deleted/);
  await press('Delete');
  await waitFor(() => expect(screen.queryByText('List a')).toBeNull());
  expect(screen.getByText('List b')).toBeDefined();
  const [told] = toasts();
  expect(told?.title).toBe('Deleted List a');
  await act(async () => told?.options.action?.onSelect());
  expect(done).toEqual([
    ['delete', { id: 'a' }],
    ['undo', { id: 'a' }],
  ]);
});

it('tells no lists at all from a list that could not be read', async () => {
  let isAway = true;
  answer([
    listVariableLists,
    () => {
      if (isAway) throw refusal('Not now.');
      return pageOf([]);
    },
  ]);
  show(<ListVariableListsPage />);
  await screen.findByText('The variable lists could not be loaded');
  expect(screen.queryByText('No Variable Lists')).toBeNull();
  isAway = false;
  await press('Try again');
  await screen.findByText('No Variable Lists');
});

const page = (id: string) =>
  show(
    <Routes>
      <Route path="/variable-lists/:id" element={<ShowVariableListPage />} />
    </Routes>,
    { at: `/variable-lists/${id}` },
  );

it('offers to change what is one’s own alone, and clones what is not into a tab of its own', async () => {
  const made: unknown[] = [];
  answer(
    [
      getVariableList,
      ({ params }) => listOf(params?.id ?? '', { user_id: params?.id === 'a' ? 'ann' : 'eve' }),
    ],
    [
      cloneVariableList,
      ({ params }: Sent) => {
        made.push(params);
        if (made.length === 1) throw refusal('There are 200 lists already.');
        return listOf('c');
      },
    ],
  );
  page('a');
  const edit = await screen.findByRole('link', { name: 'Edit' });
  expect(edit.getAttribute('href')).toBe('/variable-lists/a/edit');
  for (const ticker of ['SPY', 'QQQ', 'IWM']) expect(screen.getByText(ticker)).toBeDefined();
  leave();
  page('b');
  await screen.findByRole('heading', { name: 'List b' });
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
  const tab = { location: { href: '' }, close: vi.fn() };
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  await press('Clone');
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual(['There are 200 lists already.']));
  expect(tab.close).toHaveBeenCalledTimes(1);
  await press('Clone');
  await waitFor(() => expect(tab.location.href).toBe('/variable-lists/c'));
  expect(made).toEqual([{ id: 'b' }, { id: 'b' }]);
});

it.each([
  [403, 'Access Restricted'],
  [404, 'Not found'],
])('says of a list that is answered with %i what that means', async (status, words) => {
  answer([
    getVariableList,
    () => {
      throw refusal('No.', 'no', status);
    },
  ]);
  page('x');
  await screen.findAllByText(words);
  expect(screen.queryByRole('button', { name: 'Clone' })).toBeNull();
});
