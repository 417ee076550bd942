import type { Block, Branch, Side, Test } from './any-symphony.ts';

/** Chooses one of several ways to say the same. */
export type Choose = <Way>(...ways: readonly Way[]) => Way;

/** A choice that follows a list of numbers, over and over. */
export function chooser(numbers: readonly number[]): Choose {
  let at = 0;
  return (...ways) => {
    const number = numbers[at % Math.max(1, numbers.length)] ?? 0;
    at += 1;
    return ways[(number + at) % ways.length] as (typeof ways)[number];
  };
}

type Node = Record<string, unknown>;

/** A strategy as a file of Composer's JSON says it: in one of many spellings, with leftovers that mean nothing. */
export function composerJson(block: Block, choose: Choose): Node {
  const file = new JsonFile(choose);
  return {
    step: 'root',
    id: 'root-1',
    name: 'Any',
    description: '',
    rebalance: 'none',
    ...choose<Node>(
      { 'rebalance-corridor-width': 0.05 },
      { 'rebalance-corridor-width?': '0.05' },
      { rebalance_corridor_width: '0.05' },
    ),
    ...choose<Node>(
      { asset_class: 'EQUITIES', asset_classes: ['EQUITIES'] },
      { 'asset-class': 'EQUITIES' },
      {},
    ),
    children: [file.block(block)],
  };
}

class JsonFile {
  readonly #choose: Choose;

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  block(block: Block): Node {
    const choose = this.#choose;
    const head = {
      id: 'some-id',
      ...choose<Node>({}, { 'collapsed?': true }, { 'suppress-incomplete-warnings?': false }),
    };
    switch (block.is) {
      case 'asset':
        return {
          ...head,
          step: 'asset',
          ticker: this.#ticker(block.ticker),
          name: 'Fund 500',
          exchange: 'ARCX',
          ...choose<Node>(
            {},
            { price: 12.5, dollar_volume: 1e9, has_marketcap: false, 'children-count': 0, children: [] },
          ),
        };
      case 'equal':
        return {
          ...head,
          step: 'wt-cash-equal',
          ...choose<Node>({}, { 'window-days': '777' }),
          children: this.#stray(block.children),
        };
      case 'specified':
        return {
          ...head,
          step: 'wt-cash-specified',
          children: block.shares.map(({ block: child, percent }) => ({
            ...this.block(child),
            weight: choose<Node>(
              { num: percent, den: 100 },
              { num: String(percent), den: '100' },
              { num: ` ${percent} `, den: 100 },
            ),
          })),
        };
      case 'inverse':
        return {
          ...head,
          step: 'wt-inverse-vol',
          'window-days': choose<unknown>(block.window, String(block.window)),
          children: this.#stray(block.children),
        };
      case 'group':
        return {
          ...head,
          step: 'group',
          name: block.name,
          children: [{ step: 'wt-cash-equal', children: this.#stray(block.children) }],
        };
      case 'filter':
        return {
          ...head,
          step: 'filter',
          'sort-by?': true,
          'select?': true,
          'sort-by-fn': block.sort.fn,
          ...this.#params('sort-by', block.sort),
          'select-fn': choose(block.top ? 'top' : 'bottom', block.top ? 'Top' : 'Bottom'),
          'select-n': choose<unknown>(block.count, String(block.count)),
          children: this.#stray(block.children),
        };
      case 'if':
        return {
          ...head,
          step: 'if',
          children: [
            ...block.branches.map((branch) => this.#branch(branch)),
            ...(block.otherwise === null
              ? []
              : [
                  {
                    step: 'if-child',
                    ...choose<Node>(
                      { 'is-else-condition?': true },
                      { is_else_condition: true },
                      { 'is-else-condition?': 'true' },
                    ),
                    children: this.#stray(block.otherwise),
                  },
                ]),
          ],
        };
    }
  }

  /** Children with weights that their parent does not ask for. */
  #stray(children: readonly Block[]): Node[] {
    return children.map((child) => ({
      ...this.block(child),
      ...this.#choose<Node>({}, { weight: { num: 100, den: 100 } }, { weight: { num: '40', den: 100 } }),
    }));
  }

  #ticker(ticker: string): string {
    const theirs = ticker === 'BRK-B' ? this.#choose('BRK/B', 'BRK.B') : ticker;
    return this.#choose(theirs, theirs, `EQUITIES::${theirs}//USD`, theirs.toLowerCase(), ` ${theirs}`);
  }

  #params(name: string, { window }: Side): Node {
    const choose = this.#choose;
    if (window === null)
      return choose<Node>({}, { [`${name}-fn-params`]: {} }, { [`${name}-fn-params`]: null });
    return choose<Node>(
      { [`${name}-fn-params`]: { window } },
      { [`${name}-fn-params`]: { window: String(window) } },
      { [`${name}-window-days`]: String(window) },
      { [`${name}-window-days`]: window, [`${name}-fn-params`]: {} },
      { [`${name.replaceAll('-', '_')}_fn_params`]: { window }, [`${name}-window-days`]: String(window) },
    );
  }

  #branch({ test, blocks }: Branch): Node {
    const choose = this.#choose;
    const isFlat = test.is === 'binary' && choose(true, true, false);
    const stale = {
      'lhs-fn': 'max-drawdown',
      'lhs-val': 'SPY',
      'lhs-fn-params': { window: 888 },
      comparator: 'lt',
      'rhs-val': '999',
      'rhs-fixed-value?': true,
    };
    return {
      step: 'if-child',
      ...choose<Node>({ 'is-else-condition?': false }, {}),
      ...(isFlat ? this.#flat(test) : { ...choose<Node>({}, stale), condition: this.#condition(test) }),
      children: this.#stray(blocks),
    };
  }

  #flat({ left, comparator, right }: Extract<Test, { is: 'binary' }>): Node {
    const choose = this.#choose;
    const sides = {
      'lhs-fn': left.fn,
      'lhs-val': this.#ticker(left.ticker),
      ...this.#params('lhs', left),
      comparator,
    };
    if (typeof right === 'number')
      return {
        ...sides,
        'rhs-val': choose<unknown>(String(right), right, ` ${right}`),
        ...choose<Node>(
          { 'rhs-fixed-value?': true },
          {},
          { 'rhs-fixed-value?': true, 'rhs-fn': 'moving-average-price', 'rhs-window-days': '666' },
        ),
      };
    return {
      ...sides,
      'rhs-fn': right.fn,
      'rhs-val': this.#ticker(right.ticker),
      ...this.#params('rhs', right),
      ...choose<Node>({ 'rhs-fixed-value?': false }, {}, { 'rhs-fixed-value?': null }),
    };
  }

  #condition(test: Test): Node {
    const choose = this.#choose;
    if (test.is === 'compound')
      return {
        'condition-type': 'compound',
        operator: test.all ? 'all' : 'any',
        conditions: test.tests.map((inner) => this.#condition(inner)),
      };
    const side = ({ fn, window, ticker }: Side & { readonly ticker: string }): Node => ({
      fn,
      ticker: this.#ticker(ticker),
      params: window === null ? {} : { window: choose<unknown>(window, String(window)) },
    });
    return {
      ...choose<Node>({ 'condition-type': 'binary' }, {}),
      lhs: side(test.left),
      comparator: test.comparator,
      rhs:
        typeof test.right === 'number'
          ? { constant: choose<unknown>(test.right, String(test.right)) }
          : side(test.right),
    };
  }
}

/** A value as EDN, written here on purpose without the writer of the product. */
export function ednOf(value: unknown, choose: Choose): string {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'number') return choose(String(value), String(value), `${value}M`);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'string')
    return /^[a-z][a-z-]+$/.test(value) ? choose(`:${value}`, JSON.stringify(value)) : JSON.stringify(value);
  const gap = choose(' ', '\n  ', ' ; remark 12345 "\n', ', ');
  if (Array.isArray(value)) {
    const items = value.map((item) => ednOf(item, choose)).join(gap);
    return choose(`[${items}]`, `[${items}]`, `(${items})`);
  }
  const entries = Object.entries(value).map(([key, item]) => `:${key} ${ednOf(item, choose)}`);
  return `{${entries.join(gap)}}`;
}

const SHORT: Readonly<Record<string, string>> = {
  'relative-strength-index': 'rsi',
  'standard-deviation-price': 'stdev-price',
  'standard-deviation-return': 'stdev-return',
};
const SIGNS = { gt: '>', lt: '<', gte: '>=', lte: '<=' } as const;

/** A strategy in the parenthesised text form. */
export function textForm(block: Block, choose: Choose): string {
  const options = choose(
    '{:asset-class "EQUITIES", :rebalance-threshold 0.05}',
    '{:rebalance-threshold "0.05"}',
    '{:rebalance-frequency :none, :rebalance-threshold 1/20}',
  );
  return `${choose('', '; by me\n')}(defsymphony "Any" ${options} ${formOf(block, choose)})`;
}

function formOf(block: Block, choose: Choose): string {
  const list = (children: readonly Block[]) =>
    `[${children.map((child) => formOf(child, choose)).join(choose(' ', '\n\n   '))}]`;
  const side = ({ fn, window }: Side, ticker?: string) => {
    const of = ticker === undefined ? '' : ` ${JSON.stringify(choose(ticker, `EQUITIES::${ticker}//USD`))}`;
    return `(${SHORT[fn] ?? fn}${of}${window === null ? '' : ` {:window ${window}}`})`;
  };
  const testOf = (test: Test): string => {
    if (test.is === 'compound') return `(${test.all ? 'and' : 'or'} ${test.tests.map(testOf).join(' ')})`;
    const { left, right, comparator } = test;
    const other = typeof right === 'number' ? String(right) : side(right, right.ticker);
    return `(${SIGNS[comparator]} ${side(left, left.ticker)} ${other})`;
  };
  switch (block.is) {
    case 'asset':
      return `(asset "${block.ticker}" ${choose('"Fund 500"', 'nil', '')})`;
    case 'equal':
      return `(weight-equal ${list(block.children)})`;
    case 'specified':
      return `(weight-specified ${block.shares
        .map(({ block: child, percent }) => {
          const thousandths = Math.round(percent * 10);
          return `${choose(String(thousandths / 1000), `${thousandths}/1000`, `${percent}%`)} ${formOf(child, choose)}`;
        })
        .join(' ')})`;
    case 'inverse':
      return `(weight-inverse-volatility ${block.window} ${list(block.children)})`;
    case 'group':
      return `(group ${JSON.stringify(block.name)} [(weight-equal ${list(block.children)})])`;
    case 'filter':
      return (
        `(filter ${side(block.sort)} (select-${block.top ? 'top' : 'bottom'} ${block.count}) ` +
        `${list(block.children)})`
      );
    case 'if': {
      const [branch, ...further] = block.branches;
      if (!branch) return '[]';
      const rest =
        further.length > 0
          ? `[${formOf({ ...block, branches: further }, choose)}]`
          : block.otherwise === null
            ? ''
            : list(block.otherwise);
      return `(if ${testOf(branch.test)} ${list(branch.blocks)} ${rest})`;
    }
  }
}
