// @vitest-environment happy-dom
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { afterEach, expect, it } from 'vitest';
import { COPIED_NODE_KEY } from '../../../lib/copied-node.ts';
import { readCopied, writeCopied } from './clipboard.ts';

afterEach(() => localStorage.clear());

const strategy = strategyOfText('if RSI(SPY, 10) > 79 then TLT else SPY');

it('gives back the block that was copied last, and a whole strategy as a group', () => {
  expect(readCopied()).toBeNull();
  const [block] = strategy.children;
  if (!block) throw new Error('The strategy holds nothing');
  writeCopied(block);
  expect(readCopied()).toMatchObject({ node_type: block.node_type });
  writeCopied({ ...strategy, name: 'Core holding' });
  expect(readCopied()).toMatchObject({ node_type: 'group', name: 'Core holding' });
});

it('gives nothing of what another program has put there', () => {
  for (const text of ['no JSON', 'null', '7', '{"node_type":"rm -rf"}', '[]']) {
    localStorage.setItem(COPIED_NODE_KEY, text);
    expect(readCopied(), text).toBeNull();
  }
});
