import type { Authenticator } from '../auth/authenticator.ts';
import type { Document } from '../bson/document.ts';
import type { CursorBatch, CursorRegistry } from '../cursors.ts';
import type { SessionRegistry } from '../sessions.ts';
import type { Store } from '../storage/store.ts';
import type { ConnectionState } from '../wire/connection-state.ts';

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
  sessions: SessionRegistry;
}

export interface Command {
  name: string;
  aliases?: readonly string[];
  /**
   * The fields it takes besides those any command takes; others are refused with 40415, as mongod does for
   * commands with a strict IDL. Absent: any field goes.
   */
  fields?: readonly string[];
  /** Whether it is served to a client that has not authenticated. */
  beforeAuthentication?: boolean;
  /**
   * Runs from start to end without giving way to another command: this alone makes findAndModify and every
   * other read-then-write atomic.
   */
  run(request: CommandRequest, server: ServerContext): Document | CursorBatch;
}
