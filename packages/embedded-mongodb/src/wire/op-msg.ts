import { decodeOutline, decodeRequest } from '../bson/document.ts';
import { mongoError } from '../bson/mongo-error.ts';
import { isRead } from '../commands/reads.ts';
import { HEADER_BYTES, MAX_COMMAND_BYTES } from './limits.ts';
import { MalformedMessage } from './malformed-message.ts';
import type { Sender, WireRequest } from './request.ts';

export const OP_MSG = 2013;

const CHECKSUM_PRESENT = 1 << 0;
const MORE_TO_COME = 1 << 1;
/** The receiver must reject unknown bits among the lower 16 and may ignore the others. */
const REQUIRED_BITS = 0xffff;
const CHECKSUM_BYTES = 4;
const SMALLEST_DOCUMENT_BYTES = 5;
/** Decoding a body of this size takes milliseconds. */
const LARGE_BODY_BYTES = 256 * 1024;

/** The sender of an OP_MSG whose flags have arrived. */
export function opMsgSender(message: Buffer): Sender {
  return {
    requestId: message.readInt32LE(4),
    replyFormat: 'OP_MSG',
    wantsReply: (message.readUInt32LE(HEADER_BYTES) & MORE_TO_COME) === 0,
  };
}

/** Reads an OP_MSG (MongoDB wire protocol, "OP_MSG"): one kind-0 section, any number of kind-1 sections. */
export function readOpMsg(message: Buffer): WireRequest {
  if (message.length < HEADER_BYTES + 4) throw new MalformedMessage('OP_MSG is too short');
  const flags = message.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_BITS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0) {
    throw new MalformedMessage(`OP_MSG has unknown required flags ${flags}`);
  }
  const end = message.length - ((flags & CHECKSUM_PRESENT) !== 0 ? CHECKSUM_BYTES : 0);
  const sequences = new Map<string, Uint8Array[]>();
  let body: Pick<WireRequest, 'body' | 'undecoded'> | undefined;
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = message[at];
    at += 1;
    if (kind === 0) {
      if (body !== undefined) throw new MalformedMessage('OP_MSG has two bodies');
      const bytes = readDocument(message, at, end);
      body = readBody(bytes);
      at += bytes.length;
    } else if (kind === 1) {
      at = readSequence(message, at, end, sequences);
    } else {
      throw new MalformedMessage(`OP_MSG has a section of unknown kind ${kind}`);
    }
  }
  if (body === undefined) throw new MalformedMessage('OP_MSG has no body');
  return { ...opMsgSender(message), ...body, sequences };
}

function readBody(bytes: Uint8Array): Pick<WireRequest, 'body' | 'undecoded'> {
  if (bytes.length > LARGE_BODY_BYTES) {
    const outline = decodeOutline(bytes);
    if (isRead(outline)) return { body: outline, undecoded: bytes };
  }
  return { body: decodeRequest(bytes) };
}

function readSequence(
  message: Buffer,
  start: number,
  end: number,
  sequences: Map<string, Uint8Array[]>,
): number {
  if (start + 4 > end) throw new MalformedMessage('document sequence is cut off');
  const sectionEnd = start + message.readInt32LE(start);
  const nameEnd = message.indexOf(0, start + 4);
  if (sectionEnd > end || nameEnd < 0 || nameEnd >= sectionEnd) {
    throw new MalformedMessage('document sequence has a wrong length');
  }
  const name = message.toString('utf8', start + 4, nameEnd);
  if (sequences.has(name)) throw new MalformedMessage(`document sequence '${name}' comes twice`);
  const documents: Uint8Array[] = [];
  let at = nameEnd + 1;
  while (at < sectionEnd) {
    const bytes = readDocument(message, at, sectionEnd);
    documents.push(bytes);
    at += bytes.length;
  }
  sequences.set(name, documents);
  return sectionEnd;
}

/**
 * Returns a document's bytes by its own length prefix; decoding checks the rest.
 * @throws BSONObjectTooLarge, after which the connection stays usable
 */
export function readDocument(message: Buffer, at: number, end: number): Buffer {
  if (at + SMALLEST_DOCUMENT_BYTES > end) throw new MalformedMessage('document is cut off');
  const length = message.readInt32LE(at);
  if (length < SMALLEST_DOCUMENT_BYTES || at + length > end) {
    throw new MalformedMessage(`document length ${length} does not fit its message`);
  }
  if (length > MAX_COMMAND_BYTES) {
    throw mongoError(
      'BSONObjectTooLarge',
      `BSONObj size: ${length} is invalid. Size must be between 0 and ${MAX_COMMAND_BYTES}(16MB)`,
    );
  }
  return message.subarray(at, at + length);
}

/** The header, the flags and the kind of the only section. */
export const OP_MSG_HEAD_BYTES = HEADER_BYTES + 5;

/** Writes the head of an OP_MSG into the free bytes in front of an encoded reply. */
export function writeOpMsgHead(message: Buffer, requestId: number, responseTo: number): void {
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(requestId, 4);
  message.writeInt32LE(responseTo, 8);
  message.writeInt32LE(OP_MSG, 12);
  message.fill(0, HEADER_BYTES, OP_MSG_HEAD_BYTES);
}
