const MAGIC = 0x184d2204;

/**
 * Unpacks an LZ4 frame (LZ4 Frame Format 1.6), as Arrow and pandas pack their columns; checksums are not
 * looked at. Throws a RangeError for what is none.
 */
export function unpackLz4Frame(packed: Uint8Array): Uint8Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  let at = 0;
  /** Blocks may refer to the 64 KiB before them. */
  let out = new Uint8Array(Math.max(1024, packed.length * 4));
  let length = 0;
  const reserve = (more: number) => {
    if (length + more <= out.length) return;
    const longer = new Uint8Array(Math.max(out.length * 2, length + more));
    longer.set(out.subarray(0, length));
    out = longer;
  };
  while (at + 4 <= packed.length) {
    if (view.getUint32(at, true) !== MAGIC) throw new RangeError('This is no LZ4 frame');
    const flags = view.getUint8(at + 4);
    at += 6 + (flags & 0x08 ? 8 : 0) + (flags & 0x01 ? 4 : 0) + 1;
    for (;;) {
      const size = view.getUint32(at, true);
      at += 4;
      if (size === 0) break;
      const isPlain = (size & 0x80000000) !== 0;
      const bytes = size & 0x7fffffff;
      const block = packed.subarray(at, at + bytes);
      if (block.length < bytes) throw new RangeError('The LZ4 frame is cut off');
      at += bytes + (flags & 0x10 ? 4 : 0);
      if (isPlain) {
        reserve(bytes);
        out.set(block, length);
        length += bytes;
      } else unpackBlock(block);
    }
    if (flags & 0x04) at += 4;
  }
  return out.subarray(0, length);

  /** LZ4 Block Format: literals, then a copy of what was written `offset` bytes before. */
  function unpackBlock(block: Uint8Array): void {
    let i = 0;
    const lengthOf = (nibble: number): number => {
      let total = nibble;
      if (nibble === 15)
        for (;;) {
          const byte = block[i++];
          if (byte === undefined) throw new RangeError('The LZ4 block is cut off');
          total += byte;
          if (byte !== 255) break;
        }
      return total;
    };
    while (i < block.length) {
      const token = block[i++] as number;
      const literals = lengthOf(token >> 4);
      reserve(literals);
      out.set(block.subarray(i, i + literals), length);
      i += literals;
      length += literals;
      if (i >= block.length) return;
      const offset = (block[i] as number) | ((block[i + 1] ?? 0) << 8);
      i += 2;
      const copied = lengthOf(token & 15) + 4;
      if (offset === 0 || offset > length) throw new RangeError('The LZ4 block refers to what is not there');
      reserve(copied);
      for (let k = 0; k < copied; k++) out[length + k] = out[length + k - offset] as number;
      length += copied;
    }
  }
}
