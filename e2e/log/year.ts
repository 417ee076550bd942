import type { EventMetadata } from '@quantloom/domain/kernel/event';
import { eventId } from '@quantloom/domain/kernel/ids';
import { FIRST_STARTER_ID, STARTERS } from '@quantloom/domain/strategy/starters';
import type { LogLine } from '@quantloom/projectors/log/log-lines';

/** Size of a made-up year. */
export interface YearShape {
  /** Events in all; reached to within one activity. */
  readonly events: number;
  /** Who has very much of everything. */
  readonly heavyUserId: string;
  /** Strategies, batches and variable lists of that person; scaled down where the log has no room for them. */
  readonly strategies: number;
  readonly batches: number;
  readonly lists: number;
  /** Batches of that person that are still at work when the log ends. */
  readonly openBatches: number;
  /** ISO 8601: when the year ends. */
  readonly until: string;
  /** People beside the heavy one. */
  readonly people: number;
  /** Names the data set that batches were run on. */
  readonly dataVersion: string;
}

const DAY_MS = 86_400_000;
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TICKERS = ['SPY', 'QQQ', 'TLT', 'GLD', 'IWM', 'EEM', 'XLE', 'XLF', 'XLK', 'UVXY', 'BIL', 'SHY'];
const KINDS = ['Momentum', 'Trend', 'Carry', 'Risk parity', 'Mean reversion', 'Seasonal', 'Défensif'];

/** A ULID of the time and a running number: unique, and the same in every run. */
function ulidOf(time: number, number: number): string {
  const digits = (value: number, length: number) => {
    let text = '';
    for (let rest = value; text.length < length; rest = Math.floor(rest / 32))
      text = DIGITS[rest % 32] + text;
    return text;
  };
  // The last places stay free: the ids of a command's events count up from its own.
  return `${digits(time, 10)}${digits(number, 13)}000`;
}

/**
 * The log of an installation after a year, in the order in which it came about: people who register, save
 * strategies and variable lists, run batches, delete some of them; one person has very many. The same shape
 * gives the same events.
 */
export class Year {
  readonly #shape: YearShape;
  readonly #end: number;
  readonly #revisions = new Map<string, number>();
  readonly #recent = new Map<string, string[]>();
  #made = 0;
  #number = 0;
  #random = 42;

  constructor(shape: YearShape) {
    this.#shape = shape;
    this.#end = Date.parse(shape.until);
  }

  /** All events. The heavy person and the first registered users come first. */
  *events(): Generator<LogLine> {
    const { events, heavyUserId, strategies, batches, lists, openBatches, people } = this.#shape;
    // A batch is seven events; at most three quarters of the log belong to one person.
    const scale = Math.min(1, (events * 0.75) / (strategies + lists + batches * 7));
    const mine = {
      strategy: Math.floor(strategies * scale),
      list: Math.floor(lists * scale),
      batch: Math.floor(batches * scale) - openBatches,
    };
    const total = mine.strategy + mine.list + mine.batch;
    const others = Array.from({ length: people }, (_, i) => `person${String(i).padStart(8, '0')}`);
    for (const userId of others) yield* this.#register(userId);
    const left = { ...mine };
    const activities = Math.max(1, total);
    const perActivity =
      Math.max(1, events - this.#made - total - mine.batch * 6 - openBatches * 4) / activities;
    let owed = 0;
    for (let i = 0; i < activities; i += 1) {
      yield* this.#next(heavyUserId, left, activities - i);
      owed += perActivity;
      while (owed > 0) {
        const before = this.#made;
        const userId = others[this.#pick(others.length)] ?? heavyUserId;
        const dice = this.#pick(10);
        if (dice < 5) yield* this.#save(userId);
        else if (dice < 6) yield* this.#list(userId);
        else yield* this.#batch(userId, dice === 9 && this.#pick(4) === 0 ? 'deleted' : 'finished');
        owed -= this.#made - before;
      }
    }
    for (let i = 0; i < openBatches; i += 1) yield* this.#batch(heavyUserId, 'open');
  }

  *#next(userId: string, left: { strategy: number; list: number; batch: number }, of: number) {
    let place = this.#pick(of);
    if (place < left.strategy) {
      left.strategy -= 1;
      yield* this.#create(userId);
      return;
    }
    place -= left.strategy;
    if (place < left.list) {
      left.list -= 1;
      yield* this.#list(userId);
      return;
    }
    left.batch -= 1;
    yield* this.#batch(userId, 'finished');
  }

  /** A whole number from 0 to below `n`; a linear congruential generator, so that every run is the same. */
  #pick(n: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#random % n;
  }

  #time(): number {
    const share = Math.min(1, this.#made / this.#shape.events);
    return Math.floor(this.#end - 365 * DAY_MS * (1 - share));
  }

  #id(): string {
    this.#number += 1;
    return ulidOf(this.#time(), this.#number);
  }

  #event(stream: string, type: string, data: unknown, actor: EventMetadata['actor']): LogLine {
    const revision = this.#revisions.get(stream) ?? 0;
    this.#revisions.set(stream, revision + 1);
    const time = this.#time();
    this.#made += 1;
    const commandId = this.#id();
    const recordedAt = new Date(time).toISOString();
    const causes = { commandId, correlationId: commandId, causationId: commandId };
    return {
      id: eventId(commandId, 0),
      type,
      stream,
      revision,
      metadata: { schemaVersion: 1, ...causes, actor, recordedAt },
      data,
    };
  }

  *#register(userId: string): Generator<LogLine> {
    const data = {
      userId,
      subject: `year|${userId}`,
      email: `${userId}@example.com`,
      planId: 'free',
      grantedFeatures: [],
    };
    yield this.#event(`user-${userId}`, 'UserRegistered', data, { kind: 'user', userId });
  }

  #content(number: number) {
    const ticker = TICKERS[number % TICKERS.length] ?? 'SPY';
    const kind = KINDS[number % KINDS.length] ?? 'Trend';
    const isTemplate = number % 3 === 0;
    const name = `${kind} ${ticker} ${number}`;
    const starter = STARTERS.find(({ id }) => id === FIRST_STARTER_ID);
    if (!starter) throw new Error('There is no first starter');
    let nodes = 0;
    const built = starter.build(() => `node_${number}_${++nodes}`);
    const weight = { num: 100, den: 100 };
    const leaf = isTemplate ? '$A' : ticker;
    const asset = {
      id: `node_${number}_a`,
      node_type: 'asset',
      ticker: leaf,
      name: leaf,
      weight,
      is_collapsed: false,
    };
    const algorithm = isTemplate ? { ...built, name, children: [asset] } : { ...built, name };
    return { name, type: isTemplate ? 'template' : 'bot', variables: isTemplate ? ['$A'] : [], algorithm };
  }

  *#create(userId: string): Generator<LogLine> {
    const strategyId = this.#id();
    const recent = this.#recent.get(userId) ?? [];
    recent.push(strategyId);
    if (recent.length > 5) this.#revisions.delete(`strategy-${recent.shift()}`);
    this.#recent.set(userId, recent);
    const data = {
      strategyId,
      ownerId: userId,
      ...this.#content(this.#number),
      isPublic: this.#number % 11 === 0,
      status: 'draft',
      lineageId: strategyId,
    };
    yield this.#event(`strategy-${strategyId}`, 'StrategyCreated', data, { kind: 'user', userId });
  }

  *#save(userId: string): Generator<LogLine> {
    const recent = this.#recent.get(userId) ?? [];
    const strategyId = recent[this.#pick(8)];
    if (strategyId === undefined) return yield* this.#create(userId);
    const data = { strategyId, ...this.#content(this.#number) };
    yield this.#event(`strategy-${strategyId}`, 'StrategySaved', data, { kind: 'user', userId });
  }

  *#list(userId: string): Generator<LogLine> {
    const listId = this.#id();
    const from = this.#pick(TICKERS.length);
    const variables = [...TICKERS.slice(from), ...TICKERS.slice(0, from)].slice(0, 2 + this.#pick(5));
    const name = `Funds ${variables[0]} ${this.#number}`;
    const data = { listId, ownerId: userId, name, isPublic: this.#number % 13 === 0, variables };
    yield this.#event(`variableList-${listId}`, 'VariableListCreated', data, { kind: 'user', userId });
    this.#revisions.delete(`variableList-${listId}`);
  }

  *#batch(userId: string, end: 'finished' | 'deleted' | 'open'): Generator<LogLine> {
    const batchId = this.#id();
    const number = this.#number;
    const user = { kind: 'user', userId } as const;
    const system = { kind: 'system', name: 'batch-process' } as const;
    const quotaMonth = new Date(this.#time()).toISOString().slice(0, 7);
    const stream = `batch-${batchId}`;
    const tickers = [TICKERS[number % TICKERS.length], TICKERS[(number + 5) % TICKERS.length]];
    const template = { ...this.#content(number - (number % 3)), id: `template-${number % 500}` };
    const reserved = { userId, month: quotaMonth, batchId, combinations: 2, monthlyLimit: 1_500_000 };
    yield this.#event(`usage-${userId}-${quotaMonth}`, 'QuotaReserved', reserved, user);
    const created = {
      batchId,
      userId,
      name: `Test of ${template.name}`,
      isPublic: number % 17 === 0,
      template,
      variables: [{ name: '$A', values: tickers }],
      config: { start_date: '2015-01-01', end_date: '2020-12-31', slippage_bps: 10, benchmark_ticker: 'SPY' },
      requestedCombinations: 2,
      combinations: 2,
      partitionSize: 2,
      partitions: 1,
      timeEstimateSeconds: 1,
      isQuick: true,
      dataVersion: this.#shape.dataVersion,
      engineVersion: '1',
      isSimulated: true,
      strategyId: null,
      strategyRevision: null,
      lineageId: `lineage-${number % 500}`,
      fingerprint: `fingerprint-${number}`,
      reuse: [],
      quotaMonth,
      quotaByPartition: [2],
    };
    yield this.#event(stream, 'BatchBacktestCreated', created, user);
    const run = { batchId, partition: 0, attempt: 1, node: 'year' };
    yield this.#event(stream, 'PartitionsQueued', { batchId, partitions: [0] }, system);
    yield this.#event(stream, 'PartitionStarted', run, system);
    if (end === 'open') return;
    yield this.#event(stream, 'PartitionFinished', { ...run, seconds: 0.5 }, system);
    yield this.#event(stream, 'BatchCompilingStarted', { batchId }, system);
    const best = { combination: 0, values: { $A: tickers[0] }, metrics: { sharpe_ratio: 0.8 } };
    const summary = { rows: 2, failures: 0, best, medians: { sharpe_ratio: 0.5 } };
    yield this.#event(stream, 'BatchBacktestFinished', { batchId, summary }, system);
    if (end === 'deleted') {
      const deleted = { batchId, userId, quotaMonth, quotaReleased: 0 };
      yield this.#event(stream, 'BatchBacktestDeleted', deleted, user);
      const { monthlyLimit: _, ...held } = reserved;
      const released = { ...held, combinations: 0, reason: 'batch_deleted' };
      yield this.#event(`usage-${userId}-${quotaMonth}`, 'QuotaReleased', released, system);
    }
    this.#revisions.delete(stream);
  }
}
