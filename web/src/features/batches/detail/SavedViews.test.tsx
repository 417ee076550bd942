// @vitest-environment happy-dom
import {
  changeResultView,
  createResultView,
  deleteResultView,
  listResultViews,
} from '@quantloom/domain/contracts/http/calls';
import type { ViewContent } from '@quantloom/domain/result-views/view-content';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer, choose, leave, press, refusal, type Sent, show, toasts } from '../../../../testing/page.tsx';
import { FIRST_DESK } from '../model/desk.ts';
import { SavedViews } from './SavedViews.tsx';

afterEach(leave);

const DESK: ViewContent = {
  ...FIRST_DESK,
  columns: ['sharpe_ratio', '$B'],
  filters: [
    { column: 'sharpe_ratio', op: 'gte', text: '1' },
    { column: 'combination', op: 'in', text: '1, 4' },
  ],
};
let views: (ViewContent & { id: string; name: string; is_default: boolean })[];
let sent: unknown[];
let failure: Error | null;
let applied: string[];
beforeEach(() => {
  [sent, failure, applied] = [[], null, []];
  views = [
    { ...FIRST_DESK, id: 'v1', name: 'Calm', is_default: true },
    { ...FIRST_DESK, id: 'v2', name: 'Steady', is_default: false },
  ];
  const take =
    (what: string) =>
    ({ params, body }: Sent) => {
      sent.push([what, params?.id, body]);
      if (failure) throw failure;
      if (what === 'delete') views = views.filter(({ id }) => id !== params?.id);
      return {};
    };
  answer(
    [listResultViews, () => views],
    [createResultView, take('create')],
    [changeResultView, take('change')],
    [deleteResultView, take('delete')],
  );
  show(
    <SavedViews
      desk={DESK}
      available={['$A', 'sharpe_ratio']}
      onApply={(view, name) => applied.push(`${name}: ${view.picture}`)}
    />,
  );
});
const field = (name: string) => screen.findByLabelText<HTMLInputElement>(name);
const type = async (name: string, value: string) =>
  fireEvent.change(await field(name), { target: { value } });
const submit = async (name: string) => {
  const form = (await field(name)).closest('form') as HTMLFormElement;
  await act(async () => void fireEvent.submit(form));
};

it('saves what other batches have as well, and keeps the name where that is refused', async () => {
  await screen.findByText('Calm');
  await screen.findByText(/The filter on single rows belongs to this batch/);
  failure = refusal('There are fifty views already.');
  await type('Save as view', ' Mine ');
  await choose('Opens with', 'Heat map');
  await submit('Save as view');
  await screen.findByText('There are fifty views already.');
  expect((await field('Save as view')).value).toBe(' Mine ');
  failure = null;
  await submit('Save as view');
  await waitFor(async () => expect((await field('Save as view')).value).toBe(''));
  const body = {
    name: 'Mine',
    columns: ['sharpe_ratio'],
    order: null,
    filters: [{ column: 'sharpe_ratio', op: 'gte', text: '1' }],
    picture: 'heat-map',
    metric: 'sharpe_ratio',
  };
  expect(sent).toEqual([
    ['create', undefined, body],
    ['create', undefined, body],
  ]);
  expect(screen.queryByText('There are fifty views already.')).toBeNull();
  expect(toasts().map(({ title }) => title)).toEqual(['The view “Mine” is saved']);
});

it('takes the place of the view of the same name, whatever its case', async () => {
  await screen.findByText('Steady');
  await type('Save as view', 'STEADY');
  await screen.findByRole('button', { name: 'Replace' });
  await submit('Save as view');
  expect(sent[0]).toEqual(['change', 'v2', expect.objectContaining({ name: 'STEADY', picture: 'table' })]);
});

it('shows, renames, stars and deletes the view that was pressed', async () => {
  fireEvent.click(await screen.findByRole('button', { name: 'Steady' }));
  expect(applied).toEqual(['Steady: table']);
  const stars = screen.getAllByRole('button', { name: /^Open batches with/ });
  expect(stars.map((star) => star.getAttribute('aria-pressed'))).toEqual(['true', 'false']);
  await press('Open batches with Steady');
  await press('Open batches with Calm');
  await press('Rename Steady');
  failure = refusal('Calm is taken.');
  await type('New name of Steady', 'Calm');
  await submit('New name of Steady');
  await screen.findByText('Calm is taken.');
  expect((await field('New name of Steady')).value).toBe('Calm');
  failure = null;
  await submit('New name of Steady');
  await waitFor(() => expect(screen.queryByLabelText('New name of Steady')).toBeNull());
  await press('Delete the view Steady');
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Steady' })).toBeNull());
  expect(sent).toEqual([
    ['change', 'v2', { is_default: true }],
    ['change', 'v1', { is_default: false }],
    ['change', 'v2', { name: 'Calm' }],
    ['change', 'v2', { name: 'Calm' }],
    ['delete', 'v2', undefined],
  ]);
});
