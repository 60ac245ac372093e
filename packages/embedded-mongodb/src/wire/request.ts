import type { Document } from '../bson/document.ts';

export type ReplyFormat = 'OP_MSG' | 'OP_REPLY';

/** A command as it came over the wire, whichever message carried it. */
export interface WireRequest {
  requestId: number;
  body: Document;
  /** Kind-1 sections of OP_MSG: documents left as bytes until the command wants them. */
  sequences: Map<string, Uint8Array[]>;
  replyFormat: ReplyFormat;
  /** False for `moreToCome`: the sender wants no answer (w:0). */
  wantsReply: boolean;
}
