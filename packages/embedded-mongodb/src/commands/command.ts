import type { Authenticator } from '../auth/authenticator.ts';
import type { Document } from '../bson/document.ts';
import type { CursorBatch, CursorRegistry } from '../cursors.ts';
import type { Fields } from '../semantics/field-types.ts';
import type { Store } from '../storage/store.ts';
import type { ConnectionState, Connections } from '../wire/connection-state.ts';

export interface CommandRequest {
  /** The command's name as sent: the body's first field. */
  name: string;
  databaseName: string;
  body: Document;
  /** Documents sent outside the body (kind-1 sections), by field name. */
  sequences: Map<string, Uint8Array[]>;
  connection: ConnectionState;
}

/** The state that commands read and change. */
export interface ServerContext {
  store: Store;
  cursors: CursorRegistry;
  /** Undefined if no user is configured: every client may run every command. */
  authenticator: Authenticator | undefined;
  startedAt: number;
  connections: Connections;
}

export interface Command {
  name: string;
  aliases?: readonly string[];
  /**
   * The fields of the command, besides its name and the generic fields. Other fields are rejected with 40415, as mongod
   * does for commands with a strict IDL, and an unlisted `writeConcern` with 72. If absent, any field is accepted.
   */
  fields?: Fields;
  /** Whether clients may run the command before they authenticate. */
  beforeAuthentication?: boolean;
  /**
   * Runs from start to end without yielding to another command. findAndModify and every other read-then-write depend on
   * this to be atomic.
   */
  run(request: CommandRequest, server: ServerContext): Document | CursorBatch;
}
