import { createHash } from 'node:crypto';
import { decodeColumns } from '@quantloom/domain/contracts/backtest-columns';
import type { AnswerIndicators } from '@quantloom/domain/exchange/source-answer';
import { printStrategy } from '@quantloom/domain/exchange/text/printer';
import type { Feature } from '@quantloom/domain/identity/plans';
import type { HistoryChange } from '@quantloom/domain/kernel/history';
import { isRefusal, type Refusal, RefusalError } from '@quantloom/domain/kernel/refusal';
import { type ResultSnapshot, snapshotOf } from '@quantloom/domain/shared-result/snapshot';
import { treeChanges } from '@quantloom/domain/strategy/history';
import { planProblems } from '@quantloom/domain/strategy/plan-limits';
import { type StrategySize, sizeOf } from '@quantloom/domain/strategy/size';
import { ReadTree, type ReadTreeFields, readTree } from '@quantloom/domain/strategy/stored-tree';
import type { Algorithm } from '@quantloom/domain/strategy/tree';
import { nodesOf } from '@quantloom/domain/strategy/tree-walk';
import { isRecord } from '@quantloom/domain/strategy/values';
import { type WrittenTree, writeTree } from '@quantloom/domain/strategy/written-tree';
import { isUsableJson, refuseUnusableText } from '../text-check.ts';
import { type CheckedKind, type CheckedRun, checkRequest, writeRun } from './check-request.ts';
import { type ReadSource, type ReadStrategy, readSourceWith } from './read-source.ts';

/** What is done with large documents away from the thread that serves requests. Everything in and out is plain data. */
export interface DocumentJobs {
  /** Parses a request's body with a strategy in the field `algorithm` and reads that one. */
  readonly body: {
    readonly given: {
      readonly body: Uint8Array;
      readonly features: readonly Feature[];
      readonly fields: FieldsBeside;
    };
    readonly found: BodyFound;
  };
  /** Reads a tree that is stored as text. */
  readonly tree: {
    readonly given: { readonly text: string; readonly features: readonly Feature[] | null };
    readonly found: ReadTreeFields | Refusal;
  };
  /** Reads the body of an import, and writes its answer. */
  readonly import: {
    readonly given: {
      readonly body: Uint8Array | string;
      readonly features: readonly Feature[];
      readonly id: string;
      readonly fields: FieldsBeside;
    };
    readonly found: (ImportFound & { readonly beside: Beside }) | Refusal | Unreadable;
  };
  /**
   * Parses the body of a request that runs a strategy, and looks for what is wrong with it. A single run
   * comes back with its tree as JSON.
   */
  readonly check: {
    readonly given: {
      readonly body: Uint8Array;
      readonly kind: CheckedKind;
      readonly features: readonly Feature[];
    };
    readonly found:
      | { readonly size: StrategySize | null; readonly run: CheckedRun | null }
      | Refusal
      | Unreadable;
  };
  /** What the page of a public strategy shows of its tree, and what it is run with. */
  readonly page: {
    readonly given: { readonly text: string };
    readonly found: PageTree;
  };
  /** The figures of a page, from an answer with history and report as columns. */
  readonly snapshot: {
    readonly given: {
      readonly terms: ResultSnapshot['terms'];
      readonly answer: Uint8Array;
      readonly since: string | undefined;
    };
    readonly found: ResultSnapshot;
  };
  /** What made one tree another, both as text. */
  readonly changes: {
    readonly given: { readonly before: string; readonly after: string };
    readonly found: readonly HistoryChange[];
  };
}
export type DocumentKind = keyof DocumentJobs;

/**
 * What the schema of a body says of the fields beside its document: `read` is handed on for the schema to
 * judge, `ignored` may hold anything and nobody looks at it. Any other field is none that the body may have.
 */
export type FieldsBeside = Readonly<Record<string, 'read' | 'ignored'>>;
type Beside = Readonly<Record<string, unknown>>;

export interface PageTree {
  /** The strategy in the text language; null where it is too long for a page. */
  readonly printed: string | null;
  readonly description: string;
  readonly size: StrategySize;
  readonly tree: WrittenTree;
}

export interface ImportFound {
  /** The answer as JSON, or why there is no strategy. */
  readonly read: string | Refusal;
  /** Indicator values of another tool's run, which are to be compared with ours. */
  readonly answer: AnswerIndicators | null;
}

/** The body is no JSON that may be taken; the usual parser says why. */
export interface Unreadable {
  readonly isUnreadable: true;
}

export type BodyFound =
  | Unreadable
  /** `body` without its tree, and with digests of what nobody looks at; `tree` null where it has none. */
  | { readonly body: unknown; readonly tree: ReadTreeFields | Refusal | null };

/** Characters: a longer strategy is described on its page, not printed. */
const LONGEST_PRINTED = 200_000;
const UNREADABLE: Unreadable = { isUnreadable: true };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const JOBS: { readonly [K in DocumentKind]: (given: DocumentJobs[K]['given']) => DocumentJobs[K]['found'] } =
  {
    body: ({ body, features, fields }) => {
      const parsed = parse(body);
      if (parsed === null) return UNREADABLE;
      const refusal = textRefusal(parsed);
      if (refusal) return { body: {}, tree: refusal };
      if (!isRecord(parsed.value)) return { body: [], tree: null };
      if (!Object.hasOwn(parsed.value, 'algorithm'))
        return { body: beside(parsed.value, fields), tree: null };
      const { algorithm, ...rest } = parsed.value;
      return { body: beside(rest, fields), tree: plain(readTree(algorithm, features, sha256)) };
    },
    tree: ({ text, features }) => plain(readTree(JSON.parse(text), features, sha256)),
    import: ({ body, features, id, fields }) => {
      const parsed = parse(body);
      if (parsed === null || !isRecord(parsed.value) || !Object.hasOwn(parsed.value, 'json'))
        return UNREADABLE;
      const refusal = textRefusal(parsed);
      if (refusal) return refusal;
      const { json, ...rest } = parsed.value;
      const imported = readSourceWith(json, () => id);
      return { ...importFound(imported, features), beside: beside(rest, fields) };
    },
    check: ({ body, kind, features }) => {
      const parsed = parse(body);
      if (parsed === null) return UNREADABLE;
      const found = checkRequest(kind, parsed.value, features, () => textRefusal(parsed));
      if (isRefusal(found)) return found;
      const run = kind === 'run' && found.size ? writeRun(parsed.value) : null;
      return isRefusal(run) ? run : { ...found, run };
    },
    page: ({ text }) => {
      const algorithm = JSON.parse(text) as Algorithm;
      const printed = printStrategy(algorithm);
      return {
        printed: printed.length > LONGEST_PRINTED ? null : printed,
        description: algorithm.description,
        size: sizeOf(algorithm),
        tree: writeTree(algorithm),
      };
    },
    snapshot: ({ terms, answer, since }) => snapshotOf(terms, decodeColumns(answer), since),
    changes: ({ before, after }) =>
      treeChanges(JSON.parse(before) as Algorithm, JSON.parse(after) as Algorithm),
  };

/** Characters of a list or an object; the report of an import with as many notes as may be has a quarter of them. */
const MOST_OF_A_FIELD = 2_000_000;
/** A list of lists: no schema of a field takes it. */
const TOO_LARGE: unknown = [[]];

/**
 * The fields beside a document, light enough for the thread that serves. Of fields that are none, the first
 * is enough to refuse.
 */
function beside(rest: Readonly<Record<string, unknown>>, fields: FieldsBeside): Beside {
  const found: Record<string, unknown> = {};
  let isRefused = false;
  for (const [name, value] of Object.entries(rest)) {
    const use = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (use === undefined && isRefused) continue;
    isRefused ||= use === undefined;
    if (use === 'read') found[name] = isPlain(value) ? value : lightEnough(value);
    // Not the value, but something that differs where it does: another body is another request, whatever it differs in.
    else found[name] = use === undefined ? null : sha256(textOf(value) ?? '');
  }
  return found;
}

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

function lightEnough(value: unknown): unknown {
  const text = textOf(value);
  return text === null || text.length > MOST_OF_A_FIELD ? TOO_LARGE : value;
}

/** Null where it is nested deeper than the stack. */
function textOf(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Does one job, here and now. */
export function doDocumentJob<K extends DocumentKind>(
  kind: K,
  given: DocumentJobs[K]['given'],
): DocumentJobs[K]['found'] {
  return JOBS[kind](given);
}

/** What an import found, with its answer written as JSON. */
export function importFound({ found, answer }: ReadSource, features: readonly Feature[]): ImportFound {
  return { read: isRefusal(found) ? found : importAnswer(found, features), answer };
}

function importAnswer(imported: Exclude<ReadSource['found'], Refusal>, features: readonly Feature[]): string {
  const answerOf = ({ name, algorithm, report, settings }: ReadStrategy) => {
    const notes = planProblems(algorithm, features).map((note) => ({ ...note, path: note.path ?? '' }));
    // Without the root.
    const blocks = [...nodesOf(algorithm)].length - 1;
    return { name, algorithm, report: { ...report, blocks, notes }, settings };
  };
  return JSON.stringify({ ...answerOf(imported), further: imported.further.map(answerOf) });
}

/** A class does not cross to another thread. */
function plain(read: ReadTree | Refusal): ReadTreeFields | Refusal {
  return read instanceof ReadTree ? { ...read } : read;
}

function textRefusal({ text, value }: Parsed): Refusal | null {
  if (isUsableJson(text)) return null;
  try {
    refuseUnusableText(value);
    return null;
  } catch (error) {
    if (error instanceof RefusalError) return error.refusal;
    throw error;
  }
}

interface Parsed {
  readonly text: string;
  readonly value: unknown;
}

/** The only ways in which JSON can write a poisoned name. */
const SUSPICIOUS = /__proto__|constructor|\\u00/;

function parse(body: Uint8Array | string): Parsed | null {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const value: unknown = JSON.parse(text);
    return SUSPICIOUS.test(text) && isPoisoned(value) ? null : { text, value };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Names that would change what an object is; the parser of all other bodies refuses them, too. */
function isPoisoned(body: unknown): boolean {
  const rest: unknown[] = [body];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (Object.hasOwn(next, '__proto__')) return true;
    const { constructor: made } = next as { constructor: unknown };
    if (Object.hasOwn(next, 'constructor') && isRecord(made) && Object.hasOwn(made, 'prototype')) return true;
    for (const inner of Object.values(next)) if (typeof inner === 'object') rest.push(inner);
  }
  return false;
}
