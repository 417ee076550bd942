import type { StretchInput, Turn } from '../../compile/stretch-plan.ts';
import type { Evaluator } from '../../evaluate/evaluator.ts';
import type { DayWindow } from '../../memory/areas.ts';
import type { CalendarData } from '../../memory/data.ts';
import type { ReturnTable } from '../../memory/return-table.ts';
import type { Workspace } from '../../memory/workspace.ts';
import type { Benchmark } from '../lanes/benchmark.ts';

export interface ColumnParts {
  readonly workspace: Workspace;
  readonly data: CalendarData;
  readonly table: ReturnTable;
  readonly benchmark: Benchmark;
  readonly evaluator: Evaluator;
  /** Days that decisions are evaluated for. */
  readonly window: DayWindow;
  /** Bytes that the columns may take. */
  readonly cacheBytes: number;
}

/** The columns of the inputs of a stretch plan for all bindings in use at the same time, kept from run to run. */
export class StretchColumns {
  private readonly parts: ColumnParts;
  private readonly inputs: readonly StretchInput[];
  /** Per input the address of a column by the index of its key. */
  private readonly known: Map<number, number>[];
  private readonly owned: number[] = [];
  private bytes = 0;

  constructor(parts: ColumnParts, inputs: readonly StretchInput[]) {
    this.parts = parts;
    this.inputs = inputs;
    this.known = inputs.map(() => new Map());
  }

  /** Bytes per day of an input. */
  widthOf(input: number): number {
    return this.inputs[input]?.kind === 'mask' ? 1 : this.parts.table.width;
  }

  /** Bytes of so many columns of each input. */
  bytesOf(counts: readonly number[]): number {
    const { padded } = this.parts.data;
    return counts.reduce((sum, count, input) => sum + count * padded * this.widthOf(input), 0);
  }

  /**
   * Makes room for as many columns of each input, dropping others; false where they do not fit and can wait.
   * Call before `of`.
   */
  reserve(counts: readonly number[], isUrgent: boolean): boolean {
    const needed = this.bytesOf(counts);
    const { cacheBytes } = this.parts;
    if (needed > cacheBytes && !isUrgent) return false;
    if (this.bytes + needed > cacheBytes) this.clear();
    return true;
  }

  /** Address of an input's column under a binding; good until the next `reserve`. */
  of(input: number, digits: Int32Array): number {
    const plan = this.inputs[input] as StretchInput;
    const known = this.known[input] as Map<number, number>;
    const index = plan.key.of(digits);
    const old = known.get(index);
    if (old !== undefined) return old;
    const at = this.evaluate(input, plan, digits);
    known.set(index, at);
    return at;
  }

  private evaluate(input: number, plan: StretchInput, digits: Int32Array): number {
    const { workspace, data, evaluator, window } = this.parts;
    let source: number;
    if (plan.kind === 'mask') source = evaluator.mask(plan.block, digits);
    else {
      const { codes, constants } = evaluator.portfolio(plan.block, digits);
      source = codes[0] as number;
      // Columns of a single ticker live as long as the batch.
      if ((constants[0] as number) >= 0 && plan.path.length === 0) return source;
    }
    // A copy: the evaluator keeps fewer bindings than are needed here at the same time.
    const width = this.widthOf(input);
    const at = workspace.allocateColumn(data.padded * width);
    this.owned.push(at);
    this.bytes += data.padded * width;
    const begin = window.from * width;
    let from = source + begin;
    for (const turn of plan.path) {
      this.keep(from, at + begin, width, turn, digits);
      from = at + begin;
    }
    if (plan.path.length === 0) workspace.u8.copyWithin(at + begin, from, from + window.days * width);
    return at;
  }

  /** Leaves out the days on which an if leads elsewhere, so that bindings differ only where they decide something. */
  private keep(from: number, to: number, width: number, { block, isThen }: Turn, digits: Int32Array): void {
    const { workspace, evaluator, window } = this.parts;
    const mask = evaluator.mask(block, digits) + window.from;
    const nothing = (evaluator.holding(0).codes[0] as number) + window.from * width;
    const select = width === 1 ? workspace.kernels.select8 : workspace.kernels.select16;
    select(mask, isThen ? from : nothing, isThen ? nothing : from, to, window.days);
  }

  private clear(): void {
    for (const known of this.known) known.clear();
    for (const at of this.owned.splice(0)) this.parts.workspace.freeColumn(at);
    this.bytes = 0;
  }

  dispose(): void {
    this.clear();
  }
}
