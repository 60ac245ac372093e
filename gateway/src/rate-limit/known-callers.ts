import { createHash } from 'node:crypto';

/** The oldest beyond this number are forgotten. An entry takes less than 300 bytes. */
const MAX_KNOWN = 20_000;

/** Who a credential belongs to. This never changes: a session or an API token is of one member or token, and one team. */
export interface KnownCaller {
  type: 'member' | 'token';
  id: string;
  teamId: string;
}

/** Callers whose credential accounts accepted from an address, for rate limits only: every request is still authenticated. */
export interface KnownCallers {
  find(credential: string, address: string): KnownCaller | undefined;
  note(credential: string, address: string, caller: KnownCaller): void;
  forget(credential: string, address: string): void;
}

/**
 * A pair of credential and address is known, so that a stolen API token cannot use up the limit of its owner from an
 * address that the token does not allow.
 */
export function createKnownCallers(): KnownCallers {
  const callers = new Map<string, KnownCaller>();

  return {
    find: (credential, address) => callers.get(digestOf(credential, address)),
    note(credential, address, caller) {
      const digest = digestOf(credential, address);
      callers.delete(digest);
      callers.set(digest, caller);
      const [oldest] = callers.keys();
      if (callers.size > MAX_KNOWN && oldest !== undefined) callers.delete(oldest);
    },
    forget: (credential, address) => void callers.delete(digestOf(credential, address)),
  };
}

/** A digest, so that the gateway's memory holds no credentials. */
function digestOf(credential: string, address: string): string {
  return createHash('sha256').update(`${address} ${credential}`).digest('base64');
}
