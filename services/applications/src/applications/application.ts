import { isDeepStrictEqual } from 'node:util';
import {
  DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT,
  type IdempotencyKeyRequirement,
} from '@tollgate/contracts/applications/idempotency-key-requirement';
import type { Labels } from '@tollgate/contracts/applications/labels';
import type { ApplicationEntry } from '@tollgate/contracts/applications/principal';
import { DEFAULT_LIMITS, type RateLimit } from '@tollgate/contracts/applications/rate-limit';
import { SCOPE_NAMES, type Scope } from '@tollgate/contracts/applications/scopes';
import { newId } from '@tollgate/contracts/platform/ids';
import { jsonOf } from '@tollgate/store/json-of';
import {
  AUDITED_FIELDS,
  listOf,
  nullableDate,
  RECORD_OPTIONS,
  shape,
  textOf,
} from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';

export type Limits = { live: RateLimit; sandbox: RateLimit };

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  name: { type: String, required: true },
  status: textOf<'active' | 'archived'>(),
  scopes: listOf<Scope>(),
  limits: shape<Limits>(),
  /** `<key>:<value>` in the order of the keys: one index serves every key. A key contains no colon. */
  labels: { type: [String], required: true },
  require_idempotency_key: shape<IdempotencyKeyRequirement>(),
  /** Keeps the number of the team's applications at its limit. Absent once the application is deleted. */
  slot: { type: Number, allowNull: false },
  /** Members no longer see a deleted application. The document stays for as long as its entry of the bucket. */
  deleted_at: nullableDate(),
  ...AUDITED_FIELDS,
} as const;

/** A caller of the API. It changes only through the functions below; each change raises `version` by one. */
export type Application = InferRawDocType<typeof definition>;

export const applicationSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'applications' });

interface NewApplicationFields {
  /** A reserved id; a new one by default. */
  _id?: string;
  team_id: string;
  name: string;
  scopes: readonly Scope[];
  limits?: Limits;
  /** As stored. */
  labels?: string[];
  require_idempotency_key?: IdempotencyKeyRequirement;
}

export function newApplication({ scopes, ...fields }: NewApplicationFields, now: Date): Application {
  return {
    _id: newId('application'),
    limits: DEFAULT_LIMITS,
    labels: [],
    require_idempotency_key: DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT,
    ...fields,
    status: 'active',
    scopes: inCatalogueOrder(scopes),
    version: 1,
    created_at: now,
    updated_at: now,
    deleted_at: null,
    outbox: [],
  };
}

/** What a member can change. An absent field stays unchanged. */
export type ApplicationEdit = Partial<
  Pick<Application, 'name' | 'status' | 'scopes' | 'limits' | 'labels' | 'require_idempotency_key'>
>;

/** The same object when nothing changes. */
export function edited(application: Application, edit: ApplicationEdit, now: Date): Application {
  const after = { ...application, ...edit };
  if (edit.scopes) after.scopes = inCatalogueOrder(edit.scopes);
  if (isDeepStrictEqual(application, after)) return application;
  return { ...after, version: application.version + 1, updated_at: now };
}

export function deleted({ slot: _, ...application }: Application, now: Date): Application {
  return { ...application, deleted_at: now, version: application.version + 1, updated_at: now };
}

/**
 * The application as an entry of the bucket says, which is ahead of the database after a restore. What the entry does not
 * have, such as the name, is lost.
 */
export function atEntry(application: Application, entry: ApplicationEntry, now: Date): Application {
  const { slot, ...rest } = application;
  const deleted_at = entry.deleted_at === null ? null : new Date(entry.deleted_at);
  return {
    ...rest,
    ...(slot !== undefined && deleted_at === null && { slot }),
    status: entry.status,
    scopes: inCatalogueOrder(entry.scopes),
    limits: entry.limits,
    require_idempotency_key: entry.require_idempotency_key,
    deleted_at,
    version: entry.version,
    updated_at: now,
  };
}

/** What the audit log keeps of an application. */
export function auditedApplication(application: Application) {
  const { name, status, scopes, limits, labels, require_idempotency_key, deleted_at } = application;
  return jsonOf({
    name,
    status,
    scopes,
    limits,
    labels: labelsOf(labels),
    require_idempotency_key,
    deleted_at,
  });
}

/** The labels as stored. */
export function labelTexts(labels: Labels): string[] {
  const ordered = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return ordered.map(([key, value]) => `${key}:${value}`);
}

export function labelsOf(texts: readonly string[]): Labels {
  return Object.fromEntries(
    texts.map((text) => {
      const colon = text.indexOf(':');
      return [text.slice(0, colon), text.slice(colon + 1)];
    }),
  );
}

/** A fixed order, so that equal sets compare equal. */
export function inCatalogueOrder(scopes: readonly Scope[]): Scope[] {
  return SCOPE_NAMES.filter((scope) => scopes.includes(scope));
}
