// @vitest-environment happy-dom
import { createTradingBot, getTradingBot, updateTradingBot } from '@quantloom/domain/contracts/http/calls';
import { ApiError } from '@quantloom/domain/contracts/http/client';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { botOf, NOTHING_ELSE } from '../../../testing/bot.ts';
import { answer, leave, press, type Sent, show } from '../../../testing/page.tsx';
import EditorPage from './EditorPage.tsx';

afterEach(() => {
  leave();
  localStorage.clear();
});

/** A public strategy that was renamed here, saved on what somebody else has changed meanwhile. */
async function conflict(stored: object = {}) {
  const saved: Sent[] = [];
  const created: Sent[] = [];
  let now = botOf({ is_public: true });
  answer(
    ...NOTHING_ELSE,
    [getTradingBot, () => now],
    [
      updateTradingBot,
      (sent: Sent) => {
        saved.push(sent);
        if (sent.ifMatch === 5) return botOf({ ...(sent.body as object), revision: 6 });
        const error = 'This has been changed since you opened it.';
        throw new ApiError(409, { error, code: 'wrong_revision', status: 409, currentRevision: 5 });
      },
    ],
    [
      createTradingBot,
      (sent: Sent) => {
        created.push(sent);
        return botOf({ ...(sent.body as object), id: 'b9', revision: 0 });
      },
    ],
  );
  await act(async () => {
    show(
      <Routes>
        <Route path="/editor/:id/*" element={<EditorPage />} />
      </Routes>,
      { at: '/editor/b1' },
    );
    await import('../../ui/DialogWindow.tsx');
  });
  const field = await name();
  fireEvent.change(field, { target: { value: 'Mine' } });
  fireEvent.blur(field);
  now = botOf({ name: 'Theirs', is_public: true, revision: 5, ...stored });
  await press('Save changes');
  await screen.findByText('This strategy was changed elsewhere');
  return { saved, created };
}
const name = () => screen.findByLabelText<HTMLInputElement>('Strategy name');

it('keeps what was made here as a copy that only its owner sees, under a name that tells it apart', async () => {
  const { created } = await conflict();
  await press('Keep mine as a copy');
  await screen.findByRole('button', { name: 'Saved' });
  expect(created.map(({ body }) => body)).toMatchObject([
    { name: 'Copy of Mine', is_public: false, algorithm: { name: 'Copy of Mine' } },
  ]);
  expect((await name()).value).toBe('Copy of Mine');
});

it('is saved over the other version only by who has compared both', async () => {
  const { saved } = await conflict();
  expect(screen.queryByRole('button', { name: 'Save mine over it' })).toBeNull();
  await press('Compare');
  await screen.findByText('As it is stored: Theirs');
  expect(screen.getByText('Mine: Mine')).toBeDefined();
  // Both can be seen by everybody.
  expect(screen.queryByText(/^Visibility: .* in mine$/)).toBeNull();
  await press('Save mine over it');
  await screen.findByRole('button', { name: 'Saved' });
  expect(saved.map(({ body, ifMatch }) => [(body as { name: string }).name, ifMatch])).toEqual([
    ['Mine', 3],
    ['Mine', 5],
  ]);
});

it('says where the other version is seen by others than this one', async () => {
  await conflict({ is_public: false });
  await press('Compare');
  await screen.findByText('Visibility: Private as it is stored, Public in mine');
});

it('takes the other version where it is reloaded, and drops what was made here', async () => {
  const { created } = await conflict();
  await press('Reload, drop my changes');
  await waitFor(async () => expect((await name()).value).toBe('Theirs'));
  expect(created).toEqual([]);
});
