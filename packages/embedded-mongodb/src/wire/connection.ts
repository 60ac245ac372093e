import type { Socket } from 'node:net';
import { MongoError } from '../bson/mongo-error.ts';
import { errorReply } from '../commands/replies.ts';
import { MalformedMessage } from './malformed-message.ts';
import { createMessageFraming } from './message-framing.ts';
import { OP_MSG, readOpMsg, writeOpMsg } from './op-msg.ts';
import { OP_QUERY, readOpQuery, writeOpReply } from './op-query.ts';
import { encodeReply, type Reply } from './reply.ts';
import type { WireRequest } from './request.ts';

/** Sends the answer to a request; does nothing when the client wants none or is gone. */
export type Respond = (reply: Reply) => void;

/** Gives a promise where the next request has to wait for it; answers of other requests may be under way. */
export type HandleRequest = (request: WireRequest, respond: Respond) => Promise<void> | undefined;

/** Answers can have 16 MB each: a client that sends on without reading must not fill the memory with them. */
const MAX_UNANSWERED = 8;

/**
 * Reads requests from a socket and hands them on in their order. A client that does not read its answers is not
 * read from either until it does; one that sends anything but the protocol is cut off.
 */
export function serveConnection(socket: Socket, handle: HandleRequest): void {
  const framing = createMessageFraming();
  const messages: Buffer[] = [];
  let lastReplyId = 0;
  let unanswered = 0;
  /** A request is under way that those behind it have to wait for. */
  let isHeld = false;
  let isProceeding = false;

  function send(request: Pick<WireRequest, 'requestId' | 'replyFormat'>, reply: Reply): void {
    if (socket.destroyed) return;
    lastReplyId = (lastReplyId + 1) & 0x7fffffff;
    const write = request.replyFormat === 'OP_MSG' ? writeOpMsg : writeOpReply;
    socket.write(write(encodeReply(reply), lastReplyId, request.requestId));
  }

  function receive(message: Buffer): void {
    let request: WireRequest;
    try {
      request = readMessage(message);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      // The frame is whole but its BSON is not: the client is told, as mongod does.
      send({ requestId: message.readInt32LE(4), replyFormat: 'OP_MSG' }, errorReply(error));
      return;
    }
    if (request.wantsReply) unanswered += 1;
    const held = handle(request, (reply) => {
      if (!request.wantsReply) return;
      unanswered -= 1;
      send(request, reply);
      proceed();
    });
    if (held === undefined) return;
    isHeld = true;
    void held.then(() => {
      isHeld = false;
      proceed();
    });
  }

  /** Looks at what has arrived, as far as the client takes its answers; reads on when nothing is left. */
  function proceed(): void {
    if (isProceeding || socket.destroyed) return;
    isProceeding = true;
    try {
      while (!isHeld && unanswered < MAX_UNANSWERED && !socket.writableNeedDrain) {
        const message = messages.shift();
        if (message === undefined) break;
        receive(message);
      }
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      socket.destroy();
    } finally {
      isProceeding = false;
    }
    if (messages.length > 0 || socket.writableNeedDrain) socket.pause();
    else socket.resume();
  }

  socket.setNoDelay(true);
  socket.on('drain', proceed);
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    try {
      messages.push(...framing.push(chunk));
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      socket.destroy();
    }
    proceed();
  });
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
