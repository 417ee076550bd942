// @vitest-environment happy-dom
import { setWeight } from '@quantloom/domain/strategy/edit';
import type { Algorithm, SpecifiedWeightNode } from '@quantloom/domain/strategy/tree';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, expect, it } from 'vitest';
import { TreeCompare } from '../history/TreeCompare.tsx';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { EditorStore } from '../model/editor-store.ts';
import { visibleRows } from '../model/rows.ts';
import { BlockLine } from './BlockLine.tsx';
import { WeightPopover } from './WeightPopover.tsx';

afterEach(cleanup);

const TREE = strategyOfText('weight by percentages [40% SPY, 60% TLT]');
const weighted = (tree: Algorithm) => tree.children[0] as SpecifiedWeightNode;
const [spy, tlt] = weighted(TREE).children;
const withWeight = (num: number | string) => setWeight(TREE, spy?.id ?? '', num);
const thirds = {
  ...TREE,
  children: [
    {
      ...weighted(TREE),
      children: [
        { ...spy, weight: { num: 1, den: 3 } },
        { ...tlt, weight: { num: 2, den: 3 } },
      ],
    },
  ],
} as Algorithm;

function opened(algorithm: Algorithm, canUseVariables = true) {
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm });
  const tools = { store, isEditable: true, canUseVariables } as unknown as EditorTools;
  const parent = weighted(algorithm);
  const [node] = parent.children;
  if (!node) throw new Error('There is no child');
  render(
    <EditorToolsContext value={tools}>
      <WeightPopover
        node={node}
        parent={parent}
        trigger={<button type="button">Weight</button>}
        isOpenAtOnce
      />
    </EditorToolsContext>,
  );
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Weight percent' });
  const enter = (text: string) => {
    fireEvent.change(field, { target: { value: text } });
    fireEvent.submit(field.closest('form') as HTMLFormElement);
  };
  return { field, enter, stored: () => weighted(store.document.algorithm).children[0]?.weight };
}

it('takes a variable, and shows one that is there', () => {
  const { enter, stored } = opened(TREE);
  enter('$W');
  expect(stored()).toEqual({ num: '$W', den: 100 });
  cleanup();
  const shown = opened(withWeight('$W'));
  expect(shown.field.value).toBe('$W');
  expect(screen.queryByText(/must add up/)).toBeNull();
  shown.enter('45');
  expect(shown.stored()).toEqual({ num: 45, den: 100 });
});

it('takes none without variables in the plan', () => {
  const { field, stored } = opened(TREE, false);
  fireEvent.change(field, { target: { value: '$W' } });
  expect(screen.getByRole('alert').textContent).toContain('“$W” is not a number');
  expect(stored()).toEqual({ num: 40, den: 100 });
});

it('shows a third in as many places as anybody reads, and asks for no other sum', () => {
  expect(opened(thirds).field.value).toBe('33.333333');
  expect(screen.queryByText(/must add up/)).toBeNull();
});

it.each([
  ['a variable', withWeight('$W'), '$W%'],
  ['a third', thirds, '33.3333%'],
])('the line and the history say %s', (_, algorithm, words) => {
  const store = new EditorStore({ name: 'S', isPublic: false, algorithm });
  const row = visibleRows(algorithm).find((one) => one.kind === 'block' && one.node.id === spy?.id);
  if (row?.kind !== 'block') throw new Error('There is no such line');
  render(
    <EditorToolsContext value={{ store, isEditable: true } as unknown as EditorTools}>
      <Suspense>
        <BlockLine row={row} isNear={false} isSelected={false} />
      </Suspense>
    </EditorToolsContext>,
  );
  expect(screen.getByText(words)).toBeDefined();
  cleanup();
  render(<TreeCompare before={TREE} after={algorithm} beforeLabel="One" afterLabel="Two" />);
  expect(screen.getByText(words)).toBeDefined();
});
