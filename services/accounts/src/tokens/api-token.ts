import type { ApiTokenRole, ApiTokenStatus } from '@tollgate/contracts/accounts/api-token';
import type { Environment } from '@tollgate/contracts/platform/environment';

/** Where a secret scanner found a token in public. */
export interface TokenLeak {
  readonly at: Date;
  readonly url: string | null;
  readonly source: string | null;
}

/** A credential of a team for the admin API. Nothing but its last use, its rotation, its revocation, and a leak changes. */
export interface ApiToken {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly role: ApiTokenRole;
  /** Null: both. */
  readonly environments: readonly Environment[] | null;
  /** Empty: any address. */
  readonly allowedCidrs: readonly string[];
  /** The public part of the credential, by which the token is found. */
  readonly lookupId: string;
  /** See `storedDigest`. */
  readonly digest: string;
  /** Member who created the token, or who created the token that did. */
  readonly createdBy: string;
  /**
   * Id of the token that created this one, or that rotated the one before it. Its holder got the credential of this one, so this one is
   * revoked with it. Null if only members did.
   */
  readonly createdByToken: string | null;
  /**
   * The member whose login created the token: it is valid only while they have at least its role. Null: the token belongs
   * to the team, and outlives its creator's membership.
   */
  readonly actsFor: string | null;
  /** The member's `sessionEpoch` when they approved the login. It says nothing for a token of the team. */
  readonly sessionEpoch: number;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
  readonly rotatedTo: string | null;
  /** The expiry before the rotation. Null without a rotation, too. */
  readonly successorExpiresAt: Date | null;
  readonly leak: TokenLeak | null;
  readonly version: number;
}

export type NewApiTokenFields = Pick<
  ApiToken,
  | 'id'
  | 'teamId'
  | 'name'
  | 'role'
  | 'environments'
  | 'allowedCidrs'
  | 'lookupId'
  | 'digest'
  | 'createdBy'
  | 'createdByToken'
  | 'actsFor'
  | 'sessionEpoch'
  | 'expiresAt'
>;

export function newApiToken(fields: NewApiTokenFields, now: Date): ApiToken {
  return {
    ...fields,
    createdAt: now,
    lastUsedAt: null,
    revokedAt: null,
    rotatedTo: null,
    successorExpiresAt: null,
    leak: null,
    version: 1,
  };
}

/** The token with its successor's id. It stays active for `overlapMs`, but no longer than its own expiry. */
export function rotated(token: ApiToken, rotatedTo: string, overlapMs: number, now: Date): ApiToken {
  const { expiresAt } = token;
  const overlapEnd = new Date(now.getTime() + overlapMs);
  return {
    ...token,
    rotatedTo,
    successorExpiresAt: expiresAt,
    expiresAt: expiresAt && expiresAt < overlapEnd ? expiresAt : overlapEnd,
    version: token.version + 1,
  };
}

/** A successor expires like the token before its rotation. */
export function successorExpiry({ rotatedTo, expiresAt, successorExpiresAt }: ApiToken): Date | null {
  return rotatedTo === null ? expiresAt : successorExpiresAt;
}

/** The same object when the token is already revoked. */
export function revoked(token: ApiToken, now: Date): ApiToken {
  if (token.revokedAt) return token;
  return { ...token, revokedAt: now, version: token.version + 1 };
}

/** The token with its leak, revoked. The same object when a leak is already recorded. */
export function leaked(token: ApiToken, found: Omit<TokenLeak, 'at'>, now: Date): ApiToken {
  if (token.leak) return token;
  const leak = { ...found, at: now };
  return { ...token, leak, revokedAt: token.revokedAt ?? now, version: token.version + 1 };
}

/** Expiry depends on the clock alone: no write makes a token expire. Whether the member of a login ended it is not considered. */
export function statusOf({ revokedAt, expiresAt }: ApiToken, now: Date): ApiTokenStatus {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}
