// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from 'vitest';
import { hideKept } from './hide-kept.ts';

function treeOf(keys: string): HTMLElement {
  const tree = document.createElement('div');
  for (const key of keys) {
    const line = document.createElement('div');
    line.dataset.key = key;
    line.tabIndex = -1;
    line.append(document.createElement('input'));
    tree.append(line);
  }
  // The mark of a drag and drop is no line.
  tree.append(document.createElement('div'));
  document.body.append(tree);
  return tree;
}

const lineOf = (tree: HTMLElement, key: string) =>
  tree.querySelector(`[data-key=${key}]`) as HTMLElement & { firstElementChild: HTMLInputElement };
const kept = (tree: HTMLElement): string =>
  [...tree.querySelectorAll<HTMLElement>('[data-kept][aria-hidden=true]')]
    .map(({ dataset }) => dataset.key)
    .join('');

afterEach(() => document.body.replaceChildren());

describe('lines that are kept', () => {
  it('are hidden from everybody until they come back', () => {
    const tree = treeOf('abc');
    hideKept(tree, new Set('ac'), 'a');
    expect(kept(tree)).toBe('b');
    hideKept(tree, new Set('bc'), 'a');
    expect(kept(tree)).toBe('a');
    hideKept(tree, null, 'a');
    expect(tree.querySelectorAll('[data-kept], [aria-hidden]')).toHaveLength(0);
  });
  it('lose the focus, that of a field in them too, and leave it where it is otherwise', () => {
    const tree = treeOf('abc');
    const a = lineOf(tree, 'a');
    const b = lineOf(tree, 'b');
    a.focus();
    hideKept(tree, new Set('ac'), 'a');
    expect(document.activeElement).toBe(a);
    hideKept(tree, new Set('bc'), 'a');
    expect(document.activeElement).toBe(document.body);
    b.firstElementChild.focus();
    hideKept(tree, new Set('c'), 'a');
    expect(document.activeElement).toBe(document.body);
  });
  it('are no tab stop, and are it again when they come back, if no other line is', () => {
    const tree = treeOf('ab');
    const a = lineOf(tree, 'a');
    a.tabIndex = 0;
    hideKept(tree, new Set('b'), 'a');
    expect(a.tabIndex).toBe(-1);
    hideKept(tree, new Set('ab'), 'b');
    expect(a.tabIndex).toBe(-1);
    hideKept(tree, new Set('b'), 'a');
    hideKept(tree, new Set('ab'), 'a');
    expect(a.tabIndex).toBe(0);
  });
});
