import type { Socket } from 'node:net';
import { MongoError, mongoError } from '../bson/mongo-error.ts';
import { errorReply } from '../commands/replies.ts';
import { MAX_MESSAGE_BYTES, MAX_MESSAGE_BYTES_BEFORE_AUTHENTICATION } from './limits.ts';
import { MalformedMessage } from './malformed-message.ts';
import { createMessageFraming } from './message-framing.ts';
import { OP_MSG, OP_MSG_HEAD_BYTES, opMsgSender, readOpMsg, writeOpMsgHead } from './op-msg.ts';
import { OP_QUERY, OP_REPLY_HEAD_BYTES, opQuerySender, readOpQuery, writeOpReplyHead } from './op-query.ts';
import { sendAtEndOfTurn } from './outbox.ts';
import { encodeReply, type Reply } from './reply.ts';
import type { Sender, WireRequest } from './request.ts';
import type { SlowLane } from './slow-lane.ts';

/** Sends the reply to a request. Does nothing if the client expects no reply or has disconnected. */
export type Respond = (reply: Reply) => void;

export interface ConnectionOptions {
  /** Returns a promise if the next request must wait for it; replies to other requests may be in flight. */
  handle(request: WireRequest, respond: Respond): Promise<void> | undefined;
  /** The current limit on the length of a message. */
  maxMessageBytes(): number;
  /** Lets other connections go first after a slow request. */
  slowLane: SlowLane;
}

/** Each reply can have 16 MB. A client that sends requests without reading replies must not exhaust memory. */
const MAX_PENDING_REPLIES = 8;
/** After a request that blocked the thread for longer, the connection's next request waits in the slow lane. */
const SLOW_REQUEST_MS = 2;

/**
 * Reads requests from a socket and handles them in order. The server stops reading from a client that does not read its
 * replies, and disconnects a client that violates the protocol.
 */
export function serveConnection(
  socket: Socket,
  { handle, maxMessageBytes, slowLane }: ConnectionOptions,
): void {
  const framing = createMessageFraming(maxMessageBytes);
  const messages: Buffer[] = [];
  let lastReplyId = 0;
  let pendingReplies = 0;
  /** Whether the next requests must wait for a request in flight, or in the slow lane. */
  let isHeld = false;
  let wasSlow = false;
  let isProceeding = false;

  function send(request: Sender, reply: Reply): void {
    if (socket.destroyed) return;
    lastReplyId = (lastReplyId + 1) & 0x7fffffff;
    const [headBytes, writeHead] =
      request.replyFormat === 'OP_MSG'
        ? [OP_MSG_HEAD_BYTES, writeOpMsgHead]
        : [OP_REPLY_HEAD_BYTES, writeOpReplyHead];
    const message = encodeReply(reply, headBytes);
    writeHead(message, lastReplyId, request.requestId);
    socket.write(message);
  }

  function receive(message: Buffer): void {
    let request: WireRequest;
    try {
      request = readMessage(message);
    } catch (error) {
      if (!(error instanceof MongoError)) throw error;
      // The header gives the start of the next message, so the connection stays usable.
      const sender = senderOf(message);
      if (sender.wantsReply) sendAtEndOfTurn(() => send(sender, errorReply(error)));
      return;
    }
    if (request.wantsReply) pendingReplies += 1;
    const respond = (reply: Reply) => {
      if (!request.wantsReply) return;
      pendingReplies -= 1;
      send(request, reply);
      proceed();
    };
    let isHandling = true;
    // Replies that waited for a commit are together already.
    const held = handle(request, (reply) => {
      if (isHandling) sendAtEndOfTurn(() => respond(reply));
      else respond(reply);
    });
    isHandling = false;
    if (held !== undefined) void holdUntil(held);
  }

  function receiveNext(): void {
    const startedAt = performance.now();
    receive(messages.shift() as Buffer);
    wasSlow = performance.now() - startedAt > SLOW_REQUEST_MS;
  }

  function waitInSlowLane(): void {
    wasSlow = false;
    void holdUntil(slowLane.turn());
  }

  async function holdUntil(released: Promise<void>): Promise<void> {
    isHeld = true;
    await released;
    isHeld = false;
    proceed();
  }

  /** Processes received messages while the client reads its replies. Resumes reading when all are processed. */
  function proceed(): void {
    if (isProceeding || socket.destroyed) return;
    isProceeding = true;
    try {
      while (
        !isHeld &&
        messages.length > 0 &&
        pendingReplies < MAX_PENDING_REPLIES &&
        !socket.writableNeedDrain
      ) {
        if (wasSlow) waitInSlowLane();
        else receiveNext();
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

function senderOf(message: Buffer): Sender {
  return message.readInt32LE(12) === OP_MSG ? opMsgSender(message) : opQuerySender(message);
}

function readMessage(message: Buffer): WireRequest {
  const length = message.readInt32LE(0);
  if (length > message.length) throw tooLong(length);
  const opcode = message.readInt32LE(12);
  try {
    if (opcode === OP_MSG) return readOpMsg(message);
    if (opcode === OP_QUERY) return readOpQuery(message);
  } catch (cause) {
    // A length inside the message points past the end of the buffer.
    if (cause instanceof RangeError)
      throw new MalformedMessage('a length does not fit its message', { cause });
    throw cause;
  }
  throw new MalformedMessage(`unknown opcode ${opcode}`);
}

function tooLong(length: number): MongoError {
  return length > MAX_MESSAGE_BYTES
    ? mongoError('BSONObjectTooLarge', `The message has ${length} bytes; the limit is ${MAX_MESSAGE_BYTES}.`)
    : mongoError(
        'Unauthorized',
        `The message has ${length} bytes; the limit before authentication is ${MAX_MESSAGE_BYTES_BEFORE_AUTHENTICATION}.`,
      );
}
