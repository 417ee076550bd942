// @vitest-environment happy-dom
import {
  deleteDraft,
  followStrategy,
  getTradingBot,
  listFollows,
  undoTradingBotDeletion,
  updateTradingBot,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { answer, downloads, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import type { DraftRow } from '../../lib/resources.ts';
import SelectionBar from './SelectionBar.tsx';

let sent: [what: string, id: string | undefined, body: unknown][];
let onDone: () => void;
let failure: Error | null;
beforeEach(() => {
  [sent, failure] = [[], null];
  onDone = vi.fn();
  const take =
    (what: string) =>
    ({ params, body }: Sent) => {
      sent.push([what, params?.id, body]);
      if (failure) throw failure;
      return { name: `Name of ${params?.id}`, tags: ['old'], algorithm: {} };
    };
  answer(
    [updateTradingBot, take('change')],
    [deleteDraft, take('delete')],
    [undoTradingBotDeletion, take('bring back')],
    [followStrategy, take('follow')],
    [getTradingBot, take('read')],
    [listFollows, () => []],
  );
});
afterEach(leave);

const row = (id: string, over: Partial<DraftRow> = {}) =>
  ({ id, name: `Strategy ${id}`, type: 'bot', tags: ['old'], lastRun: null, ...over }) as DraftRow;
const ROWS = [row('a'), row('b', { tags: ['Bonds'] })];
const bar = (over: Partial<Parameters<typeof SelectionBar>[0]> = {}) =>
  show(
    <SelectionBar
      rows={ROWS}
      isArchive={false}
      total={2}
      follows={new Set()}
      onChooseAll={async () => {}}
      onDone={onDone}
      {...over}
    />,
  );
const inDialog = (name: string) =>
  act(async () => void fireEvent.click(screen.getAllByRole('button', { name }).at(-1) as HTMLElement));
const isDone = () => waitFor(() => expect(onDone).toHaveBeenCalledOnce());

it('archives what is chosen, and in the archive takes it out', async () => {
  const { unmount } = bar();
  expect(screen.getByRole('status').textContent).toBe('2 chosen');
  await press('Archive');
  await isDone();
  unmount();
  bar({ isArchive: true, rows: ROWS.slice(1) });
  expect(screen.queryByRole('button', { name: 'Follow…' })).toBeNull();
  await press('Take out');
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(sent).toEqual([
    ['change', 'a', { is_archived: true }],
    ['change', 'b', { is_archived: true }],
    ['change', 'b', { is_archived: false }],
  ]);
});

it('chooses all others that match, and can be used again however that ends', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { unmount } = bar({ total: 1_200, onChooseAll: () => promise });
  await press('Choose all 1,200');
  const archive = screen.getByRole<HTMLButtonElement>('button', { name: 'Archive' });
  expect(archive.disabled).toBe(true);
  resolve();
  await waitFor(() => expect(archive.disabled).toBe(false));
  expect(onDone).not.toHaveBeenCalled();
  unmount();
  bar({ total: 2 });
  expect(screen.queryByRole('button', { name: /Choose all/ })).toBeNull();
});

it('gives tags and takes others away, each once, and keeps the rest', async () => {
  bar();
  await press('Tag…');
  await screen.findByText('Now: Bonds, old');
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save tags' });
  expect(save.disabled).toBe(true);
  fireEvent.change(screen.getByLabelText('Add tags'), { target: { value: ' trend,, long term , trend' } });
  fireEvent.change(screen.getByLabelText('Remove tags'), { target: { value: 'OLD' } });
  await act(async () => void fireEvent.submit(save.closest('form') as HTMLFormElement));
  await isDone();
  expect(sent).toEqual([
    ['change', 'a', { tags: ['trend', 'long term'] }],
    ['change', 'b', { tags: ['Bonds', 'trend', 'long term'] }],
  ]);
});

it('deletes once that was confirmed, and can bring all of it back', async () => {
  bar();
  await press('Delete');
  expect((await screen.findByRole('alertdialog')).textContent).toContain('2 strategies will be deleted.');
  expect(sent).toEqual([]);
  await inDialog('Delete');
  await isDone();
  expect(sent.map(([what, id]) => [what, id])).toEqual([
    ['delete', 'a'],
    ['delete', 'b'],
  ]);
  toasts().at(-1)?.options.action?.onSelect();
  await waitFor(() => expect(sent).toHaveLength(4));
  expect(sent.slice(2).map(([what, id]) => [what, id])).toEqual([
    ['bring back', 'a'],
    ['bring back', 'b'],
  ]);
});

it('follows those that are not followed yet, once it was confirmed and that is known', async () => {
  const { unmount } = bar({ follows: null });
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Follow…' }).disabled).toBe(true);
  unmount();
  bar({ follows: new Set(['a']), rows: [...ROWS, row('t', { type: 'template' })], total: 3 });
  await press('Follow…');
  expect((await screen.findByRole('alertdialog')).textContent).toContain('each of these 3');
  expect(sent).toEqual([]);
  await inDialog('Follow');
  await isDone();
  expect(sent.map(([what, id]) => [what, id])).toEqual([['follow', 'b']]);
});

it('exports all of them into one file, in their order', async () => {
  const saved = downloads();
  bar();
  await press('Export');
  await isDone();
  expect(JSON.parse((await saved[0]?.content?.text()) ?? '')).toEqual([
    { name: 'Name of a', tags: ['old'], algorithm: {} },
    { name: 'Name of b', tags: ['old'], algorithm: {} },
  ]);
});

it('exports no file where nothing could be read, and says why', async () => {
  const saved = downloads();
  failure = refusal('Too busy.');
  bar({ rows: ROWS.slice(0, 1) });
  await press('Export');
  await isDone();
  expect(toasts().map(({ title, options }) => [title, options.description])).toEqual([
    ['1 strategy could not be done', 'Strategy a: Too busy.'],
  ]);
  expect(saved).toEqual([]);
});
