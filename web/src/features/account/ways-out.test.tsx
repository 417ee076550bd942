// @vitest-environment happy-dom
import { getArchive } from '@quantloom/domain/contracts/http/calls';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, downloads, leave, press, refusal, type Sent, show } from '../../../testing/page.tsx';
import { parseConfig, setConfig } from '../../lib/config.ts';
import { ArchivePanel } from './ArchivePanel.tsx';
import { SecurityPanel } from './SecurityPanel.tsx';

afterEach(() => {
  leave();
  // The next file shares it.
  setConfig(parseConfig({ clientId: 'web' }, window.location.origin));
});

it('hands the archive of an account to the browser by its address, and says why there is none', async () => {
  const saved = downloads();
  const asked: unknown[] = [];
  answer([
    getArchive,
    ({ query }: Sent) => {
      asked.push(query);
      if (asked.length === 1) throw refusal('One is being made already.');
      return { presigned_url: 'https://files.example/archive' };
    },
  ]);
  show(<ArchivePanel />);
  await press('Download everything');
  expect((await screen.findByRole('alert')).textContent).toBe('One is being made already.');
  expect(saved).toEqual([]);
  await press('Download everything');
  await waitFor(() => expect(saved).toMatchObject([{ address: 'https://files.example/archive' }]));
  expect(asked).toEqual([{ link: true }, { link: true }]);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.getByRole('status').textContent).toBe('Your browser is downloading the file.');
});

it('leads to the pages of whoever signs people in', () => {
  const href = (config: object) => {
    const page = show(<SecurityPanel />);
    setConfig(parseConfig({ clientId: 'web', ...config }, window.location.origin));
    page.rerender(<SecurityPanel />);
    const found = screen.queryByRole('link')?.getAttribute('href') ?? null;
    leave();
    return found;
  };
  expect(href({})).toBe('/u/account');
  expect(href({ issuer: 'tenant.example' })).toBeNull();
  expect(href({ issuer: 'tenant.example', accountUrl: 'https://tenant.example/me' })).toBe(
    'https://tenant.example/me',
  );
});
