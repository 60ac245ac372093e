import { decode } from '../bson/document.ts';
import { HEADER_BYTES } from './limits.ts';
import { MalformedMessage } from './malformed-message.ts';
import { readDocument } from './op-msg.ts';
import type { Sender, WireRequest } from './request.ts';

export const OP_QUERY = 2004;
const OP_REPLY = 1;
const AWAIT_CAPABLE = 8;
/** The header, flags, cursor id, first position and number of documents. */
export const OP_REPLY_HEAD_BYTES = HEADER_BYTES + 20;
const COMMAND_COLLECTION_SUFFIX = '.$cmd';

export function opQuerySender(message: Buffer): Sender {
  return { requestId: message.readInt32LE(4), replyFormat: 'OP_REPLY', wantsReply: true };
}

/**
 * Reads the legacy OP_QUERY, which drivers still use for their first hello. The caller rejects any other
 * command in it.
 */
export function readOpQuery(message: Buffer): WireRequest {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
  if (nameEnd < 0 || nameEnd + 9 > message.length) throw new MalformedMessage('OP_QUERY is cut off');
  const namespace = message.toString('utf8', HEADER_BYTES + 4, nameEnd);
  if (!namespace.endsWith(COMMAND_COLLECTION_SUFFIX)) {
    throw new MalformedMessage('OP_QUERY is only served for commands');
  }
  const query = decode(readDocument(message, nameEnd + 9, message.length));
  const wrapped = query.get('$query') ?? query.get('query');
  const body = wrapped instanceof Map ? wrapped : query;
  if (!body.has('$db')) body.set('$db', namespace.slice(0, -COMMAND_COLLECTION_SUFFIX.length));
  return { ...opQuerySender(message), body, sequences: new Map() };
}

/** Writes the head of an OP_REPLY with one document into the free bytes in front of an encoded reply. */
export function writeOpReplyHead(message: Buffer, requestId: number, responseTo: number): void {
  message.fill(0, 0, OP_REPLY_HEAD_BYTES);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(requestId, 4);
  message.writeInt32LE(responseTo, 8);
  message.writeInt32LE(OP_REPLY, 12);
  message.writeInt32LE(AWAIT_CAPABLE, HEADER_BYTES);
  message.writeInt32LE(1, HEADER_BYTES + 16);
}
