// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { Route, Routes, useLocation } from 'react-router';
import { afterEach, expect, it } from 'vitest';
import { leave, show } from '../../testing/page.tsx';
import { CommandCenter } from './CommandCenter.tsx';
import MobileMenu from './layouts/MobileMenu.tsx';

afterEach(leave);

function Place() {
  return <p>at {useLocation().pathname}</p>;
}
const open = (features: readonly string[]) =>
  show(
    <>
      <CommandCenter />
      <Routes>
        <Route path="*" element={<Place />} />
      </Routes>
    </>,
    { features },
  );
const type = (...keys: readonly string[]) =>
  act(async () => {
    for (const key of keys) fireEvent.keyDown(document.body, { key });
  });
const place = () => screen.getByText(/^at /).textContent;

it('goes where a shortcut says, from anywhere', async () => {
  open(['web.batch-backtests.create']);
  await type('g', 'p');
  expect(place()).toBe('at /portfolio');
  await type('g', 'b');
  expect(place()).toBe('at /batch-backtests');
  await type('g', 'v');
  expect(place()).toBe('at /variable-lists');
  await type('g', 't');
  expect(place()).toBe('at /tomorrow');
  await type('g', 'd');
  expect(place()).toBe('at /drafts');
  await type('c');
  expect(place()).toBe('at /editor/new');
});

it('does not lead to what the account does not have', async () => {
  open([]);
  await type('g', 'b');
  expect(place()).toBe('at /');
  await type('g', 'a');
  expect(place()).toBe('at /account/general');
});

it.each([
  [[], ['/drafts', '/portfolio', '/tomorrow', '/account/general']],
  [
    ['web.batch-backtests.create', 'web.admin.view'],
    [
      '/drafts',
      '/variable-lists',
      '/batch-backtests',
      '/portfolio',
      '/tomorrow',
      '/account/general',
      '/admin/dashboard',
    ],
  ],
])('shows on a phone what there is for somebody with the features %j', (features, expected) => {
  const closed: boolean[] = [];
  show(<MobileMenu open onOpenChange={(isOpen) => closed.push(isOpen)} />, { features });
  const nav = screen.getByRole('navigation', { name: 'Mobile' });
  const links = [...nav.querySelectorAll('a')];
  expect(links.map((link) => link.getAttribute('href'))).toEqual(expected);
  fireEvent.click(links[0] as HTMLElement);
  expect(closed).toEqual([false]);
});
