import type { Algorithm, RebalanceRule } from '../../strategy/tree.ts';
import { looseNumber, shifted, sourceNumber } from '../numbers.ts';
import { sourceWords } from '../source-words.ts';
import type { TreeWriter } from '../tree-writer.ts';
import { isSet } from './fields.ts';

const PERIODS: readonly RebalanceRule[] = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'];

/** The fields of our root that follow from the rule, as that tool states it. */
export interface SourceRule {
  readonly rebalance: unknown;
  /** A fraction: 0.05 is 5 percentage points. */
  readonly width: unknown;
}

/** The rebalancing rule of a root. */
export function readRule(
  writer: TreeWriter,
  { rebalance: given, width }: SourceRule,
  path: string,
  id: string,
): Pick<Algorithm, 'rebalance' | 'rebalance_on' | 'corridor'> {
  const rebalance = typeof given === 'string' ? given.trim().toLowerCase() : given;
  if (rebalance === 'none' || (!isSet(rebalance) && isSet(width)))
    return isSet(width) ? readWidth(writer, width, path, id) : { rebalance: 'never' };
  if (isSet(width))
    writer.tell(
      'taken',
      path,
      `a corridor of ${sourceWords(width)} beside ${sourceWords(rebalance)}`,
      'left out',
      'None: it counts without a calendar only',
      id,
    );
  const rule = PERIODS.find((period) => period === rebalance);
  if (!rule) {
    const said = isSet(rebalance) ? `rebalance ${sourceWords(given)}` : 'no rebalancing rule';
    writer.tell('guessed', path, said, 'daily', 'On which days it trades', id);
    return { rebalance: 'daily' };
  }
  if (rule === 'daily') return { rebalance: rule };
  writer.tell(
    'differs',
    path,
    `rebalance ${rule}: sources disagree whether on the first or on the last day`,
    'on the last day of the period',
    'Trades move by up to a period; Rebalance on can be set to first',
    id,
  );
  return { rebalance: rule, rebalance_on: 'last' };
}

/** The width of a corridor: a fraction, in numbers or as text. */
function readWidth(
  writer: TreeWriter,
  width: unknown,
  path: string,
  id: string,
): Pick<Algorithm, 'rebalance' | 'corridor'> {
  const said = `a corridor of ${sourceWords(width)}`;
  const isPercent = typeof width === 'string' && width.includes('%');
  const number = isPercent ? looseNumber(width) : (sourceNumber(width) ?? looseNumber(width));
  if (number === null || number < 0 || number > 100) {
    writer.tell('lost', path, said, 'never', 'When it trades: this is no width', id);
    return { rebalance: 'never' };
  }
  if (number === 0) {
    writer.tell('guessed', path, said, 'daily', 'None, if every drift is to be traded away', id);
    return { rebalance: 'daily' };
  }
  const isFraction = !isPercent && number <= 1;
  const corridor = isFraction ? shifted(number, 2) : number;
  if (!isFraction)
    writer.tell(
      'guessed',
      path,
      said,
      `${corridor} percentage points`,
      'When it trades: as a fraction it would be above 100%',
      id,
    );
  return { rebalance: 'corridor', corridor };
}
