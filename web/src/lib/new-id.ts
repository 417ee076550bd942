import { nodeId } from '@quantloom/domain/strategy/node-factory';
import { ulid } from 'ulid';

/** Ids of new blocks in the browser. */
export function newNodeId(): string {
  return nodeId(ulid());
}
