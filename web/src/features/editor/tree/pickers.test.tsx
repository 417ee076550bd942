// @vitest-environment happy-dom
import { getTradingBot, listDrafts, listTickers } from '@quantloom/domain/contracts/http/calls';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { draftOf } from '../../../../testing/draft.ts';
import { answer, leave, press, refusal, type Sent, showWindow } from '../../../../testing/page.tsx';
import { type AssetPickerRequest, type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { AssetPicker } from './AssetPicker.tsx';
import { StrategyPicker } from './StrategyPicker.tsx';

afterEach(() => {
  leave();
  localStorage.clear();
});

const ticker = (name: string, words: string) => ({
  ticker: name,
  name: words,
  first_day: '2000-01-03',
  last_day: '2026-03-02',
  is_simulated: false,
});
const TICKERS = [ticker('SPY', 'S&P 500'), ticker('SPYG', 'S&P growth'), ticker('TLT', 'Long bonds')];
let picked: unknown[];
let closed: number;
beforeEach(() => {
  picked = [];
  closed = 0;
  Element.prototype.scrollIntoView ??= () => {};
});

async function showAssets(request: Partial<AssetPickerRequest> = {}, canUseVariables = true) {
  const tools = { variables: ['$A'], canUseVariables } as unknown as EditorTools;
  const asked = { purpose: 'asset', current: '', onPick: (asset: unknown) => picked.push(asset), ...request };
  return await showWindow(
    <EditorToolsContext value={tools}>
      <AssetPicker request={asked as AssetPickerRequest} onClose={() => (closed += 1)} />
    </EditorToolsContext>,
  );
}
const search = () => screen.findByRole('searchbox', { name: /Search for a ticker/ });
const type = async (text: string) => fireEvent.change(await search(), { target: { value: text } });
const key = async (name: string) => fireEvent.keyDown(await search(), { key: name });
const marked = () => screen.getByRole('option', { selected: true }).textContent;

it('marks the first of what is found anew for each search, and takes the one that is marked', async () => {
  answer([listTickers, () => ({ data: TICKERS })]);
  await showAssets();
  await type('SPY');
  await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(1));
  expect(marked()).toContain('S&P 500');
  await key('ArrowUp');
  expect(marked()).toContain('S&P 500');
  await key('ArrowDown');
  expect(marked()).toContain('S&P growth');
  expect((await search()).getAttribute('aria-activedescendant')).toBe(
    screen.getByRole('option', { selected: true }).id,
  );
  await type('TLT');
  expect(marked()).toContain('Long bonds');
  await key('Enter');
  expect([picked, closed]).toEqual([[{ ticker: 'TLT', name: 'Long bonds' }], 1]);
});

it('takes the first of what is found where Enter came before the tickers did', async () => {
  const tickers = Promise.withResolvers<object>();
  answer([listTickers, () => tickers.promise]);
  await showAssets();
  await type('spy');
  await key('Enter');
  expect(picked).toEqual([]);
  tickers.resolve({ data: TICKERS });
  await waitFor(() => expect(picked).toEqual([{ ticker: 'SPY', name: 'S&P 500' }]));
});

it('offers what was used last before anything is typed, and says what a search came to', async () => {
  answer([listTickers, () => ({ data: TICKERS })]);
  const { unmount } = await showAssets();
  await type('TLT');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 Results'));
  await key('Enter');
  unmount();
  await showAssets();
  await screen.findByText('Used last');
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['TLTLong bonds']);
  await type('nothing like it');
  await screen.findByText('No results found');
  await type('$B');
  await waitFor(() => expect(screen.getByRole('option').textContent).toContain('$B'));
  await key('Enter');
  expect(picked.at(-1)).toEqual({ ticker: '$B', name: '$B' });
});

it('offers variables only to those whose plan has them', async () => {
  answer([listTickers, () => ({ data: TICKERS })]);
  await showAssets({}, false);
  await screen.findByText(/Variables are not part of your plan/);
  await type('$B');
  await screen.findByText('No results found');
  expect(screen.queryByRole('option')).toBeNull();
});

it('offers strategies but the one that is edited, and stays with why one cannot be taken', async () => {
  const asked: unknown[] = [];
  const list = ({ query }: Sent) => {
    asked.push(query);
    const rows = [
      draftOf('own', 'Edited'),
      draftOf('a', 'Trend'),
      draftOf('b', 'Temp', { variables: ['$A', '$B'] }),
    ];
    return { body: rows, headers: new Headers({ 'x-total-count': '3' }) };
  };
  let bot: () => unknown = () => {
    throw refusal('None', 'not-found', 404);
  };
  const read: unknown[] = [];
  const PUBLIC = '01HZY3J8Q6W5V4T3S2R1P0N9MK';
  answer(
    [listDrafts, list],
    [
      getTradingBot,
      ({ params }) => {
        read.push(params?.id);
        return bot();
      },
    ],
  );
  await showWindow(
    <StrategyPicker ownId="own" onPick={(one) => picked.push(one)} onClose={() => (closed += 1)} />,
  );
  await screen.findByText('Trend');
  expect(screen.queryByText('Edited')).toBeNull();
  expect(screen.getByText(/^\$A, \$B, changed/)).toBeDefined();
  await press(/^Trend/);
  await screen.findByText('There is no such strategy, or it is private');
  const field = screen.getByRole('searchbox');
  fireEvent.change(field, { target: { value: ' tre ' } });
  expect(screen.queryByText(/There is no such strategy/)).toBeNull();
  await waitFor(() => expect(asked.at(-1)).toEqual({ search: 'tre', limit: 25 }));
  fireEvent.change(field, { target: { value: `https://example.com/editor/${PUBLIC}` } });
  bot = () => {
    throw refusal('Not now.');
  };
  await press(/^The strategy at this address/);
  await screen.findByText('Not now.');
  expect([picked, closed]).toEqual([[], 0]);
  const found = { id: PUBLIC, name: 'Public', revision: 2, algorithm: { node_type: 'root', children: [] } };
  bot = () => found;
  await press(/^The strategy at this address/);
  await waitFor(() => expect([picked, closed]).toEqual([[found], 1]));
  expect(read).toEqual(['a', PUBLIC, PUBLIC]);
});
