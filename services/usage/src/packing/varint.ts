/**
 * Encodes integers from 0 to 2^53 − 1 in as few bytes as possible: seven bits each, lowest first, with the eighth bit
 * set when more follow (LEB128).
 */
export class VarintWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  write(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      // Bit operations are limited to 32 bits.
      this.#push((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.#push(rest);
  }

  writeBytes(bytes: Uint8Array): void {
    this.#makeRoomFor(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #push(byte: number): void {
    this.#makeRoomFor(1);
    this.#bytes[this.#length++] = byte;
  }

  #makeRoomFor(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

export class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Throws RangeError when the bytes end within a number. */
  read(): number {
    const first = this.#next();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let factor = 0x80;
    for (;;) {
      const byte = this.#next();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 0x80;
    }
  }

  /** Skips this many numbers. */
  skip(numbers: number): void {
    for (let left = numbers; left > 0; ) if (this.#next() < 0x80) left--;
  }

  /** The next `length` bytes, as a view, not a copy. */
  readBytes(length: number): Uint8Array {
    if (this.#at + length > this.#bytes.length) throw endsEarly();
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return bytes;
  }

  #next(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw endsEarly();
    this.#at += 1;
    return byte;
  }
}

function endsEarly(): RangeError {
  return new RangeError('Packed usage is truncated within a number. It was not written by this service.');
}
