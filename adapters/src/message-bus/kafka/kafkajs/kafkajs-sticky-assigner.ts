import kafkajs, { type GroupMember, type PartitionAssigner } from 'kafkajs';
import {
  assign,
  type ClaimingMember,
  type Claims,
  readClaims,
  STICKY_NAME,
  STICKY_VERSION,
  writeClaims,
} from '../sticky-assigner.ts';

/** `assign` in the form that kafkajs wants. */
export function kafkajsStickyAssigner(claims: () => Claims): PartitionAssigner {
  const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;
  const version = STICKY_VERSION;
  return ({ cluster }) => ({
    name: STICKY_NAME,
    version,
    protocol: ({ topics }) => ({
      name: STICKY_NAME,
      metadata: MemberMetadata.encode({ version, topics, userData: writeClaims(claims()) }),
    }),
    assign: async ({ members, topics }) =>
      [...assign(members.map(decodeMember), topics, (topic) => partitionsOf(cluster, topic))].map(
        ([memberId, assignment]) => ({
          memberId,
          memberAssignment: MemberAssignment.encode({ version, assignment, userData: Buffer.alloc(0) }),
        }),
      ),
  });
}

function decodeMember({ memberId, memberMetadata }: GroupMember): ClaimingMember {
  const metadata = kafkajs.AssignerProtocol.MemberMetadata.decode(memberMetadata);
  return { id: memberId, topics: metadata?.topics ?? [], claims: readClaims(metadata?.userData) };
}

/** The client knows the partitions, but declares the method on no public type. */
function partitionsOf(cluster: unknown, topic: string): number[] {
  const { findTopicPartitionMetadata } = cluster as {
    findTopicPartitionMetadata(topic: string): { partitionId: number }[];
  };
  return findTopicPartitionMetadata.call(cluster, topic).map(({ partitionId }) => partitionId);
}
