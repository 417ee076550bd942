import type { PersonKeyRecord, PersonKeys } from '@quantloom/domain/ports/person-keys';
import { describe, expect, it } from 'vitest';

let serial = 0;
const somebody = () => `person-${process.pid}-${++serial}`;

/**
 * What every store of keys must do.
 *
 * @param another opens the same keys once more, as another process does
 */
export function personKeysContract(
  name: string,
  rig: () => PersonKeys,
  another: () => Promise<PersonKeys>,
): void {
  describe(`person keys: ${name}`, () => {
    it('makes one key for a person, found by its id', async () => {
      const keys = rig();
      const person = somebody();
      const made = await Promise.all([1, 2, 3].map(() => keys.keyFor(person)));
      expect(new Set(made.map(({ id }) => id)).size).toBe(1);
      expect(made[0]?.bytes).toHaveLength(32);
      expect(Buffer.from((await keys.find(made[0]?.id ?? '')) ?? [])).toEqual(
        Buffer.from(made[0]?.bytes ?? []),
      );
      expect((await keys.keyFor(somebody())).id).not.toBe(made[0]?.id);
    });

    it('forgets the key of one person alone, and makes another one later', async () => {
      const keys = rig();
      const [erased, other] = [somebody(), somebody()];
      const before = await keys.keyFor(erased);
      const kept = await keys.keyFor(other);
      await keys.erase(erased);
      await keys.erase(erased);
      expect(await keys.find(before.id)).toBeNull();
      expect(await keys.find(kept.id)).not.toBeNull();
      expect((await keys.keyFor(erased)).id).not.toBe(before.id);
      expect(await keys.find('never')).toBeNull();
    });

    it('has no key that another process has erased, once it forgets its copies', async () => {
      const keys = rig();
      const other = await another();
      try {
        const [erased, kept] = [somebody(), somebody()];
        const before = await keys.keyFor(erased);
        const { id } = await keys.keyFor(kept);
        expect(await other.find(before.id)).toEqual(before.bytes);
        expect((await other.keyFor(erased)).id).toBe(before.id);
        await keys.erase(erased);
        other.forgetCopies();
        expect(await other.find(before.id)).toBeNull();
        expect(await other.find(id)).not.toBeNull();
        expect((await other.keyFor(erased)).id).not.toBe(before.id);
      } finally {
        await other.close();
      }
    });

    it('makes another key where another process has erased the one that it had', async () => {
      const keys = rig();
      const other = await another();
      try {
        const person = somebody();
        const { id } = await keys.keyFor(person);
        expect((await other.keyFor(person)).id).toBe(id);
        await keys.erase(person);
        const next = await other.keyFor(person);
        expect(next.id).not.toBe(id);
        expect(await other.keyFor(person)).toEqual(next);
        expect(await keys.find(next.id)).toEqual(next.bytes);
      } finally {
        await other.close();
      }
    });

    it('makes no copy of a key that was asked for before the copies were forgotten', async () => {
      const keys = rig();
      const other = await another();
      try {
        const person = somebody();
        const { id, bytes } = await keys.keyFor(person);
        const finding = other.find(id);
        other.forgetCopies();
        expect(await finding).toEqual(bytes);
        await keys.erase(person);
        expect(await other.find(id)).toBeNull();
      } finally {
        await other.close();
      }
    });

    it('hands its keys on, and takes them back where they are missing', async () => {
      const keys = rig();
      const person = somebody();
      const { id, bytes } = await keys.keyFor(person);
      const records: PersonKeyRecord[] = [];
      for await (const record of keys.all()) if (record.person === person) records.push(record);
      expect(records).toEqual([{ id, person, key: Buffer.from(bytes).toString('hex') }]);
      await keys.erase(person);
      await keys.add(records);
      await keys.add(records);
      expect(await keys.find(id)).toEqual(bytes);
      expect((await keys.keyFor(person)).id).toBe(id);
    });
  });
}
