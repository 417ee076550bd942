// @vitest-environment happy-dom
import type { BlockAttribution } from '@quantloom/domain/contracts/backtest';
import { parseText } from '@quantloom/domain/exchange/text/parser';
import { readStructure } from '@quantloom/domain/strategy/structure';
import type { Algorithm, TreeNode } from '@quantloom/domain/strategy/tree';
import { SLOTS, slotOf } from '@quantloom/domain/strategy/tree-walk';
import { cleanup, render, screen } from '@testing-library/react';
import { Suspense } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { type EditorTools, EditorToolsContext } from '../model/editor-context.ts';
import { EditorStore } from '../model/editor-store.ts';
import { type Row, visibleRows } from '../model/rows.ts';
import { TreeLine } from './TreeLine.tsx';

afterEach(cleanup);

/** Every kind of block, shares of every kind, and lanes. */
const TEXT = `weight by inverse volatility over 20 days [
  if all of (RSI(SPY, 10) > 70, any of (price(SPY) > ma(SPY, 200), RSI(QQQ, 10) < 30))
  then weight by percentages [40% SPY, 60% group "Safe" [TLT]]
  else top 1 by RSI(10) of [QQQ, TLT],
  weight equally [QQQ, group "Other" [IEF, BIL]]]`;

function strategyOf(text: string): Algorithm {
  let count = 0;
  const newId = () => {
    count += 1;
    return `n${count}`;
  };
  const children = parseText(text, newId).blocks;
  const reading = readStructure({ node_type: 'root', id: newId(), name: 'A strategy', children });
  if (reading.problems) throw new Error(reading.problems[0]?.message);
  return reading.algorithm;
}

/** The same with every block but the root's own collapsed where `kinds` has its kind. */
function collapsed<Node extends TreeNode>(node: Node, kinds: readonly string[]): Node {
  const copy: Record<string, unknown> = { ...node, is_collapsed: kinds.includes(node.node_type) };
  for (const slot of SLOTS)
    if (slot in node) copy[slot] = slotOf(node, slot).map((child) => collapsed(child, kinds));
  return copy as unknown as Node;
}

type Width = 'wide' | 'narrow';

/** What the classes of the tree's lines do at a width; what is read but out of sight is `read`. */
function seenAt(element: Element, width: Width): 'seen' | 'read' | 'gone' {
  const classes = [...element.classList];
  const narrow = classes.filter((name) => /^(?:max-sm|@max-\[\w+\]):/.test(name));
  const wide = classes.filter((name) => /^(?:sm|@min-\[\w+\]):/.test(name));
  const rules = [
    ...classes.filter((name) => !name.includes(':')),
    ...(width === 'narrow' ? narrow : wide).map((name) => name.replace(/^.*:/, '')),
  ];
  let seen: 'seen' | 'read' | 'gone' = 'seen';
  for (const rule of rules) {
    if (rule === 'hidden') seen = 'gone';
    if (rule === 'sr-only' && seen !== 'gone') seen = 'read';
    if (rule === 'inline') seen = 'seen';
  }
  return seen;
}

/** Words without what is between them, with a space around each, so that one text can be looked for in another. */
const wordsOf = (text: string): string => ` ${text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;

/** The words in sight. */
function wordsIn(node: Node, width: Width): string {
  if (!(node instanceof Element)) return node.textContent ?? '';
  return seenAt(node, width) === 'seen'
    ? [...node.childNodes].map((child) => wordsIn(child, width)).join('')
    : '';
}

/**
 * What an element adds to a name: its own label before its content, whatever is read though not in sight,
 * nothing that is gone.
 */
function namedBy(node: Node, width: Width, isReferred = false): string {
  if (!(node instanceof Element)) return node.textContent ?? '';
  if (!isReferred && seenAt(node, width) === 'gone') return '';
  const label = isReferred ? null : node.getAttribute('aria-label');
  return label ?? [...node.childNodes].map((child) => namedBy(child, width)).join('');
}

function nameOf(line: Element, width: Width): string {
  const ids = line.getAttribute('aria-labelledby')?.split(' ');
  if (!ids) return namedBy(line, width);
  return ids
    .map((id) => document.getElementById(id))
    .map((part) => (part ? namedBy(part, width, true) : ''))
    .join(' ');
}

const FOUND: BlockAttribution = { days: 120, earned: 0.31, hit_rate: 0.54 };

function toolsFor(algorithm: Algorithm): EditorTools {
  const store = new EditorStore({ name: 'A strategy', isPublic: false, algorithm });
  return { store, isEditable: true, canUseVariables: true } as unknown as EditorTools;
}

/** The tree's lines, without what surrounds them. */
function Lines({
  tools,
  rows,
  isHidden = false,
}: {
  tools: EditorTools;
  rows: readonly Row[];
  isHidden?: boolean;
}) {
  return (
    <EditorToolsContext value={tools}>
      <Suspense>
        {rows.map((row) => (
          <TreeLine
            key={row.key}
            row={row}
            isSelected={false}
            isTabStop={false}
            isOnPath={false}
            reason={row.kind === 'block' ? '25%' : undefined}
            problems={undefined}
            attribution={row.kind === 'block' ? FOUND : undefined}
            days={250}
            top={null}
            isHidden={isHidden}
          />
        ))}
      </Suspense>
    </EditorToolsContext>
  );
}

function lines(algorithm: Algorithm): readonly Element[] {
  render(<Lines tools={toolsFor(algorithm)} rows={visibleRows(algorithm)} />);
  return screen.getAllByRole('treeitem');
}

describe('a line is called what it shows, in one piece and in its order', () => {
  const open = collapsed(strategyOf(TEXT), []);
  const closed = collapsed(open, ['group', 'if-then-else', 'filter', 'condition-group']);
  const trees = { open, 'in part collapsed': closed };
  it.each(
    Object.entries(trees).flatMap(([state, tree]) => [
      [state, tree, 'wide'] as const,
      [state, tree, 'narrow'] as const,
    ]),
  )('%s', (_, tree, width) => {
    const shown = lines(tree);
    expect(shown.length).toBeGreaterThan(7);
    for (const line of shown) {
      const words = wordsOf(wordsIn(line, width));
      // A plus alone.
      if (words.trim() === '') continue;
      const name = wordsOf(nameOf(line, width));
      // What a field holds stands between the words around it.
      if (line.querySelector('input') === null) expect(name).toContain(words);
      else for (const word of words.trim().split(' ')) expect(name).toContain(` ${word} `);
    }
  });
  it('says in full what a narrow line cuts short, and what a field holds where the field stands', () => {
    const names = lines(open).map((line) => wordsOf(nameOf(line, 'narrow')).trim());
    expect(names).toContain('100 0 Inverse volatility 20 25 weight by inverse volatility over 20 days');
    expect(names).toContainEqual(expect.stringMatching(/^IF all .* all of the below conditions apply$/));
    expect(names).toContain('THEN 100 0 Specified 25 weight by percentages');
    expect(names).toContain('Group 60 Safe 25');
  });
  it('says nothing twice where there is room', () => {
    const names = lines(open).map((line) => wordsOf(nameOf(line, 'wide')).trim());
    expect(names).toContainEqual(expect.stringMatching(/Weight Equal [\d ]+$/));
  });
});

it('a line that is kept out of sight is drawn when it comes back, and not before', () => {
  const before = strategyOf('weight equally [SPY]');
  const after = strategyOf('weight equally [TLT]');
  const tools = toolsFor(before);
  const labels = () => screen.getAllByRole('treeitem').map((line) => line.dataset.label);
  const { rerender } = render(<Lines tools={tools} rows={visibleRows(before)} />);
  expect(labels()).toContain('SPY');
  rerender(<Lines tools={tools} rows={visibleRows(after)} isHidden />);
  expect(labels()).toContain('SPY');
  rerender(<Lines tools={tools} rows={visibleRows(after)} />);
  expect(labels()).toContain('TLT');
  expect(labels()).not.toContain('SPY');
});
