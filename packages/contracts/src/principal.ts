import Type, { type Static } from 'typebox';
import { EnvironmentSchema } from './environment.ts';
import { Id } from './ids.ts';
import { ScopesSchema } from './scopes-schema.ts';
import { Time } from './time.ts';

/** Who a public request acts as, as the gateway hands it to payments. `scopes` are the effective ones: application ∩ key. */
export const Principal = Type.Object(
  {
    team_id: Id('team'),
    application_id: Id('application'),
    key_id: Id('apiKey'),
    environment: EnvironmentSchema,
    scopes: ScopesSchema,
  },
  { additionalProperties: false },
);
export type Principal = Static<typeof Principal>;

export const PRINCIPALS_BUCKET = 'principals';

export const RateLimit = Type.Object(
  {
    requests_per_second: Type.Integer({ minimum: 1, maximum: 100_000 }),
    burst: Type.Integer({ minimum: 1, maximum: 200_000 }),
  },
  { additionalProperties: false },
);
export type RateLimit = Static<typeof RateLimit>;

export const DEFAULT_LIMITS = {
  live: { requests_per_second: 100, burst: 200 },
  sandbox: { requests_per_second: 25, burst: 50 },
} as const;

/** Value of KV entry `app.<application id>`. */
export const ApplicationEntry = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  team_id: Id('team'),
  status: Type.Enum(['active', 'archived'] as const),
  scopes: ScopesSchema,
  limits: Type.Object({ live: RateLimit, sandbox: RateLimit }),
});
export type ApplicationEntry = Static<typeof ApplicationEntry>;

/** Value of KV entry `key.<lookup id>`, where the lookup id is the 16 base62 characters inside the credential. */
export const KeyEntry = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  id: Id('apiKey'),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  /** HMAC-SHA-256 of the credential under the pepper of `pepper_version`, hex. */
  digest: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  pepper_version: Type.String(),
  scopes: ScopesSchema,
  allowed_cidrs: Type.Array(Type.String()),
  expires_at: Type.Union([Time, Type.Null()]),
  status: Type.Enum(['active', 'revoked'] as const),
});
export type KeyEntry = Static<typeof KeyEntry>;

/**
 * The entry (any value) that says that every principal is in the bucket. When NATS lost its store, a new bucket fills up
 * entry by entry; a gateway that took it over half full would reject keys that are valid.
 */
export const COMPLETE_ENTRY_KEY = 'complete';

export function applicationEntryKey(applicationId: string): string {
  return `app.${applicationId}`;
}

export function keyEntryKey(lookupId: string): string {
  return `key.${lookupId}`;
}
