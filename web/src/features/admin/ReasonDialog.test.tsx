// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { ReasonDialog } from './ReasonDialog.tsx';

afterEach(cleanup);

async function show(onConfirm: (reason: string) => Promise<void>) {
  const onClose = vi.fn();
  await act(async () => {
    render(
      <ReasonDialog title="Disable?" of="ann" verb="Disable" onConfirm={onConfirm} onClose={onClose}>
        Nobody can sign in to it.
      </ReasonDialog>,
    );
  });
  const field = await screen.findByLabelText<HTMLInputElement>(/Reason/);
  fireEvent.change(field, { target: { value: '  Sends mail  ' } });
  fireEvent.click(screen.getByRole('button', { name: 'Disable' }));
  return { onClose, field };
}

it('stays with what was typed where it failed, says why, and closes once it is done', async () => {
  const onConfirm = vi.fn(async () => {});
  onConfirm.mockRejectedValueOnce(new Error('The log is away.'));
  const { onClose, field } = await show(onConfirm);
  await screen.findByText('The log is away.');
  expect(onClose).not.toHaveBeenCalled();
  expect(field.value).toBe('  Sends mail  ');
  fireEvent.click(screen.getByRole('button', { name: 'Disable' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(onConfirm.mock.calls).toEqual([['Sends mail'], ['Sends mail']]);
});
