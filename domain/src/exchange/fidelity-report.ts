import { type Static, Type } from 'typebox';

/**
 * What became of a strategy that came from another tool. `taken`: as it is; `guessed`: the source leaves it
 * open; `differs`: the same rule computes another figure here; `lost`: it cannot be expressed.
 */
export const FidelityKindSchema = Type.Union([
  Type.Literal('taken'),
  Type.Literal('guessed'),
  Type.Literal('differs'),
  Type.Literal('lost'),
]);
export type FidelityKind = Static<typeof FidelityKindSchema>;

export const FidelityItemSchema = Type.Object({
  kind: FidelityKindSchema,
  path: Type.String({ description: 'Where in the source: a JSON pointer, or line and column' }),
  said: Type.String(),
  became: Type.String(),
  effect: Type.String({ description: 'What this may change' }),
  block_id: Type.Union([Type.String(), Type.Null()]),
  times: Type.Optional(Type.Integer({ description: 'How often, where the same is told once' })),
});
export type FidelityItem = Static<typeof FidelityItemSchema>;

export const FidelityReportSchema = Type.Object({
  source: Type.String({ description: 'The tool and the notation, as recognised' }),
  counts: Type.Object({
    taken: Type.Integer({ description: 'Blocks and conditions that were taken as they are' }),
    guessed: Type.Integer(),
    differs: Type.Integer(),
    lost: Type.Integer(),
  }),
  items: Type.Array(FidelityItemSchema),
});
export type FidelityReport = Static<typeof FidelityReportSchema>;

/** Lines of a report that are kept; the counts go on. */
const MAX_ITEMS = 2000;
const MAX_TEXT = 300;

/** Gathers a report while a strategy is read. */
export class ReportWriter {
  readonly #items: FidelityItem[] = [];
  readonly #told = new Map<string, number>();
  readonly #seen = new Map<string, number>();
  readonly #counts = { guessed: 0, differs: 0, lost: 0 };
  readonly #changed = new Set<string>();
  #read = 0;
  #untold = 0;

  /** Counts a block or a condition that was read. */
  read(): void {
    this.#read += 1;
  }

  add(
    kind: FidelityKind,
    path: string,
    said: string,
    became: string,
    effect: string,
    blockId: string | null = null,
  ): void {
    if (kind !== 'taken') this.#counts[kind] += 1;
    if (blockId !== null && (kind === 'guessed' || kind === 'lost')) this.#changed.add(blockId);
    if (this.#items.length >= MAX_ITEMS) {
      this.#untold += 1;
      return;
    }
    const item = { kind, path, said: cut(said), became: cut(became), effect: cut(effect), block_id: blockId };
    this.#items.push(item);
  }

  /**
   * As `add`, for the first `few` of those that have the same key; later ones are counted in the last of
   * these lines.
   */
  few(key: string, few: number, kind: FidelityKind, ...line: Tail<Parameters<ReportWriter['add']>>): void {
    const count = (this.#seen.get(key) ?? 0) + 1;
    this.#seen.set(key, count);
    this.once(`${key} ${Math.min(count, few)}`, kind, ...line);
  }

  /** As `add`, once for all that has the same key: later ones are counted in the first line. */
  once(key: string, kind: FidelityKind, ...line: Tail<Parameters<ReportWriter['add']>>): void {
    const known = this.#told.get(key);
    if (known === undefined) {
      if (this.#items.length < MAX_ITEMS) this.#told.set(key, this.#items.length);
      this.add(kind, ...line);
      return;
    }
    const item = this.#items[known];
    if (item) this.#items[known] = { ...item, times: (item.times ?? 1) + 1 };
  }

  /** What may change most first. */
  report(source: string): FidelityReport {
    const order: readonly FidelityKind[] = ['lost', 'guessed', 'differs', 'taken'];
    const items = order.flatMap((kind) => this.#items.filter((item) => item.kind === kind));
    if (this.#untold > 0)
      items.push({
        kind: 'guessed',
        path: '',
        said: `${this.#untold} further places`,
        became: `only the first ${MAX_ITEMS} lines are kept`,
        effect: 'The counts include them',
        block_id: null,
      });
    return {
      source,
      counts: { taken: Math.max(0, this.#read - this.#changed.size), ...this.#counts },
      items,
    };
  }
}

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never;

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`;
}
