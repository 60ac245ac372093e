import Type from 'typebox';
import { OptionalText, Page, PageRequest, TimeFilter } from '../platform/page.ts';
import { PlainText } from '../platform/plain-text.ts';
import { contractsOf } from '../platform/rpc-contract.ts';
import {
  ClosedObject,
  EnvironmentSchema,
  Id,
  IfVersion,
  Nullable,
  TextOfPattern,
  Time,
} from '../platform/schema.ts';
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

const rpc = contractsOf('applications');

const ApplicationRef = { application_id: Id('application') };
const KeyRef = { key_id: Id('apiKey') };
const ApplicationName = PlainText({ minLength: 1, maxLength: APPLICATION_LIMITS.name });
const KeyName = PlainText({ minLength: 1, maxLength: APPLICATION_LIMITS.keyName });
const AllowedCidrs = Type.Array(Type.String({ maxLength: 64 }), { maxItems: APPLICATION_LIMITS.cidrsPerKey });
const Limits = ClosedObject({ live: RateLimit, sandbox: RateLimit });
const NameFilter = (maxLength: number) => OptionalText(maxLength, 'Part of the name, in any case');

export const createApplication = rpc('create', 'member-or-token', {
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

export const getApplication = rpc('get', 'member-or-token', { request: ApplicationRef, reply: Application });

export const listApplications = rpc('list', 'member-or-token', {
  request: {
    ...PageRequest,
    name: NameFilter(APPLICATION_LIMITS.name),
    label: Type.Optional(LabelFilter),
    status: Type.Optional(ApplicationStatusSchema),
  },
  reply: Page(Application),
});

export const renameApplication = rpc('rename', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, name: ApplicationName },
  reply: Application,
});

export const setScopes = rpc('set_scopes', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, scopes: ScopesSchema },
  reply: Application,
});

export const setLimits = rpc('set_limits', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, limits: Limits },
  reply: Application,
});

export const setLabels = rpc('set_labels', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, labels: LabelsInput },
  reply: Application,
});

export const setIdempotencyKeyRequirement = rpc('set_idempotency_key_requirement', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion, require_idempotency_key: IdempotencyKeyRequirementInput },
  reply: Application,
});

export const archiveApplication = rpc('archive', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion },
  reply: Application,
});

export const restoreApplication = rpc('restore', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion },
  reply: Application,
});

export const deleteApplication = rpc('delete', 'member-or-token', {
  request: { ...ApplicationRef, ...IfVersion },
});

export const createKey = rpc('create_key', 'member-or-token', {
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

export const listKeys = rpc('list_keys', 'member-or-token', {
  request: {
    ...PageRequest,
    application_id: Type.Optional(Id('application')),
    environment: Type.Optional(EnvironmentSchema),
    status: Type.Optional(Type.Enum(API_KEY_STATUSES)),
    name: NameFilter(APPLICATION_LIMITS.keyName),
    lookup_id: Type.Optional(
      TextOfPattern('^[0-9A-Za-z]{1,16}$', 'This must be the beginning of a lookup id: letters and digits.', {
        description: 'Beginning of the lookup id, the public part of a key: `tg_live_<lookup_id>_…`',
      }),
    ),
    leak: Type.Optional(Type.Enum(['unhandled'], { description: 'Only leaked keys that need attention' })),
    expires_before: TimeFilter('Only active keys that expire before this time'),
  },
  reply: Page(ApiKey),
});

export const getKey = rpc('get_key', 'member-or-token', { request: KeyRef, reply: ApiKey });

/** Absent fields stay unchanged. Only an active key that was not rotated can be changed. */
export const updateKey = rpc('update_key', 'member-or-token', {
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

/** The new key has the name, scopes, CIDRs, and environment of the old one. */
export const rotateKey = rpc('rotate_key', 'member-or-token', {
  idempotent: true,
  request: { ...KeyRef, overlap_s: Type.Integer({ minimum: 0, maximum: MAX_ROTATION_OVERLAP_S }) },
  reply: CreatedApiKey,
});

export const revokeKey = rpc('revoke_key', 'member-or-token', {
  request: { ...KeyRef, reason: Type.Optional(PlainText({ minLength: 1, maxLength: 255 })) },
  reply: ApiKey,
});

export const handleLeak = rpc('handle_leak', 'member-or-token', { request: KeyRef, reply: ApiKey });

/**
 * Reports that a secret scanner found a key. `digests` prove that the scanner found the whole key, not only its public
 * lookup id: its digest under each pepper, by version.
 */
export const reportLeakedKey = rpc('report_leaked_key', 'service', {
  request: { lookup_id: Type.String(), digests: Type.Record(Type.String(), Type.String()), ...LeakReport },
  reply: Type.Object({ is_known: Type.Boolean() }),
});

export const getLeakedKeyPolicy = rpc('leaked_key_policy', 'member-or-token', { reply: LeakedKeyPolicy });

export const setLeakedKeyPolicy = rpc('set_leaked_key_policy', 'member-or-token', {
  request: { ...IfVersion, policy: Type.Enum(LEAKED_KEY_POLICIES) },
  reply: LeakedKeyPolicy,
});
