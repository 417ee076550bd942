import { batchDefinitionsProjection, batchesProjection } from '@quantloom/domain/batch/projections';
import { describe, expect, it } from 'vitest';
import { BATCH_NOT_FOUND, definitionOf, maySeeBatch, variablesOf, visibleBatch } from './batch-access.ts';

const BATCHES = {
  own: { id: 'own', userId: 'ann', isPublic: false },
  public: { id: 'public', userId: 'bob', isPublic: true },
  private: { id: 'private', userId: 'bob', isPublic: false },
} as const;
const readModels = {
  get: async (collection: string, id: string) =>
    collection === batchesProjection.collection.name ? (BATCHES[id as keyof typeof BATCHES] ?? null) : null,
} as never;

describe('a batch', () => {
  it('is there for its owner, and for everybody once it is public', async () => {
    expect(await visibleBatch(readModels, 'own', 'ann')).toBe(BATCHES.own);
    expect(await visibleBatch(readModels, 'public', 'ann')).toBe(BATCHES.public);
    expect(maySeeBatch(BATCHES.public, 'ann')).toBe(true);
  });

  it('is not there for others, just as one that there never was', async () => {
    expect(await visibleBatch(readModels, 'private', 'ann')).toBe(BATCH_NOT_FOUND);
    expect(await visibleBatch(readModels, 'unknown', 'ann')).toBe(BATCH_NOT_FOUND);
    expect(BATCH_NOT_FOUND.status).toBe(404);
    // A name that begins with the owner's is another one.
    expect(maySeeBatch(BATCHES.own, 'an')).toBe(false);
  });

  it('is not there without its definition', async () => {
    expect(await definitionOf(readModels, 'own')).toBe(BATCH_NOT_FOUND);
    const definition = { id: 'own', variableNames: [] };
    const get = async (name: string) =>
      name === batchDefinitionsProjection.collection.name ? definition : null;
    expect(await definitionOf({ get } as never, 'own')).toBe(definition);
  });

  it('has its variables in the order that numbers its combinations, and each with its own values', () => {
    const variables = { $A: ['1'], $AB: ['2', '3'], $Z: ['4'] };
    expect(variablesOf({ variableNames: ['$Z', '$AB', '$A', '$N'], variables } as never)).toEqual([
      { name: '$Z', values: ['4'] },
      { name: '$AB', values: ['2', '3'] },
      { name: '$A', values: ['1'] },
      { name: '$N', values: [] },
    ]);
  });
});
