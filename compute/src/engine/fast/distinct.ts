import type { BlockPlan, Plan } from './plan.ts';

/** Most names kept at a time; beyond it the same tree may be simulated twice, which is only slower. */
const MOST_NAMES = 1 << 20;

/**
 * Names bound trees so that trees with the same result have the same name: the children of equal weights and of inverse volatility count in any
 * order. Those of a filter do not, since ties keep their order.
 */
export class DistinctTrees {
  private readonly root: BlockPlan;
  private readonly numbers = new Map<string, number>();

  /** Use `distinctTrees`. */
  constructor(root: BlockPlan) {
    this.root = root;
  }

  /** The number of the tree under a binding: the same for trees that must have the same result. */
  of(digits: Int32Array): number {
    if (this.numbers.size > MOST_NAMES) return -1;
    return this.numberOf(this.root, digits);
  }

  private numberOf(block: BlockPlan, digits: Int32Array): number {
    switch (block.kind) {
      case 'cash':
        return this.intern('cash');
      case 'asset':
        return this.intern(block.ticker.text(digits));
      case 'mix': {
        const { weights } = block;
        const parts = block.children.map((child, i) => {
          const weight = weights?.[i];
          const share = weight === undefined ? 1 : weight.num.number(digits) / weight.den.number(digits);
          return `${this.numberOf(child, digits)}*${share}`;
        });
        return this.intern(`mix ${weights === null ? 'equal' : 'given'} ${parts.sort().join()}`);
      }
      case 'inverse': {
        const window = block.deviations[0]?.window?.number(digits);
        const parts = block.children.map((child) => this.numberOf(child, digits)).sort((a, b) => a - b);
        return this.intern(`inverse ${window} ${parts.join()}`);
      }
      case 'if': {
        const condition = block.conditionKey.of(digits);
        const branches = `${this.numberOf(block.then, digits)},${this.numberOf(block.otherwise, digits)}`;
        return this.intern(`if ${block.number}:${condition} ${branches}`);
      }
      case 'filter': {
        const window = block.ranks[0]?.window?.number(digits);
        const parts = block.children.map((child) => this.numberOf(child, digits));
        return this.intern(`filter ${block.number}:${window}:${block.count.number(digits)} ${parts.join()}`);
      }
    }
  }

  private intern(name: string): number {
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(name, number);
    return number;
  }
}

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
