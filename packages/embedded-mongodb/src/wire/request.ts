import type { Document } from '../bson/document.ts';

export type ReplyFormat = 'OP_MSG' | 'OP_REPLY';

/** The part of a message that its reply depends on. */
export interface Sender {
  requestId: number;
  replyFormat: ReplyFormat;
  /** False for `moreToCome`: the client expects no reply (w:0). */
  wantsReply: boolean;
}

/** A command from the wire, whichever message carried it. */
export interface WireRequest extends Sender {
  body: Document;
  /** The body of a large read, as BSON: it is decoded on the thread that runs it, and `body` is only its outline. */
  undecoded?: Uint8Array | undefined;
  /** Kind-1 sections of OP_MSG: documents left as bytes until the command reads them. */
  sequences: Map<string, Uint8Array[]>;
}
