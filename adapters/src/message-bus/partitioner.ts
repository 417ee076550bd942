/**
 * Partition of a key: FNV-1a over its UTF-8 bytes. Stable for ever, since messages of one key must stay in
 * order across restarts.
 */
export function partitionOf(key: string, partitions: number): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(key, 'utf8')) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0) % partitions;
}
