import { expect, it } from 'vitest';
import type { GroupMember, GroupMemberEvents } from './group-member.ts';
import { topicSettings } from './kafka-options.ts';
import { KafkaSubscription } from './kafka-subscription.ts';

/** A client that does nothing by itself. */
class IdleMember implements GroupMember {
  events: GroupMemberEvents | undefined;
  async start(events: GroupMemberEvents) {
    this.events = events;
  }
  pauseAll() {}
  resumeAll() {}
  pause() {}
  resume() {}
  async commit() {}
  isRebalance() {
    return false;
  }
  async leave() {}
}

it('tells whether it is in its group: not before it was taken in, not once it was put out, and nothing of one that was closed', async () => {
  const member = new IdleMember();
  const settings = { handlerTimeoutMs: 1_000, firstRetryMs: 5, maxRetryMs: 10, onError: () => undefined };
  const subscription = new KafkaSubscription(
    { member, settings, putAside: async () => {} },
    { group: 'compute', topics: ['jobs'] },
    async () => {},
  );
  await subscription.start(new Set());
  expect(subscription.outside()).toEqual(['compute']);
  // There may be more members than partitions: one without any is a member, too.
  member.events?.assigned({});
  expect(subscription.outside()).toEqual([]);
  member.events?.lost();
  expect(subscription.outside()).toEqual(['compute']);
  await subscription.close();
  expect(subscription.outside()).toEqual([]);
});

it('asks for a second copy of each message only where that was said', () => {
  expect(topicSettings({})).toEqual([]);
  expect(topicSettings({ minInsyncReplicas: 2 })).toEqual([{ name: 'min.insync.replicas', value: '2' }]);
});
