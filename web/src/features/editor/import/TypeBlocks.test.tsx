// @vitest-environment happy-dom
import { listTickers } from '@quantloom/domain/contracts/http/calls';
import type { BlockNode } from '@quantloom/domain/strategy/tree';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer, leave, press, showWindow } from '../../../../testing/page.tsx';
import { TypeBlocks } from './TypeBlocks.tsx';

let added: BlockNode[];
let closed: number;
beforeEach(() => {
  [added, closed] = [[], 0];
  const ticker = { ticker: 'QQQ', name: 'Nasdaq 100', first_day: '', last_day: '', is_simulated: false };
  answer([listTickers, () => ({ data: [ticker] })]);
});
afterEach(leave);

const open = (begun = '') =>
  showWindow(
    <TypeBlocks
      begun={begun}
      onAdd={(block) => added.push(block)}
      onClose={() => {
        closed += 1;
      }}
    />,
  );
const field = () => screen.getByLabelText<HTMLTextAreaElement>('In words');
const type = (value: string) => act(async () => void fireEvent.change(field(), { target: { value } }));
const key = (name: string, rest: object = {}) => fireEvent.keyDown(field(), { key: name, ...rest });
const isOffered = () => !screen.getByRole<HTMLButtonElement>('button', { name: 'Add it' }).disabled;

it('adds what was typed as one block, several of them with equal weights', async () => {
  await open('SPY');
  await press('Add it');
  await type('SPY\nTLT');
  key('Enter');
  expect(added).toMatchObject([
    { node_type: 'asset', ticker: 'SPY' },
    { node_type: 'wt-cash-equal', children: [{ ticker: 'SPY' }, { ticker: 'TLT' }] },
  ]);
  expect(closed).toBe(2);
});

it('says what is wrong and adds nothing until that is mended', async () => {
  await open();
  expect(isOffered()).toBe(false);
  expect(screen.queryByRole('status')).toBeNull();
  await type('if RSI(SPY, 10) > then TLT else SPY');
  expect(screen.getByRole('status').textContent).not.toBe('');
  expect(isOffered()).toBe(false);
  key('Enter');
  expect([added, closed]).toEqual([[], 0]);
  await type('if RSI(SPY, 10) > 79 then TLT else SPY');
  expect(screen.queryByRole('status')).toBeNull();
  // Another line, and a letter that is still being put together, are no end.
  key('Enter', { shiftKey: true });
  key('Enter', { isComposing: true });
  expect(added).toEqual([]);
  key('Enter');
  expect(added).toMatchObject([{ node_type: 'if-then-else' }]);
});

it('completes the word that is being typed, not what stands before it', async () => {
  await open();
  await type('if RSI(QQ');
  await screen.findByRole('button', { name: 'QQQ' });
  expect(key('Tab')).toBe(false);
  expect(field().value).toBe('if RSI(QQQ');
  await type('if RSI(QQQ, 10) > 79 the');
  await press('then');
  expect(field().value).toBe('if RSI(QQQ, 10) > 79 then ');
});

it('reads no text that is too long for it', async () => {
  await open();
  await type(`SPY${' '.repeat(50_000)}`);
  expect(screen.getByRole('status').textContent).toContain('use Import');
  expect(isOffered()).toBe(false);
});
