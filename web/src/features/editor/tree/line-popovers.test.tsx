// @vitest-environment happy-dom
import { runSensitivity } from '@quantloom/domain/contracts/http/calls';
import { printStrategy } from '@quantloom/domain/exchange/text/printer';
import type { FilterNode, IfThenElseNode } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, it } from 'vitest';
import { answer, leave, press, refusal, type Sent, show, toasts } from '../../../../testing/page.tsx';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { EditorStore } from '../model/editor-store.ts';
import { ConditionPopover } from './ConditionPopover.tsx';
import { FilterPopover } from './FilterPopover.tsx';
import { SensitivityPopover } from './SensitivityPopover.tsx';

afterEach(leave);

const TRIGGER = <button type="button">Line</button>;
function within(
  text: string,
  popover: (store: EditorStore) => ReactElement,
  rest: Partial<EditorTools> = {},
) {
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm: strategyOfText(text) });
  let count = 0;
  const tools = {
    store,
    isEditable: true,
    canUseVariables: true,
    canUseZScore: true,
    variables: [],
    newId: () => {
      count += 1;
      return `new${count}`;
    },
    strategyId: () => 'new',
    ...rest,
  } as unknown as EditorTools;
  show(<EditorToolsContext value={tools}>{popover(store)}</EditorToolsContext>);
  return {
    store,
    body: () => printStrategy(store.document.algorithm).split('\n\n')[1]?.replace(/\s+/g, ' ').trim(),
  };
}
const enter = (label: string | RegExp, text: string) =>
  fireEvent.change(screen.getByRole('textbox', { name: label }), { target: { value: text } });

const IF = 'if RSI(QQQ, 10) > 79 then TLT else SPY';
const conditionOf = ({ document }: EditorStore) => {
  const parent = document.algorithm.children[0] as IfThenElseNode;
  const [condition] = parent.conditions;
  if (condition?.node_type !== 'condition') throw new Error('There is no condition');
  return { parent, condition };
};
const condition = (store: EditorStore) => (
  <ConditionPopover {...conditionOf(store)} trigger={TRIGGER} isOpenAtOnce />
);

it('changes a condition once it is done, and not where it is cancelled or not valid', async () => {
  const { store, body } = within(IF, condition);
  const before = body();
  enter('Fixed value', '85');
  expect(body()).toBe(before);
  await press(/^Cancel/);
  expect(body()).toBe(before);
  await press('Line');
  enter('Fixed value', 'high');
  expect(screen.getByText('Invalid condition')).toBeDefined();
  await press(/^Done/);
  expect(body()).toBe(before);
  await press('Close');
  expect(toasts().map(({ title }) => String(title))).toEqual([
    expect.stringContaining('The condition stays as it was. '),
  ]);
  expect(body()).toBe(before);
  await press('Line');
  enter('Fixed value', '85');
  await press(/^Done/);
  expect(body()).toBe(before?.replace('79', '85'));
  store.undo();
  expect(body()).toBe(before);
});

it('leaves a condition alone that was only looked at', async () => {
  const { store } = within(IF, condition);
  const { algorithm } = store.document;
  await press(/^Done/);
  expect(store.document.algorithm).toBe(algorithm);
  expect(toasts()).toEqual([]);
});

const RANKED = 'top 2 by RSI(10) of [SPY, TLT, QQQ]';
const filterOf = ({ document }: EditorStore) => {
  for (const { node } of nodesOf(document.algorithm))
    if (node.node_type === 'filter') return node as FilterNode;
  throw new Error('There is no filter');
};
const filter = (store: EditorStore) => (
  <FilterPopover node={filterOf(store)} trigger={TRIGGER} isOpenAtOnce />
);

it('changes how many a filter chooses and from which end, once it is done', async () => {
  const { store } = within(RANKED, filter);
  enter('How many', '0');
  expect(screen.getByText('Invalid filter')).toBeDefined();
  await press('Close');
  expect(toasts().map(({ title }) => String(title))).toEqual([
    expect.stringContaining('The filter stays as it was. '),
  ]);
  await press('Line');
  fireEvent.click(screen.getByRole('radio', { name: 'Bottom' }));
  enter('How many', '1');
  expect(filterOf(store).select).toEqual({ fn: 'top', num: 2 });
  await press(/^Cancel/);
  expect(filterOf(store).select).toEqual({ fn: 'top', num: 2 });
  await press('Line');
  fireEvent.click(screen.getByRole('radio', { name: 'Bottom' }));
  enter('How many', '1');
  await press(/^Done/);
  expect(filterOf(store).select).toEqual({ fn: 'bottom', num: 1 });
});

it('reads a variable as one only where the plan has them', async () => {
  const { store } = within(RANKED, filter);
  enter('How many', '$N');
  await press(/^Done/);
  expect(filterOf(store).select.num).toBe('$N');
  leave();
  const without = within(RANKED, filter, { canUseVariables: false });
  enter('How many', '$3');
  await press(/^Done/);
  expect(filterOf(without.store).select.num).toBe(3);
});

it('asks for the neighbours of the number that is chosen, and makes that one a variable', async () => {
  const asked: unknown[] = [];
  const run = ({ body }: Sent) => {
    asked.push(body);
    throw refusal('Too many at once.');
  };
  answer([runSensitivity, run]);
  const terms = { start_date: '2020-01-01', trading_bot: null, include: { history: true } };
  const sensitivity = (store: EditorStore) => (
    <SensitivityPopover nodeId={conditionOf(store).condition.id} trigger={TRIGGER} isOpenAtOnce />
  );
  const tools = { strategyId: () => 's1', runRequest: () => terms as never };
  const { store, body } = within(IF, sensitivity, tools);
  await screen.findByText('Too many at once.');
  const numbers = () => screen.getAllByRole('button', { pressed: false });
  const node_id = conditionOf(store).condition.id;
  await press(/^79/);
  await waitFor(() => expect(asked).toHaveLength(2));
  const ofBoth = asked.map((one) => (one as { place: { index: number } }).place.index);
  expect(ofBoth).toEqual([...new Set(ofBoth)]);
  expect(asked.at(-1)).toEqual({
    start_date: '2020-01-01',
    trading_bot: null,
    place: { node_id, index: ofBoth[1] },
    strategy_id: 's1',
  });
  expect(numbers().length).toBeGreaterThan(0);
  await press('Make 79 a variable');
  expect(body()).toMatch(/if RSI\(QQQ, 10\) > \$\w+ then/);
});
