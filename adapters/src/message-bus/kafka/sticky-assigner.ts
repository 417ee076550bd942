import kafkajs, { type GroupMember, type PartitionAssigner } from 'kafkajs';

/** Topic → partitions, those whose loss would cost most (a job is running) first. */
export type Claims = Readonly<Record<string, readonly number[]>>;

interface Member {
  readonly id: string;
  readonly topics: readonly string[];
  readonly claims: Claims;
}

/**
 * An assigner that leaves partitions where they are as far as an even division allows. The client's own one deals them out
 * anew at every change, which would abort most of the cluster's running jobs whenever a node comes or goes. Each member sends along what it
 * holds; the leader divides.
 */
export function stickyAssigner(claims: () => Claims): PartitionAssigner {
  const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;
  const name = 'QuantloomSticky';
  const version = 0;
  return ({ cluster }) => ({
    name,
    version,
    protocol: ({ topics }) => ({
      name,
      metadata: MemberMetadata.encode({ version, topics, userData: Buffer.from(JSON.stringify(claims())) }),
    }),
    assign: async ({ members: encoded, topics }) => {
      const members = encoded.map(decodeMember);
      const assignments = new Map(members.map(({ id }) => [id, {} as Record<string, number[]>]));
      for (const topic of topics) {
        const partitions = partitionsOf(cluster, topic);
        for (const [id, assigned] of divide(topic, partitions, members)) {
          const assignment = assignments.get(id);
          if (assignment && assigned.length > 0) assignment[topic] = assigned;
        }
      }
      return [...assignments].map(([memberId, assignment]) => ({
        memberId,
        memberAssignment: MemberAssignment.encode({ version, assignment, userData: Buffer.alloc(0) }),
      }));
    },
  });
}

/** One topic's partitions, evenly among its subscribers; each keeps what it claims first, up to its share. */
export function divide(
  topic: string,
  partitions: readonly number[],
  members: readonly Member[],
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

function decodeMember({ memberId, memberMetadata }: GroupMember): Member {
  const metadata = kafkajs.AssignerProtocol.MemberMetadata.decode(memberMetadata);
  return { id: memberId, topics: metadata?.topics ?? [], claims: readClaims(metadata?.userData) };
}

/** Claims are a wish: what can't be read is none. */
function readClaims(data: Buffer | undefined): Claims {
  try {
    return JSON.parse(data?.toString() || '{}') as Claims;
  } catch {
    return {};
  }
}

/** The client knows the partitions, but declares the method on no public type. */
function partitionsOf(cluster: unknown, topic: string): number[] {
  const { findTopicPartitionMetadata } = cluster as {
    findTopicPartitionMetadata(topic: string): { partitionId: number }[];
  };
  return findTopicPartitionMetadata.call(cluster, topic).map(({ partitionId }) => partitionId);
}
