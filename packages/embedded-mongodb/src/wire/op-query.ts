import { decode } from '../bson/document.ts';
import { HEADER_BYTES, MAX_BSON_OBJECT_BYTES } from './limits.ts';
import { MalformedMessage } from './malformed-message.ts';
import { readDocument } from './op-msg.ts';
import type { WireRequest } from './request.ts';

export const OP_QUERY = 2004;
const OP_REPLY = 1;
const AWAIT_CAPABLE = 8;
const REPLY_HEAD_BYTES = HEADER_BYTES + 20;
const COMMAND_COLLECTION_SUFFIX = '.$cmd';

/**
 * Reads the old OP_QUERY, which drivers still use for their very first hello. The caller refuses any other
 * command that comes this way.
 */
export function readOpQuery(message: Buffer): WireRequest {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
  if (nameEnd < 0 || nameEnd + 9 > message.length) throw new MalformedMessage('OP_QUERY is cut off');
  const namespace = message.toString('utf8', HEADER_BYTES + 4, nameEnd);
  if (!namespace.endsWith(COMMAND_COLLECTION_SUFFIX)) {
    throw new MalformedMessage('OP_QUERY is only served for commands');
  }
  const queryBytes = readDocument(message, nameEnd + 9, message.length, MAX_BSON_OBJECT_BYTES);
  const query = decode(queryBytes);
  const wrapped = query.get('$query') ?? query.get('query');
  const body = wrapped instanceof Map ? wrapped : query;
  if (!body.has('$db')) body.set('$db', namespace.slice(0, -COMMAND_COLLECTION_SUFFIX.length));
  return {
    requestId: message.readInt32LE(4),
    body,
    sequences: new Map(),
    replyFormat: 'OP_REPLY',
    wantsReply: true,
  };
}

/** Frames an encoded reply as OP_REPLY with one document. */
export function writeOpReply(body: Uint8Array[], requestId: number, responseTo: number): Buffer {
  const head = Buffer.alloc(REPLY_HEAD_BYTES);
  const bodyLength = body.reduce((sum, part) => sum + part.length, 0);
  head.writeInt32LE(head.length + bodyLength, 0);
  head.writeInt32LE(requestId, 4);
  head.writeInt32LE(responseTo, 8);
  head.writeInt32LE(OP_REPLY, 12);
  head.writeInt32LE(AWAIT_CAPABLE, HEADER_BYTES);
  head.writeInt32LE(1, HEADER_BYTES + 16);
  return Buffer.concat([head, ...body], head.length + bodyLength);
}
