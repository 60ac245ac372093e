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
  /** Documents that came outside of the body (kind-1 sections), by field name. */
  sequences: Map<string, Uint8Array[]>;
  connection: ConnectionState;
}

/** What the commands work on. */
export interface ServerContext {
  store: Store;
  cursors: CursorRegistry;
  /** Undefined when no user is configured: everybody may do everything. */
  authenticator: Authenticator | undefined;
  startedAt: number;
  connections: Connections;
}

export interface Command {
  name: string;
  aliases?: readonly string[];
  /**
   * The fields besides its name and those of every command. Others are rejected with 40415, as in mongod for commands
   * with a strict IDL, and so is `writeConcern` (with 72) if it is not listed. Absent: any field is accepted.
   */
  fields?: Fields;
  /** Whether it is served to a client that has not authenticated. */
  beforeAuthentication?: boolean;
  /**
   * Runs from start to end without giving way to another command: this alone makes findAndModify and every
   * other read-then-write atomic.
   */
  run(request: CommandRequest, server: ServerContext): Document | CursorBatch;
}
