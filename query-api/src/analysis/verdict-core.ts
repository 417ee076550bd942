import { BATCH_ANALYSES_COLLECTION } from '@quantloom/domain/batch/projections';
import type { BatchVariable } from '@quantloom/domain/batch/variable-values';
import { STATISTICS_BLOCKS } from '@quantloom/domain/contracts/result-block';
import type { BacktestRunner } from '@quantloom/domain/ports/backtest-runner';
import type { ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';
import type { ResultStore } from '@quantloom/domain/ports/result-store';
import type { CashByBlock } from '@quantloom/domain/statistics/over-cash';
import type { RowMarks } from '@quantloom/domain/statistics/row-marks';
import type { SkillTest } from '@quantloom/domain/statistics/skill-verdict';
import { rowsOf } from './analysed-batch.ts';
import type { AnalysisThreads } from './analysis-threads.ts';
import { type CashEarned, cashEarned, countsOnce, type PeriodPart } from './cash-earned.ts';
import { Claims, type ClaimTimes } from './claims.ts';
import { crossValidate } from './cross-validation.ts';
import { type RankedSharpes, rankedSharpes, whereRanked } from './ranked-sharpes.ts';
import type { RunnableBatch } from './skill-runs.ts';
import { testSkill } from './skill-test.ts';
import { inSampleConfig, inSamplePart, storedBlockSums, storedMarks } from './stored-block-sums.ts';

/**
 * The expensive part of a verdict: follows from the rows alone, so it is computed once per finished batch and
 * kept. Null stands for NaN.
 */
export interface VerdictCore {
  /** The row that is judged: the best strategy, as far as that is known. */
  readonly best: {
    readonly combination: number;
    /** Annualised, as it is stored: no cash is taken off. */
    readonly sharpe: number;
    /** The same over cash: by this it is the best, and this is deflated. */
    readonly overCash: number;
    readonly n: number;
    readonly skewness: number;
    readonly kurtosis: number;
  } | null;
  /** What rows are ranked over. */
  readonly cash: RankedOver;
  /** Sample deviation of the annualised Sharpe ratios over cash of strategies. */
  readonly deviation: number | null;
  readonly count: number;
  /** Median of the Sharpe ratios over cash of strategies. */
  readonly median: number | null;
  /** Different Sharpe ratios among them: rows with equal returns are one trial. */
  readonly distinct: number;
  readonly neighboursAboveMedian: number | null;
  readonly pbo: number | null;
  readonly splits: number;
  readonly blocks: number;
  readonly rows: number;
  readonly slope: number | null;
  readonly probabilityOfLoss: number | null;
  readonly points: readonly { readonly in: number; readonly out: number }[];
  readonly split: {
    readonly best: number;
    readonly rankCorrelation: number | null;
    readonly topStaysAboveMedian: number | null;
    readonly medianIn: number | null;
    readonly medianOut: number | null;
  } | null;
}

/** What is taken for cash, and what it earned. */
export interface RankedOver {
  /** Null where rows are ranked by the stored Sharpe ratio, and nothing is taken off. */
  readonly name: string | null;
  /** Without a name: another try would end the same, since rows lack what it takes. */
  readonly isLasting: boolean;
  /** Mean return a day in each block of the period. */
  readonly daily: readonly number[];
  /** The same on the days that rows are ranked on. */
  readonly ranked: CashByBlock;
}

/** A batch whose rows are complete. */
export interface JudgedBatch extends RunnableBatch {
  readonly id: string;
  readonly combinations: number;
  readonly variables: readonly BatchVariable[];
}

interface CoreDocument extends ReadDocument {
  readonly version: number;
  readonly core: VerdictCore;
  /** Missing until the best row was tested, or where that failed for a reason that may pass. */
  readonly skill?: SkillTest;
}

/** What a verdict is made of. */
export interface JudgedRows {
  readonly core: VerdictCore;
  readonly skill: SkillTest;
}

/** Raise it when the computation changes: kept ones are then computed again. */
const VERSION = 8;
/** Time for running rows again; what is there then is what is tested. */
const RUNS_MS = 20_000;
const YEAR = Math.sqrt(252);

/**
 * Computes what a verdict needs, or takes it from where it was kept. Two requests at a time share one
 * computation, whichever processes they are in.
 */
export class VerdictCores {
  readonly #readModels: ReadModels;
  readonly #store: ResultStore;
  readonly #threads: AnalysisThreads;
  readonly #runner: BacktestRunner;
  readonly #closing = new AbortController();
  readonly #claims: Claims;
  /** What is being computed, by batch. */
  readonly #cores: Map<string, Promise<CoreDocument>>;
  readonly #tests: Map<string, Promise<JudgedRows>>;

  constructor(deps: {
    readonly readModels: ReadModels;
    readonly store: ResultStore;
    readonly threads: AnalysisThreads;
    readonly runner: BacktestRunner;
    /** Others of this process: what they are at is waited for, not computed again. */
    readonly others?: VerdictCores | undefined;
    /** How other processes are waited for; default: as `Claims` does. */
    readonly times?: Partial<ClaimTimes>;
  }) {
    const { others, readModels, times } = deps;
    this.#claims = new Claims({ readModels, signal: this.#closing.signal, times });
    this.#cores = others ? others.#cores : new Map();
    this.#tests = others ? others.#tests : new Map();
    this.#readModels = readModels;
    this.#store = deps.store;
    this.#threads = deps.threads;
    this.#runner = deps.runner;
  }

  /** What follows from the stored rows alone. */
  async core(batch: JudgedBatch): Promise<VerdictCore> {
    return (await this.#document(batch)).core;
  }

  /** The same with the test of the best row, for which rows are run again: at most half a minute, once. */
  judged(batch: JudgedBatch): Promise<JudgedRows> {
    return once(this.#tests, batch.id, async () => {
      const document = await this.#document(batch);
      if (document.skill) return { core: withRecord(document.core, document.skill), skill: document.skill };
      let { core } = document;
      const skill = await this.#claims.once(batch.id, {
        kept: async () => {
          const kept = await this.#kept(batch.id);
          if (!kept?.skill) return null;
          core = kept.core;
          return kept.skill;
        },
        make: async () => {
          const current = await this.#overCash(batch, document);
          const { judged, skill: value } = await this.#test(batch, current);
          core = judged;
          // What may pass is tried again at the next look.
          const isKept = isLasting(core) && (value.outcome !== 'untested' || value.isLasting);
          if (isKept) await this.#keep({ ...current, core, skill: value });
          return { value, isKept };
        },
      });
      return { core: withRecord(core, skill), skill };
    });
  }

  /** The document, computed again where it was made while cash could not be run and now it can. */
  async #overCash(batch: JudgedBatch, document: CoreDocument): Promise<CoreDocument> {
    if (isLasting(document.core)) return document;
    const cash = await this.#cash(batch);
    if (cash.name === null) return document;
    const current = { ...document, core: await this.#compute(batch, cash) };
    await this.#keep(current);
    return current;
  }

  #cash(batch: JudgedBatch): Promise<CashEarned> {
    return cashEarned(this.#runner, batch, this.#closing.signal);
  }

  /** Runs rows again, and tells which row is judged by them. */
  async #test(
    batch: JudgedBatch,
    { core }: CoreDocument,
  ): Promise<{ readonly judged: VerdictCore; readonly skill: SkillTest }> {
    const marks = await storedMarks(this.#store, this.#threads, batch);
    // What the core is ranked by, whatever cash would answer now.
    const counts = countsOnce(this.#store, batch);
    const where = whereRanked(batch.config);
    return this.#sharpes(batch, core.cash, where, counts, async ({ values: sharpes, shown }) => {
      const skill = await testSkill(
        { ...batch, config: inSampleConfig(batch.config) },
        { sharpes, shown, marks },
        {
          runner: this.#runner,
          threads: this.#threads,
          milliseconds: RUNS_MS,
          signal: this.#closing.signal,
        },
      );
      return { skill, judged: await this.#asJudged(batch, core, skill, { values: sharpes, marks }) };
    });
  }

  /**
   * The core with the row that was judged: daily returns can show the best one to be no strategy where what
   * is stored of it does not.
   */
  async #asJudged(
    batch: JudgedBatch,
    core: VerdictCore,
    skill: SkillTest,
    rows: { readonly values: Float64Array; readonly marks: RowMarks },
  ): Promise<VerdictCore> {
    if (skill.outcome !== 'tested' || skill.result.combination === core.best?.combination) return core;
    const { combination } = skill.result;
    const { variables } = batch;
    const median = core.median ?? Number.NaN;
    const { aboveMedian } = await this.#threads.run(
      { kind: 'surroundings', variables, combination, median, ...rows },
      'slow',
    );
    return {
      ...core,
      best: await this.#bestRow(batch, combination, rows.values[combination] as number),
      neighboursAboveMedian: nullable(aboveMedian),
    };
  }

  /** Ends runs that are under way. */
  stop(): void {
    this.#closing.abort();
  }

  #document(batch: JudgedBatch): Promise<CoreDocument> {
    const { id } = batch;
    return once(this.#cores, id, () =>
      this.#claims.once(id, {
        kept: () => this.#kept(id),
        make: async () => {
          const core = await this.#compute(batch, await this.#cash(batch));
          const value: CoreDocument = { id, _revision: 0, _position: '0', version: VERSION, core };
          // Whoever was taken for dead and goes on finds what another one has made, with more than this in it.
          const kept = await this.#kept(id);
          if (kept) return { value: kept, isKept: true };
          await this.#keep(value);
          return { value, isKept: true };
        },
      }),
    );
  }

  #keep(document: CoreDocument): Promise<void> {
    return this.#readModels.put(BATCH_ANALYSES_COLLECTION.name, document);
  }

  async #kept(id: string): Promise<CoreDocument | null> {
    const kept = await this.#readModels.get<CoreDocument>(BATCH_ANALYSES_COLLECTION.name, id);
    return kept?.version === VERSION ? kept : null;
  }

  /** What is stored of a row whose Sharpe ratio is deflated. */
  async #bestRow(batch: JudgedBatch, combination: number, overCash: number): Promise<VerdictCore['best']> {
    const part = inSamplePart(batch.config);
    const sharpe = sharpeOf(batch);
    const names = [sharpe, 'n', ...(part ? [] : ['skewness', 'kurtosis'])];
    const row = (await rowsOf(this.#store, batch.id, [combination], names)).get(combination);
    return row
      ? {
          combination,
          sharpe: Number(row[sharpe]),
          overCash,
          n: Math.round(Number(row.n) * (part?.share ?? 1)),
          skewness: Number(row.skewness ?? 0),
          kurtosis: Number(row.kurtosis ?? 3),
        }
      : null;
  }

  #sharpes<T>(
    batch: JudgedBatch,
    cash: { readonly name: string | null; readonly ranked: CashByBlock },
    where: PeriodPart,
    counts: ReturnType<typeof countsOnce>,
    work: (sharpes: RankedSharpes) => Promise<T>,
  ): Promise<T> {
    return rankedSharpes({ store: this.#store, threads: this.#threads }, batch.id, cash, where, counts, work);
  }

  async #compute(batch: JudgedBatch, cash: CashEarned): Promise<VerdictCore> {
    const { id, combinations, variables, config } = batch;
    const part = inSamplePart(config);
    const marks = await storedMarks(this.#store, this.#threads, batch);
    const where = whereRanked(config);
    // Read while the threads are at work.
    const reading = storedBlockSums(this.#store, id, combinations, part?.blocks ?? STATISTICS_BLOCKS);
    const counts = countsOnce(this.#store, batch, reading);
    // All in one lane: people's charts do not wait for it, and a process that only compiles results needs one thread.
    const ofSharpe = this.#sharpes(
      batch,
      { name: cash.name, ranked: cash.of(where) },
      where,
      counts,
      async ({ values, isOverCash }) => {
        const moments = await this.#threads.run({ kind: 'moments', values, marks }, 'slow');
        const { best: combination, median } = moments;
        if (combination < 0) return { moments, isOverCash, sharpe: Number.NaN, aboveMedian: Number.NaN };
        const { aboveMedian } = await this.#threads.run(
          { kind: 'surroundings', variables, values, marks, combination, median },
          'slow',
        );
        return { moments, isOverCash, sharpe: values[combination] as number, aboveMedian };
      },
    );
    const [{ moments, isOverCash, sharpe, aboveMedian }, sums] = await Promise.all([ofSharpe, reading]);
    const { daily } = cash.of('whole');
    const ranked: RankedOver = {
      name: isOverCash ? cash.name : null,
      isLasting: isOverCash || cash.name !== null,
      daily: isOverCash ? daily : daily.map(() => 0),
      ranked: cash.of(where),
    };
    const cross = await crossValidate(this.#threads, { ...sums, cash: ranked.daily }, marks);
    const split = part
      ? await this.#sharpes(batch, { ranked: cash.of('in'), name: ranked.name }, 'in', counts, (before) =>
          this.#sharpes(batch, { ranked: cash.of('out'), name: ranked.name }, 'out', counts, (after) =>
            this.#threads.run(
              {
                kind: 'split',
                inSample: before.values,
                outOfSample: after.values,
                shownIn: before.shown,
                shownOut: after.shown,
                marks,
              },
              'slow',
            ),
          ),
        )
      : null;
    return {
      best: moments.best < 0 ? null : await this.#bestRow(batch, moments.best, sharpe),
      cash: ranked,
      deviation: nullable(moments.deviation),
      count: moments.count,
      median: nullable(moments.median),
      distinct: moments.distinct,
      neighboursAboveMedian: nullable(aboveMedian),
      pbo: nullable(cross.pbo),
      splits: cross.splits,
      blocks: cross.blocks,
      rows: cross.rows,
      slope: nullable(cross.degradationSlope),
      probabilityOfLoss: nullable(cross.probabilityOfLoss),
      points: Array.from(cross.inSample, (value, i) => ({
        in: value * YEAR,
        out: (cross.outOfSample[i] as number) * YEAR,
      })),
      split: split && {
        best: split.best,
        rankCorrelation: nullable(split.rankCorrelation),
        topStaysAboveMedian: nullable(split.topStaysAboveMedian),
        medianIn: nullable(split.medianIn),
        medianOut: nullable(split.medianOut),
      },
    };
  }
}

/** Whether another try would rank rows by the same. */
const isLasting = ({ cash }: VerdictCore): boolean => cash.name !== null || cash.isLasting;

/** The stored column of their Sharpe ratios. */
const sharpeOf = ({ config }: JudgedBatch) =>
  whereRanked(config) === 'in' ? 'in_sharpe_ratio' : 'sharpe_ratio';

/** The judged row's length and moments as they are in the days that it was run again on, where they are not stored. */
function withRecord(core: VerdictCore, { record }: SkillTest): VerdictCore {
  const { best } = core;
  return best && record?.combination === best.combination ? { ...core, best: { ...best, ...record } } : core;
}

/** Calls at the same time share one computation. */
function once<T>(running: Map<string, Promise<T>>, id: string, compute: () => Promise<T>): Promise<T> {
  const known = running.get(id);
  if (known) return known;
  const computed = compute().finally(() => running.delete(id));
  running.set(id, computed);
  return computed;
}

function nullable(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
