import { readNode } from '@quantloom/domain/contracts/messages/jobs';
import { TOPICS } from '@quantloom/domain/contracts/messages/topics';
import type { BatchProcessDeps } from './batch-process-deps.ts';

/** A node that has said nothing for this long is gone; it speaks every five seconds. */
const GONE_MS = 30_000;

interface Node {
  readonly slots: number;
  readonly quickSlots: number;
  /** On this process's own clock. */
  readonly heardAt: number;
}

/** How many jobs the compute nodes work on side by side, by what they say of themselves. */
export class Capacity {
  readonly #nodes = new Map<string, Node>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  heard(node: string, slots: number, quickSlots: number): void {
    if (slots + quickSlots === 0) this.#nodes.delete(node);
    else this.#nodes.set(node, { slots, quickSlots, heardAt: this.#now() });
  }

  /** null: no node has been heard of lately. */
  slots(isQuick: boolean): number | null {
    const since = this.#now() - GONE_MS;
    let sum = 0;
    for (const [name, { slots, quickSlots, heardAt }] of this.#nodes)
      if (heardAt < since) this.#nodes.delete(name);
      else sum += isQuick ? quickSlots : slots;
    return this.#nodes.size === 0 ? null : sum;
  }
}

/** Listens to the nodes; every process does for itself, so that whoever takes over knows. */
export async function followCapacity(
  { bus, ids, log }: Pick<BatchProcessDeps, 'bus' | 'ids' | 'log'>,
  capacity: Capacity,
  onChange: () => void,
): Promise<{ close(): Promise<void> }> {
  return bus.subscribe(
    { group: `projectors.capacity.${ids()}`, topics: [TOPICS.nodes.name], from: 'latest' },
    async ({ value }) => {
      const message = readNode(value);
      if (!message) {
        log.warn({ topic: TOPICS.nodes.name }, 'unreadable message of a compute node');
        return;
      }
      const before = [capacity.slots(false), capacity.slots(true)];
      capacity.heard(message.node, message.slots, message.quickSlots);
      if (capacity.slots(false) !== before[0] || capacity.slots(true) !== before[1]) onChange();
    },
  );
}
