import type { ActiveBatch } from './process.ts';

/** What the dispatcher keeps of a batch: numbers only, so that ten thousand of them cost little. */
interface Entry {
  readonly batchId: string;
  /** Older batches have smaller ones. */
  readonly order: number;
  readonly share: Share;
  waiting: number;
  inFlight: number;
  /** False: rows of earlier batches are still being copied, say. */
  isReady: boolean;
  /** Some partition of it has been on its way. */
  isBegun: boolean;
}

/** One user's batches of one kind. */
interface Share {
  readonly key: string;
  readonly isQuick: boolean;
  /** Batches of it on the board. */
  batches: number;
  inFlight: number;
  /** Ready, with partitions that wait and none on the way, never begun: in the order they came. */
  readonly fresh: Map<string, Entry>;
  /** Ready, with partitions that wait, begun before: few, since what is begun is bounded by the places. */
  readonly begun: Map<string, Entry>;
}

/** How many partitions may be on the way at a time. */
export interface Places {
  /** On the whole; null: it is not known how many there are to work on them. */
  readonly all: number | null;
  /** Of one user, as long as that is not known. */
  readonly perUser: number;
}

/** What goes onto the bus next of one batch. */
export interface Dispatch {
  readonly batchId: string;
  readonly count: number;
}

/**
 * Who gets the next free places. Work-conserving: as long as there is room, somebody's partitions take it,
 * however much he has already; and fair: the next place is always his who has the fewest, and everybody with
 * work has one at once, whatever others have begun. Large and quick batches have places of their own. A
 * user's places go round his batches: the one with the fewest partitions on the way is next, the older one of equals.
 *
 * What a step costs depends on the number of users with work and on the places that are given, not on the
 * number of batches that wait.
 */
export class DispatchBoard {
  readonly #entries = new Map<string, Entry>();
  readonly #shares = new Map<string, Share>();
  #next = 0;

  /** Batches with partitions that are not finished. */
  get size(): number {
    return this.#entries.size;
  }

  has(batchId: string): boolean {
    return this.#entries.has(batchId);
  }

  /** Whether nothing of the batch is on the way, as far as is known here. */
  isIdle(batchId: string): boolean {
    return this.#entries.get(batchId)?.inFlight === 0;
  }

  /** Partitions of the batch that are not finished. */
  openIn(batchId: string): number {
    const entry = this.#entries.get(batchId);
    return entry ? entry.waiting + entry.inFlight : 0;
  }

  /** How a batch stands now. One without partitions that wait or are on the way is forgotten. */
  note(
    batch: Pick<ActiveBatch, 'batchId' | 'userId' | 'isQuick'> & {
      readonly waiting: number;
      readonly inFlight: number;
    },
    isReady: boolean,
  ): void {
    const { batchId, userId, isQuick, waiting, inFlight } = batch;
    if (waiting + inFlight === 0) {
      this.forget(batchId);
      return;
    }
    const entry = this.#entries.get(batchId) ?? this.#add(batchId, this.#shareOf(userId, isQuick));
    entry.share.inFlight += inFlight - entry.inFlight;
    entry.waiting = waiting;
    entry.inFlight = inFlight;
    entry.isReady = isReady;
    this.#file(entry);
  }

  forget(batchId: string): void {
    const entry = this.#entries.get(batchId);
    if (!entry) return;
    this.#entries.delete(batchId);
    const { share } = entry;
    share.inFlight -= entry.inFlight;
    share.fresh.delete(batchId);
    share.begun.delete(batchId);
    share.batches -= 1;
    if (share.batches === 0) this.#shares.delete(share.key);
  }

  /**
   * The partitions that the free places go to. They count as being on the way from now on: `note` says how it
   * came out.
   */
  next(isQuick: boolean, { all, perUser }: Places): readonly Dispatch[] {
    const shares = [...this.#shares.values()].filter((share) => share.isQuick === isQuick);
    let taken = shares.reduce((sum, share) => sum + share.inFlight, 0);
    const found = new Map<string, number>();
    // By the number on the way; everybody's turn comes round before anybody gets one more.
    const waiting = Map.groupBy(shares.filter(hasWork), ({ inFlight }) => inFlight);
    while (waiting.size > 0) {
      const level = Math.min(...waiting.keys());
      const turn = waiting.get(level) ?? [];
      waiting.delete(level);
      for (const share of turn) {
        const isFirst = share.inFlight === 0;
        const hasRoom = all === null ? share.inFlight < perUser : isFirst || taken < all;
        const entry = hasRoom ? nextOf(share) : null;
        if (!entry) continue;
        this.#take(entry);
        taken += 1;
        found.set(entry.batchId, (found.get(entry.batchId) ?? 0) + 1);
        if (hasWork(share)) waiting.set(level + 1, [...(waiting.get(level + 1) ?? []), share]);
      }
    }
    return Array.from(found, ([batchId, count]) => ({ batchId, count }));
  }

  #take(entry: Entry): void {
    entry.waiting -= 1;
    entry.inFlight += 1;
    entry.share.inFlight += 1;
    this.#file(entry);
  }

  #add(batchId: string, share: Share): Entry {
    const order = this.#next;
    this.#next += 1;
    const entry: Entry = {
      batchId,
      order,
      share,
      waiting: 0,
      inFlight: 0,
      isReady: false,
      isBegun: false,
    };
    share.batches += 1;
    this.#entries.set(batchId, entry);
    return entry;
  }

  #file(entry: Entry): void {
    const { share, batchId } = entry;
    entry.isBegun ||= entry.inFlight > 0;
    const isWanted = entry.isReady && entry.waiting > 0;
    const [to, from] = entry.isBegun ? [share.begun, share.fresh] : [share.fresh, share.begun];
    from.delete(batchId);
    if (isWanted) to.set(batchId, entry);
    else to.delete(batchId);
  }

  #shareOf(userId: string, isQuick: boolean): Share {
    const key = JSON.stringify([userId, isQuick]);
    const known = this.#shares.get(key);
    if (known) return known;
    const share: Share = { key, isQuick, batches: 0, inFlight: 0, fresh: new Map(), begun: new Map() };
    this.#shares.set(key, share);
    return share;
  }
}

const hasWork = ({ fresh, begun }: Share): boolean => fresh.size + begun.size > 0;

function nextOf({ fresh, begun }: Share): Entry | null {
  const [first] = fresh.values();
  let best: Entry | null = first ?? null;
  for (const entry of begun.values())
    if (
      best === null ||
      entry.inFlight < best.inFlight ||
      (entry.inFlight === best.inFlight && entry.order < best.order)
    )
      best = entry;
  return best;
}
