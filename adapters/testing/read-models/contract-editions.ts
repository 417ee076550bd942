import { expect, it } from 'vitest';
import { doc, fresh, type ReadModelsHarness } from './contract-harness.ts';

/** What a store must do where one process builds anew what another one is about to change. */
export function editionsContract(rig: () => Pick<ReadModelsHarness, 'models' | 'openAnother'>): void {
  it('refuses what was worked out from documents that were replaced, at the same position, too', async () => {
    const { models } = rig();
    const another = await rig().openAnother();
    const [to, from] = [fresh('things'), fresh('rebuilt')];
    const [projection, beside] = [fresh('p'), fresh('beside')];
    await models.ensureCollection({ name: to, indexes: [] });
    await models.commit(projection, {
      expected: null,
      next: 5n,
      writes: [{ collection: to, put: doc('a', { text: 'before' }) }],
    });
    const { edition: first } = await another.resumePoint(projection);
    expect(await another.getMany(to, ['a'])).toEqual([doc('a', { text: 'before' })]);
    await models.ensureCollection({ name: from, indexes: [] });
    await models.commit(beside, {
      expected: null,
      next: 5n,
      writes: [{ collection: from, put: doc('a', { text: 'after' }) }],
    });
    await models.replace({ from, to, fromProjection: beside, toProjection: projection });

    const writes = [{ collection: to, put: doc('a', { text: 'before, and more' }) }];
    await expect(
      another.commit(projection, { expected: 5n, next: 6n, edition: first, writes }),
    ).rejects.toMatchObject({ code: 'checkpoint_conflict' });
    const { edition: second } = await another.resumePoint(projection);
    expect(second).not.toBe(first);
    // At once, although it has looked a moment ago.
    expect(await another.getMany(to, ['a'])).toEqual([doc('a', { text: 'after' })]);
    expect(await another.checkpoint(projection)).toBe(5n);
    const change = { collection: to, put: doc('a', { text: 'after, and more' }) };
    await another.commit(projection, { expected: 5n, next: 6n, edition: second, writes: [change] });
    await another.commit(projection, { expected: 6n, next: 7n, edition: second, writes: [] });
    expect(await models.resumePoint(projection)).toEqual({ position: 7n, standsOn: null, edition: second });
    // What is worked out from no documents needs no edition.
    await models.commit(projection, { expected: 7n, next: 8n, writes: [] });
    await another.close();
  });

  it('has no edition of what was never replaced', async () => {
    const { models } = rig();
    const projection = fresh('p');
    expect((await models.resumePoint(projection)).edition).toBeNull();
    await models.commit(projection, { expected: null, next: 1n, edition: null, writes: [] });
    expect((await models.resumePoint(projection)).edition).toBeNull();
    await models.commit(projection, { expected: 1n, next: 2n, edition: null, writes: [] });
    await expect(
      models.commit(projection, { expected: 2n, next: 3n, edition: 'another', writes: [] }),
    ).rejects.toMatchObject({ code: 'checkpoint_conflict' });
  });
}
