import { createHash } from 'node:crypto';
import type { ApiTokenRole, ApiTokenStatus } from '@tollgate/contracts/accounts/api-token';
import { ENVIRONMENTS, type Environment } from '@tollgate/contracts/platform/environment';
import type { ExpiryNotice } from '@tollgate/contracts/platform/expiry';
import {
  AUDITED_FIELDS,
  nullableDate,
  nullableShape,
  nullableText,
  optionalShape,
  RECORD_OPTIONS,
  textOf,
} from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';

/** Where a secret scanner found a token in public. */
export interface TokenLeak {
  at: Date;
  url: string | null;
  source: string | null;
}

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  name: { type: String, required: true },
  role: textOf<ApiTokenRole>(),
  /** Null: both. */
  environments: nullableShape<Environment[]>(),
  /** Empty: any address. */
  allowed_cidrs: { type: [String], required: true },
  /** The public part of the credential, by which the token is found. */
  lookup_id: { type: String, required: true },
  /** See `storedDigest`. */
  digest: { type: String, required: true },
  /** Member who created the token, or who created the token that did. */
  created_by: { type: String, required: true },
  /**
   * Id of the token that created this one, or that rotated the one before it. Its holder got the credential of this one, so this one is
   * revoked with it. Null if only members did.
   */
  created_by_token: nullableText(),
  /**
   * The member whose login created the token: it is valid only while they have at least its role. Null: the token belongs
   * to the team, and outlives its creator's membership.
   */
  acts_for: nullableText(),
  /** The member's `session_epoch` when they approved the login. It says nothing for a token of the team. */
  session_epoch: { type: Number, required: true },
  created_at: AUDITED_FIELDS.created_at,
  expires_at: nullableDate(),
  last_used_at: nullableDate(),
  revoked_at: nullableDate(),
  rotated_to: nullableText(),
  /** The expiry before the rotation. Null without a rotation, too. */
  successor_expires_at: nullableDate(),
  leak: nullableShape<TokenLeak>(),
  /** The last notice that the token expires. */
  expiry_notice: optionalShape<ExpiryNotice>(),
  version: AUDITED_FIELDS.version,
  outbox: AUDITED_FIELDS.outbox,
} as const;

/** A credential of a team for the admin API. It changes only through the functions below, and when it is used. */
export type ApiToken = InferRawDocType<typeof definition>;

export const apiTokenSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'api_tokens' });

export type NewApiTokenFields = Pick<
  ApiToken,
  | '_id'
  | 'team_id'
  | 'name'
  | 'role'
  | 'environments'
  | 'allowed_cidrs'
  | 'lookup_id'
  | 'digest'
  | 'created_by'
  | 'created_by_token'
  | 'acts_for'
  | 'session_epoch'
  | 'expires_at'
>;

export function newApiToken(fields: NewApiTokenFields, now: Date): ApiToken {
  return {
    ...fields,
    created_at: now,
    last_used_at: null,
    revoked_at: null,
    rotated_to: null,
    successor_expires_at: null,
    leak: null,
    version: 1,
    outbox: [],
  };
}

/** The token with its successor's id. It stays active for `overlapMs`, but no longer than its own expiry. */
export function rotated(token: ApiToken, rotated_to: string, overlapMs: number, now: Date): ApiToken {
  const { expires_at } = token;
  const overlapEnd = new Date(now.getTime() + overlapMs);
  return {
    ...token,
    rotated_to,
    successor_expires_at: expires_at,
    expires_at: expires_at && expires_at < overlapEnd ? expires_at : overlapEnd,
    version: token.version + 1,
  };
}

/** A successor expires like the token before its rotation. */
export function successorExpiry({ rotated_to, expires_at, successor_expires_at }: ApiToken): Date | null {
  return rotated_to === null ? expires_at : successor_expires_at;
}

/** The same object when the token is already revoked. */
export function revoked(token: ApiToken, now: Date): ApiToken {
  if (token.revoked_at) return token;
  return { ...token, revoked_at: now, version: token.version + 1 };
}

/** The token with its leak, revoked. The same object when a leak is already recorded. */
export function leaked(token: ApiToken, found: Omit<TokenLeak, 'at'>, now: Date): ApiToken {
  if (token.leak) return token;
  const leak = { ...found, at: now };
  return { ...token, leak, revoked_at: token.revoked_at ?? now, version: token.version + 1 };
}

/** Expiry depends on the clock alone: no write makes a token expire. Whether the member of a login ended it is not considered. */
export function statusOf({ revoked_at, expires_at }: ApiToken, now: Date): ApiTokenStatus {
  if (revoked_at) return 'revoked';
  return expires_at && expires_at <= now ? 'expired' : 'active';
}

/**
 * What is stored of a credential, from its SHA-256 (hex). That of a login also covers the member for whom the token acts.
 * A release that knows no logins computes another one, so it rejects their tokens instead of skipping the check of the
 * member.
 */
export function storedDigest(digest: string, actsFor: string | null): string {
  if (actsFor === null) return digest;
  return createHash('sha256').update(`${digest} ${actsFor}`).digest('hex');
}

/** The environments that a token is limited to; null if they are all. */
export function limitedEnvironments(environments: Environment[] | null): Environment[] | null {
  return environments !== null && environments.length < ENVIRONMENTS.length ? environments : null;
}
