import { assetBlock, newAlgorithm, newBlock, percent } from '@quantloom/domain/strategy/node-factory';
import { expect, it } from 'vitest';
import { CopyError, groupOfRow } from './copy-as-group.ts';

const counter = (name: string) => {
  let count = 0;
  return () => {
    count += 1;
    return `${name}${count}`;
  };
};

it('is a block of its own: the values in place of the variables, and ids that no other block has', () => {
  const old = counter('old');
  const group = { ...newBlock('group', old), children: [assetBlock(old, { ticker: '$A', name: '$A' })] };
  const algorithm = { ...newAlgorithm(old, 'Template'), children: [group] };
  const batch = { template_bot: { name: 'Template', variables: ['$A', '$W'], algorithm } };
  const values = { $A: 'SPY', $W: 20 };
  const copy = groupOfRow(batch as never, values, counter('new'));
  expect(copy).toMatchObject({
    name: 'SPY / 20',
    node_type: 'group',
    weight: percent(100),
    is_collapsed: true,
  });
  const text = JSON.stringify(copy);
  expect(text).toContain('"ticker":"SPY"');
  expect(text).not.toContain('$A');
  const ids = [...text.matchAll(/"id":"([^"]+)"/g)].map(([, id]) => id);
  expect(ids).toEqual(['new1', 'new2', 'new3']);
  // The template stays as it is.
  expect(JSON.stringify(algorithm)).toContain('"ticker":"$A"');
});

it('takes a value for a number only where it is digits throughout', () => {
  const old = counter('old');
  const asset = assetBlock(old, { ticker: '$A', name: '$A' });
  const algorithm = { ...newAlgorithm(old, 'Template'), children: [asset] };
  const batch = { template_bot: { name: 'Template', variables: ['$A'], algorithm } };
  const copy = groupOfRow(batch as never, { $A: '3EDF' }, counter('new'));
  expect(copy.children).toMatchObject([{ ticker: '3EDF' }]);
});

it('says why a row of a batch without its template cannot be copied', () => {
  expect(() => groupOfRow({ template_bot: null } as never, {}, counter('new'))).toThrow(CopyError);
});
