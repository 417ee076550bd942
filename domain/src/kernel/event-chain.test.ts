import fc from 'fast-check';
import { expect, it } from 'vitest';
import { linkedText } from './event-chain.ts';

const event = { stream: 'counter-1', revision: 3, type: 'Added', id: 'e1' };

it('is the text that the links of every installed log are made of', () => {
  // Another text would break the chain of each of them.
  expect(linkedText('00ff', event, '{"actor":"a"}', '{"amount":1}')).toBe(
    '00ff\n["counter-1",3,"Added","e1"]\n{"actor":"a"}\n{"amount":1}',
  );
  expect(linkedText('', event, '{}', 'null')).toBe('\n["counter-1",3,"Added","e1"]\n{}\nnull');
});

it('differs wherever two events or what came before them differ', () => {
  const part = fc.string({ maxLength: 3, unit: fc.constantFrom('a', '"', ',', '\n', '[') });
  const linked = fc.record({
    previous: fc.constantFrom('', '0a', 'a0'),
    stream: part,
    revision: fc.nat(11),
    type: part,
    id: part,
    metadata: fc.jsonValue({ maxDepth: 1 }),
    data: fc.jsonValue({ maxDepth: 1 }),
  });
  type Linked = typeof linked extends fc.Arbitrary<infer Value> ? Value : never;
  const text = ({ previous, metadata, data, ...named }: Linked) =>
    linkedText(previous, named, JSON.stringify(metadata), JSON.stringify(data));
  fc.assert(
    fc.property(linked, linked, (one, other) => {
      expect(text(one) === text(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});
