import type { NewEvent } from '@quantloom/domain/kernel/event';
import { type Refusal, refuse } from '@quantloom/domain/kernel/refusal';
import { bytesOf, STORAGE_DAY_MS, secondsUntil, USE_LIMITS } from '@quantloom/domain/limits/limits';
import {
  beginsStored,
  bytesOfEvent,
  type StoredBytesDocument,
  storedBy,
  storedBytesProjection,
} from '@quantloom/domain/stored-bytes/projection';
import { type TooLittleLeft, takeUse, whoHas } from '@quantloom/http/counted-use';
import type { Principal } from '@quantloom/http/principal';
import type { FastifyReply } from 'fastify';
import type { WriteDeps } from './deps.ts';

/** A change of so few bytes is possible where nothing else is: deleting and renaming make room. */
const ALWAYS_POSSIBLE = 2_000;

/**
 * What an event takes beside its data: its row and its places in indexes, who did it and when, and its part
 * of read models.
 */
const BESIDE_DATA = 1_000;

/** Bytes that are about to be stored, by user: the read models do not know of them yet. */
const underWay = new WeakMap<object, Map<string, number>>();

/**
 * Refuses events for which their user has no room left, in all (413) or today (429). What is let through is
 * held against him until the answer has gone out, by when the read models know of it.
 */
export async function refuseWithoutRoom(
  deps: Pick<WriteDeps, 'readModels' | 'rateLimits'>,
  user: Pick<Principal, 'userId' | 'planId' | 'network'>,
  stream: string,
  events: readonly Pick<NewEvent, 'type' | 'data'>[],
  reply: FastifyReply,
): Promise<Refusal | null> {
  const { readModels, rateLimits } = deps;
  const { userId, planId } = user;
  const limits = USE_LIMITS[planId];
  const { name: collection } = storedBytesProjection.collection;
  if (events.some(beginsStored)) {
    const things = await readModels.count(collection, storedBy(userId));
    if (things >= limits.storedThings) return tooManyThings(limits.storedThings);
  }
  let bytes = 0;
  let known: readonly string[] | null = null;
  for (const event of events) {
    const found = bytesOfEvent(event);
    bytes += found.bytes;
    if (!found.tree) continue;
    known ??= (await readModels.get<StoredBytesDocument>(collection, stream))?.trees ?? [];
    if (!known.includes(found.tree.key)) bytes += found.tree.bytes;
  }
  if (bytes > ALWAYS_POSSIBLE) {
    const pending = pendingOf(readModels);
    const limit = bytesOf(limits.storedMegabytes);
    // Taken before it is looked at, so that simultaneous calls cannot slip through together.
    pending.set(userId, (pending.get(userId) ?? 0) + bytes);
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      const rest = (pending.get(userId) ?? 0) - bytes;
      if (rest > 0) pending.set(userId, rest);
      else pending.delete(userId);
    };
    reply.raw.once('finish', release);
    reply.raw.once('close', release);
    const used = (await readModels.sum(collection, 'bytes', storedBy(userId))) + (pending.get(userId) ?? 0);
    if (used > limit) {
      release();
      return noRoom(bytes, Math.max(0, limit - (used - bytes)), limit);
    }
  }
  const { changesPerDay } = limits;
  if (!rateLimits) return null;
  const windowMs = STORAGE_DAY_MS;
  const change = { amount: events.length, most: changesPerDay, windowMs };
  const changes = await takeUse(rateLimits, 'changes', user, change);
  if (changes) return tooManyChanges(changes);
  const day = bytesOf(limits.writtenMegabytesPerDay);
  // Small changes are stopped as well where they are thousands.
  const most = bytes > ALWAYS_POSSIBLE ? day : 2 * day;
  const amount = bytes + events.length * BESIDE_DATA;
  const written = await takeUse(rateLimits, 'written', user, { amount, most, windowMs });
  return written && writtenEnough(amount, written);
}

function tooManyChanges(tooLittle: TooLittleLeft): Refusal {
  const seconds = secondsUntil(tooLittle.endsInMs);
  return refuse(
    429,
    'too_many_requests',
    `Too many changes: ${whoHas(tooLittle, 'has')} ${tooLittle.most.toLocaleString('en-US')} a ` +
      `day. Please try again in ${hoursOf(seconds)}.`,
    { data: { retry_after: seconds } },
  );
}

function hoursOf(seconds: number): string {
  const hours = Math.ceil(seconds / 3600);
  return hours === 1 ? 'an hour' : `${hours} hours`;
}

function tooManyThings(limit: number): Refusal {
  return refuse(
    413,
    'storage_full',
    `Your plan has room for ${limit.toLocaleString('en-US')} strategies, lists and batches, and all of it is taken. ` +
      'Deleting some that you no longer need makes room.',
    { data: { limit } },
  );
}

function pendingOf(readModels: object): Map<string, number> {
  let pending = underWay.get(readModels);
  if (!pending) {
    pending = new Map();
    underWay.set(readModels, pending);
  }
  return pending;
}

/** Rounded towards what is asked for: nobody is told of room that is not there. */
function size(bytes: number): string {
  const megabytes = Math.floor((bytes / bytesOf(1)) * 100) / 100;
  return `${megabytes.toLocaleString('en-US')} MB`;
}

function noRoom(bytes: number, left: number, limit: number): Refusal {
  return refuse(
    413,
    'storage_full',
    `This takes ${size(bytes)}, and ${size(left)} of the ${size(limit)} that your plan has are left. ` +
      'Deleting strategies, lists or batches that you no longer need gives their room back.',
    { data: { bytes, left_bytes: left, limit_bytes: limit } },
  );
}

function writtenEnough(bytes: number, tooLittle: TooLittleLeft): Refusal {
  const { left, most: limit, endsInMs } = tooLittle;
  const seconds = secondsUntil(endsInMs);
  return refuse(
    429,
    'written_limit',
    `This takes ${size(bytes)}, and ${size(left)} of the ${size(limit)} that ` +
      `${whoHas(tooLittle, 'may write')} a day are left. ` +
      `Please try again in ${hoursOf(seconds)}.`,
    { data: { retry_after: seconds, bytes, left_bytes: left, limit_bytes: limit } },
  );
}
