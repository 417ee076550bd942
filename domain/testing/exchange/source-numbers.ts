import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Real strategies of other tools; beside the checkout, never part of it. */
const FOLDER = [3, 4, 5, 6]
  .map((up) => path.join(import.meta.dirname, '../'.repeat(up + 1), 'shared/symphonies'))
  .find(existsSync);

/** The real files, by name; empty where the folder is absent. */
export function realFiles(): ReadonlyMap<string, string> {
  if (FOLDER === undefined) return new Map();
  const names = readdirSync(FOLDER).filter((name) => /\.(?:json|edn|clj)$/.test(name));
  return new Map(names.map((name) => [name, readFileSync(path.join(FOLDER, name), 'utf8')]));
}

/** How often each value stands somewhere. */
export type Multiset = Readonly<Record<string, number>>;

export interface SourceNumbers {
  readonly tickers: Multiset;
  readonly windows: Multiset;
  readonly thresholds: Multiset;
  readonly weights: Multiset;
}

class Counter {
  readonly counts: Record<string, number> = {};
  add(value: unknown): void {
    const key = String(Number.isNaN(Number(value)) ? value : Number(value));
    this.counts[key] = (this.counts[key] ?? 0) + 1;
  }
}

/**
 * Tickers, windows, thresholds and weights of a text by plain pattern matching, on purpose without the
 * readers that are tested. Fields that mean nothing (a window beside an equal weight, the right function of a
 * fixed value) are counted too.
 */
export function numbersOfText(text: string): SourceNumbers {
  return text.trimStart().startsWith('(') ? ofForm(text) : ofFields(text.replaceAll('\\"', '"'));
}

function ofForm(text: string): SourceNumbers {
  const [tickers, windows, thresholds, weights] = [
    new Counter(),
    new Counter(),
    new Counter(),
    new Counter(),
  ];
  for (const [, ticker] of text.matchAll(/\(asset\s+"([^"]+)"/g)) tickers.add(ticker);
  for (const [, ticker] of text.matchAll(/\((?!asset|group|defsymphony)[a-z-]+\s+"([^"]+)"/g))
    tickers.add(ticker);
  for (const [, window] of text.matchAll(/:window\s+(\d+)/g)) windows.add(window);
  for (const [, days] of text.matchAll(/\(weight-inverse-volatility\s+(\d+)/g)) windows.add(days);
  for (const [, value] of text.matchAll(/[)\s](-?\d+(?:\.\d+)?)\)\s*\[/g)) thresholds.add(value);
  for (const [, weight] of text.matchAll(/(?:weight-specified|\))\s+(0?\.\d+|1)\s+\(/g))
    weights.add(Number((Number(weight) * 100).toFixed(9)));
  return {
    tickers: tickers.counts,
    windows: windows.counts,
    thresholds: withoutSelections(text, thresholds),
    weights: weights.counts,
  };
}

/** `(select-top 1) [` looks like a threshold. */
function withoutSelections(text: string, thresholds: Counter): Multiset {
  for (const [, count] of text.matchAll(/\(select-(?:top|bottom)\s+(\d+)\)\s*\[/g)) {
    const key = String(count);
    thresholds.counts[key] = (thresholds.counts[key] ?? 0) - 1;
    if (thresholds.counts[key] === 0) delete thresholds.counts[key];
  }
  return thresholds.counts;
}

function ofFields(text: string): SourceNumbers {
  const [tickers, windows, thresholds, weights] = [
    new Counter(),
    new Counter(),
    new Counter(),
    new Counter(),
  ];
  const tree = text.slice(Math.max(0, text.search(/:symphony\b/)));
  const end = tree.search(/:ticker-benchmarks/);
  const body = end === -1 ? tree : tree.slice(0, end);
  for (const [, ticker] of body.matchAll(/"?:?\bticker"?:?\s+"([^"]+)"/g)) tickers.add(ticker);
  for (const [, ticker] of body.matchAll(/lhs-val"?:?\s+"([^"]+)"/g)) tickers.add(ticker);
  for (const [, window] of body.matchAll(/window(?:-days)?"?:?\s+"?(\d+)/g)) windows.add(window);
  for (const [, value] of body.matchAll(/rhs-val"?:?\s+"([^"]+)"/g))
    (Number.isNaN(Number(value)) ? tickers : thresholds).add(value);
  if (text.trimStart().startsWith('{\n') || text.trimStart().startsWith('{"'))
    countWeights(JSON.parse(text), weights);
  return {
    tickers: tickers.counts,
    windows: windows.counts,
    thresholds: thresholds.counts,
    weights: weights.counts,
  };
}

/** The weights that count: of the children of specified weights. */
function countWeights(node: unknown, weights: Counter): void {
  if (typeof node !== 'object' || node === null) return;
  const { step, children } = node as { step?: unknown; children?: unknown };
  for (const child of Array.isArray(children)
    ? (children as { weight?: { num: unknown; den: unknown } }[])
    : []) {
    if (step === 'wt-cash-specified' && child.weight)
      weights.add(Number(((Number(child.weight.num) / Number(child.weight.den)) * 100).toFixed(9)));
    countWeights(child, weights);
  }
}
