import type { Socket } from 'node:net';
import { MongoError } from '../bson/mongo-error.ts';
import { asMongoError, errorReply } from '../commands/replies.ts';
import { MalformedMessage } from './malformed-message.ts';
import { createMessageFraming } from './message-framing.ts';
import { OP_MSG, readOpMsg, writeOpMsg } from './op-msg.ts';
import { OP_QUERY, readOpQuery, writeOpReply } from './op-query.ts';
import { encodeReply, type Reply } from './reply.ts';
import type { WireRequest } from './request.ts';

/** Sends the answer to a request; does nothing when the client wants none or is gone. */
export type Respond = (reply: Reply) => void;

/**
 * Reads requests from a socket and hands them on in their order. A client that does not read its answers is not
 * read from either until it does; one that sends anything but the protocol is cut off.
 */
export function serveConnection(
  socket: Socket,
  handle: (request: WireRequest, respond: Respond) => void,
): void {
  const framing = createMessageFraming();
  let lastReplyId = 0;

  function send(request: Pick<WireRequest, 'requestId' | 'replyFormat' | 'wantsReply'>, reply: Reply): void {
    if (!request.wantsReply || socket.destroyed) return;
    lastReplyId = (lastReplyId + 1) & 0x7fffffff;
    const write = request.replyFormat === 'OP_MSG' ? writeOpMsg : writeOpReply;
    if (!socket.write(write(encoded(reply), lastReplyId, request.requestId))) socket.pause();
  }

  function receive(message: Buffer): void {
    let request: WireRequest;
    try {
      request = readMessage(message);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      // The frame is whole but its BSON is not: the client is told, as mongod does.
      send({ requestId: message.readInt32LE(4), replyFormat: 'OP_MSG', wantsReply: true }, errorReply(error));
      return;
    }
    handle(request, (reply) => send(request, reply));
  }

  socket.setNoDelay(true);
  socket.on('drain', () => socket.resume());
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    try {
      for (const message of framing.push(chunk)) receive(message);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      socket.destroy();
    }
  });
}

/** A reply that cannot be encoded must not keep the answers behind it from leaving. */
function encoded(reply: Reply): Uint8Array[] {
  try {
    return encodeReply(reply);
  } catch (error) {
    return encodeReply(errorReply(asMongoError(error)));
  }
}

function readMessage(message: Buffer): WireRequest {
  const opcode = message.readInt32LE(12);
  try {
    if (opcode === OP_MSG) return readOpMsg(message);
    if (opcode === OP_QUERY) return readOpQuery(message);
  } catch (cause) {
    // Reading past the end of the buffer: some length inside the message lies.
    if (cause instanceof RangeError)
      throw new MalformedMessage('a length does not fit its message', { cause });
    throw cause;
  }
  throw new MalformedMessage(`unknown opcode ${opcode}`);
}
