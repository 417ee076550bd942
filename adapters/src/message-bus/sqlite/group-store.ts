import type { DatabaseSync } from 'node:sqlite';
import { type SqliteDatabase, transaction } from '../../sqlite/database.ts';
import { unknownTopic } from '../unknown-topic.ts';

export interface OwnedRow {
  readonly topicId: number;
  readonly topic: string;
  readonly partition: number;
  /** First message the group has not handled. */
  readonly next: number;
}

export interface Assignment {
  /** Epoch before this member took anything: its own changes count as changes, since shares depend on who owns what. */
  readonly epoch: number;
  readonly owned: readonly OwnedRow[];
  /** Topic id → how many partitions this member should give up, so that others get their share. */
  readonly surplus: ReadonlyMap<number, number>;
}

interface OffsetRow {
  partition: number;
  next_offset: number;
  owner: string | null;
}

/**
 * Consumer groups in the shared file: members with leases, and which member owns which partition. There is no
 * coordinator process; each member, in a transaction of its own, drops members whose lease has run out, takes
 * free partitions up to its share and learns how many to give up. A partition is never taken from a living
 * member: it gives it up itself once its handler has ended.
 */
export class GroupStore {
  readonly #database: SqliteDatabase;
  readonly #leaseMs: number;
  readonly #sql;

  constructor(database: SqliteDatabase, leaseMs: number) {
    this.#database = database;
    this.#leaseMs = leaseMs;
    this.#sql = statements(database.relaxed);
  }

  /**
   * Adds the member; a group that never committed on a topic begins at its first or after its last message.
   * Throws on an unknown topic.
   */
  join(group: string, member: string, topics: readonly string[], from: 'earliest' | 'latest'): void {
    this.#change(() => {
      for (const topic of topics) {
        const id = this.topicId(topic);
        const isNew = this.#sql.offsets.all(group, id).length === 0;
        this.#sql.initialise.run(group, isNew && from === 'latest' ? 1 : 0, id);
      }
      this.#sql.touchGroup.run(group, Date.now());
      this.#sql.renew.run(group, member, JSON.stringify(topics), Date.now() + this.#leaseMs);
    });
  }

  leave(group: string, member: string): void {
    this.#change(() => {
      this.#sql.removeMember.run(group, member);
      this.#sql.freeAll.run(group, member);
      this.#sql.touchGroup.run(group, Date.now());
    });
  }

  release(group: string, member: string, topicId: number, partition: number): void {
    this.#change(() => {
      this.#sql.free.run(group, topicId, partition, member);
      this.#sql.touchGroup.run(group, Date.now());
    });
  }

  /** Takes all members of all groups for gone: those of a process that was killed. */
  forgetMembers(): void {
    this.#change(() => {
      this.#sql.removeAllMembers.run();
      this.#sql.freeEverything.run();
    });
  }

  /** Grows with every change of members or owners. */
  epoch(group: string): number {
    return Number(this.#sql.epoch.get(group)?.epoch ?? 0);
  }

  /** Renews the lease, takes what is free up to the member's share, and says what it owns now. */
  synchronise(group: string, member: string, topics: readonly string[]): Assignment {
    let hasChanged = false;
    const assignment = transaction(this.#database.relaxed, () => {
      const now = Date.now();
      const epoch = this.epoch(group);
      this.#sql.renew.run(group, member, JSON.stringify(topics), now + this.#leaseMs);
      const expired = this.#sql.expired.all(group, now);
      for (const { member: gone } of expired) {
        this.#sql.removeMember.run(group, String(gone));
        this.#sql.freeAll.run(group, String(gone));
      }
      this.#sql.seen.run(now, group);
      const members = this.#sql.members.all(group).map((row) => ({
        id: String(row.member),
        topics: JSON.parse(String(row.topics)) as string[],
      }));
      const owned: OwnedRow[] = [];
      const surplus = new Map<number, number>();
      hasChanged = expired.length > 0;
      for (const topic of topics) {
        const topicId = this.topicId(topic);
        this.#sql.initialise.run(group, 0, topicId);
        const rows = this.#sql.offsets.all(group, topicId) as unknown as OffsetRow[];
        const subscribers = members.filter((each) => each.topics.includes(topic)).map((each) => each.id);
        const share = shareOf(member, subscribers, rows);
        const mine = rows.filter((row) => row.owner === member);
        for (const row of rows) {
          if (mine.length >= share) break;
          if (row.owner !== null && subscribers.includes(row.owner)) continue;
          this.#sql.take.run(member, group, topicId, row.partition);
          mine.push(row);
          hasChanged = true;
        }
        owned.push(
          ...mine.map((row) => ({ topicId, topic, partition: row.partition, next: row.next_offset })),
        );
        if (mine.length > share) surplus.set(topicId, mine.length - share);
      }
      if (hasChanged) this.#sql.touchGroup.run(group, now);
      return { owned, surplus, epoch };
    });
    if (hasChanged) this.#database.bus.notify();
    return assignment;
  }

  /** Commits unless the partition has another owner meanwhile; says whether it did. */
  commit(group: string, member: string, topicId: number, partition: number, next: number): boolean {
    return this.#sql.commit.run(next, group, topicId, partition, member).changes === 1;
  }

  topicId(topic: string): number {
    const row = this.#sql.topic.get(topic);
    if (!row) throw unknownTopic(topic);
    return Number(row.id);
  }

  #change(work: () => void): void {
    transaction(this.#database.relaxed, work);
    this.#database.bus.notify();
  }
}

/** Partitions divided evenly; members that own more already keep the remainder, so that little moves. */
function shareOf(member: string, subscribers: readonly string[], rows: readonly OffsetRow[]): number {
  const ownedBy = (id: string) => rows.filter((row) => row.owner === id).length;
  const ranked = subscribers
    .map((id) => ({ id, owned: ownedBy(id) }))
    .sort((a, b) => b.owned - a.owned || (a.id < b.id ? -1 : 1));
  const rank = ranked.findIndex((each) => each.id === member);
  const base = Math.floor(rows.length / ranked.length);
  return base + (rank < rows.length % ranked.length ? 1 : 0);
}

function statements(connection: DatabaseSync) {
  const one = 'group_name = ? AND topic = ? AND partition = ?';
  return {
    topic: connection.prepare('SELECT id FROM bus_topics WHERE name = ?'),
    epoch: connection.prepare('SELECT epoch FROM bus_groups WHERE name = ?'),
    touchGroup: connection.prepare(
      'INSERT INTO bus_groups VALUES (?, 1, ?) ON CONFLICT (name) DO UPDATE SET epoch = epoch + 1, ' +
        'seen_at = excluded.seen_at',
    ),
    seen: connection.prepare('UPDATE bus_groups SET seen_at = ? WHERE name = ?'),
    renew: connection.prepare(
      `INSERT INTO bus_members VALUES (?, ?, ?, ?) ON CONFLICT (group_name, member)
       DO UPDATE SET expires_at = excluded.expires_at`,
    ),
    members: connection.prepare(
      'SELECT member, topics FROM bus_members WHERE group_name = ? ORDER BY member',
    ),
    expired: connection.prepare('SELECT member FROM bus_members WHERE group_name = ? AND expires_at < ?'),
    removeAllMembers: connection.prepare('DELETE FROM bus_members'),
    freeEverything: connection.prepare('UPDATE bus_offsets SET owner = NULL WHERE owner IS NOT NULL'),
    removeMember: connection.prepare('DELETE FROM bus_members WHERE group_name = ? AND member = ?'),
    // Retention may have taken messages that a long absent group had not read.
    initialise: connection.prepare(
      `INSERT INTO bus_offsets
       SELECT ?, topic, partition, iif(?, next_offset, first_offset), NULL FROM bus_partitions WHERE topic = ?
       ON CONFLICT DO NOTHING`,
    ),
    offsets: connection.prepare(
      `SELECT o.partition, max(o.next_offset, p.first_offset) AS next_offset, o.owner
       FROM bus_offsets o JOIN bus_partitions p ON p.topic = o.topic AND p.partition = o.partition
       WHERE o.group_name = ? AND o.topic = ? ORDER BY o.partition`,
    ),
    take: connection.prepare(`UPDATE bus_offsets SET owner = ? WHERE ${one}`),
    free: connection.prepare(`UPDATE bus_offsets SET owner = NULL WHERE ${one} AND owner = ?`),
    freeAll: connection.prepare('UPDATE bus_offsets SET owner = NULL WHERE group_name = ? AND owner = ?'),
    commit: connection.prepare(`UPDATE bus_offsets SET next_offset = ? WHERE ${one} AND owner = ?`),
  };
}
