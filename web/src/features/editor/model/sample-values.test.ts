import { validateAlgorithm } from '@quantloom/domain/strategy/validation';
import { collectVariables } from '@quantloom/domain/strategy/variables';
import { strategyOfText } from '@quantloom/domain/testing/strategy-of-text';
import { describe, expect, it } from 'vitest';
import { firstSamples, sampleFault, withSamples } from './sample-values.ts';

const template = strategyOfText('if RSI($A, $W) > $LEVEL then $A else TLT');
const variables = collectVariables(template);

describe('the sample values of a template', () => {
  it('are the first that were suggested, or what such places usually hold', () => {
    expect(variables.map(({ name }) => name)).toEqual(['$A', '$W', '$LEVEL']);
    expect(firstSamples(variables, {})).toEqual({ $A: 'SPY', $W: '10', $LEVEL: '10' });
    expect(firstSamples(variables, { $A: 'QQQ\nTQQQ', $W: ' 20, 30' })).toMatchObject({
      $A: 'QQQ',
      $W: '20',
    });
  });
  it('make a strategy that can be run, and are named beside its result', () => {
    const { algorithm, label } = withSamples(template, variables, { $A: ' qqq ', $W: '20', $LEVEL: '79,5' });
    expect(collectVariables(algorithm)).toEqual([]);
    expect(validateAlgorithm(algorithm, { requireBound: true })).toEqual([]);
    expect(JSON.stringify(algorithm)).toContain('"ticker":"QQQ"');
    expect(label).toBe('the template with the sample values $A = QQQ, $W = 20, $LEVEL = 79.5');
    // Ids stay, so that lines of the tree can be told what the run found.
    expect(algorithm.children.map(({ id }) => id)).toEqual(template.children.map(({ id }) => id));
  });
  it('name no more than fit above a chart', () => {
    const names = Array.from({ length: 9 }, (_, n) => ({ name: `$T${n}`, kinds: ['ticker'] as const }));
    const texts = Object.fromEntries(names.map(({ name }) => [name, 'SPY']));
    expect(withSamples(template, names, texts).label).toMatch(/\$T5 = SPY, …$/);
  });
  it.each([
    ['ticker', '', false],
    ['ticker', 'A/B', false],
    ['ticker', '$B', false],
    ['ticker', 'BRK-B', true],
    ['number', 'x', false],
    ['number', '-0.5', true],
  ] as const)('as a %s, “%s” is taken: %s', (kind, text, isTaken) => {
    expect(sampleFault({ name: '$X', kinds: [kind] }, text) === null).toBe(isTaken);
  });
});
