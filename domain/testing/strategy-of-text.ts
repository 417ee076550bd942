import { parseText } from '../src/exchange/text/parser.ts';
import { readStructure } from '../src/strategy/structure.ts';
import type { Algorithm } from '../src/strategy/tree.ts';

/** Ids that count from `n1`. */
function countedIds(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `n${count}`;
  };
}

/** The strategy that a text in the language of the tree says. */
export function strategyOfText(text: string, newId: () => string = countedIds()): Algorithm {
  const { blocks } = parseText(text, newId);
  const reading = readStructure({ node_type: 'root', id: newId(), name: 'S', children: blocks });
  if (reading.problems) throw new Error(reading.problems[0]?.message);
  return reading.algorithm;
}
