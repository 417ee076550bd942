import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { strategyOfText } from '../../testing/strategy-of-text.ts';
import { type ExportedTerms, exportSymphony } from './composer/export-symphony.ts';

/*
 * What Composer is given of a strategy, node by node, and every line that its owner is told of it: `kind ¦ place ¦ said ¦ became ¦ effect`.
 * Each case was judged by a reader when it was written down. What an import makes of it again is shown by `round-trip.test.ts`.
 */

interface Exported {
  readonly text: string;
  /** Other fields of the root than those of the text. */
  readonly root?: object;
  readonly terms?: ExportedTerms;
  /** The exported root without its children, where the case is about it; else the children alone. */
  readonly symphony?: object;
  readonly children?: readonly object[];
  readonly lines: readonly string[];
  readonly blocks: object;
}

const FILE = path.join(import.meta.dirname, '..', '..', 'testing', 'exchange', 'exported', 'composer.json');
const CASES = JSON.parse(readFileSync(FILE, 'utf8')) as Exported[];

test.each(CASES.map((one) => [one.text, one.root ?? '', one] as const))('%s %j', (text, _, one) => {
  const tree = { ...strategyOfText(text), ...one.root };
  const { symphony, report } = exportSymphony(tree, one.terms);
  const { children, ...root } = symphony;
  if (one.symphony) expect(root).toEqual(one.symphony);
  else expect(children).toEqual(one.children);
  const lines = report.items.map(({ kind, path: place, said, became, effect }) =>
    [kind, place, said, became, effect].join(' ¦ '),
  );
  expect(lines).toEqual(one.lines);
  expect(report.counts).toEqual(one.blocks);
});
