// @vitest-environment happy-dom
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { figuresOf, leave, press, show, toasts } from '../../../../testing/page.tsx';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { EditorStore } from '../model/editor-store.ts';
import { RebalancePopover } from './RebalancePopover.tsx';
import { SensitivityStrip } from './SensitivityStrip.tsx';

afterEach(leave);

async function open(over: Partial<Algorithm> = {}) {
  const algorithm = { ...strategyOfText('SPY'), ...over } as Algorithm;
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm });
  const tools = { store, isEditable: true, variables: [], canUseVariables: true } as unknown as EditorTools;
  await act(async () => {
    show(
      <EditorToolsContext value={tools}>
        <RebalancePopover algorithm={algorithm} trigger={<button type="button">Rule</button>} isOpenAtOnce />
      </EditorToolsContext>,
    );
  });
  const rule = () => {
    const { rebalance, rebalance_on, corridor } = store.document.algorithm;
    return { rebalance, rebalance_on, corridor };
  };
  return { store, rule };
}
const pick = (name: RegExp) => act(async () => void fireEvent.click(screen.getByRole('radio', { name })));
const corridor = (value: string) =>
  act(async () => void fireEvent.change(screen.getByRole('textbox'), { target: { value } }));

it('trades on the last day of a period unless the first is chosen, and asks for a day of no other rule', async () => {
  const { store, rule } = await open();
  await pick(/^Monthly/);
  await press(/^Done/);
  expect(rule()).toMatchObject({ rebalance: 'monthly', rebalance_on: 'last' });
  expect(store.state().history.past).toHaveLength(1);
  leave();
  const quarterly = await open();
  await pick(/^Quarterly/);
  await pick(/^First day/);
  await press(/^Done/);
  expect(quarterly.rule()).toMatchObject({ rebalance: 'quarterly', rebalance_on: 'first' });
  leave();
  await open();
  for (const name of [/^Daily/, /^Corridor/, /^Never/]) {
    await pick(name);
    expect(screen.queryByRole('radio', { name: /^First day/ }), String(name)).toBeNull();
  }
});

it('takes a corridor above zero, in points, and keeps the rule where none can be read', async () => {
  const { rule } = await open();
  await pick(/^Corridor/);
  await corridor('0');
  expect(screen.getByText('A corridor is wider than 0 points')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Rule' }));
  await waitFor(() =>
    expect(toasts().map(({ title }) => title)).toEqual([
      expect.stringMatching(/^The rule stays as it was\. /),
    ]),
  );
  expect(rule().rebalance).not.toBe('corridor');
  leave();
  const other = await open();
  await pick(/^Corridor/);
  await corridor('2.5');
  await press(/^Done/);
  expect(other.rule()).toMatchObject({ rebalance: 'corridor', corridor: 2.5 });
});

it('changes nothing where nothing was chosen, or it was cancelled', async () => {
  const { store } = await open({ rebalance: 'weekly' });
  await press(/^Done/);
  expect(store.state().history.past).toEqual([]);
  leave();
  const cancelled = await open({ rebalance: 'weekly' });
  await pick(/^Never/);
  await press(/^Cancel/);
  expect(cancelled.rule().rebalance).toBe('weekly');
  leave();
  const escaped = await open({ rebalance: 'weekly' });
  await pick(/^Never/);
  await act(
    async () => void fireEvent.keyDown(screen.getByRole('radio', { name: /^Never/ }), { key: 'Escape' }),
  );
  await waitFor(() => expect(screen.queryByRole('radio')).toBeNull());
  expect(escaped.rule().rebalance).toBe('weekly');
});

it('gives the figures of the neighbours of a number, those of the one that is pointed at in words', async () => {
  const rows = [
    { value: 9, sharpe: 0.5, annualized_return: 0.05, reason: null },
    { value: 10, sharpe: 1.25, annualized_return: 0.1, reason: null },
    { value: 11, sharpe: null, annualized_return: null, reason: 'No common days' },
  ];
  const { container } = show(<SensitivityStrip answer={{ value: 10, rows } as never} />);
  expect(container.textContent).toContain('10, as it stands: Sharpe 1.25, 10.00% a year');
  expect(container.textContent).toContain('0.50 to 1.25');
  expect(container.textContent).toContain('5.00% to 10.00%');
  expect((await figuresOf('Figures by number')).slice(1)).toEqual([
    ['9', '0.50', '5.00%'],
    ['10', '1.25', '10.00%'],
    ['11', 'No common days', '--'],
  ]);
});

it('tells the figures of the number that is pointed at, until nothing is', () => {
  const rows = [8, 9, 10, 11, 12].map((value) => ({ value, sharpe: value / 10, annualized_return: 0.1 }));
  const { container } = show(<SensitivityStrip answer={{ value: 10, rows } as never} />);
  const told = () => container.querySelector('p')?.textContent?.split(',')[0];
  expect(told()).toBe('10');
  for (const curve of container.querySelectorAll('svg')) {
    curve.getBoundingClientRect = () => ({ left: 100, width: 200 }) as DOMRect;
    const pointAt = (clientX: number) => {
      fireEvent.pointerMove(curve, { clientX });
      return told();
    };
    // Each number is told from half-way to the one before it to half-way to the one behind it.
    expect([100, 124, 126, 274, 276, 320].map(pointAt)).toEqual(
      ['8', '8', '9', '11', '12', '12'].map((value) => `${value}: Sharpe ${(Number(value) / 10).toFixed(2)}`),
    );
    fireEvent.pointerLeave(curve);
    expect(told()).toBe('10');
  }
});
