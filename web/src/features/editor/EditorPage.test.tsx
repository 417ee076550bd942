// @vitest-environment happy-dom
import {
  cloneTradingBot,
  createTradingBot,
  getTradingBot,
  updateTradingBot,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { Link, Route, Routes } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { botOf, NOTHING_ELSE } from '../../../testing/bot.ts';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import EditorPage from './EditorPage.tsx';

afterEach(() => {
  leave();
  localStorage.clear();
  vi.restoreAllMocks();
});

const open = (at: string) =>
  act(async () => {
    show(
      <>
        <Link to="/drafts">All drafts</Link>
        <Routes>
          <Route path="/editor/:id/*" element={<EditorPage />} />
          <Route path="/drafts" element="The drafts" />
        </Routes>
      </>,
      { at },
    );
    await import('../../ui/DialogWindow.tsx');
  });
const name = () => screen.findByLabelText<HTMLInputElement>('Strategy name');
const rename = async (value: string) => {
  const field = await name();
  fireEvent.change(field, { target: { value } });
  fireEvent.blur(field);
};

it('keeps what is typed while a save is on its way, and saves it over what that made', async () => {
  const sent: Sent[] = [];
  let end = () => {};
  answer(
    ...NOTHING_ELSE,
    [getTradingBot, () => botOf()],
    [
      updateTradingBot,
      async (one: Sent) => {
        sent.push(one);
        const { name: saved } = one.body as { readonly name: string };
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return botOf({ name: saved, revision: 3 + sent.length });
      },
    ],
  );
  await open('/editor/b1');
  await rename('First');
  await press('Save changes');
  await rename('Second');
  await act(async () => end());
  expect((await name()).value).toBe('Second');
  await press('Save changes');
  expect(sent.map(({ body, ifMatch }) => [(body as { name: string }).name, ifMatch])).toEqual([
    ['First', 3],
    ['Second', 4],
  ]);
  await act(async () => end());
  const saved = await screen.findByRole<HTMLButtonElement>('button', { name: 'Saved' });
  expect(saved.disabled).toBe(true);
});

it('keeps all of it where a save is refused, says why, and saves it at the next try', async () => {
  let isAway = true;
  answer(
    ...NOTHING_ELSE,
    [getTradingBot, () => botOf()],
    [
      updateTradingBot,
      ({ body }: Sent) => {
        if (isAway) throw refusal('The log is away.', 'unavailable', 503);
        return botOf({ ...(body as object), revision: 4 });
      },
    ],
  );
  await open('/editor/b1');
  await rename('Renamed');
  await press('Save changes');
  await screen.findByText(/Not saved: The log is away\. Your changes are kept here\./);
  expect((await name()).value).toBe('Renamed');
  isAway = false;
  await press('Try again');
  await screen.findByRole('button', { name: 'Saved' });
  expect(screen.queryByText(/Not saved/)).toBeNull();
});

it('asks before it is left with what is not saved, and lets go where nothing is changed', async () => {
  answer(...NOTHING_ELSE, [getTradingBot, () => botOf()]);
  const go = () => act(async () => void fireEvent.click(screen.getByRole('link', { name: 'All drafts' })));
  await open('/editor/b1');
  await name();
  await go();
  await screen.findByText('The drafts');
  leave();
  await open('/editor/b1');
  await rename('Renamed');
  await go();
  await screen.findByText('There are unsaved changes. Leave without saving them?');
  await press('Stay');
  expect((await name()).value).toBe('Renamed');
  await go();
  await press('Leave without saving');
  await screen.findByText('The drafts');
});

it('lets somebody else’s strategy be cloned, not changed', async () => {
  const made: unknown[] = [];
  answer(
    ...NOTHING_ELSE,
    [getTradingBot, () => botOf({ user_id: 'eve', is_public: true })],
    [
      cloneTradingBot,
      ({ params }: Sent) => {
        made.push(params);
        if (made.length === 1) throw refusal('There are too many strategies already.');
        return botOf({ id: 'b2' });
      },
    ],
  );
  await open('/editor/b1');
  expect((await name()).readOnly).toBe(true);
  expect(screen.getByText('Clone it to change it')).toBeDefined();
  expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull();
  const tab = { location: { href: '' }, close: vi.fn() };
  vi.spyOn(window, 'open').mockReturnValue(tab as unknown as Window);
  await press('Clone');
  await waitFor(() =>
    expect(toasts().map(({ title }) => title)).toEqual(['There are too many strategies already.']),
  );
  expect(tab.close).toHaveBeenCalledTimes(1);
  await press('Clone');
  await waitFor(() => expect(tab.location.href).toBe('/editor/b2'));
  expect(made).toEqual([{ id: 'b1' }, { id: 'b1' }]);
});

it('makes a new strategy at its first save, and stays the editor of it', async () => {
  const created: unknown[] = [];
  answer(...NOTHING_ELSE, [
    createTradingBot,
    ({ body }: Sent) => {
      created.push((body as { readonly name: string }).name);
      return botOf({ ...(body as object), id: 'b9', revision: 1 });
    },
  ]);
  await open('/editor/new');
  // It can be kept as it is.
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' }).disabled).toBe(false);
  await rename('Brand new');
  await press('Save changes');
  await screen.findByRole('button', { name: 'Saved' });
  expect(created).toEqual(['Brand new']);
  expect((await name()).value).toBe('Brand new');
  expect(screen.getByRole('link', { name: 'Metrics' }).getAttribute('href')).toMatch(
    /^\/editor\/b9\/metrics/,
  );
});

it('tells a strategy that is not there from one that could not be loaded', async () => {
  let status = 500;
  answer(...NOTHING_ELSE, [
    getTradingBot,
    () => {
      throw refusal('Not now.', 'no', status);
    },
  ]);
  await open('/editor/b1');
  await screen.findByText('The strategy could not be loaded');
  status = 404;
  await press('Try again');
  await screen.findByText('The resource you are looking for cannot be found.');
});
