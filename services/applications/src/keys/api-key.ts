import assert from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import type { ApiKeyStatus } from '@tollgate/contracts/applications/application';
import type { LeakedKeyPolicyName } from '@tollgate/contracts/applications/leak';
import type { KeyEntry } from '@tollgate/contracts/applications/principal';
import { SCOPE_NAMES, type Scope } from '@tollgate/contracts/applications/scopes';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { newId } from '@tollgate/contracts/platform/ids';
import { inCatalogueOrder } from '../applications/application.ts';

/** The stored part of a credential. The credential itself leaves the process once, in the reply that creates it. */
export interface CredentialDigest {
  /** The public part of the credential, by which gateways find the key. */
  readonly lookupId: string;
  /** HMAC-SHA-256 of the credential under the pepper of `pepperVersion`, hex. */
  readonly digest: string;
  readonly pepperVersion: string;
}

/** What a secret scanner said about a key that it found in public. */
export interface FoundLeak {
  readonly url: string | null;
  readonly source: string | null;
}

export interface KeyLeak extends FoundLeak {
  readonly at: Date;
  /** When a member marked the leak as handled; null while it needs attention. */
  readonly handledAt: Date | null;
}

/** An API key of one application in one environment. It changes only through the functions below. */
export interface ApiKey extends CredentialDigest {
  readonly id: string;
  readonly teamId: string;
  readonly applicationId: string;
  readonly environment: Environment;
  readonly name: string;
  /** Null: all scopes of the application, now and later. */
  readonly scopes: readonly Scope[] | null;
  /** Empty: any address. */
  readonly allowedCidrs: readonly string[];
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly revocationReason: string | null;
  readonly rotatedFrom: string | null;
  readonly rotatedTo: string | null;
  readonly leak: KeyLeak | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface NewApiKeyFields extends CredentialDigest {
  /** A reserved id; a new one by default. */
  id?: string;
  teamId: string;
  applicationId: string;
  environment: Environment;
  name: string;
  scopes: readonly Scope[] | null;
  allowedCidrs: readonly string[];
  expiresAt: Date | null;
}

export function newApiKey(fields: NewApiKeyFields, now: Date): ApiKey {
  return {
    ...fields,
    id: fields.id ?? newId('apiKey'),
    scopes: fields.scopes && inCatalogueOrder(fields.scopes),
    revokedAt: null,
    revocationReason: null,
    rotatedFrom: null,
    rotatedTo: null,
    leak: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** Expiry depends on the clock alone: no write makes a key expire. */
export function statusOf(key: ApiKey, now: Date): ApiKeyStatus {
  if (key.revokedAt) return 'revoked';
  return key.expiresAt && key.expiresAt <= now ? 'expired' : 'active';
}

/** What a member can change about a key. An absent field stays unchanged. */
export interface KeyEdit {
  name?: string | undefined;
  scopes?: readonly Scope[] | null | undefined;
  allowedCidrs?: readonly string[] | undefined;
  expiresAt?: Date | null | undefined;
}

/** The same object when nothing changes. */
export function edited(key: ApiKey, edit: KeyEdit, now: Date): ApiKey {
  const { name, scopes, allowedCidrs, expiresAt } = key;
  const before = { name, scopes, allowedCidrs, expiresAt };
  const after = {
    name: edit.name ?? name,
    scopes: edit.scopes === undefined ? scopes : edit.scopes && inCatalogueOrder(edit.scopes),
    allowedCidrs: edit.allowedCidrs ?? allowedCidrs,
    expiresAt: edit.expiresAt === undefined ? expiresAt : edit.expiresAt,
  };
  if (isDeepStrictEqual(before, after)) return key;
  return { ...key, ...after, version: key.version + 1, updatedAt: now };
}

/** The same object when the key is already revoked: the first reason is kept. A leak needs no more attention then. */
export function revoked(key: ApiKey, reason: string | null, now: Date): ApiKey {
  if (key.revokedAt) return key;
  const leak = key.leak && { ...key.leak, handledAt: key.leak.handledAt ?? now };
  return { ...key, leak, revokedAt: now, revocationReason: reason, version: key.version + 1, updatedAt: now };
}

const RESTORED_REASON = 'The key was revoked after the backup that was restored.';

/**
 * The key with the state of an entry of the bucket, which is ahead of the database after a restore. Fields that the entry
 * does not have, such as the name, stay as in the database. The reason of a revocation is lost.
 */
export function atEntry(key: ApiKey, entry: KeyEntry, now: Date): ApiKey {
  const isRevoked = entry.status === 'revoked' && !key.revokedAt;
  return {
    ...key,
    // Null stands for all scopes, which the entry lists.
    scopes:
      key.scopes === null && entry.scopes.length === SCOPE_NAMES.length
        ? null
        : inCatalogueOrder(entry.scopes),
    allowedCidrs: entry.allowed_cidrs,
    expiresAt: entry.expires_at === null ? null : new Date(entry.expires_at),
    ...(isRevoked && { revokedAt: now, revocationReason: RESTORED_REASON }),
    // A member may have changed the key since the restore.
    version: Math.max(entry.version, key.version + 1),
    updatedAt: now,
  };
}

const LEAK_REASON = 'A secret scanner found the key in public.';

/**
 * The key with its leak, and revoked if the policy says so. The same object when a leak is already recorded: the key is
 * public from the first one on.
 */
export function leaked(key: ApiKey, found: FoundLeak, policy: LeakedKeyPolicyName, now: Date): ApiKey {
  if (key.leak) return key;
  const leak = { ...found, at: now, handledAt: null };
  const flagged = { ...key, leak, version: key.version + 1, updatedAt: now };
  if (policy === 'flag' || key.revokedAt) return flagged;
  return { ...flagged, revokedAt: now, revocationReason: LEAK_REASON };
}

/** The same object when there is no leak, or when it is already handled. */
export function leakHandled(key: ApiKey, now: Date): ApiKey {
  if (!key.leak || key.leak.handledAt) return key;
  return { ...key, leak: { ...key.leak, handledAt: now }, version: key.version + 1, updatedAt: now };
}

/**
 * Returns the old key, which stays active for `overlapMs` but no longer than its own expiry, and its successor: same
 * name, scopes, CIDRs, environment, and expiry under a new id and credential.
 */
export function rotated(
  key: ApiKey,
  replacement: CredentialDigest & { id?: string },
  overlapMs: number,
  now: Date,
): { old: ApiKey; successor: ApiKey } {
  assert(
    statusOf(key, now) === 'active' && !key.rotatedTo,
    'Only an active key without a successor can be rotated',
  );
  const { teamId, applicationId, environment, name, scopes, allowedCidrs, expiresAt } = key;
  const inherited = { teamId, applicationId, environment, name, scopes, allowedCidrs, expiresAt };
  const successor = { ...newApiKey({ ...inherited, ...replacement }, now), rotatedFrom: key.id };
  const overlapEnd = new Date(now.getTime() + overlapMs);
  const old = {
    ...key,
    rotatedTo: successor.id,
    expiresAt: expiresAt && expiresAt < overlapEnd ? expiresAt : overlapEnd,
    version: key.version + 1,
    updatedAt: now,
  };
  return { old, successor };
}
