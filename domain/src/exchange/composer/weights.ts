import type { Weight } from '../../strategy/tree.ts';
import { isRecord } from '../../strategy/values.ts';
import { looseNumber, numberOrVariable, ratioOf, weightOf } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import type { TreeWriter } from '../tree-writer.ts';
import { fieldsOf, isSet } from './fields.ts';

/** A weight that has to be given before the block can run. */
export const UNSET_WEIGHT: Weight = { num: '', den: 100 };
/** Lines of one kind that are told one by one. */
const MAX_ALIKE = 50;

interface ReadWeight {
  /** Null where it is none. */
  readonly weight: Weight | null;
  /** Whether the source leaves open what is meant. */
  readonly isGuess: boolean;
}

/** The weight of a block: `{num, den}`, in numbers or as text; or a bare share, as older files may have it. */
export function readWeight(given: unknown): ReadWeight {
  if (!isRecord(given)) {
    const weight = weightOf(given);
    const isPercent = weight !== null && typeof given === 'number' && given > 1;
    return { weight: isPercent ? { num: given, den: 100 } : weight, isGuess: true };
  }
  const source = fieldsOf(given);
  const [top, below] = [source.get('num'), source.get('den')];
  const den = isSet(below) ? (numberOrVariable(below) ?? looseNumber(below)) : 100;
  const ratio = ratioOf(top);
  const num = ratio ? ratio.num : (numberOrVariable(top) ?? looseNumber(top));
  const isGuess = !isSet(below) || numberOrVariable(top) === null || numberOrVariable(below) === null;
  if (num === null || den === null || (typeof den === 'number' && den <= 0)) return { weight: null, isGuess };
  if (!ratio) return { weight: { num, den }, isGuess };
  return { weight: typeof den === 'number' ? { num, den: ratio.den * den } : null, isGuess };
}

/** Tells of a weight on a block whose parent does not weight it. */
export function tellStray(
  writer: TreeWriter,
  weight: unknown,
  became: string,
  path: string,
  id: string,
): void {
  const said = `weight ${sourceWords(weight)} where weights are not asked for`;
  writer.report.few(`stray ${became}`, MAX_ALIKE, 'taken', path, said, became, 'None', id);
}

/** Tells of weights that do not add up to the whole. */
export function tellSum(writer: TreeWriter, sum: number, count: number, path: string, id: string): void {
  if (count === 0 || Number.isNaN(sum) || Math.abs(sum - 1) <= 1e-9) return;
  const percent = Number((sum * 100).toPrecision(8));
  const effect =
    sum > 1 ? 'Above 100% it cannot run' : `${Number((100 - percent).toPrecision(8))}% stay in cash`;
  writer.tell('guessed', path, `weights that add up to ${percent}%`, 'the same weights', effect, id);
}
