import { HEADER_BYTES } from './limits.ts';
import { MalformedMessage } from './malformed-message.ts';
import { OP_MSG } from './op-msg.ts';
import { OP_QUERY } from './op-query.ts';

/** The part that is kept of a message above the limit: the header and the flags of OP_MSG. */
const HEAD_BYTES = HEADER_BYTES + 4;

/** Splits a byte stream into wire messages. */
export interface MessageFraming {
  /**
   * Adds received bytes and returns the messages that are now complete, including headers. Of a message above the limit,
   * only the head is kept, so that it is shorter than the length in its header.
   */
  push(chunk: Buffer): Buffer[];
}

/** @param maxBytes returns the limit for a message whose header has arrived */
export function createMessageFraming(maxBytes: () => number): MessageFraming {
  let parts: Buffer[] = [];
  /** Bytes received of the current message, including those that were not kept. */
  let received = 0;
  /** Length of the current message, 0 until its header is complete. */
  let expected = 0;
  let isTooLong = false;

  function joined(): Buffer {
    const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts = [all];
    return all;
  }

  function readHeader(): void {
    const header = joined();
    expected = header.readInt32LE(0);
    isTooLong = expected > maxBytes();
    if (expected < HEADER_BYTES) throw new MalformedMessage(`message length ${expected} is below the header`);
    // Arbitrary bytes can look like a length. Skips a long message only if its opcode is valid.
    const opcode = header.readInt32LE(12);
    if (isTooLong && opcode !== OP_MSG && opcode !== OP_QUERY)
      throw new MalformedMessage(`unknown opcode ${opcode}`);
  }

  return {
    push(chunk) {
      parts.push(chunk);
      received += chunk.length;
      const messages: Buffer[] = [];
      while (received >= (expected || HEADER_BYTES)) {
        if (expected === 0) readHeader();
        if (received < expected) break;
        messages.push(joined().subarray(0, isTooLong ? HEAD_BYTES : expected));
        received -= expected;
        parts = received > 0 ? [chunk.subarray(chunk.length - received)] : [];
        expected = 0;
      }
      if (isTooLong && expected > 0 && received >= HEAD_BYTES) {
        // A copy, so that the chunk is released.
        parts = [Buffer.from(joined().subarray(0, HEAD_BYTES))];
      }
      return messages;
    },
  };
}
