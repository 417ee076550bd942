import { INDICATORS } from '../../strategy/indicator.ts';
import type {
  Algorithm,
  BlockNode,
  ConditionItem,
  ConditionNode,
  FilterNode,
  FunctionParams,
  IfThenElseNode,
  IndicatorName,
  Weight,
} from '../../strategy/tree.ts';
import { numberOf } from '../../strategy/values.ts';
import { KEYWORDS, nameOfFunction } from './words.ts';

const COMPARATORS = { gt: '>', lt: '<', gte: '>=', lte: '<=', eq: '=' } as const;
const WORD = /^[A-Za-z$^@_](?:[A-Za-z0-9$^@_.:]|[-=](?=[A-Za-z0-9]))*$/;

/**
 * A strategy in the language that the editor's tree prints (`docs/text-language.md`); ids, weights that mean
 * nothing and what is folded are left out.
 */
export function printStrategy(algorithm: Algorithm): string {
  const lines = [`strategy ${text(algorithm.name)}`];
  if (algorithm.description !== '') lines.push(`description ${text(algorithm.description)}`);
  lines.push(`rebalance ${ruleWords(algorithm)}`, '');
  return `${[...lines, ...blockLines(algorithm.children, '')].join('\n')}\n`;
}

/** Blocks alone, as a copied part of a strategy. */
export function printBlocks(blocks: readonly BlockNode[]): string {
  return blockLines(blocks, '').join('\n');
}

function ruleWords({ rebalance, rebalance_on: on, corridor }: Algorithm): string {
  const hasDay = rebalance !== 'daily' && rebalance !== 'never' && rebalance !== 'corridor';
  if (rebalance === 'corridor') return `corridor ${value(corridor)}`;
  return hasDay && on ? `${rebalance} on ${on}` : rebalance;
}

function text(content: string): string {
  return JSON.stringify(content);
}

/** A number without its quotation marks, a variable, or a question mark for nothing. */
function value(given: unknown): string {
  if (given === null || given === undefined || given === '') return '?';
  if (typeof given === 'number') return String(given);
  const word = String(given).trim();
  return numberOf(word) !== null || WORD.test(word) ? word : '?';
}

function ticker(given: string | null | undefined): string {
  if (given === null || given === undefined || given.trim() === '') return '?';
  return WORD.test(given) ? given : `\`${given.replaceAll('`', '')}\``;
}

/** A ticker or a ratio. */
function series(given: unknown): string {
  if (typeof given !== 'string') return given === null ? '?' : ticker(String(given));
  const sides = given.split('/');
  return sides.length === 2 ? sides.map(ticker).join('/') : ticker(given);
}

function blockLines(
  blocks: readonly BlockNode[],
  indent: string,
  prefix: (block: BlockNode) => string = () => '',
): string[] {
  const lines: string[] = [];
  for (const block of blocks) append(lines, block, indent, prefix(block));
  return lines;
}

function append(lines: string[], block: BlockNode, indent: string, prefix: string): void {
  const add = (line: string) => lines.push(`${indent}${line}`);
  const within = (
    head: string,
    children: readonly BlockNode[],
    tail = ']',
    weight?: (child: BlockNode) => string,
  ) => {
    add(`${head} [`);
    lines.push(...blockLines(children, `${indent}  `, weight));
    add(tail);
  };
  switch (block.node_type) {
    case 'asset':
      add(`${prefix}${assetWords(block.ticker)}${block.name === '' ? '' : ` ${text(block.name)}`}`);
      return;
    case 'empty':
    case 'pasted':
      add(`${prefix}cash`);
      return;
    case 'group':
      within(`${prefix}group${block.name === '' ? '' : ` ${text(block.name)}`}`, block.children);
      return;
    case 'wt-cash-equal':
      within(`${prefix}weight equally`, block.children);
      return;
    case 'wt-cash-specified':
      within(`${prefix}weight by percentages`, block.children, ']', ({ weight }) => `${share(weight)} `);
      return;
    case 'wt-inverse-volatility':
      within(`${prefix}weight by inverse volatility over ${value(block.params.window)} days`, block.children);
      return;
    case 'filter':
      within(`${prefix}${filterWords(block)} of`, block.children);
      return;
    case 'if-then-else':
      appendIf(lines, block, indent, prefix);
      return;
  }
}

function appendIf(lines: string[], block: IfThenElseNode, indent: string, prefix: string): void {
  lines.push(`${indent}${prefix}if ${testText(block)} then [`);
  lines.push(...blockLines(block.then_children, `${indent}  `));
  if (block.else_children.length > 0) {
    lines.push(`${indent}] else [`);
    lines.push(...blockLines(block.else_children, `${indent}  `));
  }
  lines.push(`${indent}]`);
}

function assetWords(given: string): string {
  const word = ticker(given);
  return word === '?' || KEYWORDS.has(word.toLowerCase()) ? `asset ${word}` : word;
}

function share({ num, den }: Weight): string {
  return numberOf(den) === 100 ? `${value(num)}%` : `${value(num)}/${value(den)}`;
}

function filterWords({ sort, select, weighting }: FilterNode): string {
  const by = `${select.fn} ${value(select.num)} by ${callWords(sort.fn, paramWords(sort.fn, sort.params))}`;
  if (!weighting || weighting.type === 'equal') return by;
  return weighting.type === 'by-rank'
    ? `${by} weighted by rank [${weighting.weights.map(share).join(', ')}]`
    : `${by} weighted by inverse volatility over ${value(weighting.window)} days`;
}

function callWords(fn: IndicatorName, args: readonly string[]): string {
  return args.length === 0 ? nameOfFunction(fn) : `${nameOfFunction(fn)}(${args.join(', ')})`;
}

/**
 * The parameters of a function in their order; those at the end that hold nothing are left out where there is
 * a default.
 */
function paramWords(fn: IndicatorName, params: FunctionParams): string[] {
  const { parameters } = INDICATORS[fn];
  const words = parameters.map(({ name }) => value(params[name]));
  while (words.at(-1) === '?' && parameters[words.length - 1]?.default !== null && words.length > 0)
    words.pop();
  return words;
}

/** The conditions of an if as they stand between `if` and `then`. */
export function testText({
  condition_type: type,
  conditions,
}: Pick<IfThenElseNode, 'condition_type' | 'conditions'>): string {
  const [only] = conditions;
  if (conditions.length === 0) return '?';
  if (conditions.length === 1 && only?.node_type === 'condition' && type === 'allOf')
    return conditionText(only);
  if (conditions.length === 1) return listText({ condition_type: type, conditions });
  return conditions.map(itemText).join(type === 'allOf' ? ' and ' : ' or ');
}

function itemText(item: ConditionItem): string {
  if (item.node_type === 'condition') return conditionText(item);
  return item.conditions.length < 2 ? listText(item) : `(${testText(item)})`;
}

/** A group of one condition, or of none yet, keeps its kind. */
function listText({
  condition_type: type,
  conditions,
}: Pick<IfThenElseNode, 'condition_type' | 'conditions'>): string {
  return `${type === 'allOf' ? 'all' : 'any'} of (${conditions.map(itemText).join(', ')})`;
}

/** `RSI(SPY, 10) > 79`; `?` for what is not set. */
export function conditionText(condition: ConditionNode): string {
  const { comparator, rhs_fixed_val: isFixed, for_days: days } = condition;
  const right = isFixed ? value(condition.rhs_val) : scaled(condition);
  const lasting =
    days === null || days === undefined || numberOf(days) === 1 ? '' : ` for ${value(days)} days`;
  return `${sideText(condition, 'lhs')} ${comparator ? COMPARATORS[comparator] : '?'} ${right}${lasting}`;
}

function scaled(condition: ConditionNode): string {
  const { rhs_scale: scale, rhs_offset: offset } = condition;
  const factor = scale === null || scale === undefined || numberOf(scale) === 1 ? '' : `${value(scale)} * `;
  const number = numberOf(offset);
  const moved =
    offset === null || offset === undefined || number === 0
      ? ''
      : number !== null && number < 0
        ? ` - ${-number}`
        : ` + ${value(offset)}`;
  return `${factor}${sideText(condition, 'rhs')}${moved}`;
}

function sideText(condition: ConditionNode, side: 'lhs' | 'rhs'): string {
  const fn = condition[`${side}_fn`];
  const of = series(condition[`${side}_val`]);
  const ago = condition[`${side}_days_ago`];
  const back = ago === null || ago === undefined || numberOf(ago) === 0 ? '' : ` ${value(ago)} days ago`;
  if (!fn) return `?(${of})${back}`;
  const params = condition[`${side}_fn_params`];
  const second = INDICATORS[fn].isPair ? [series(params.with ?? null)] : [];
  return `${callWords(fn, [of, ...second, ...paramWords(fn, params)])}${back}`;
}
