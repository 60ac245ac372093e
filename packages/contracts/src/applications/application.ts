import Type, { type Static } from 'typebox';
import { DAY_S } from '../platform/durations.ts';
import { EnvironmentSchema, Id, Nullable, Time } from '../platform/schema.ts';
import { IdempotencyKeyRequirement } from './idempotency-key-requirement.ts';
import { Labels } from './labels.ts';
import { Leak } from './leak.ts';
import { RateLimit } from './rate-limit.ts';
import { SCOPE_NAMES } from './scopes.ts';

export const APPLICATION_LIMITS = {
  name: 80,
  keyName: 80,
  /** Active and archived: gateways hold all of them in memory. */
  applicationsPerTeam: 500,
  activeKeysPerApplication: 100,
  cidrsPerKey: 50,
} as const;

export const ScopesSchema = Type.Array(Type.Enum(SCOPE_NAMES), { uniqueItems: true });

/** A rotation keeps the old key valid for 0 s to 7 days. */
export const MAX_ROTATION_OVERLAP_S = 7 * DAY_S;

export const ApplicationStatusSchema = Type.Enum(['active', 'archived'] as const);

export const Application = Type.Object({
  id: Id('application'),
  name: Type.String(),
  status: ApplicationStatusSchema,
  scopes: ScopesSchema,
  limits: Type.Object({ live: RateLimit, sandbox: RateLimit }),
  labels: Labels,
  require_idempotency_key: IdempotencyKeyRequirement,
  version: Type.Integer({ minimum: 1 }),
  created_at: Time,
  updated_at: Time,
});
export type Application = Static<typeof Application>;

export const API_KEY_STATUSES = ['active', 'expired', 'revoked'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** `handled_at` is when a member confirmed the leak; null while it needs attention. */
const KeyLeak = Type.Object({ ...Leak.properties, handled_at: Nullable(Time) });

/** An API key without its secret. `lookup_id` is the public part of the credential: `tg_live_<lookup_id>_…`. */
export const ApiKey = Type.Object({
  id: Id('apiKey'),
  application_id: Id('application'),
  environment: EnvironmentSchema,
  name: Type.String(),
  lookup_id: Type.String(),
  scopes: Nullable(ScopesSchema),
  allowed_cidrs: Type.Array(Type.String()),
  status: Type.Enum(API_KEY_STATUSES),
  expires_at: Nullable(Time),
  revoked_at: Nullable(Time),
  revocation_reason: Nullable(Type.String()),
  rotated_to: Nullable(Id('apiKey')),
  leaked: Nullable(KeyLeak, 'Where a secret scanner found the key; null if none reported it'),
  version: Type.Integer({ minimum: 1 }),
  created_at: Time,
});
export type ApiKey = Static<typeof ApiKey>;

/** A new key with its credential, which is returned only here; null in a replayed reply. */
export const CreatedApiKey = Type.Object({
  ...ApiKey.properties,
  secret: Nullable(Type.String(), 'Null in a replayed response'),
});
export type CreatedApiKey = Static<typeof CreatedApiKey>;
