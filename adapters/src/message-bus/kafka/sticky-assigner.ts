/** Topic → partitions, those whose loss would cost most (a job is running) first. */
export type Claims = Readonly<Record<string, readonly number[]>>;

export interface ClaimingMember {
  readonly id: string;
  readonly topics: readonly string[];
  readonly claims: Claims;
}

/**
 * The name by which members of one group find that they divide in the same way. Both clients speak it, so
 * that a group may hold members of both while a cluster changes from one to the other.
 */
export const STICKY_NAME = 'QuantloomSticky';
export const STICKY_VERSION = 0;

/**
 * Leaves partitions where they are as far as an even division allows. The clients' own assigners deal them
 * out anew at every change, which would abort most of the cluster's running jobs whenever a node comes or
 * goes. Each member sends along what it holds; the leader divides.
 *
 * @param partitions numbers of a topic's partitions
 * @returns member → topic → partitions
 */
export function assign(
  members: readonly ClaimingMember[],
  topics: readonly string[],
  partitions: (topic: string) => readonly number[],
): Map<string, Record<string, number[]>> {
  const assignments = new Map(members.map(({ id }) => [id, {} as Record<string, number[]>]));
  for (const topic of topics) {
    for (const [id, assigned] of divide(topic, partitions(topic), members)) {
      const assignment = assignments.get(id);
      if (assignment && assigned.length > 0) assignment[topic] = assigned;
    }
  }
  return assignments;
}

/** One topic's partitions, evenly among its subscribers; each keeps what it claims first, up to its share. */
export function divide(
  topic: string,
  partitions: readonly number[],
  members: readonly ClaimingMember[],
): Map<string, number[]> {
  const free = new Set(partitions);
  const subscribers = members
    .filter((member) => member.topics.includes(topic))
    .map(({ id, claims }) => ({ id, claimed: claims[topic]?.filter((each) => free.has(each)) ?? [] }))
    // Who holds more keeps the remainder of the division, so that less moves.
    .sort((a, b) => b.claimed.length - a.claimed.length || (a.id < b.id ? -1 : 1));
  const base = Math.floor(partitions.length / subscribers.length);
  const remainder = partitions.length % subscribers.length;
  const shares = subscribers.map(({ id, claimed }, rank) => {
    const size = base + (rank < remainder ? 1 : 0);
    const kept: number[] = [];
    for (const partition of claimed) {
      // A claim that is out of date may name what another member holds by now.
      if (kept.length < size && free.delete(partition)) kept.push(partition);
    }
    return { id, size, kept };
  });
  const rest = [...free];
  for (const { size, kept } of shares) kept.push(...rest.splice(0, size - kept.length));
  return new Map(shares.map(({ id, kept }) => [id, kept]));
}

export const writeClaims = (claims: Claims): Buffer => Buffer.from(JSON.stringify(claims));

/** Claims are a wish: what can't be read is none. */
export function readClaims(data: Buffer | null | undefined): Claims {
  try {
    return JSON.parse(data?.toString() || '{}') as Claims;
  } catch {
    return {};
  }
}
