// @vitest-environment happy-dom
import {
  getCertificate,
  listSharedResults,
  shareResult,
  withdrawSharedResult,
} from '@quantloom/domain/contracts/http/calls';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answer, downloads, leave, press, refusal, type Sent, show, toasts } from '../../../testing/page.tsx';
import type { DraftRow } from '../../lib/resources.ts';
import ShareDialog from './ShareDialog.tsx';

afterEach(leave);

const draft = (over: Partial<DraftRow> = {}) =>
  ({
    id: 'd1',
    name: 'Dual momentum',
    type: 'bot',
    is_public: false,
    tags: [],
    lastRun: {
      id: 'r7',
      at: '2026-03-02T20:00:00Z',
      terms: { slippage_bps: 10 },
      metrics: {},
      firstDay: '2010-01-04',
      lastDay: '2026-02-27',
      isSimulated: false,
      line: [],
    },
    ...over,
  }) as unknown as DraftRow;
const link = (id: string, day: string, showsStrategy: boolean) => ({
  id,
  url: `/r/${id}`,
  revision: 3,
  created_at: `${day}T12:00:00Z`,
  last_day: '2026-02-27',
  shows_strategy: showsStrategy,
});
const dialog = (of: DraftRow, isInEditor = false) =>
  // Its window is fetched when it opens.
  act(async () => show(<ShareDialog draft={of} open onOpenChange={() => {}} isInEditor={isInEditor} />));
const linksThatWork = () =>
  within(screen.getByRole('list', { name: 'Links that work' })).getAllByRole('listitem');
const isBusy = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;

it('makes a link to exactly the last run, with the strategy where that was asked for', async () => {
  const made: Sent[] = [];
  let links: unknown[] = [];
  const make = (sent: Sent) => {
    made.push(sent);
    if (made.length === 1) throw refusal('There are 200 links already.');
    links = [link('l1', '2026-03-02', true)];
    return links[0];
  };
  answer([listSharedResults, () => links], [shareResult, make]);
  await dialog(draft());
  await press('Create link');
  await waitFor(() => expect(toasts().at(-1)?.title).toBe('There are 200 links already.'));
  expect(isBusy('Create link')).toBe(false);
  fireEvent.click(screen.getByRole('switch', { name: 'Show the strategy too' }));
  await press('Create link');
  await screen.findByRole('link', { name: 'Result to February 27, 2026' });
  expect(made).toMatchObject([
    { params: { id: 'd1' }, body: { run_id: 'r7', shows_strategy: false } },
    { params: { id: 'd1' }, body: { run_id: 'r7', shows_strategy: true } },
  ]);
  expect(linksThatWork()[0]?.textContent).toContain('revision 3, with the strategy');
});

it('takes back the link that was pressed, also where the others cannot be asked for afterwards', async () => {
  let isListed = true;
  const withdrawn: unknown[] = [];
  const list = () => {
    if (!isListed) throw refusal('Not now.');
    return [link('l1', '2026-03-02', false), link('l2', '2026-01-05', true)];
  };
  const withdraw = ({ params }: Sent) => {
    withdrawn.push(params?.id);
    if (withdrawn.length === 1) throw refusal('The log is away.');
    isListed = false;
    return null;
  };
  answer([listSharedResults, list], [withdrawSharedResult, withdraw]);
  await dialog(draft());
  await press(/Withdraw the link made January 5, 2026/);
  await waitFor(() => expect(toasts().at(-1)?.title).toBe('The log is away.'));
  expect(linksThatWork()).toHaveLength(2);
  await press(/Withdraw the link made January 5, 2026/);
  await screen.findByText('The links could not be loaded. They go on working.');
  expect(withdrawn).toEqual(['l2', 'l2']);
  expect(linksThatWork().map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('result only'),
  ]);
  expect(isBusy(/Withdraw the link made March 2/)).toBe(false);
});

it('saves a certificate of the last run with or without the strategy', async () => {
  const saved = downloads();
  const asked: Sent[] = [];
  const certify = (sent: Sent) => {
    asked.push(sent);
    return { hash: `of ${sent.query?.strategy}` };
  };
  answer([listSharedResults, () => []], [getCertificate, certify]);
  await dialog(draft());
  await press('Without it');
  await press('With the strategy');
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(asked).toMatchObject([
    { params: { id: 'd1', run: 'r7' }, query: { strategy: 'without' } },
    { params: { id: 'd1', run: 'r7' }, query: { strategy: 'with' } },
  ]);
  expect(saved[0]?.name).toBe('Dual momentum certificate.json');
  expect(JSON.parse((await saved[0]?.content?.text()) ?? '')).toEqual({ hash: 'of without' });
});

it('offers neither link nor certificate of what never ran, and the page of what is public alone', async () => {
  answer([listSharedResults, () => []]);
  const { unmount } = await dialog(draft({ lastRun: null, is_public: true }));
  await screen.findByText(/^Run the strategy as it is saved/);
  expect(screen.getByRole('link', { name: 'Open it' }).getAttribute('href')).toBe('/editor/d1');
  expect(screen.getByRole('link', { name: 'Open the page' }).getAttribute('href')).toBe('/strategies/d1');
  expect(screen.queryByRole('button', { name: 'Create link' })).toBeNull();
  expect(screen.queryByText('A certificate')).toBeNull();
  unmount();
  await dialog(draft({ lastRun: null, type: 'template' }), true);
  await screen.findByText('A template has no single result.');
  expect(screen.queryByRole('link')).toBeNull();
});
