// @vitest-environment happy-dom
import {
  createVariableList,
  deleteVariableList,
  getVariableList,
  undoVariableListDeletion,
  updateVariableList,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import { queryClient } from '../../lib/api.ts';
import VariableListEditorPage from './VariableListEditorPage.tsx';

afterEach(leave);

const LIST = { id: '7', name: 'Funds', is_public: false, user_id: 'ann', variables: ['SPY'], revision: 3 };
const edit = (id: string) =>
  show(
    <Routes>
      <Route path="/variable-lists/:id/edit" element={<VariableListEditorPage />} />
      <Route path="/variable-lists" element="All lists" />
    </Routes>,
    { at: `/variable-lists/${id}/edit` },
  );
const text = () => screen.findByLabelText<HTMLTextAreaElement>('Variables');
const type = async (value: string) => fireEvent.change(await text(), { target: { value } });
/** The page looks again, as it does when somebody comes back to its window. */
const lookAgain = () => queryClient.refetchQueries({ queryKey: ['variable-lists', '7'] });

it('saves over the revision that was opened, whatever was read since, and stays where that is refused', async () => {
  let stored = LIST;
  const sent: Sent[] = [];
  const update = (one: Sent) => {
    sent.push(one);
    throw refusal('The list was changed meanwhile.', 'revision_conflict', 412);
  };
  answer([getVariableList, () => stored], [updateVariableList, update]);
  edit('7');
  await type('SPY\nQQQ');
  stored = { ...LIST, variables: ['SPY', 'IWM'], revision: 4 };
  await lookAgain();
  await press('Save');
  await screen.findByText('The list was changed meanwhile.');
  expect(sent).toEqual([
    {
      params: { id: '7' },
      body: { name: 'Funds', is_public: false, variables: ['SPY', 'QQQ'] },
      ifMatch: 3,
    },
  ]);
  expect((await text()).value).toBe('SPY\nQQQ');
});

it('keeps what is typed where a later look fails, and leaves where there was nothing to edit', async () => {
  let isAway = false;
  const get = () => {
    if (isAway) throw refusal('Not now.');
    return LIST;
  };
  answer([getVariableList, get]);
  edit('7');
  await type('SPY\nQQQ');
  isAway = true;
  await lookAgain();
  await waitFor(() => expect(queryClient.getQueryState(['variable-lists', '7'])?.status).toBe('error'));
  await new Promise((done) => setTimeout(done));
  expect((await text()).value).toBe('SPY\nQQQ');
  leave();
  edit('7');
  await screen.findByText('All lists');
});

it('adds what a file holds, asks before a value is changed, and saves nothing before the answer', async () => {
  const made: unknown[] = [];
  answer([createVariableList, ({ body }) => made.push(body)]);
  edit('new');
  await press('Save');
  await screen.findByText('Name is required');
  fireEvent.change(screen.getByLabelText('Name'), { target: { value: ' Mine ' } });
  await type('spy\nTOOLONGTICKER');
  const file = new File(['qqq,SPY\n'], 'more.csv');
  fireEvent.change(screen.getByLabelText('Upload File'), { target: { files: [file] } });
  await waitFor(async () => expect((await text()).value).toBe('SPY\nQQQ'));
  await type('SPY\nQQQ\ni-w-m');
  await screen.findByText('3 valid variables, 1 changed');
  await press('Save');
  await screen.findByText(/i-w-m becomes IWM/);
  await press('Change them');
  expect(made).toEqual([]);
  await press('Save');
  await press('Save them so');
  await screen.findByText('All lists');
  expect(made).toEqual([{ name: 'Mine', is_public: false, variables: ['SPY', 'QQQ', 'IWM'] }]);
});

it('says where a list that was deleted could not be brought back', async () => {
  const back = () => {
    throw refusal('There are as many lists as can be.');
  };
  answer([getVariableList, () => LIST], [deleteVariableList, () => null], [undoVariableListDeletion, back]);
  edit('7');
  await text();
  await press('Delete');
  await screen.findByText(/The list Funds is deleted/);
  fireEvent.click(screen.getAllByRole('button', { name: 'Delete' }).at(-1) as HTMLElement);
  await screen.findByText('All lists');
  toasts()[0]?.options.action?.onSelect();
  await waitFor(() => expect(toasts().at(-1)?.title).toBe('There are as many lists as can be.'));
});
