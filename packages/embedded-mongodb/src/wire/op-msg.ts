import { type Document, decode } from '../bson/document.ts';
import { HEADER_BYTES, MAX_BSON_OBJECT_BYTES } from './limits.ts';
import { MalformedMessage } from './malformed-message.ts';
import type { WireRequest } from './request.ts';

export const OP_MSG = 2013;

const CHECKSUM_PRESENT = 1 << 0;
const MORE_TO_COME = 1 << 1;
/** The lower 16 bits must be understood by the receiver, the upper ones may be ignored. */
const REQUIRED_BITS = 0xffff;
const CHECKSUM_BYTES = 4;
const SMALLEST_DOCUMENT_BYTES = 5;
/** A command may exceed the document limit by its own fields around a document of full size. */
const MAX_BODY_BYTES = MAX_BSON_OBJECT_BYTES + 16 * 1024;

/** Reads an OP_MSG (MongoDB wire protocol, "OP_MSG"): one kind-0 section, any number of kind-1 sections. */
export function readOpMsg(message: Buffer): WireRequest {
  if (message.length < HEADER_BYTES + 4) throw new MalformedMessage('OP_MSG is too short');
  const flags = message.readUInt32LE(HEADER_BYTES);
  if ((flags & REQUIRED_BITS & ~(CHECKSUM_PRESENT | MORE_TO_COME)) !== 0) {
    throw new MalformedMessage(`OP_MSG has unknown required flags ${flags}`);
  }
  const end = message.length - ((flags & CHECKSUM_PRESENT) !== 0 ? CHECKSUM_BYTES : 0);
  const sequences = new Map<string, Uint8Array[]>();
  let body: Document | undefined;
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = message[at];
    at += 1;
    if (kind === 0) {
      if (body !== undefined) throw new MalformedMessage('OP_MSG has two bodies');
      const bytes = readDocument(message, at, end, MAX_BODY_BYTES);
      body = decode(bytes);
      at += bytes.length;
    } else if (kind === 1) {
      at = readSequence(message, at, end, sequences);
    } else {
      throw new MalformedMessage(`OP_MSG has a section of unknown kind ${kind}`);
    }
  }
  if (body === undefined) throw new MalformedMessage('OP_MSG has no body');
  return {
    requestId: message.readInt32LE(4),
    body,
    sequences,
    replyFormat: 'OP_MSG',
    wantsReply: (flags & MORE_TO_COME) === 0,
  };
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
    const bytes = readDocument(message, at, sectionEnd, MAX_BODY_BYTES);
    documents.push(bytes);
    at += bytes.length;
  }
  sequences.set(name, documents);
  return sectionEnd;
}

/** A document's bytes by its own length prefix; its inside is checked when it is decoded. */
export function readDocument(message: Buffer, at: number, end: number, maxBytes: number): Buffer {
  if (at + SMALLEST_DOCUMENT_BYTES > end) throw new MalformedMessage('document is cut off');
  const length = message.readInt32LE(at);
  if (length < SMALLEST_DOCUMENT_BYTES || at + length > end || length > maxBytes) {
    throw new MalformedMessage(`document length ${length} does not fit its message`);
  }
  return message.subarray(at, at + length);
}

/** Frames an encoded reply as OP_MSG. */
export function writeOpMsg(body: Uint8Array[], requestId: number, responseTo: number): Buffer {
  const head = Buffer.allocUnsafe(HEADER_BYTES + 5);
  const bodyLength = body.reduce((sum, part) => sum + part.length, 0);
  head.writeInt32LE(head.length + bodyLength, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(OP_MSG, 12);
  head.writeUInt32LE(0, HEADER_BYTES);
  head.writeUInt8(0, HEADER_BYTES + 4);
  return Buffer.concat([head, ...body], head.length + bodyLength);
}
