// @vitest-environment happy-dom
import {
  getCurrentUser,
  getStorage,
  requestDeletion,
  undoDeletion,
} from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { answer, askAgain, leave, press, refusal, show, toasts } from '../../../testing/page.tsx';
import { DeletionPanel } from './DeletionPanel.tsx';
import { megabytes, StoragePanel } from './StoragePanel.tsx';

afterEach(leave);

describe('deleting the account', () => {
  it('is done once it was confirmed, says until when, and can be undone', async () => {
    const asked: string[] = [];
    let isAway = true;
    const act = (what: string, eraseAt: string | null) => () => {
      asked.push(what);
      if (isAway) throw refusal(`No ${what} now.`);
      return { erase_at: eraseAt };
    };
    answer(
      [getCurrentUser, () => ({ erase_at: null })],
      [requestDeletion, act('deletion', '2026-03-09T12:00:00Z')],
      [undoDeletion, act('undoing', null)],
    );
    show(<DeletionPanel />);
    await press('Delete my account');
    await screen.findByRole('alertdialog');
    expect(asked).toEqual([]);
    const confirm = () =>
      fireEvent.click(screen.getAllByRole('button', { name: 'Delete my account' }).at(-1) as HTMLElement);
    confirm();
    await screen.findByText('No deletion now.');
    expect(screen.queryByText(/is erased on/)).toBeNull();
    isAway = false;
    confirm();
    expect((await screen.findByRole('status')).textContent).toContain('erased on March 9, 2026.');
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
    isAway = true;
    await press('Keep my account');
    await waitFor(() => expect(toasts().at(-1)?.options.description).toBe('No undoing now.'));
    expect(screen.getByRole('status').textContent).toContain('March 9, 2026');
    isAway = false;
    await press('Keep my account');
    await screen.findByRole('button', { name: 'Delete my account' });
    expect(toasts().at(-1)?.title).toBe('Your account stays');
    expect(asked).toEqual(['deletion', 'deletion', 'undoing', 'undoing']);
  });

  it('says what is under way where it was asked for before', async () => {
    answer([getCurrentUser, () => ({ erase_at: '2026-04-01T12:00:00Z' })]);
    show(<DeletionPanel />);
    expect((await screen.findByRole('status')).textContent).toContain('erased on April 1, 2026.');
    expect(screen.queryByRole('button', { name: 'Delete my account' })).toBeNull();
  });

  it('can still be asked for where what is known of it could not be looked at again', async () => {
    let isAway = false;
    const user = () => {
      if (isAway) throw refusal('The log is away.');
      return { erase_at: null };
    };
    answer([getCurrentUser, user]);
    show(<DeletionPanel />);
    const button = { name: 'Delete my account' };
    await screen.findByRole('button', button);
    isAway = true;
    await askAgain('deletion');
    expect(screen.getByRole('button', button)).toBeDefined();
    leave();
    // Who was never told whether one is under way is asked nothing that could begin another.
    show(<DeletionPanel />);
    await screen.findByText('This could not be loaded');
    expect(screen.queryByRole('button', button)).toBeNull();
  });
});

describe('the room that is taken', () => {
  const MEGABYTE = 1024 * 1024;

  it('is told in megabytes, as exact as it matters', () => {
    const told = [
      0,
      1,
      0.01 * MEGABYTE + 1,
      9.876 * MEGABYTE,
      10 * MEGABYTE,
      99.94 * MEGABYTE,
      1000 * MEGABYTE,
    ];
    expect(told.map(megabytes)).toEqual([
      '0 MB',
      'less than 0.01 MB',
      '0.01 MB',
      '9.88 MB',
      '10 MB',
      '99.9 MB',
      '1,000 MB',
    ]);
  });

  it('warns from nine tenths on, and is never more than all of it', async () => {
    let used = 899;
    answer([getStorage, () => ({ used_bytes: used * MEGABYTE, limit_bytes: 1000 * MEGABYTE })]);
    const partOf = async (next: number) => {
      used = next;
      leave();
      const { container } = show(<StoragePanel />);
      const meter = await screen.findByRole('meter', { name: 'Storage used' });
      return [container.querySelector('p')?.textContent, Number(meter.getAttribute('value'))];
    };
    expect(await partOf(899)).toEqual(['899 MB of 1,000 MB', 0.899]);
    expect(await partOf(900)).toEqual(['900 MB of 1,000 MB – nearly full', 0.9]);
    expect(await partOf(1200)).toEqual(['1,200 MB of 1,000 MB – nearly full', 1]);
  });
});
