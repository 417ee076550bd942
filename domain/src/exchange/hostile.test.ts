import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyJson } from '../../testing/any-algorithm.ts';
import { isRefusal } from '../kernel/refusal.ts';
import { readStructure } from '../strategy/structure.ts';
import { importSource } from './import-source.ts';

const refusal = (given: unknown): string => {
  const result = importSource(given, () => 'node_x');
  if (!isRefusal(result)) throw new Error('was read');
  return result.detail;
};
const windowed = (window: string) => ({
  step: 'root',
  children: [{ step: 'wt-inverse-vol', 'window-days': window, children: [] }],
});
const maps = (count: number) => Array.from({ length: count }, (_, i) => `{:k${i} 1}`).join(' ');
const nested = (depth: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < depth; level += 1) value = { children: [value] };
  return value;
};

describe('hostile and broken sources', () => {
  test.each([
    ['JSON nested 100,000 deep', '['.repeat(100_000), /more than 2000 levels/],
    ['EDN nested 100,000 deep', '{:a '.repeat(100_000), /more than 2000 levels/],
    ['a form nested 100,000 deep', '('.repeat(100_000), /more than 2000 levels/],
    ['a value nested 100,000 deep', nested(100_000), /more than 2000 levels/],
    ['50 MB', `{"a": "${'x'.repeat(50 * 1024 * 1024)}"}`, /too large for a strategy: 50 MB, at most 8 MB/],
    ['a million small values', `[${'1,'.repeat(2_000_001)}1]`, /more than 2000000 values/],
    [
      'a key that stands twice in JSON',
      '{"step": "root", "step": "asset"}',
      /"step" stands twice .* \(line 1, column 18\)/,
    ],
    ['the same key with an escape', '{"step": "root", "st\\u0065p": "asset"}', /"step" stands twice/],
    ['a key that stands twice in EDN', '{:step :root, :step :asset}', /"step" stands twice/],
    [
      'a tagged value',
      '{:step :root, :at #inst "2022-01-01"}',
      /Tagged values and reader macros \(#inst\) .*column 19/,
    ],
    ['an evaluating reader macro', '{:step #=(java.lang.System/exit 1)}', /Tagged values and reader macros/],
    ['a discarded form', '{:step #_ :asset :root}', /Tagged values and reader macros/],
    ['a quote', "(defsymphony 'name {})", /Reader macros/],
    ['a dereference', '(defsymphony @name {})', /Reader macros/],
    ['a control character in EDN', '{:step\u0001 :root}', /control character \(U\+0001\)/],
    ['a control character in a text of EDN', '{:step "a\u0000b"}', /control character \(U\+0000\)/],
    ['a control character in JSON', '{"step": "a\u0001"}', /not valid JSON.*control character/i],
    ['an unclosed bracket', '(defsymphony "x" {} (weight-equal [', /never closed \(line 1, column 35\)/],
    [
      'a wrong bracket',
      '(defsymphony "x" {} (weight-equal ])',
      /A \] stands where the \( of line 1, column 21 wants its \)/,
    ],
    ['something after the end', '{:a 1} 5', /Something follows after the end/],
    ['an odd map', '{:a}', /a key without a value/],
    ['an unknown escape', '{:a "\\q"}', /\\q is not an escape/],
    ['an XML entity bomb', '<!DOCTYPE a [<!ENTITY b "&c;&c;">]><a>&b;</a>', /web page or XML/],
    ['half a million lines', '{}\n'.repeat(500_000), /No strategy was found/],
    ['a list of half a million', `[${'{},'.repeat(500_000)}{}]`, /No strategy was found/],
    ['a word of seven million letters', 'a'.repeat(7_000_000), /No strategy was found/],
    // Each would take minutes where the time grew with the square of the length.
    ['a row of digits that is no number', `${'1'.repeat(400_000)}x`, /No strategy was found|cannot be read/],
    ['a window of a million digits', windowed(`${'1'.repeat(1_000_000)}x`), /holds no asset/],
    [
      'a form of a million names',
      `(defsymphony ${'a '.repeat(1_000_000)})`,
      /can be expressed here: defsymphony with/,
    ],
    [
      'options in thousands of maps',
      `(defsymphony "x" {} (if (> (rsi "SPY" ${maps(40_000)}) 1) []))`,
      /can be expressed here/,
    ],
    [
      'a million items below a thousand brackets',
      `(defsymphony "x" {} (weight-equal ${'['.repeat(1_000)}${'nil '.repeat(1_000_000)}${']'.repeat(1_000)}))`,
      /holds no asset/,
    ],
    [
      'a switch of more conditions than a tree has levels',
      { incantation_type: 'Switch', conditions: Array.from({ length: 100_000 }, () => ({})) },
      /Nothing of this strategy can be expressed/,
    ],
    ['nothing', '   ', /This is empty/],
    ['prices', 'date,ticker,adj_close\n2020-01-01,SPY,1', /table of prices/],
    ['a script', 'import pandas as pd\n', /program code/],
    ['a result', '{"metrics": {"sharpe": 1}}', /result of a backtest/],
    ['something else', '{"colour": "red", "size": 3}', /This holds "colour", "size"/],
  ])('%s gets a sentence', (_, given, sentence) => {
    expect(refusal(given)).toMatch(sentence);
  });

  test('never throws, and what it answers can be saved', () => {
    fc.assert(
      fc.property(fc.oneof(anyJson(), fc.string(), anyForm()), (given) => {
        const result = importSource(given, () => `node_${Math.random()}`);
        if (!isRefusal(result)) expect(readStructure(result.algorithm).problems).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
});

/** Text that is nearly a strategy. */
function anyForm(): fc.Arbitrary<string> {
  const token = fc.constantFrom(
    ...[
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '"SPY"',
      'if',
      'asset',
      'weight-equal',
      'weight-specified',
      'filter',
      'rsi',
    ],
    ...[
      ':window',
      '10',
      '0.5',
      '>',
      'nil',
      ':step',
      ':root',
      ':children',
      '"',
      'group',
      '1/3',
      'select-top',
      '\\',
    ],
  );
  return fc.array(token, { maxLength: 30 }).map((tokens) => `(defsymphony "x" {} ${tokens.join(' ')})`);
}
