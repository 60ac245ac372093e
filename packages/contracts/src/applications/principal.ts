import Type, { type Static } from 'typebox';
import { ClosedObject, EnvironmentSchema, Id, Nullable, Time } from '../platform/schema.ts';
import { ScopesSchema } from './application.ts';
import { IdempotencyKeyRequirement } from './idempotency-key-requirement.ts';
import { RateLimit } from './rate-limit.ts';

/** The caller of a public request. `scopes` are the effective ones: application ∩ key. */
export const Principal = ClosedObject({
  team_id: Id('team'),
  application_id: Id('application'),
  key_id: Id('apiKey'),
  environment: EnvironmentSchema,
  scopes: ScopesSchema,
});
export type Principal = Static<typeof Principal>;

/** The caller and origin of one public request, as the gateway passes it to payments. */
export const RequestPrincipal = ClosedObject({
  ...Principal.properties,
  /** IP address of the client, for the audit record; null if it is unreadable. */
  client_address: Nullable(Type.String()),
});
export type RequestPrincipal = Static<typeof RequestPrincipal>;

export const PRINCIPALS_BUCKET = 'principals';

/** Value of KV entry `app.<application id>`. */
export const ApplicationEntry = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  team_id: Id('team'),
  status: Type.Enum(['active', 'archived'] as const),
  scopes: ScopesSchema,
  limits: Type.Object({ live: RateLimit, sandbox: RateLimit }),
  require_idempotency_key: IdempotencyKeyRequirement,
  /** Null unless the application is deleted; then its keys have no entries. */
  deleted_at: Nullable(Time),
});
export type ApplicationEntry = Static<typeof ApplicationEntry>;

/** Value of KV entry `key.<lookup id>`, where the lookup id is the 16 base62 characters in the credential. */
export const KeyEntry = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  id: Id('apiKey'),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  /** HMAC-SHA-256 of the credential under the pepper of `pepper_version`, hex. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  pepper_version: Type.String(),
  /** Fingerprint of the pepper of `pepper_version`: a gateway with a different pepper is not ready. Null if the service lacks the pepper. */
  pepper_fingerprint: Nullable(Type.String()),
  scopes: ScopesSchema,
  allowed_cidrs: Type.Array(Type.String()),
  expires_at: Nullable(Time),
  status: Type.Enum(['active', 'revoked'] as const),
});
export type KeyEntry = Static<typeof KeyEntry>;

/**
 * Entry (any value) that marks the bucket as complete. When NATS lost its store, a new bucket is filled entry by entry;
 * a gateway that used it half full would reject valid keys.
 */
export const COMPLETE_ENTRY_KEY = 'complete';

export function applicationEntryKey(applicationId: string): string {
  return `app.${applicationId}`;
}

export function keyEntryKey(lookupId: string): string {
  return `key.${lookupId}`;
}
