/**
 * What a block holds, by day: slots, each a ticker (its code) with a share of the whole. A slot's code and
 * share are constant or columns in the workspace's memory. Code 0 is cash; what the shares lack to 1 is cash too.
 */
export class Portfolio {
  count = 0;
  /** Addresses of the code columns, the constant ones included. */
  readonly codes: number[];
  /** The code where it is constant, else -1. */
  readonly constants: number[];
  /** The share where it is constant. */
  readonly shares: number[];
  /** Address of the share column; 0 where the share is constant. */
  readonly shareColumns: number[];

  constructor(slots: number) {
    this.codes = zeros(slots);
    this.constants = zeros(slots);
    this.shares = zeros(slots);
    this.shareColumns = zeros(slots);
  }

  set(slot: number, codes: number, constant: number, share: number, shareColumn: number): void {
    this.codes[slot] = codes;
    this.constants[slot] = constant;
    this.shares[slot] = share;
    this.shareColumns[slot] = shareColumn;
  }

  /** Whether it is one whole ticker (or cash) on every day. */
  get isWhole(): boolean {
    return this.count === 1 && this.shareColumns[0] === 0 && this.shares[0] === 1;
  }
}

/** A list, not a typed array: those take longer to make than many portfolios of a slot or two to work out. */
export function zeros(count: number): number[] {
  return new Array<number>(count).fill(0);
}
