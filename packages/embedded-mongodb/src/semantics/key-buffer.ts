import { mongoError } from '../bson/mongo-error.ts';

const FIRST_BUFFER_BYTES = 128;
/** Twice the limit of a document, because a zero byte takes two bytes. */
const MAX_KEY_BYTES = 32 * 1024 * 1024;

/** Sorts below every byte that can follow a value; see key-encoding. */
export const END = 0x00;

/** A growing buffer for the bytes of a key. */
export class KeyBuffer {
  buffer = Buffer.allocUnsafe(FIRST_BUFFER_BYTES);
  at = 0;

  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.buffer, 0, this.at);
  }

  invertFrom(start: number): void {
    const { buffer, at } = this;
    for (let index = start; index < at; index++) buffer[index] = (buffer[index] as number) ^ 0xff;
  }

  reserve(size: number): void {
    if (this.at + size <= this.buffer.length) return;
    if (this.at > MAX_KEY_BYTES)
      throw mongoError('BSONObjectTooLarge', `A key has more than ${MAX_KEY_BYTES} bytes.`);
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.at + size));
    this.buffer.copy(larger, 0, 0, this.at);
    this.buffer = larger;
  }

  writeByte(byte: number): void {
    this.reserve(1);
    this.buffer[this.at++] = byte;
  }

  writeUint32(value: number): void {
    this.reserve(4);
    this.at = this.buffer.writeUInt32BE(value >>> 0, this.at);
  }

  /** Writes bytes, then two zeros. A zero within the bytes is followed by 0xff, so it sorts above the end. */
  writeTerminated(bytes: Uint8Array): void {
    this.reserve(bytes.length * 2 + 2);
    const { buffer } = this;
    let at = this.at;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index] as number;
      buffer[at++] = byte;
      if (byte === 0) buffer[at++] = 0xff;
    }
    buffer[at++] = END;
    buffer[at++] = END;
    this.at = at;
  }

  writeText(text: string): void {
    this.writeTerminated(Buffer.from(text, 'utf8'));
  }

  writeRaw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.at);
    this.at += bytes.length;
  }
}
