import type { Projection } from '@quantloom/domain/kernel/projection';

/** Name of a projection's checkpoint. A new version begins at 0 beside the old one, which goes on serving until it is dropped. */
export function checkpointName(projection: Pick<Projection, 'name' | 'version'>): string {
  return `${projection.name}.v${projection.version}`;
}
