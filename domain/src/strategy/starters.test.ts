import { describe, expect, it } from 'vitest';
import { nodeId } from './node-factory.ts';
import { FIRST_STARTER_ID, STARTERS } from './starters.ts';
import { validateAlgorithm } from './validation.ts';
import { variableNames } from './variables.ts';

function counter() {
  let count = 0;
  return () => nodeId(`01J${String(count++).padStart(23, '0')}`);
}

describe('starters', () => {
  it('have distinct ids and one of them is the first', () => {
    expect(new Set(STARTERS.map(({ id }) => id)).size).toBe(STARTERS.length);
    expect(STARTERS.some(({ id, type }) => id === FIRST_STARTER_ID && type === 'bot')).toBe(true);
  });

  it.each(STARTERS.map((starter) => [starter.id, starter] as const))('%s is complete', (_, starter) => {
    const algorithm = starter.build(counter());
    expect(validateAlgorithm(algorithm, { requireBound: starter.type === 'bot' })).toEqual([]);
    expect(variableNames(algorithm).length > 0).toBe(starter.type === 'template');
    expect(algorithm.name).toBe(starter.name);
    expect(Object.keys(starter.values ?? {}).sort()).toEqual([...variableNames(algorithm)].sort());
  });

  it('get new ids every time, all distinct', () => {
    const newId = counter();
    const ids = STARTERS.flatMap(
      (starter) => JSON.stringify(starter.build(newId)).match(/node_01j[0-9a-z]+/g) ?? [],
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});
