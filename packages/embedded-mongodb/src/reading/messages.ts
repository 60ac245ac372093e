/** A read to be run; the request's body as BSON. */
export interface RunRead {
  kind: 'run';
  number: number;
  body: Uint8Array;
}

/** Cursors are named by their id in decimal. */
export interface KillCursor {
  kind: 'killCursor';
  cursor: string;
}

export type ToReader = RunRead | KillCursor;

/** The reply as BSON, whole. */
export interface ReadReply {
  kind: 'reply';
  number: number;
  reply: Uint8Array;
}

export interface CursorOpened {
  kind: 'cursorOpened';
  cursor: string;
}

export interface CursorClosed {
  kind: 'cursorClosed';
  cursor: string;
}

export type FromReader = ReadReply | CursorOpened | CursorClosed;
