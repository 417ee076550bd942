import type {
  AssetNode,
  BlockNode,
  Comparator,
  ConditionGroupNode,
  ConditionItem,
  ConditionNode,
  ConditionType,
  FunctionParams,
  IfThenElseNode,
  IndicatorName,
  Weight,
} from '../strategy/tree.ts';
import type { FidelityKind, ReportWriter } from './fidelity-report.ts';
import { looseNumber, numberOrVariable } from './numbers.ts';
import { readTicker } from './source-ticker.ts';
import { sourceWords } from './source-words.ts';

const FULL: Weight = { num: 100, den: 100 };
const MAX_NAME = 200;
const MAX_DESCRIPTION = 10_000;
/** Lines of one kind that are told one by one; further ones are counted. */
const MAX_ALIKE = 200;

/** One side of a condition as it was read. */
export interface SourceSide {
  /** Null where the function cannot be expressed: the condition is incomplete. */
  readonly fn: IndicatorName | null;
  readonly params: FunctionParams;
  readonly ticker: string | null;
}

/** Makes the blocks of an imported strategy, and tells of each what had to be changed. */
export class TreeWriter {
  readonly report: ReportWriter;
  readonly #newId: () => string;
  /** Blocks and conditions made so far. */
  count = 0;
  assets = 0;

  constructor(newId: () => string, report: ReportWriter) {
    this.#newId = newId;
    this.report = report;
  }

  id(): string {
    this.count += 1;
    this.report.read();
    return this.#newId();
  }

  /** A text for people: without control characters, no longer than names are here. */
  name(value: unknown, path: string, blockId: string): string {
    if (typeof value !== 'string') return '';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
    const clean = value.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]+/g, ' ');
    if (clean.length <= MAX_NAME) return clean;
    this.report.add(
      'guessed',
      path,
      clean,
      `its first ${MAX_NAME} characters`,
      'Nothing but the name',
      blockId,
    );
    return clean.slice(0, MAX_NAME);
  }

  /** A longer text about a strategy. */
  description(value: unknown, path: string, blockId: string): string {
    if (typeof value !== 'string') return '';
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out; line breaks stay.
    const clean = value.replace(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]+/g, ' ');
    if (clean.length <= MAX_DESCRIPTION) return clean;
    const became = `its first ${MAX_DESCRIPTION} characters`;
    this.report.add('guessed', path, clean, became, 'Nothing but the description', blockId);
    return clean.slice(0, MAX_DESCRIPTION);
  }

  asset(path: string, given: unknown, name: unknown): AssetNode {
    const id = this.id();
    const ticker = this.ticker(given, path, id);
    if (ticker !== '') this.assets += 1;
    const own = this.name(name, path, id) || (ticker === '' ? String(given ?? '').slice(0, MAX_NAME) : '');
    return { id, node_type: 'asset', weight: FULL, is_collapsed: false, ticker, name: own };
  }

  /**
   * A number of the source, or a variable of ours; one that is not quite spelled as a number is told. Null
   * where there is none.
   */
  number(given: unknown, what: string, path: string, id: string): number | string | null {
    const value = numberOrVariable(given);
    if (value === null) {
      const loose = looseNumber(given);
      if (loose === null) return null;
      const effect = 'The figures, if another number was meant';
      this.tell('guessed', path, `the ${what} ${JSON.stringify(given)}`, String(loose), effect, id);
      return loose;
    }
    if (typeof given === 'string' && given.includes('/'))
      this.tell('taken', path, `the ${what} ${JSON.stringify(given)}`, String(value), 'None', id);
    return value;
  }

  /** A ticker in our spelling; empty, and told, where it names nothing that can be traded here. */
  ticker(given: unknown, path: string, blockId: string): string {
    const { ticker, fault } = readTicker(given);
    const said = given === undefined ? 'no ticker' : `the ticker ${sourceWords(given)}`;
    if (fault === 'crypto')
      this.report.add(
        'lost',
        path,
        said,
        'no ticker',
        'Crypto has no prices here: the block cannot run',
        blockId,
      );
    else if (fault === 'unreadable')
      this.report.add('lost', path, said, 'no ticker', 'The block cannot run until it has one', blockId);
    else if (ticker !== given && !ticker.includes('/'))
      this.report.few(
        'ticker',
        MAX_ALIKE,
        'taken',
        path,
        said,
        ticker,
        'None: the same share in the spelling used here',
        blockId,
      );
    return ticker;
  }

  /** A block that stands for one that cannot be expressed: it runs only after something was put in its place. */
  missing(path: string, said: string, why: string): AssetNode {
    const id = this.id();
    this.report.add('lost', path, said, 'an asset block without a ticker', why, id);
    return {
      id,
      node_type: 'asset',
      weight: FULL,
      is_collapsed: false,
      ticker: '',
      name: `${said} (cannot be expressed)`.slice(0, MAX_NAME),
    };
  }

  condition(
    id: string,
    lhs: SourceSide,
    comparator: Comparator | null,
    rhs: SourceSide | { readonly value: number | string | null },
    further: Partial<ConditionNode> = {},
  ): ConditionNode {
    const isFixed = 'value' in rhs;
    return {
      id,
      node_type: 'condition',
      weight: FULL,
      is_collapsed: false,
      lhs_fn: lhs.fn,
      lhs_fn_params: lhs.params,
      lhs_val: lhs.ticker,
      comparator,
      rhs_fn: isFixed ? null : rhs.fn,
      rhs_fn_params: isFixed ? {} : rhs.params,
      rhs_val: isFixed ? rhs.value : rhs.ticker,
      rhs_fixed_val: isFixed,
      ...further,
    };
  }

  conditionGroup(type: ConditionType, conditions: readonly ConditionItem[]): ConditionGroupNode {
    return {
      id: this.id(),
      node_type: 'condition-group',
      weight: FULL,
      is_collapsed: false,
      condition_type: type,
      conditions,
    };
  }

  ifThenElse(
    id: string,
    type: ConditionType,
    conditions: readonly ConditionItem[],
    thenChildren: readonly BlockNode[],
    elseChildren: readonly BlockNode[],
  ): IfThenElseNode {
    return {
      id,
      node_type: 'if-then-else',
      weight: FULL,
      is_collapsed: false,
      condition_type: type,
      conditions,
      then_children: thenChildren,
      else_children: elseChildren,
      is_conditions_collapsed: false,
      is_then_collapsed: false,
      is_else_collapsed: false,
    };
  }

  tell(
    kind: FidelityKind,
    path: string,
    said: string,
    became: string,
    effect: string,
    id: string | null,
  ): void {
    this.report.add(kind, path, said, became, effect, id);
  }
}
