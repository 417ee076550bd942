import type { AssetPlan, BlockPlan, MixPlan, Plan } from './plan.ts';

/** Most names kept at a time; beyond it the same tree may be simulated twice, which is only slower. */
const MOST_NAMES = 1 << 20;

/**
 * Names bound trees so that trees with the same result have the same name: the children of equal weights and
 * of inverse volatility count in any order. Those of a filter do not, since ties keep their order.
 */
export class DistinctTrees {
  private readonly root: BlockPlan;
  private readonly names = new Map<string, number>();
  private readonly pairs = new Map<number, number>();
  /** Per asset block the numbers of its tickers, by digit: they are asked for with every combination. */
  private readonly tickers: number[][] = [];
  /** What lists of inverse volatility begin with, by window. */
  private readonly inverses = new Map<number, number>();
  private next = 0;

  /** Use `distinctTrees`. */
  constructor(root: BlockPlan) {
    this.root = root;
  }

  /**
   * The number of the tree under a binding: the same for trees that must have the same result; -1 where too
   * many were asked for.
   */
  of(digits: Int32Array): number {
    return this.next > MOST_NAMES ? -1 : this.numberOf(this.root, digits);
  }

  private numberOf(block: BlockPlan, digits: Int32Array): number {
    switch (block.kind) {
      case 'cash':
        return this.named('cash');
      case 'asset':
        return this.ticker(block, digits);
      case 'mix':
        return this.mix(block, digits);
      case 'inverse': {
        const window = block.deviations[0]?.params[0]?.number(digits) ?? 0;
        return this.list(this.inverse(window), sort(this.children(block, digits)));
      }
      case 'if': {
        const one = this.pair(this.pair(this.named('if'), block.number), block.conditionKey.of(digits));
        return this.list(one, [this.numberOf(block.then, digits), this.numberOf(block.otherwise, digits)]);
      }
      case 'filter': {
        const one = this.pair(this.pair(this.named('filter'), block.number), block.settings.of(digits));
        return this.list(one, this.children(block, digits));
      }
    }
  }

  private ticker({ number, ticker }: AssetPlan, digits: Int32Array): number {
    this.tickers[number] ??= [];
    const known = this.tickers[number];
    const digit = ticker.variable < 0 ? 0 : (digits[ticker.variable] as number);
    known[digit] ??= this.named(`ticker ${ticker.text(digits)}`);
    return known[digit];
  }

  /** What a list of inverse volatility begins with. */
  private inverse(window: number): number {
    const known = this.inverses.get(window);
    if (known !== undefined) return known;
    const number = this.pair(this.named('inverse'), window);
    this.inverses.set(window, number);
    return number;
  }

  private mix(block: MixPlan, digits: Int32Array): number {
    const children = this.children(block, digits);
    const { weights } = block;
    if (weights === null) return this.list(this.named('equal'), sort(children));
    const parts = children.map((child, i) => {
      const weight = weights[i] as (typeof weights)[0];
      return this.pair(child, this.named(`share ${weight.num.number(digits) / weight.den.number(digits)}`));
    });
    return this.list(this.named('given'), sort(parts));
  }

  private children({ children }: { readonly children: readonly BlockPlan[] }, digits: Int32Array): number[] {
    const numbers: number[] = [];
    for (let i = 0; i < children.length; i++) numbers.push(this.numberOf(children[i] as BlockPlan, digits));
    return numbers;
  }

  /** The number of a list, by its head and its parts in order. */
  private list(head: number, parts: readonly number[]): number {
    let number = head;
    for (let i = 0; i < parts.length; i++) number = this.pair(number, parts[i] as number);
    return number;
  }

  /** The number of two numbers in this order. Numbers, not texts: a batch asks for one per block and combination. */
  private pair(a: number, b: number): number {
    if (!(b >= 0 && b < PAIRED)) return this.named(`pair ${a} ${b}`);
    const key = a * PAIRED + b;
    const known = this.pairs.get(key);
    if (known !== undefined) return known;
    this.pairs.set(key, this.next);
    return this.next++;
  }

  private named(name: string): number {
    const known = this.names.get(name);
    if (known !== undefined) return known;
    this.names.set(name, this.next);
    return this.next++;
  }
}

/** Numbers up to which exchanging neighbors is faster than calls of a comparison. */
const FEW = 16;

/** Sorts numbers where they stand, ascending. */
function sort(numbers: number[]): number[] {
  if (numbers.length > FEW) return numbers.sort((a, b) => a - b);
  for (let i = 1; i < numbers.length; i++) {
    const one = numbers[i] as number;
    let at = i;
    for (; at > 0 && (numbers[at - 1] as number) > one; at--) numbers[at] = numbers[at - 1] as number;
    numbers[at] = one;
  }
  return numbers;
}

/** Second numbers of pairs are below this, so that a pair fits into one number. */
const PAIRED = 2 ** 30;

/** Null where no two combinations of the tree can be the same but for the order of children. */
export function distinctTrees(
  plan: Plan,
  valuesOf: (variable: number) => readonly unknown[],
): DistinctTrees | null {
  return plan.blocks.some((block) => isSymmetric(block, valuesOf)) ? new DistinctTrees(plan.root) : null;
}

/** Whether two children are tickers of different variables that share values, or deeper and of different variables. */
function isSymmetric(block: BlockPlan, valuesOf: (variable: number) => readonly unknown[]): boolean {
  if (block.kind !== 'inverse' && block.kind !== 'mix') return false;
  return block.children.some((a, i) =>
    block.children.slice(i + 1).some((b) => {
      if (a.kind !== b.kind) return false;
      const [x, y] = [a.key.variables[0] ?? -1, b.key.variables[0] ?? -1];
      if (x === y || x < 0 || y < 0) return false;
      const values = new Set(valuesOf(x));
      return valuesOf(y).filter((value) => values.has(value)).length > 1;
    }),
  );
}
