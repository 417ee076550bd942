import { refuseProblems, treeFault } from '@quantloom/domain/batch/request';
import type { RouteContract } from '@quantloom/domain/contracts/http/route';
import type { Feature } from '@quantloom/domain/identity/plans';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { type StrategySize, sizeOf, sizeProblem } from '@quantloom/domain/strategy/size';
import { field, isRecord } from '@quantloom/domain/strategy/values';
import { type WrittenTree, writeTree } from '@quantloom/domain/strategy/written-tree';

/**
 * The kinds of body that are checked by another thread and then parsed by the one that serves, which finds
 * nothing left to doubt.
 */
export type CheckedKind = Exclude<NonNullable<RouteContract['document']>, 'strategy' | 'import'>;

/** JSON values (texts, numbers, lists, objects) of one block or condition, written as long-windedly as can be. */
const VALUES_OF_A_BLOCK = 60;
/** What a tree may hold besides. */
const VALUES_BESIDES = 2_000;
/** Characters of JSON beside the tree of a single run. */
const TEXT_BESIDE_A_RUN = 64 * 1024;
/** Values beside the tree: the lists of a batch within its limits have less than half of them. */
const VALUES_BESIDE_A_TREE = 250_000;

/**
 * What is wrong with the strategy of a request that is to be run: with its size, its blocks, or what the
 * caller's plan does not have. A certificate only has to be small enough, since its answer tells what else is wrong.
 *
 * @param textRefusal looks at the texts of the body, once it is known to be small enough
 * @returns the size of the tree; null where there is none, which the route's schema refuses
 */
export function checkRequest(
  kind: CheckedKind,
  body: unknown,
  features: readonly Feature[],
  textRefusal: () => Refusal | null = () => null,
): { readonly size: StrategySize | null } | Refusal {
  const tree = treeOf(kind, body);
  const size = tree === undefined ? null : sizeOf(tree);
  const tooLarge = size && sizeProblem(size);
  const inTree = tree === undefined ? 0 : countValues(tree, Number.POSITIVE_INFINITY);
  if (countValues(body, VALUES_BESIDE_A_TREE + inTree) > VALUES_BESIDE_A_TREE + inTree)
    return tooMuch('The request holds more values beside its strategy than any batch needs');
  // Told first: the blocks of what is too large were not counted to their end.
  if (tooLarge) return refuseProblems([tooLarge]);
  if (isStuffed(size, inTree)) return stuffed(size);
  const unusable = textRefusal();
  if (unusable || kind === 'certificate' || tree === undefined) return unusable ?? { size };
  return treeFault(tree, features, { requireBound: kind !== 'batch' }) ?? { size };
}

/**
 * The body of a single run that was found sound, with its tree as JSON: the thread that serves reads only
 * what stands beside it.
 */
export function writeRun(body: unknown): CheckedRun | Refusal {
  const { trading_bot: algorithm, ...rest } = isRecord(body) ? body : {};
  if (JSON.stringify(rest).length > TEXT_BESIDE_A_RUN)
    return tooMuch('The request holds more beside its strategy than any backtest needs');
  return { rest, tree: writeTree(algorithm) };
}

export interface CheckedRun {
  /** The fields beside the tree. */
  readonly rest: Readonly<Record<string, unknown>>;
  readonly tree: WrittenTree;
}

function treeOf(kind: CheckedKind, body: unknown): unknown {
  if (!isRecord(body)) return undefined;
  if (kind !== 'batch') return field(body, 'trading_bot');
  const template = field(body, 'template_bot');
  return isRecord(template) ? field(template, 'algorithm') : undefined;
}

const isStuffed = (size: StrategySize | null, values: number): boolean =>
  size !== null && values > VALUES_BESIDES + VALUES_OF_A_BLOCK * (size.blocks + 1);

function stuffed(size: StrategySize | null): Refusal {
  const blocks = (size?.blocks ?? 0).toLocaleString('en-US');
  return tooMuch(`The strategy has ${blocks} blocks and far more values in it than so many blocks can have`);
}

const tooMuch = (detail: string): Refusal => refuse(413, 'body_too_large', detail);

/**
 * Values in a JSON value, itself included, counted until there are more than `most`. No recursion: it may be
 * nested deeper than the stack.
 */
function countValues(value: unknown, most: number): number {
  const rest: unknown[] = [value];
  let count = 0;
  for (let next = rest.pop(); next !== undefined && count <= most; next = rest.pop()) {
    count += 1;
    if (typeof next !== 'object' || next === null) continue;
    for (const inner of Array.isArray(next) ? next : Object.values(next))
      if (typeof inner === 'object' && inner !== null) rest.push(inner);
      else count += 1;
  }
  return count;
}
