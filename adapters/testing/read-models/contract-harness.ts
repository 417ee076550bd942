import { randomUUID } from 'node:crypto';
import type { ReadDocument, ReadModels } from '@quantloom/domain/ports/read-models';

export interface ReadModelsHarness {
  readonly models: ReadModels;
  /** A second client of the same database, as another process would have. */
  openAnother(): Promise<ReadModels>;
  stop(): Promise<void>;
}

export interface Doc extends ReadDocument {
  readonly [field: string]: unknown;
}

/** A name that nobody else uses. */
export const fresh = (name = 'things') => `${name}${randomUUID().replaceAll('-', '')}_v1`;
export const doc = (id: string, fields: object = {}): Doc => ({
  id,
  _revision: 0,
  _position: '1',
  ...fields,
});
