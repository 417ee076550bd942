/**
 * Kafka's clients go to the address that a broker gives of itself. This changes the broker's port in its
 * answers, so that they stay on a link in between. Works on the answers' frames (an int32 of length, then the
 * answer); an address in them is the host's text and an int32 of port directly behind it, in every version of
 * the protocol.
 *
 * @returns a function that takes what has arrived and answers with the whole frames of it, changed
 */
export function readdressBroker(host: string, port: number, newPort: number): (chunk: Buffer) => Buffer {
  const pattern = Buffer.concat([Buffer.from(host, 'latin1'), int32(port)]);
  const replacement = int32(newPort);
  let rest = Buffer.alloc(0);
  return (chunk) => {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let end = 0;
    while (end + 4 <= bytes.length && end + 4 + bytes.readInt32BE(end) <= bytes.length)
      end += 4 + bytes.readInt32BE(end);
    const whole = bytes.subarray(0, end);
    rest = Buffer.from(bytes.subarray(end));
    for (let at = whole.indexOf(pattern); at !== -1; at = whole.indexOf(pattern, at + pattern.length))
      replacement.copy(whole, at + pattern.length - replacement.length);
    return whole;
  };
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
