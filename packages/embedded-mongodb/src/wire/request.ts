import type { Document } from '../bson/document.ts';

export type ReplyFormat = 'OP_MSG' | 'OP_REPLY';

/** The part of a message that its reply depends on. */
export interface Sender {
  requestId: number;
  replyFormat: ReplyFormat;
  /** False for `moreToCome`: the client expects no reply (w:0). */
  wantsReply: boolean;
}

/** A command from either kind of message. */
export interface WireRequest extends Sender {
  body: Document;
  /** The BSON body of a large read. The thread that runs the read decodes it, and `body` is only its outline. */
  undecoded?: Uint8Array | undefined;
  /** Kind-1 sections of OP_MSG. The documents stay encoded until the command reads them. */
  sequences: Map<string, Uint8Array[]>;
}
