import type { ScramConversation } from '../auth/scram.ts';
import type { Document } from '../bson/document.ts';

/** A SASL exchange between saslStart and its last saslContinue. */
export interface SaslConversation {
  scram: ScramConversation;
  databaseName: string;
  skipEmptyExchange: boolean;
  /** The proof is valid; only the client's empty last message is missing. */
  isProven: boolean;
}

/** A request without a reply yet. */
export interface Operation {
  body: Document;
  /** Milliseconds since 1970. */
  startedAt: number;
}

export interface ConnectionUser {
  name: string;
  /** The database in which the user is stored. */
  databaseName: string;
  /** The only database that the user may read and write; undefined for a user that may do everything. */
  onlyDatabase: string | undefined;
}

/** The state of one connection between its commands. */
export interface ConnectionState {
  readonly id: number;
  readonly remoteAddress: string;
  /** What the client calls itself in its first command, for currentOp. */
  appName?: string | undefined;
  /** The authenticated user. */
  user: ConnectionUser | undefined;
  /** At most one at a time: another saslStart replaces it. */
  conversation: SaslConversation | undefined;
  /** The latest request, until its reply is sent. */
  operation: Operation | undefined;
  /** Aborted when the connection closes; undefined if there is no connection. */
  readonly closed?: AbortSignal;
}

/** The connections of a server, for serverStatus and currentOp. */
export interface Connections {
  readonly open: Set<ConnectionState>;
  totalCreated: number;
}

export function noConnections(): Connections {
  return { open: new Set(), totalCreated: 0 };
}
