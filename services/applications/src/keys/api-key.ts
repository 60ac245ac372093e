import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { ApiKeyStatus } from '@tollgate/contracts/applications/application';
import type { LeakedKeyPolicyName } from '@tollgate/contracts/applications/leak';
import type { KeyEntry } from '@tollgate/contracts/applications/principal';
import { SCOPE_NAMES, type Scope } from '@tollgate/contracts/applications/scopes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { ExpiryNotice } from '@tollgate/contracts/platform/expiry';
import { newId } from '@tollgate/contracts/platform/ids';
import { jsonOf } from '@tollgate/store/json-of';
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
import { inCatalogueOrder } from '../applications/application.ts';

/** What a secret scanner said about a key that it found in public. */
export interface FoundLeak {
  url: string | null;
  source: string | null;
}

export interface KeyLeak extends FoundLeak {
  at: Date;
  /** When a member marked the leak as handled; null while it needs attention. */
  handled_at: Date | null;
}

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  application_id: { type: String, required: true },
  environment: textOf<Environment>(),
  name: { type: String, required: true },
  /** The public part of the credential, by which gateways find the key. */
  lookup_id: { type: String, required: true },
  /** HMAC-SHA-256 of the credential under the pepper of `pepper_version`, hex. */
  digest: { type: String, required: true },
  pepper_version: { type: String, required: true },
  /** Null: all scopes of the application, now and later. */
  scopes: nullableShape<Scope[]>(),
  /** Empty: any address. */
  allowed_cidrs: { type: [String], required: true },
  expires_at: nullableDate(),
  revoked_at: nullableDate(),
  revocation_reason: nullableText(),
  rotated_from: nullableText(),
  rotated_to: nullableText(),
  leak: nullableShape<KeyLeak>(),
  /** The last notice that the key expires. */
  expiry_notice: optionalShape<ExpiryNotice>(),
  ...AUDITED_FIELDS,
} as const;

/** An API key of one application in one environment. It changes only through the functions below. */
export type ApiKey = InferRawDocType<typeof definition> & {
  /** The new key that is about to be inserted; set between the two writes of a rotation. */
  successor?: ApiKey;
};

export const apiKeySchema = new Schema(
  { ...definition, successor: optionalShape<object>() },
  { ...RECORD_OPTIONS, collection: 'api_keys' },
);

/** The stored part of a credential. The credential itself leaves the process once, in the reply that creates it. */
export type CredentialDigest = Pick<ApiKey, 'lookup_id' | 'digest' | 'pepper_version'>;

/** `_id` is a reserved id; a new one by default. */
type NewApiKeyFields = Pick<ApiKey, 'team_id' | 'application_id' | 'environment' | 'name'> &
  CredentialDigest &
  KeyEdit & { _id?: string };

export function newApiKey({ scopes = null, ...fields }: NewApiKeyFields, now: Date): ApiKey {
  return {
    _id: newId('apiKey'),
    allowed_cidrs: [],
    expires_at: null,
    ...fields,
    scopes: scopes && inCatalogueOrder(scopes),
    revoked_at: null,
    revocation_reason: null,
    rotated_from: null,
    rotated_to: null,
    leak: null,
    version: 1,
    created_at: now,
    updated_at: now,
    outbox: [],
  };
}

/** Expiry depends on the clock alone: no write makes a key expire. */
export function statusOf(key: ApiKey, now: Date): ApiKeyStatus {
  if (key.revoked_at) return 'revoked';
  return key.expires_at && key.expires_at <= now ? 'expired' : 'active';
}

/** What a member can change about a key. An absent field stays unchanged. */
export type KeyEdit = Partial<Pick<ApiKey, 'name' | 'scopes' | 'allowed_cidrs' | 'expires_at'>>;

/** The same object when nothing changes. */
export function edited(key: ApiKey, edit: KeyEdit, now: Date): ApiKey {
  const after = { ...key, ...edit };
  if (edit.scopes) after.scopes = inCatalogueOrder(edit.scopes);
  return isDeepStrictEqual(key, after) ? key : { ...after, ...changedAt(key, now) };
}

/** The same object when the key is already revoked: the first reason is kept. A leak needs no more attention then. */
export function revoked(key: ApiKey, reason: string | null, now: Date): ApiKey {
  if (key.revoked_at) return key;
  const leak = key.leak && { ...key.leak, handled_at: key.leak.handled_at ?? now };
  return { ...key, leak, revoked_at: now, revocation_reason: reason, ...changedAt(key, now) };
}

const RESTORED_REASON = 'The key was revoked after the backup that was restored.';

/**
 * The key with the state of an entry of the bucket, which is ahead of the database after a restore. Fields that the entry
 * does not have, such as the name, stay as in the database. The reason of a revocation is lost.
 */
export function atEntry(key: ApiKey, entry: KeyEntry, now: Date): ApiKey {
  const isRevoked = entry.status === 'revoked' && !key.revoked_at;
  return {
    ...key,
    // Null stands for all scopes, which the entry lists.
    scopes:
      key.scopes === null && entry.scopes.length === SCOPE_NAMES.length
        ? null
        : inCatalogueOrder(entry.scopes),
    allowed_cidrs: entry.allowed_cidrs,
    expires_at: entry.expires_at === null ? null : new Date(entry.expires_at),
    ...(isRevoked && { revoked_at: now, revocation_reason: RESTORED_REASON }),
    // A member may have changed the key since the restore.
    version: Math.max(entry.version, key.version + 1),
    updated_at: now,
  };
}

const LEAK_REASON = 'A secret scanner found the key in public.';

/**
 * The key with its leak, and revoked if the policy says so. The same object when a leak is already recorded: the key is
 * public from the first one on.
 */
export function leaked(key: ApiKey, found: FoundLeak, policy: LeakedKeyPolicyName, now: Date): ApiKey {
  if (key.leak) return key;
  const flagged = { ...key, leak: { ...found, at: now, handled_at: null }, ...changedAt(key, now) };
  if (policy === 'flag' || key.revoked_at) return flagged;
  return { ...flagged, revoked_at: now, revocation_reason: LEAK_REASON };
}

/** The same object when there is no leak, or when it is already handled. */
export function leakHandled(key: ApiKey, now: Date): ApiKey {
  if (!key.leak || key.leak.handled_at) return key;
  return { ...key, leak: { ...key.leak, handled_at: now }, ...changedAt(key, now) };
}

/**
 * Returns the old key, which stays active for `overlapMs` but no longer than its own expiry, and holds its successor: same
 * name, scopes, CIDRs, environment, and expiry under a new id and credential.
 */
export function rotated(
  key: ApiKey,
  replacement: CredentialDigest & { _id?: string },
  overlapMs: number,
  now: Date,
): ApiKey & { successor: ApiKey } {
  assert(
    statusOf(key, now) === 'active' && !key.rotated_to,
    'Only an active key without a successor can be rotated',
  );
  const { team_id, application_id, environment, name, scopes, allowed_cidrs, expires_at } = key;
  const inherited = { team_id, application_id, environment, name, scopes, allowed_cidrs, expires_at };
  const successor = { ...newApiKey({ ...inherited, ...replacement }, now), rotated_from: key._id };
  const overlapEnd = new Date(now.getTime() + overlapMs);
  return {
    ...key,
    rotated_to: successor._id,
    expires_at: expires_at && expires_at < overlapEnd ? expires_at : overlapEnd,
    successor,
    ...changedAt(key, now),
  };
}

/** What the audit log keeps of a key. Never the digest: readers must not get material to test guesses against. */
export function auditedKey(key: ApiKey) {
  const { application_id, name, scopes, allowed_cidrs, leak: leaked } = key;
  const { expires_at, revoked_at, revocation_reason, rotated_to } = key;
  const ends = { expires_at, revoked_at, revocation_reason, rotated_to };
  return jsonOf({ application_id, name, scopes, allowed_cidrs, ...ends, leaked });
}

function changedAt({ version }: ApiKey, now: Date) {
  return { version: version + 1, updated_at: now };
}
