import { parseText } from '@quantloom/domain/exchange/text/parser';
import { readStructure } from '@quantloom/domain/strategy/structure';
import { makeVariables } from '@quantloom/domain/strategy/tree-values';
import { expect, test } from 'vitest';
import { chosenVariables, combinationsOf, draftsOf, nameFault, textsOf } from './variable-drafts.ts';

function tree() {
  let count = 0;
  const newId = () => {
    count += 1;
    return `n${count}`;
  };
  const { blocks } = parseText(
    'if RSI(TQQQ, 10) > 79 then UVXY else if RSI(SPY, 10) > 81 then UVXY else TQQQ',
    newId,
  );
  const reading = readStructure({ node_type: 'root', id: newId(), name: 'S', children: blocks });
  if (reading.problems) throw new Error(reading.problems[0]?.message);
  return reading.algorithm;
}

test('a line for each value, with a name of its own and values around it', () => {
  const drafts = draftsOf(tree());
  expect(drafts.map(({ of, name }) => [of.value, of.times, name])).toEqual([
    [79, 1, '$RSI_LEVEL_79'],
    [81, 1, '$RSI_LEVEL_81'],
    [10, 2, '$RSI_DAYS_10'],
    ['UVXY', 2, '$UVXY'],
    ['TQQQ', 1, '$TQQQ'],
    ['TQQQ', 1, '$SIGNAL_TQQQ'],
    ['SPY', 1, '$SIGNAL_SPY'],
  ]);
  expect(drafts[0]?.values).toBe('71, 73, 75, 77, 79, 81, 83, 85, 87');
});

test('lines that share a name become one variable with the values of both', () => {
  const drafts = draftsOf(tree()).map((draft) =>
    draft.of.kind === 'threshold'
      ? { ...draft, isChosen: true, name: '$LEVEL', values: `${draft.of.value}, 90, 79` }
      : draft,
  );
  expect(textsOf(drafts)).toEqual({ $LEVEL: '79\n90\n81' });
  expect(combinationsOf(drafts)).toBe(3);
  const made = JSON.stringify(makeVariables(tree(), chosenVariables(drafts)));
  expect(made.match(/"\$LEVEL"/g)).toHaveLength(2);
});

test.each(['RSI', '$', '$A/B', '$a b'])('%s is no name of a variable', (name) => {
  expect(nameFault(name)).not.toBeNull();
});
