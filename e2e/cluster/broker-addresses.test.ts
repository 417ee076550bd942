import { describe, expect, it } from 'vitest';
import { readdressBroker } from './broker-addresses.ts';

const frame = (...parts: (string | number[])[]) => {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string, 'latin1')));
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length);
  return Buffer.concat([length, body]);
};
const PORT_9092 = [0, 0, 0x23, 0x84];
const PORT_1234 = [0, 0, 0x04, 0xd2];

describe('readdressBroker', () => {
  const answer = frame('id', '127.0.0.1', PORT_9092, 'and', '127.0.0.1', PORT_9092);
  const changed = frame('id', '127.0.0.1', PORT_1234, 'and', '127.0.0.1', PORT_1234);

  it('changes every address, and no other port of the host', () => {
    const other = frame('127.0.0.1', [0, 0, 0x23, 0x85], 'port 9092');
    const readdress = readdressBroker('127.0.0.1', 9092, 1234);
    expect(readdress(Buffer.concat([answer, other]))).toEqual(Buffer.concat([changed, other]));
  });

  it('gives the same however the answers are cut on their way', () => {
    for (let cut = 1; cut < answer.length; cut += 1) {
      const readdress = readdressBroker('127.0.0.1', 9092, 1234);
      const both = Buffer.concat([answer, answer]);
      const pieces = [readdress(both.subarray(0, cut)), readdress(both.subarray(cut))];
      expect(Buffer.concat(pieces)).toEqual(Buffer.concat([changed, changed]));
    }
  });
});
