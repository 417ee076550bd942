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
  async commit(_offsets: Parameters<GroupMember['commit']>[0]) {}
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

it('commits what was handled while a commit was on its way', async () => {
  const commits: bigint[] = [];
  const first = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  class SlowMember extends IdleMember {
    override async commit(offsets: Parameters<GroupMember['commit']>[0]) {
      commits.push(...offsets.map(({ offset }) => offset));
      if (commits.length === 1) await first.promise;
      else both.resolve();
    }
  }
  const member = new SlowMember();
  const settings = { handlerTimeoutMs: 60_000, firstRetryMs: 5, maxRetryMs: 10, onError: () => undefined };
  const handled: bigint[] = [];
  const subscription = new KafkaSubscription(
    { member, settings, putAside: async () => {} },
    { group: 'compute', topics: ['jobs'] },
    async ({ offset }) => void handled.push(offset),
  );
  await subscription.start(new Set());
  member.events?.assigned({ jobs: [0] });
  const message = (offset: bigint) => ({ offset, key: 'a', value: '{}', headers: {} });
  member.events?.received({ topic: 'jobs', partition: 0 }, [message(0n)]);
  await expect.poll(() => commits).toEqual([1n]);
  member.events?.received({ topic: 'jobs', partition: 0 }, [message(1n)]);
  await expect.poll(() => handled).toEqual([0n, 1n]);
  await new Promise(setImmediate);
  first.resolve();
  await both.promise;
  expect(commits).toEqual([1n, 2n]);
  await subscription.close();
});

it('asks for a second copy of each message only where that was said', () => {
  expect(topicSettings({})).toEqual([]);
  expect(topicSettings({ minInsyncReplicas: 2 })).toEqual([{ name: 'min.insync.replicas', value: '2' }]);
});
