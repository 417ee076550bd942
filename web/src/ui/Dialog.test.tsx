// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { leave, press, show, toasts } from '../../testing/page.tsx';
import { ConfirmDialog } from './Dialog.tsx';

afterEach(leave);

/** A list whose items are deleted after one and the same question. */
function Items({ onDelete }: { onDelete: (item: string) => Promise<void> }) {
  const [asked, setAsked] = useState<string | null>(null);
  return (
    <>
      {['one', 'two'].map((item) => (
        <button key={item} type="button" onClick={() => setAsked(item)}>
          {item}
        </button>
      ))}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        onConfirm={() => onDelete(asked ?? '')}
      >
        Item {asked} is deleted.
      </ConfirmDialog>
    </>
  );
}

const isGone = () => waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());

it('stays where it failed and says why in words for people, and closes once it is done', async () => {
  const onDelete = vi.fn(async () => {});
  // What the browser says of a server that is away.
  onDelete.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  show(<Items onDelete={onDelete} />);
  await press('one');
  await press('Delete');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('The server cannot be reached. Check the connection and try again.');
  await press('Delete');
  await isGone();
  expect(onDelete.mock.calls).toEqual([['one'], ['one']]);
});

it('cannot be pressed twice, and keeps what became of one question out of the next one', async () => {
  const answers: { fail: (reason: Error) => void; done: () => void }[] = [];
  const onDelete = vi.fn(() => new Promise<void>((done, fail) => answers.push({ done, fail })));
  show(<Items onDelete={onDelete} />);
  await press('one');
  await press('Delete');
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' });
  await waitFor(() => expect(button.disabled).toBe(true));
  fireEvent.click(button);
  expect(onDelete).toHaveBeenCalledOnce();
  // Given up while it is under way: what comes of it then belongs to no question that stands there.
  await press("Don't delete");
  await isGone();
  answers[0]?.fail(new Error('Item one is in use.'));
  await waitFor(() => expect(toasts().map(({ title }) => title)).toEqual(['Item one is in use.']));
  await press('two');
  await screen.findByText('Item two is deleted.');
  await waitFor(() =>
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(false),
  );
  expect(screen.getByRole('alertdialog').textContent).not.toContain('in use');
  // Nor does a late success close the question of something else.
  await press('Delete');
  await press("Don't delete");
  await isGone();
  await press('one');
  await screen.findByText('Item one is deleted.');
  await act(async () => answers[1]?.done());
  expect(screen.getByRole('alertdialog').textContent).toContain('Item one is deleted.');
});
