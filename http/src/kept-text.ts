import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESSORS, type Compressors, chooseEncoding, type Encoding } from './content-encoding.ts';

/**
 * A text that everybody may read, with its compressed forms, each made once: compressing a page takes some
 * milliseconds, and whoever asks for it again and again need not have an account.
 */
export class KeptText {
  readonly text: string;
  readonly #compressors: Compressors;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  constructor(text: string, compressors: Compressors = COMPRESSORS) {
    this.text = text;
    this.#compressors = compressors;
  }

  /** Answers with the text as the request takes it. Status, type and other headers are the caller's to set. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    reply.header('vary', 'accept-encoding');
    const encoding = chooseEncoding(request.headers['accept-encoding']);
    if (encoding === 'identity') return await reply.send(this.text);
    const ready = this.#compressed.get(encoding) ?? this.#compressors[encoding](Buffer.from(this.text));
    this.#compressed.set(encoding, ready);
    return await reply.header('content-encoding', encoding).send(await ready);
  }
}
