import { Type } from 'typebox';
import { repairStructure } from './structure.ts';
import type { Algorithm } from './tree.ts';
import { validateAlgorithm } from './validation.ts';

/** A tree is checked by its own readers: what they say is a sentence, and there is one description of it in the program. */
const Root = Type.Unsafe<Algorithm>(Type.Object({ node_type: Type.Literal('root') }));

/** The first thing that keeps a value from being a strategy's tree as it is stored: every field known and of its type; null: nothing. */
function storedTreeFault(value: unknown): string | null {
  return repairStructure(value, () => '').notes[0]?.message ?? null;
}

/** The tree of a saved strategy: possibly incomplete, never malformed. */
export const StoredTree = Type.Refine(
  Root,
  (value) => storedTreeFault(value) === null,
  (value) => `must be a stored tree: ${storedTreeFault(value)}`,
);

/** A tree that was run, as its sender wrote it: everything that a run reads has passed the check of runs. */
export const RunTree = Type.Refine(
  Root,
  (value) => validateAlgorithm(value).length === 0,
  (value) => `must be a tree that can run: ${validateAlgorithm(value)[0]?.message}`,
);
