import type { DatabaseSync } from 'node:sqlite';
import type { OutgoingMessage, TopicSpec } from '@quantloom/domain/ports/message-bus';
import { partitionOf } from '../partitioner.ts';
import { unknownTopic } from '../unknown-topic.ts';

export interface StoredMessage {
  readonly offset: number;
  readonly key: string;
  readonly value: unknown;
  readonly headers: Record<string, string>;
}

export interface Retention {
  /** Messages that every living group has handled are kept this long, in ms. */
  readonly consumedMs: number;
  /** Messages of topics without any living group are kept this long, in ms. */
  readonly unreadMs: number;
  /** A group without members for this long no longer holds messages back, in ms. */
  readonly groupMs: number;
}

/** Deletes at most this many messages per partition and call, so that no call takes long. */
const RETENTION_STEP = 5000;

/** Topics, partitions and messages. None of the methods opens a transaction: callers do. */
export class MessageLog {
  readonly #sql;

  constructor(connection: DatabaseSync) {
    const one = 'topic = ? AND partition = ?';
    this.#sql = {
      topic: connection.prepare(
        'SELECT t.id, count(*) AS partitions FROM bus_topics t JOIN bus_partitions p ON p.topic = ' +
          't.id WHERE t.name = ? GROUP BY t.id',
      ),
      addTopic: connection.prepare('INSERT OR IGNORE INTO bus_topics (name) VALUES (?)'),
      addPartition: connection.prepare(
        'INSERT OR IGNORE INTO bus_partitions (topic, partition) SELECT id, ? FROM bus_topics WHERE name = ?',
      ),
      next: connection.prepare(`SELECT next_offset FROM bus_partitions WHERE ${one}`),
      advance: connection.prepare(`UPDATE bus_partitions SET next_offset = ? WHERE ${one}`),
      insert: connection.prepare('INSERT INTO bus_messages VALUES (?, ?, ?, ?, ?, ?, ?)'),
      read: connection.prepare(
        `SELECT "offset", key, headers, value FROM bus_messages WHERE ${one} AND "offset" >= ? ` +
          'ORDER BY "offset" LIMIT ?',
      ),
      heads: connection.prepare('SELECT partition, next_offset FROM bus_partitions WHERE topic = ?'),
      lag: connection.prepare(
        `SELECT sum(p.next_offset - max(p.first_offset, coalesce(o.next_offset, 0))) AS lag
         FROM bus_topics t JOIN bus_partitions p ON p.topic = t.id
         LEFT JOIN bus_offsets o ON o.group_name = ? AND o.topic = p.topic AND o.partition = p.partition
         WHERE t.name = ?`,
      ),
      handled: connection.prepare(
        `SELECT p.topic, p.partition, p.first_offset, p.next_offset, min(o.next_offset) AS handled
         FROM bus_partitions p
         LEFT JOIN (bus_offsets o JOIN bus_groups g ON g.name = o.group_name AND g.seen_at > ?)
           ON o.topic = p.topic AND o.partition = p.partition
         WHERE p.first_offset < p.next_offset
         GROUP BY p.topic, p.partition`,
      ),
      firstYounger: connection.prepare(
        `SELECT min("offset") AS "offset" FROM bus_messages WHERE ${one} AND "offset" >= ? AND ` +
          '"offset" < ? AND published_at >= ?',
      ),
      remove: connection.prepare(`DELETE FROM bus_messages WHERE ${one} AND "offset" < ?`),
      setFirst: connection.prepare(`UPDATE bus_partitions SET first_offset = ? WHERE ${one}`),
    };
  }

  ensureTopic({ name, partitions }: TopicSpec): void {
    if (!Number.isInteger(partitions) || partitions < 1) {
      throw new Error(`Topic ${name} needs at least one partition, not ${partitions}`);
    }
    this.#sql.addTopic.run(name);
    for (let partition = 0; partition < partitions; partition++) this.#sql.addPartition.run(partition, name);
  }

  append(topicName: string, messages: readonly OutgoingMessage[]): void {
    const topic = this.#sql.topic.get(topicName);
    if (!topic) throw unknownTopic(topicName);
    const id = Number(topic.id);
    const next = new Map<number, number>();
    const now = Date.now();
    for (const message of messages) {
      const partition = partitionOf(message.key, Number(topic.partitions));
      const offset = next.get(partition) ?? Number(this.#sql.next.get(id, partition)?.next_offset);
      const value = JSON.stringify(message.value ?? null);
      this.#sql.insert.run(
        id,
        partition,
        offset,
        now,
        message.key,
        JSON.stringify(message.headers ?? {}),
        value,
      );
      next.set(partition, offset + 1);
    }
    for (const [partition, offset] of next) this.#sql.advance.run(offset, id, partition);
  }

  read(topicId: number, partition: number, from: number, limit: number): StoredMessage[] {
    return this.#sql.read.all(topicId, partition, from, limit).map((row) => ({
      offset: Number(row.offset),
      key: String(row.key),
      headers: JSON.parse(String(row.headers)) as Record<string, string>,
      value: JSON.parse(String(row.value)) as unknown,
    }));
  }

  /** Partition → offset after its last message. */
  heads(topicId: number): Map<number, number> {
    return new Map(
      this.#sql.heads.all(topicId).map((row) => [Number(row.partition), Number(row.next_offset)] as const),
    );
  }

  lag(group: string, topic: string): number {
    const row = this.#sql.lag.get(group, topic);
    if (row?.lag === null || row?.lag === undefined) throw unknownTopic(topic);
    return Number(row.lag);
  }

  /** Removes what nobody needs any more, a bounded number of messages; says whether there may be more to remove. */
  applyRetention(retention: Retention, now: number): boolean {
    let isMore = false;
    for (const row of this.#sql.handled.all(now - retention.groupMs)) {
      const [topic, partition, first] = [Number(row.topic), Number(row.partition), Number(row.first_offset)];
      const isRead = row.handled !== null;
      const handled = isRead ? Number(row.handled) : Number(row.next_offset);
      const before = now - (isRead ? retention.consumedMs : retention.unreadMs);
      const end = Math.min(handled, first + RETENTION_STEP);
      if (end <= first) continue;
      const younger = this.#sql.firstYounger.get(topic, partition, first, end, before)?.offset;
      const keepFrom = younger === null || younger === undefined ? end : Number(younger);
      if (keepFrom <= first) continue;
      this.#sql.remove.run(topic, partition, keepFrom);
      this.#sql.setFirst.run(keepFrom, topic, partition);
      isMore ||= keepFrom === end && end < handled;
    }
    return isMore;
  }
}
