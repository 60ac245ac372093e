import Type from 'typebox';
import {
  APPLICATION_LIMITS,
  ApiKey,
  Application,
  ApplicationStatusSchema,
  CreatedApiKey,
  MAX_ROTATION_OVERLAP_S,
} from '../application.ts';
import { EnvironmentSchema } from '../environment.ts';
import { Id } from '../ids.ts';
import { RateLimit } from '../rate-limit.ts';
import { ScopesSchema } from '../scopes-schema.ts';
import { Time } from '../time.ts';
import { rpc } from './contract.ts';
import { Page, PageRequest } from './page.ts';

const closed = { additionalProperties: false } as const;
const ApplicationRef = { application_id: Id('application') };
const KeyRef = { key_id: Id('apiKey') };
const ApplicationName = Type.String({ minLength: 1, maxLength: APPLICATION_LIMITS.name });
/**
 * The version that the caller read; absent means the current version. Any other version is rejected with
 * `precondition-failed`.
 */
const IfVersion = { if_version: Type.Optional(Type.Integer({ minimum: 1 })) };

export const createApplication = rpc('applications', 'create', {
  caller: 'member',
  request: Type.Object({ name: ApplicationName, scopes: ScopesSchema }, closed),
  reply: Application,
});

export const getApplication = rpc('applications', 'get', {
  caller: 'member',
  request: Type.Object(ApplicationRef, closed),
  reply: Application,
});

export const listApplications = rpc('applications', 'list', {
  caller: 'member',
  request: Type.Object(
    {
      ...PageRequest,
      /** Absent: both statuses. */
      status: Type.Optional(ApplicationStatusSchema),
    },
    closed,
  ),
  reply: Page(Application),
});

export const renameApplication = rpc('applications', 'rename', {
  caller: 'member',
  request: Type.Object({ ...ApplicationRef, ...IfVersion, name: ApplicationName }, closed),
  reply: Application,
});

export const setScopes = rpc('applications', 'set_scopes', {
  caller: 'member',
  request: Type.Object({ ...ApplicationRef, ...IfVersion, scopes: ScopesSchema }, closed),
  reply: Application,
});

export const setLimits = rpc('applications', 'set_limits', {
  caller: 'member',
  request: Type.Object(
    { ...ApplicationRef, ...IfVersion, limits: Type.Object({ live: RateLimit, sandbox: RateLimit }, closed) },
    closed,
  ),
  reply: Application,
});

export const archiveApplication = rpc('applications', 'archive', {
  caller: 'member',
  request: Type.Object({ ...ApplicationRef, ...IfVersion }, closed),
  reply: Application,
});

export const restoreApplication = rpc('applications', 'restore', {
  caller: 'member',
  request: Type.Object({ ...ApplicationRef, ...IfVersion }, closed),
  reply: Application,
});

export const createKey = rpc('applications', 'create_key', {
  caller: 'member',
  request: Type.Object(
    {
      ...ApplicationRef,
      name: Type.String({ minLength: 1, maxLength: APPLICATION_LIMITS.keyName }),
      environment: EnvironmentSchema,
      /** Absent: all current and future scopes of the application. */
      scopes: Type.Optional(ScopesSchema),
      expires_at: Type.Optional(Time),
      allowed_cidrs: Type.Optional(
        Type.Array(Type.String({ maxLength: 64 }), { maxItems: APPLICATION_LIMITS.cidrsPerKey }),
      ),
    },
    closed,
  ),
  reply: CreatedApiKey,
});

export const listKeys = rpc('applications', 'list_keys', {
  caller: 'member',
  request: Type.Object(
    {
      ...ApplicationRef,
      ...PageRequest,
      /** Absent: both environments. */
      environment: Type.Optional(EnvironmentSchema),
      /** Only keys that are valid now. Absent: all keys. */
      status: Type.Optional(Type.Enum(['active'] as const)),
    },
    closed,
  ),
  reply: Page(ApiKey),
});

export const getKey = rpc('applications', 'get_key', {
  caller: 'member',
  request: Type.Object(KeyRef, closed),
  reply: ApiKey,
});

/** Creates a new key with the old one's name, scopes, CIDRs, and environment. The old key expires after the overlap. */
export const rotateKey = rpc('applications', 'rotate_key', {
  caller: 'member',
  request: Type.Object(
    { ...KeyRef, overlap_s: Type.Integer({ minimum: 0, maximum: MAX_ROTATION_OVERLAP_S }) },
    closed,
  ),
  reply: CreatedApiKey,
});

export const revokeKey = rpc('applications', 'revoke_key', {
  caller: 'member',
  request: Type.Object(
    { ...KeyRef, reason: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })) },
    closed,
  ),
  reply: ApiKey,
});
