import { type Static, Type } from 'typebox';
import type { Feature } from '../identity/plans.ts';
import { defineStream, type EventOf, type Frozen } from '../kernel/define-stream.ts';
import { Count, exactly, Text } from '../kernel/event-fields.ts';
import { type Problem, type Refusal, RefusalError, refuse } from '../kernel/refusal.ts';
import { sha256 } from '../kernel/sha256.ts';
import { planProblems } from './plan-limits.ts';
import { sizeOf, sizeProblem } from './size.ts';
import { strategiesIn } from './strategy-block.ts';
import { readStructure } from './structure.ts';
import { forEachTickerPlace } from './ticker-places.ts';
import type { Algorithm } from './tree.ts';
import { variableNames } from './variables.ts';

/**
 * Large trees stand in the log once: in a stream of their own whose name is the hash of their text, however
 * many strategies, revisions and copies have them. Small ones stand in the events of their strategies.
 */

/** Characters of JSON from which on a tree is stored by itself. */
export const LARGE_TREE = 16_384;
/** Tickers that an event names of a stored tree, for lists to be searched. */
const MOST_TICKERS = 200;

/** What an event of a strategy says of a tree that is stored by itself. */
export const TreeReferenceSchema = exactly({
  /** Hex SHA-256 of its text. */
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Characters of its text. */
  size: Count,
  /** Blocks and conditions below the root. */
  blocks: Count,
  /** Some of its tickers, in the order they appear. */
  tickers: Type.Array(Text),
});
export type TreeReference = Frozen<Static<typeof TreeReferenceSchema>>;

/** The tree of a strategy: itself, or where it is stored. */
export type HeldTree =
  | { readonly algorithm: Algorithm; readonly tree?: undefined }
  | { readonly tree: TreeReference; readonly algorithm?: undefined };

/** The tree of something that has one, and nothing else of it. */
export function heldTreeOf(holder: HeldTree): HeldTree {
  return holder.tree ? { tree: holder.tree } : { algorithm: holder.algorithm };
}

/** Streams `tree-{hash}`, of one event. */
export const TREE_EVENTS = defineStream({
  category: 'tree',
  events: {
    TreeStored: exactly({
      hash: TreeReferenceSchema.properties.hash,
      /** The tree as JSON. A text, so that it can be sent on as it is, without anybody reading it. */
      text: Text,
    }),
  },
});
export type TreeStored = EventOf<typeof TREE_EVENTS>;

export function treeStreamOf(hash: string): string {
  return `${TREE_EVENTS.category}-${hash}`;
}

/** Hex SHA-256 of the text of a tree. */
export function treeHash(text: string): string {
  return Array.from(sha256(text), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface ReadTreeFields {
  readonly held: HeldTree;
  /** JSON of the tree, where it is to be stored by itself. */
  readonly text: string | null;
  /** Name of the root block. */
  readonly name: string;
  readonly variables: readonly string[];
  /** Ids of the saved strategies that it holds blocks of. */
  readonly strategies: readonly string[];
  /** What of it the caller's plan does not have. */
  readonly planProblems: readonly Problem[];
}

/** A tree that was checked already, possibly by another thread. */
export class ReadTree implements ReadTreeFields {
  readonly held: HeldTree;
  readonly text: string | null;
  readonly name: string;
  readonly variables: readonly string[];
  readonly strategies: readonly string[];
  readonly planProblems: readonly Problem[];

  constructor({ held, text, name, variables, strategies, planProblems }: ReadTreeFields) {
    this.held = held;
    this.text = text;
    this.name = name;
    this.variables = variables;
    this.strategies = strategies;
    this.planProblems = planProblems;
  }
}

/**
 * Reads any JSON value as the tree of a strategy that is to be kept, within all limits.
 *
 * @param features of the caller's plan; null: whatever the plan
 * @returns the refusal of a value that is no such tree. What the plan does not have is no refusal yet.
 */
export function readTree(
  value: unknown,
  features: readonly Feature[] | null,
  hashOf: (text: string) => string = treeHash,
): ReadTree | Refusal {
  const size = sizeOf(value);
  const tooLarge = sizeProblem(size);
  if (tooLarge) return refuse(422, 'invalid_algorithm', tooLarge.message, { problems: [tooLarge] });
  const reading = readStructure(value);
  if (reading.problems)
    return refuse(422, 'invalid_algorithm', reading.problems[0]?.message ?? 'The strategy is malformed', {
      problems: reading.problems,
    });
  const { algorithm } = reading;
  const common = {
    name: algorithm.name,
    variables: variableNames(algorithm),
    strategies: [...strategiesIn(algorithm)],
    planProblems: features ? planProblems(algorithm, features) : [],
  };
  const text = JSON.stringify(algorithm);
  if (text.length < LARGE_TREE) return new ReadTree({ held: { algorithm }, text: null, ...common });
  const tickers = new Set<string>();
  forEachTickerPlace(algorithm, (ticker) => void (tickers.size < MOST_TICKERS && tickers.add(ticker)));
  const tree = { hash: hashOf(text), size: text.length, blocks: size.blocks, tickers: [...tickers] };
  return new ReadTree({ held: { tree }, text, ...common });
}

/**
 * As `readTree`, of a value that may have been read already: it is then a `ReadTree`, or the `RefusalError`
 * of what is none.
 */
export function asReadTree(value: unknown, features: readonly Feature[] | null): ReadTree | Refusal {
  if (value instanceof RefusalError) return value.refusal;
  return value instanceof ReadTree ? value : readTree(value, features);
}
