import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { isRefusal } from '../kernel/refusal.ts';
import type { FidelityItem } from './fidelity-report.ts';
import { importSource } from './import-source.ts';
import { printStrategy } from './text/printer.ts';

/*
 * What is made of a source, and every line that its owner is told of it: `kind ¦ place ¦ said ¦ became ¦ effect`. Each case was judged by a
 * reader when it was written down: does the strategy do what the source says, and is what it does not do told? One file for each part of a source.
 */

interface Told {
  readonly given: unknown;
  /** Why it was not read at all. */
  readonly refused?: string;
  /** The root, on one line. */
  readonly head?: string;
  readonly blocks?: string;
  readonly lines?: readonly string[];
}

const FOLDER = path.join(import.meta.dirname, '..', '..', 'testing', 'exchange', 'told');
/** What is told of every strategy of another tool, and would stand in every case. */
const ALWAYS = ['an annualised return', 'indicators on prices', 'RSI, cut'];

function toldOf(given: unknown): Omit<Told, 'given'> {
  let count = 0;
  const result = importSource(given, () => {
    count += 1;
    return `n${count}`;
  });
  if (isRefusal(result)) return { refused: result.detail };
  const [head = '', ...blocks] = printStrategy(result.algorithm).split('\n\n');
  return {
    head: head.replaceAll('\n', ' | '),
    blocks: blocks.join('\n\n').replace(/\s+/g, ' ').trim(),
    lines: result.report.items
      .filter(({ said }) => !ALWAYS.some((start) => said.startsWith(start)))
      .map(lineOf),
  };
}

const lineOf = ({ kind, path: place, said, became, effect }: FidelityItem) =>
  [kind, place, said, became, effect].join(' ¦ ');

describe.each(readdirSync(FOLDER))('%s', (file) => {
  const cases = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Told[];
  test.each(cases.map((one, index) => [index + 1, one] as const))('case %i', (_, { given, ...told }) => {
    expect(toldOf(given)).toEqual(told);
  });
});
