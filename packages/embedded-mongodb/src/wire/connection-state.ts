import type { ScramConversation } from '../auth/scram.ts';

/** A SASL exchange between saslStart and its last saslContinue. */
export interface SaslConversation {
  scram: ScramConversation;
  databaseName: string;
  skipEmptyExchange: boolean;
  /** The proof was right; only the client's empty last message is missing. */
  isProven: boolean;
}

/** What the server remembers of one connection between its commands. */
export interface ConnectionState {
  readonly id: number;
  readonly remoteAddress: string;
  /** Who it has authenticated as. */
  user: { name: string; databaseName: string } | undefined;
  conversation: SaslConversation | undefined;
}
