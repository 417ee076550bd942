import type { Feature } from '../identity/plans.ts';
import { type Problem, type Refusal, refuse } from '../kernel/refusal.ts';
import { FIELDS } from './block-table.ts';
import { normalNodeType } from './node-fields.ts';
import { planProblems } from './plan-limits.ts';
import { sizeOf, sizeProblem } from './size.ts';
import { MAX_NAME_LENGTH, MAX_NODES, repairStructure } from './structure.ts';
import type { Algorithm } from './tree.ts';
import { field, isRecord } from './values.ts';

export interface ImportedStrategy {
  readonly name: string;
  readonly algorithm: Algorithm;
  readonly report: {
    /** Blocks and conditions that were read. */
    readonly blocks: number;
    /** What could not be read, was replaced, or the caller's plan does not have. */
    readonly notes: readonly Problem[];
  };
}

const DEFAULT_NAME = 'Imported Trading Bot';
/** Values looked at in search of a tree. */
const MAX_LOOKED_AT = 100_000;

const NO_TREE = refuse(
  422,
  'no_strategy_found',
  'No strategy was found in this JSON. It must hold a tree of blocks with the field node_type.',
);

/**
 * Reads a strategy from JSON of any kind that holds one: an exported strategy, a saved trading bot, a
 * backtest request, a copied block or a list of blocks; as a value or as text. What cannot be read is told in
 * the report, the rest is kept.
 */
export function importStrategy(
  json: unknown,
  newNodeId: () => string,
  features: readonly Feature[],
): ImportedStrategy | Refusal {
  const value = typeof json === 'string' ? parse(json) : { json };
  if (value === null) return refuse(422, 'invalid_json', 'This is not valid JSON.');
  const found = findTree(value.json);
  if (!found) return NO_TREE;
  const { algorithm, notes, blocks } = repairStructure(found.tree, newNodeId);
  if (!algorithm)
    return refuse(
      422,
      'invalid_algorithm',
      `The strategy is too large: at most ${MAX_NODES} blocks, and not nested too deeply.`,
      {
        problems: notes,
      },
    );
  const tooLarge = sizeProblem(sizeOf(algorithm));
  if (tooLarge) return refuse(422, 'invalid_algorithm', tooLarge.message, { problems: [tooLarge] });
  const own = algorithm.name.trim();
  const name = (own === '' ? (found.name ?? DEFAULT_NAME) : own).slice(0, MAX_NAME_LENGTH);
  return {
    name,
    algorithm: own === '' ? { ...algorithm, name } : algorithm,
    report: {
      blocks,
      notes: [
        ...notes.map((note) => (note.path === '' ? note : { ...note, path: found.path + (note.path ?? '') })),
        ...planProblems(algorithm, features),
      ],
    },
  };
}

function parse(text: string): { json: unknown } | null {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

interface Found {
  /** With a root. */
  readonly tree: unknown;
  /** Where in the JSON, as a JSON pointer. */
  readonly path: string;
  /** A name that stands beside or around the tree. */
  readonly name: string | null;
}

interface Place {
  readonly value: unknown;
  readonly path: string;
  readonly name: string | null;
}

/**
 * The first root in the JSON, the outermost first; where there is none, the first block or list of blocks,
 * put below a new root.
 */
function findTree(json: unknown): Found | null {
  const queue: Place[] = [{ value: json, path: '', name: null }];
  let block: Place | null = null;
  for (let index = 0; index < queue.length && index < MAX_LOOKED_AT; index += 1) {
    const { value, path, name } = queue[index] as Place;
    if (Array.isArray(value)) {
      if (block === null && value.length > 0 && value.every(isBlock)) block = { value, path, name };
      for (const [place, item] of value.slice(0, MAX_LOOKED_AT).entries())
        queue.push({ value: item, path: `${path}/${place}`, name });
      continue;
    }
    if (!isRecord(value)) continue;
    const type = normalNodeType(field(value, 'node_type'));
    if (type === 'root') return { tree: value, path, name };
    if (isBlock(value)) {
      // Blocks inside a block are part of it.
      block ??= { value, path, name };
      continue;
    }
    const ownName = field(value, 'name');
    const inner = typeof ownName === 'string' && ownName.trim() !== '' ? ownName.trim() : name;
    for (const [key, item] of Object.entries(value))
      queue.push({
        value: item,
        path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`,
        name: inner,
      });
  }
  if (!block) return null;
  const children = Array.isArray(block.value) ? block.value : [block.value];
  const first = children[0] as Record<string, unknown>;
  const groupName = children.length === 1 ? field(first, 'name') : undefined;
  const name = block.name ?? (typeof groupName === 'string' ? groupName : null);
  return { tree: { node_type: 'root', children }, path: block.path, name };
}

function isBlock(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const type = normalNodeType(field(value, 'node_type'));
  return (
    typeof type === 'string' &&
    (Object.hasOwn(FIELDS, type) || type === 'empty') &&
    type !== 'condition' &&
    type !== 'condition-group' &&
    type !== 'root'
  );
}
