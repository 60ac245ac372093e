import { HEADER_BYTES, MAX_MESSAGE_BYTES } from './limits.ts';
import { MalformedMessage } from './malformed-message.ts';

/** Cuts a byte stream into whole wire messages. */
export interface MessageFraming {
  /** Takes received bytes; returns the messages that are now complete, headers included. */
  push(chunk: Buffer): Buffer[];
}

export function createMessageFraming(): MessageFraming {
  let parts: Buffer[] = [];
  let buffered = 0;
  /** Length of the message under way, 0 while its header is incomplete. */
  let expected = 0;

  function joined(): Buffer {
    const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
    parts = [all];
    return all;
  }

  return {
    push(chunk) {
      parts.push(chunk);
      buffered += chunk.length;
      const messages: Buffer[] = [];
      while (buffered >= (expected || HEADER_BYTES)) {
        const all = joined();
        if (expected === 0) expected = readLength(all);
        if (buffered < expected) break;
        messages.push(all.subarray(0, expected));
        const rest = all.subarray(expected);
        parts = rest.length > 0 ? [rest] : [];
        buffered = rest.length;
        expected = 0;
      }
      return messages;
    },
  };
}

function readLength(bytes: Buffer): number {
  const length = bytes.readInt32LE(0);
  if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) {
    throw new MalformedMessage(`message length ${length} is outside ${HEADER_BYTES}..${MAX_MESSAGE_BYTES}`);
  }
  return length;
}
