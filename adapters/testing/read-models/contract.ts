import type { ReadDocument, ReadModels, Where } from '@quantloom/domain/ports/read-models';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editionsContract } from './contract-editions.ts';
import { type Doc, doc, fresh, type ReadModelsHarness } from './contract-harness.ts';

const ids = (documents: readonly ReadDocument[]) => documents.map((document) => document.id).join();

/** What every read-model store must do. Runs against a database that others may be using. */
export function readModelsContract(name: string, start: () => Promise<ReadModelsHarness>): void {
  describe(`read models contract: ${name}`, { timeout: 60_000 }, () => {
    let harness: ReadModelsHarness;
    let models: ReadModels;
    beforeAll(async () => {
      harness = await start();
      models = harness.models;
    }, 180_000);
    afterAll(() => harness?.stop());

    async function collectionOf(...documents: Doc[]): Promise<string> {
      const name = fresh();
      await models.ensureCollection({ name, indexes: [['owner', 'at'], ['nested.n']] });
      for (const document of documents) await models.put(name, document);
      return name;
    }

    describe('documents by id', () => {
      it('gives back what was put, byte for byte as JSON', async () => {
        const document = doc('a b/ü', {
          text: 'ÄÖ𝄞\n',
          numbers: [0, -1, 2.5, 1e300, 1e-300, 123456789012345],
          nested: { deep: { list: [{ a: null }, true] }, 'with-dash': 1, $T: ['SPY'], 'a.b': { $in: 1 } },
          $A: { $set: 2 },
          none: null,
          empty: {},
        });
        const collection = await collectionOf(document);
        expect(await models.get(collection, 'a b/ü')).toEqual(document);
        expect(await models.get(collection, 'missing')).toBeNull();
      });

      it('replaces the whole document on a second put and forgets a deleted one', async () => {
        const collection = await collectionOf(doc('a', { x: 1, y: 2 }));
        await models.put(collection, doc('a', { x: 3 }));
        expect(await models.get(collection, 'a')).toEqual(doc('a', { x: 3 }));
        await models.delete(collection, 'a');
        await models.delete(collection, 'a');
        expect(await models.get(collection, 'a')).toBeNull();
      });

      it('gives many in the order asked for, without missing ones and repetitions', async () => {
        const collection = await collectionOf(doc('a'), doc('b'), doc('c'));
        expect(ids(await models.getMany(collection, ['c', 'missing', 'a', 'c']))).toBe('c,a');
        expect(await models.getMany(collection, [])).toEqual([]);
      });

      it('names a collection that does not exist', async () => {
        const missing = fresh('missing');
        const write = { collection: missing, put: doc('a') };
        for (const attempt of [
          () => models.put(missing, doc('a')),
          () => models.get(missing, 'a'),
          () => models.find(missing),
          () => models.commit(fresh('p'), { expected: null, next: 1n, writes: [write] }),
        ]) {
          await expect(attempt()).rejects.toThrow(missing);
        }
      });
    });

    describe('swap', () => {
      const at = (id: string, revision: number, fields: object = {}) => ({
        ...doc(id, fields),
        _revision: revision,
      });

      it('puts what is not there, once', async () => {
        const collection = await collectionOf();
        const swap = { id: 'a', expected: null, next: at('a', 0, { 'by.$': 'first' }) };
        expect(await models.swap(collection, swap)).toBe(true);
        expect(await models.swap(collection, { ...swap, next: at('a', 0) })).toBe(false);
        expect(await models.get(collection, 'a')).toEqual(swap.next);
      });

      it('replaces and removes what stands as it was seen, and nothing else', async () => {
        const collection = await collectionOf(at('a', 3, { x: 1 }), at('b', 3));
        const swap = (expected: number, next: Doc | null) =>
          models.swap(collection, { id: 'a', expected, next });
        expect(await swap(2, at('a', 4))).toBe(false);
        expect(await swap(2, null)).toBe(false);
        expect(await models.get(collection, 'a')).toEqual(at('a', 3, { x: 1 }));
        expect(await swap(3, at('a', 4))).toBe(true);
        expect(await models.get(collection, 'a')).toEqual(at('a', 4));
        expect(await swap(4, null)).toBe(true);
        expect([await swap(4, null), await swap(4, at('a', 5))]).toEqual([false, false]);
        expect(await models.find(collection)).toEqual([at('b', 3)]);
      });

      it('lets exactly one of several processes win, for a new document and for the next change of it', async () => {
        const collection = await collectionOf();
        const another = await harness.openAnother();
        for (const expected of [null, 0, 1]) {
          const outcomes = await Promise.all(
            [models, another, models, another].map((each, i) => {
              const next = at('a', (expected ?? -1) + 1, { by: i });
              return each.swap(collection, { id: 'a', expected, next });
            }),
          );
          expect(outcomes.filter(Boolean)).toEqual([true]);
          expect(await models.get(collection, 'a')).toMatchObject({ by: outcomes.indexOf(true) });
        }
        await another.close();
      });

      it('names a collection that does not exist', async () => {
        const missing = fresh('missing');
        const swap = { id: 'a', expected: null, next: at('a', 0) };
        await expect(models.swap(missing, swap)).rejects.toThrow(missing);
      });
    });

    describe('find and count', () => {
      const people = [
        doc('1', {
          owner: 'u1',
          at: '2026-01-03',
          n: 5,
          isPublic: true,
          tags: ['x', 'y'],
          name: 'Über Trend',
        }),
        doc('2', { owner: 'u1', at: '2026-01-01', n: 1, isPublic: false, tags: [], name: 'trend 50%_a' }),
        doc('3', { owner: 'u2', at: '2026-01-02', n: 10, isPublic: true, tags: ['y', 1], name: 'RSI (14)' }),
        doc('4', {
          owner: 'u1',
          at: '2026-01-02',
          n: null,
          tags: 'x',
          name: null,
          nested: { n: 7, $T: 'SPY' },
        }),
        doc('5', { owner: 'u3', at: '2026-01-02', n: '7', nested: { n: 8 } }),
      ];
      let collection: string;
      beforeAll(async () => {
        collection = await collectionOf(...people);
      });

      it.each<[string, Where | undefined, string]>([
        ['a string', { owner: 'u1' }, '1,2,4'],
        ['a number', { n: 1 }, '2'],
        ['true, which is not 1', { isPublic: true }, '1,3'],
        ['false, which is not missing', { isPublic: false }, '2'],
        ['null, which a missing field equals', { name: null }, '4,5'],
        ['a nested field', { 'nested.n': 7 }, '4'],
        ['a field with a dollar sign', { 'nested.$T': 'SPY' }, '4'],
        ['the id', { id: '3' }, '3'],
        ['several conditions', { owner: 'u1', isPublic: true }, '1'],
        ['in', { owner: { in: ['u2', 'u3', 'nobody'] } }, '3,5'],
        ['in, with numbers, booleans and null', { n: { in: [5, null, true] } }, '1,4'],
        ['in nothing', { owner: { in: [] } }, ''],
        ['in, with text that looks like an array', { tags: { in: ['["x","y"]', '[]'] } }, ''],
        ['in, with such text beside other text', { tags: { in: ['["x","y"]', 'x'] } }, '4'],
        ['in, with text that looks like an object', { nested: { in: ['{"n":8}'] } }, ''],
        ['gt of numbers, which a string never exceeds', { n: { gt: 1 } }, '1,3'],
        ['gte and lt', { n: { gte: 1, lt: 10 } }, '1,2'],
        ['a range of strings', { at: { gte: '2026-01-02', lte: '2026-01-02' } }, '3,4,5'],
        ['a bound of text, which no number meets', { n: { gt: '5' } }, '5'],
        ['a bound of text from above, which no number meets', { n: { lte: '7' } }, '5'],
        ['a bound of numbers from above, which no text meets', { n: { lt: 100 } }, '1,2,3'],
        ['several bounds at once', { n: { gt: 1, lt: 10 } }, '1'],
        ['a bound that is left open', { n: {} }, '1,2,3,4,5'],
        ['false beside null', { isPublic: { in: [false, null] } }, '2,4,5'],
        ['contains, whatever the case', { name: { contains: 'TREND' } }, '1,2'],
        ['contains beyond ASCII', { name: { contains: 'über' } }, '1'],
        ['contains with pattern characters taken literally', { name: { contains: '50%_' } }, '2'],
        ['contains with more pattern characters', { name: { contains: '(14)' } }, '3'],
        ['several words, in any order and case', { name: { containsAll: ['TREND', 'über'] } }, '1'],
        ['several words of which one is missing', { name: { containsAll: ['trend', 'rsi'] } }, ''],
        ['several words with pattern characters', { name: { containsAll: ['%_', '50'] } }, '2'],
        ['words, of which an array has none', { tags: { containsAll: ['x'] } }, '4'],
        ['no words, which all have', { name: { containsAll: [] } }, '1,2,3,4,5'],
        ['what is held as it is written', { name: { holdsAll: ['Trend', 'Über'] } }, '1'],
        ['what is held with pattern characters', { name: { holdsAll: ['50%_', 'trend'] } }, '2'],
        ['what is held in another case by nobody', { name: { holdsAll: ['TREND'] } }, ''],
        ['nothing, which all hold', { name: { holdsAll: [] } }, '1,2,3,4,5'],
        ['words together with something else', { owner: 'u1', name: { containsAll: ['trend'] } }, '1,2'],
        ['text that looks like an array', { name: '["x"]' }, ''],
        ['has', { tags: { has: 'y' } }, '1,3'],
        ['has a number', { tags: { has: 1 } }, '3'],
        ['has, which needs an array', { tags: { has: 'x' } }, '1'],
        ['a string, which an array holding it does not equal', { tags: 'x' }, '4'],
        ['nothing', {}, '1,2,3,4,5'],
      ])('filters by %s', async (_, where, expected) => {
        const query = where ? { where } : {};
        expect(ids(await models.find(collection, query))).toBe(expected);
        expect(await models.count(collection, where)).toBe(expected === '' ? 0 : expected.split(',').length);
      });

      it('sums a field of some documents, also where there is none', async () => {
        expect(await models.sum(collection, 'n', { owner: 'u1' })).toBe(6);
        expect(await models.sum(collection, 'n', { owner: 'nobody' })).toBe(0);
      });

      it('sorts by several fields, then by id, and cuts pages that do not overlap', async () => {
        const sort = [['at', 'desc'] as const];
        expect(ids(await models.find(collection, { sort }))).toBe('1,3,4,5,2');
        expect(
          ids(
            await models.find(collection, {
              sort: [
                ['at', 'asc'],
                ['owner', 'desc'],
              ],
            }),
          ),
        ).toBe('2,5,3,4,1');
        const pages = [];
        for (let skip = 0; skip < 6; skip += 2) {
          pages.push(ids(await models.find(collection, { sort, limit: 2, skip })));
        }
        expect(pages).toEqual(['1,3', '4,5', '2']);
        expect(ids(await models.find(collection, { where: { owner: 'u1' }, sort, limit: 1 }))).toBe('1');
        expect(await models.find(collection, { limit: 0 })).toEqual([]);
      });

      it('cuts thousands into pages that hold each once, however many are equal, and counts them', async () => {
        const name = fresh();
        await models.ensureCollection({ name, indexes: [['owner', 'at']] });
        const all = Array.from({ length: 3_000 }, (_, i) =>
          doc(`d${String(i).padStart(4, '0')}`, {
            owner: i % 3 === 0 ? 'u2' : 'u1',
            at: `2026-01-${String((i % 7) + 1).padStart(2, '0')}`,
            words: `Number ${i}\n${i % 2 === 0 ? 'SPY' : 'QQQ'}`,
          }),
        );
        const writes = all.map((put) => ({ collection: name, put }));
        await models.commit(fresh('p'), { expected: null, next: 1n, writes });
        for (const direction of ['asc', 'desc'] as const) {
          const where = { owner: 'u1', words: { containsAll: ['spy', 'number 1'] } };
          const wanted = all.filter(
            (one) => one.owner === 'u1' && /^Number 1[\s\S]*SPY/.test(String(one.words)),
          );
          expect(await models.count(name, where)).toBe(wanted.length);
          const seen: string[] = [];
          for (let skip = 0; skip < wanted.length; skip += 100) {
            const page = await models.find<Doc>(name, { where, sort: [['at', direction]], limit: 100, skip });
            seen.push(...page.map(({ id, at }) => `${at} ${id}`));
          }
          const sorted = wanted
            .toSorted((a, b) => {
              const order = String(a.at) < String(b.at) ? -1 : String(a.at) > String(b.at) ? 1 : 0;
              return (direction === 'asc' ? order : -order) || (a.id < b.id ? -1 : 1);
            })
            .map(({ id, at }) => `${at} ${id}`);
          expect(seen).toEqual(sorted);
        }
      });

      it('sorts missing and null first', async () => {
        const found = await models.find(collection, { where: { owner: 'u1' }, sort: [['n', 'asc']] });
        expect(ids(found)).toBe('4,2,1');
        const last = await models.find(collection, { where: { owner: 'u1' }, sort: [['n', 'desc']] });
        expect(ids(last)).toBe('1,2,4');
      });

      it('refuses a field that is not a path', async () => {
        await expect(models.find(collection, { where: { "x' OR 1=1 --": 1 } })).rejects.toThrow(/field path/);
        await expect(models.find(collection, { sort: [['a..b', 'asc']] })).rejects.toThrow(/field path/);
      });
    });

    describe('commit', () => {
      it('writes documents and checkpoint together and refuses a second owner', async () => {
        const collection = await collectionOf(doc('old'));
        const projection = fresh('projection');
        const nowhere = { position: null, standsOn: null, edition: null };
        expect([await models.checkpoint(projection), await models.resumePoint(projection)]).toEqual([
          null,
          nowhere,
        ]);
        await models.commit(projection, {
          expected: null,
          next: 5n,
          writes: [
            { collection, put: doc('a', { v: 1 }) },
            { collection, delete: 'old' },
          ],
        });
        expect(await models.checkpoint(projection)).toBe(5n);
        expect(ids(await models.find(collection))).toBe('a');
        for (const expected of [null, 4n]) {
          const write = { collection, put: doc('b') };
          await expect(
            models.commit(projection, { expected, next: 9n, writes: [write] }),
          ).rejects.toMatchObject({ code: 'checkpoint_conflict' });
        }
        expect(await models.checkpoint(projection)).toBe(5n);
        expect(ids(await models.find(collection))).toBe('a');
        const standsOn = { stream: 'a-1', revision: 3, id: 'event-7' };
        expect((await models.resumePoint(projection)).standsOn).toBeNull();
        await models.commit(projection, { expected: 5n, next: 6n, standsOn, writes: [] });
        expect((await models.resumePoint(projection)).standsOn).toEqual(standsOn);
        await models.commit(projection, { expected: 6n, next: 2n ** 62n, writes: [] });
        expect((await models.resumePoint(projection)).standsOn).toBeNull();
        expect(await models.checkpoint(projection)).toBe(2n ** 62n);
      });

      it('applies writes to the same document in their order', async () => {
        const collection = await collectionOf();
        await models.commit(fresh('p'), {
          expected: null,
          next: 1n,
          writes: [
            { collection, put: doc('a', { v: 1 }) },
            { collection, delete: 'a' },
            { collection, put: doc('a', { v: 2 }) },
            { collection, put: doc('b') },
            { collection, delete: 'b' },
          ],
        });
        expect(await models.find(collection)).toEqual([doc('a', { v: 2 })]);
      });

      it('writes nothing when one write fails', async () => {
        const collection = await collectionOf();
        const projection = fresh('p');
        const writes = [
          { collection, put: doc('a') },
          { collection: fresh('missing'), put: doc('b') },
        ];
        await expect(models.commit(projection, { expected: null, next: 1n, writes })).rejects.toThrow();
        expect(await models.find(collection)).toEqual([]);
        expect(await models.checkpoint(projection)).toBeNull();
      });

      it('lets exactly one of two runners of a projection go on', async () => {
        const collection = await collectionOf();
        const projection = fresh('p');
        const another = await harness.openAnother();
        const outcomes = await Promise.allSettled(
          [models, another, models, another].map((each, i) =>
            each.commit(projection, {
              expected: null,
              next: BigInt(i),
              writes: [{ collection, put: doc(`by${i}`) }],
            }),
          ),
        );
        expect(outcomes.filter((outcome) => outcome.status === 'fulfilled').length).toBe(1);
        for (const outcome of outcomes) {
          if (outcome.status === 'rejected') {
            expect(outcome.reason).toMatchObject({ code: 'checkpoint_conflict' });
          }
        }
        expect((await models.find(collection)).length).toBe(1);
        await another.close();
      });

      it('takes thousands of writes at once', async () => {
        const collection = await collectionOf();
        const writes = Array.from({ length: 3000 }, (_, i) => ({ collection, put: doc(`d${i}`, { n: i }) }));
        await models.commit(fresh('p'), { expected: null, next: 1n, writes });
        expect(await models.count(collection)).toBe(3000);
        expect(await models.count(collection, { n: { lt: 10 } })).toBe(10);
      });
    });

    describe('collections', () => {
      it('keeps documents when a collection is ensured again with further indexes', async () => {
        const collection = await collectionOf(doc('a', { x: 1 }));
        await models.ensureCollection({ name: collection, indexes: [['owner', 'at'], ['x']] });
        expect(ids(await models.find(collection, { where: { x: 1 } }))).toBe('a');
      });

      it('lets several processes ensure the same collection at once', async () => {
        const another = await harness.openAnother();
        const spec = { name: fresh(), indexes: [['owner'], ['at', 'owner']] };
        await Promise.all([models, another, models, another].map((each) => each.ensureCollection(spec)));
        await another.put(spec.name, doc('a'));
        expect(await models.count(spec.name)).toBe(1);
        await another.close();
      });

      it('drops a collection with its checkpoint, so that it can be built again', async () => {
        const collection = await collectionOf(doc('a'));
        const projection = fresh('p');
        await models.commit(projection, { expected: null, next: 3n, writes: [] });
        await models.drop(collection, projection);
        expect(await models.checkpoint(projection)).toBeNull();
        await models.drop(collection, projection);
        await models.ensureCollection({ name: collection, indexes: [['owner']] });
        expect(await models.find(collection)).toEqual([]);
      });

      it('switches a rebuilt collection into place, with its checkpoint', async () => {
        const [from, to] = [await collectionOf(doc('new', { owner: 'u' })), await collectionOf(doc('old'))];
        const [fromProjection, toProjection] = [fresh('from'), fresh('to')];
        const standsOn = { stream: 'a-1', revision: 3, id: 'event-7' };
        await models.commit(fromProjection, { expected: null, next: 8n, standsOn, writes: [] });
        await models.commit(toProjection, { expected: null, next: 5n, writes: [] });
        await models.replace({ from, to, fromProjection, toProjection });
        expect((await models.resumePoint(toProjection)).standsOn).toEqual(standsOn);
        expect(ids(await models.find(to, { where: { owner: 'u' } }))).toBe('new');
        expect(await models.checkpoint(toProjection)).toBe(8n);
        expect(await models.checkpoint(fromProjection)).toBeNull();
        await expect(models.find(from)).rejects.toThrow(from);
        // And again: names of indexes must not clash.
        await models.ensureCollection({ name: from, indexes: [['owner', 'at']] });
        await models.put(from, doc('newer'));
        await models.replace({ from, to, fromProjection, toProjection });
        expect(ids(await models.find(to))).toBe('newer');
        expect(await models.checkpoint(toProjection)).toBeNull();
      });

      it('switches into a place that was empty, and refuses a source that does not exist', async () => {
        const from = await collectionOf(doc('a'));
        const to = fresh();
        const projections = { fromProjection: fresh('from'), toProjection: fresh('to') };
        await models.replace({ from, to, ...projections });
        expect(ids(await models.find(to))).toBe('a');
        await expect(models.replace({ from: fresh('missing'), to, ...projections })).rejects.toThrow(
          /missing/,
        );
        expect(ids(await models.find(to))).toBe('a');
      });
    });

    describe('editions', () => editionsContract(() => harness));

    it('refuses further work once it is closed', async () => {
      const another = await harness.openAnother();
      await another.close();
      await expect(another.checkpoint('p')).rejects.toThrow(/closed/);
    });
  });
}
