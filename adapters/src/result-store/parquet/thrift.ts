/** Field types of Thrift's compact protocol. */
const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;

/**
 * Writes the compact protocol of Apache Thrift, in which Parquet keeps its metadata: as much of it as those
 * structures need. Fields of a struct must be written in ascending order of their ids.
 * Source: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 */
export class ThriftWriter {
  #bytes = new Uint8Array(1024);
  #length = 0;
  /** Id of the last field of each open struct. */
  readonly #last: number[] = [0];

  /** What has been written; the writer is used up. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  i32(field: number, value: number): this {
    this.#field(field, I32);
    return this.#zigzag(value);
  }

  /** A whole number up to 2^53 in size. */
  i64(field: number, value: number): this {
    this.#field(field, I64);
    return this.#zigzag(value);
  }

  binary(field: number, value: string | Uint8Array): this {
    this.#field(field, BINARY);
    return this.#sized(value);
  }

  struct(field: number, write: (writer: this) => void): this {
    this.#field(field, STRUCT);
    return this.element(write);
  }

  /** Structs as the elements of a list. */
  structs<T>(
    field: number,
    items: readonly T[],
    write: (writer: this, item: T, index: number) => void,
  ): this {
    this.#list(field, STRUCT, items.length);
    for (const [i, item] of items.entries()) this.element((writer) => write(writer, item, i));
    return this;
  }

  i32s(field: number, values: readonly number[]): this {
    this.#list(field, I32, values.length);
    for (const value of values) this.#zigzag(value);
    return this;
  }

  binaries(field: number, values: readonly string[]): this {
    this.#list(field, BINARY, values.length);
    for (const value of values) this.#sized(value);
    return this;
  }

  /** A struct without a field of its own: the outermost one, or one of a list. */
  element(write: (writer: this) => void): this {
    this.#last.push(0);
    write(this);
    this.#last.pop();
    return this.#byte(0);
  }

  #field(id: number, type: number): void {
    const top = this.#last.length - 1;
    const delta = id - (this.#last[top] as number);
    if (delta < 1 || delta > 15) throw new RangeError(`Field ${id} cannot follow field ${this.#last[top]}`);
    this.#byte((delta << 4) | type);
    this.#last[top] = id;
  }

  #list(field: number, type: number, length: number): void {
    this.#field(field, LIST);
    if (length < 15) this.#byte((length << 4) | type);
    else this.#byte(0xf0 | type).#varint(length);
  }

  #sized(value: string | Uint8Array): this {
    const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : value;
    this.#varint(bytes.length);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  #zigzag(value: number): this {
    return this.#varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  #varint(value: number): this {
    let rest = value;
    while (rest >= 0x80) {
      this.#byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    return this.#byte(rest);
  }

  #byte(value: number): this {
    this.#room(1);
    this.#bytes[this.#length] = value;
    this.#length += 1;
    return this;
  }

  #room(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
