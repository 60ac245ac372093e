import Type from 'typebox';
import { EnvironmentSchema } from '../platform/environment.ts';
import { Id } from '../platform/ids.ts';
import { Page, PageRequest } from '../platform/page.ts';
import { PlainText } from '../platform/plain-text.ts';
import { rpc } from '../platform/rpc-contract.ts';
import { closed, Nullable } from '../platform/schema.ts';
import { Time } from '../platform/time.ts';
import {
  API_KEY_STATUSES,
  APPLICATION_LIMITS,
  ApiKey,
  Application,
  ApplicationStatusSchema,
  CreatedApiKey,
  MAX_ROTATION_OVERLAP_S,
  ScopesSchema,
} from './application.ts';
import { IdempotencyKeyRequirementInput } from './idempotency-key-requirement.ts';
import { LabelFilter, LabelsInput } from './labels.ts';
import { LEAKED_KEY_POLICIES, LeakedKeyPolicy, LeakReport } from './leak.ts';
import { RateLimit } from './rate-limit.ts';

const ApplicationRef = { application_id: Id('application') };
const KeyRef = { key_id: Id('apiKey') };
const ApplicationName = PlainText({ minLength: 1, maxLength: APPLICATION_LIMITS.name });
const KeyName = PlainText({ minLength: 1, maxLength: APPLICATION_LIMITS.keyName });
const AllowedCidrs = Type.Array(Type.String({ maxLength: 64 }), { maxItems: APPLICATION_LIMITS.cidrsPerKey });
const Limits = Type.Object({ live: RateLimit, sandbox: RateLimit }, closed);
/** Part of the name, in any case. */
const NameFilter = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, description: 'Part of the name, in any case' });
/**
 * The version that the caller read; absent means the current version. Any other version is rejected with
 * `precondition-failed`.
 */
const IfVersion = { if_version: Type.Optional(Type.Integer({ minimum: 1 })) };

export const createApplication = rpc('applications', 'create', 'member-or-token', {
  idempotent: true,
  request: {
    name: ApplicationName,
    scopes: ScopesSchema,
    /** Absent: the default limits. Limits of your own require the role that `set_limits` requires. */
    limits: Type.Optional(Limits),
    labels: Type.Optional(LabelsInput),
    /** Absent: required in live, and not in the sandbox. */
    require_idempotency_key: Type.Optional(IdempotencyKeyRequirementInput),
  },
  reply: Application,
});

export const getApplication = rpc('applications', 'get', 'member-or-token', {
  request: ApplicationRef,
  reply: Application,
});

export const listApplications = rpc('applications', 'list', 'member-or-token', {
  request: {
    ...PageRequest,
    name: Type.Optional(NameFilter(APPLICATION_LIMITS.name)),
    label: Type.Optional(LabelFilter),
    /** Absent: both statuses. */
    status: Type.Optional(ApplicationStatusSchema),
  },
  reply: Page(Application),
});

export const renameApplication = rpc('applications', 'rename', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, name: ApplicationName },
  reply: Application,
});

export const setScopes = rpc('applications', 'set_scopes', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, scopes: ScopesSchema },
  reply: Application,
});

export const setLimits = rpc('applications', 'set_limits', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, limits: Limits },
  reply: Application,
});

export const setLabels = rpc('applications', 'set_labels', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, labels: LabelsInput },
  reply: Application,
});

export const setIdempotencyKeyRequirement = rpc(
  'applications',
  'set_idempotency_key_requirement',
  'member-or-token',
  {
    request: { ...ApplicationRef, ...IfVersion, require_idempotency_key: IdempotencyKeyRequirementInput },
    reply: Application,
  },
);

export const archiveApplication = rpc('applications', 'archive', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion },
  reply: Application,
});

export const restoreApplication = rpc('applications', 'restore', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion },
  reply: Application,
});

/** Deletes an archived application and its keys, unless it has payments or webhook endpoints. */
export const deleteApplication = rpc('applications', 'delete', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion },
});

export const createKey = rpc('applications', 'create_key', 'member-or-token', {
  idempotent: true,
  request: {
    ...ApplicationRef,
    name: KeyName,
    environment: EnvironmentSchema,
    /** Absent: all current and future scopes of the application. */
    scopes: Type.Optional(ScopesSchema),
    expires_at: Type.Optional(Time),
    allowed_cidrs: Type.Optional(AllowedCidrs),
  },
  reply: CreatedApiKey,
});

export const listKeys = rpc('applications', 'list_keys', 'member-or-token', {
  request: {
    ...PageRequest,
    /** Absent: the keys of all applications of the team. */
    application_id: Type.Optional(Id('application')),
    /** Absent: both environments. */
    environment: Type.Optional(EnvironmentSchema),
    /** Absent: all statuses. */
    status: Type.Optional(Type.Enum(API_KEY_STATUSES)),
    name: Type.Optional(NameFilter(APPLICATION_LIMITS.keyName)),
    /** Absent: keys with and without a leak. */
    leak: Type.Optional(Type.Enum(['unhandled'], { description: 'Only leaked keys that need attention' })),
    expires_before: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Only active keys that expire before this time (RFC 3339)',
      }),
    ),
  },
  reply: Page(ApiKey),
});

export const getKey = rpc('applications', 'get_key', 'member-or-token', { request: KeyRef, reply: ApiKey });

/** Absent fields stay unchanged. Only an active key that was not rotated can be changed. */
export const updateKey = rpc('applications', 'update_key', 'member-or-token', {
  request: {
    ...KeyRef,
    ...IfVersion,
    name: Type.Optional(KeyName),
    /** Null: all current and future scopes of the application. */
    scopes: Type.Optional(Nullable(ScopesSchema)),
    /** Null: never. */
    expires_at: Type.Optional(Nullable(Time)),
    /** Empty: any address. */
    allowed_cidrs: Type.Optional(AllowedCidrs),
  },
  reply: ApiKey,
});

/** Creates a new key with the old one's name, scopes, CIDRs, and environment. The old key expires after the overlap. */
export const rotateKey = rpc('applications', 'rotate_key', 'member-or-token', {
  idempotent: true,
  request: { ...KeyRef, overlap_s: Type.Integer({ minimum: 0, maximum: MAX_ROTATION_OVERLAP_S }) },
  reply: CreatedApiKey,
});

export const revokeKey = rpc('applications', 'revoke_key', 'member-or-token', {
  request: { ...KeyRef, reason: Type.Optional(PlainText({ minLength: 1, maxLength: 255 })) },
  reply: ApiKey,
});

/** Marks the leak of a key as handled: it no longer needs attention. Changes nothing else about the key. */
export const handleLeak = rpc('applications', 'handle_leak', 'member-or-token', {
  request: KeyRef,
  reply: ApiKey,
});

/**
 * Reports that a secret scanner found a key. `digests` prove that the scanner found the whole key, not only its public
 * lookup id: its digest under each pepper, by version.
 */
export const reportLeakedKey = rpc('applications', 'report_leaked_key', 'service', {
  request: {
    lookup_id: Type.String(),
    digests: Type.Record(Type.String(), Type.String()),
    ...LeakReport,
  },
  reply: Type.Object({ is_known: Type.Boolean() }),
});

export const getLeakedKeyPolicy = rpc('applications', 'leaked_key_policy', 'member-or-token', {
  reply: LeakedKeyPolicy,
});

export const setLeakedKeyPolicy = rpc('applications', 'set_leaked_key_policy', 'member-or-token', {
  request: { ...IfVersion, policy: Type.Enum(LEAKED_KEY_POLICIES) },
  reply: LeakedKeyPolicy,
});
