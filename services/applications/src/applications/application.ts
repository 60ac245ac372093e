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

export type ApplicationStatus = 'active' | 'archived';
export type Limits = { live: RateLimit; sandbox: RateLimit };

/** A caller of the API. It changes only through the functions below; each change raises `version` by one. */
export interface Application {
  readonly id: string;
  readonly teamId: string;
  readonly name: string;
  readonly status: ApplicationStatus;
  readonly scopes: readonly Scope[];
  readonly limits: Limits;
  /** In the order of the keys. */
  readonly labels: Labels;
  readonly requireIdempotencyKey: IdempotencyKeyRequirement;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Members no longer see a deleted application. The document stays for as long as its entry of the bucket. */
  readonly deletedAt: Date | null;
}

export interface NewApplicationFields {
  /** A reserved id; a new one by default. */
  id?: string;
  teamId: string;
  name: string;
  scopes: readonly Scope[];
  limits?: Limits | undefined;
  labels?: Labels | undefined;
  requireIdempotencyKey?: IdempotencyKeyRequirement | undefined;
}

export function newApplication(fields: NewApplicationFields, now: Date): Application {
  return {
    id: fields.id ?? newId('application'),
    teamId: fields.teamId,
    name: fields.name,
    status: 'active',
    scopes: inCatalogueOrder(fields.scopes),
    limits: fields.limits ?? DEFAULT_LIMITS,
    labels: inKeyOrder(fields.labels ?? {}),
    requireIdempotencyKey: fields.requireIdempotencyKey ?? DEFAULT_IDEMPOTENCY_KEY_REQUIREMENT,
    version: 1,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
}

/** The functions below return the same object when nothing changes. */
export function renamed(application: Application, name: string, now: Date): Application {
  return application.name === name ? application : changed(application, { name }, now);
}

export function withScopes(application: Application, scopes: readonly Scope[], now: Date): Application {
  const ordered = inCatalogueOrder(scopes);
  if (ordered.join() === application.scopes.join()) return application;
  return changed(application, { scopes: ordered }, now);
}

export function withLimits(application: Application, limits: Limits, now: Date): Application {
  const { live, sandbox } = application.limits;
  if (sameLimit(live, limits.live) && sameLimit(sandbox, limits.sandbox)) return application;
  return changed(application, { limits }, now);
}

export function withLabels(application: Application, labels: Labels, now: Date): Application {
  if (isDeepStrictEqual(application.labels, labels)) return application;
  return changed(application, { labels: inKeyOrder(labels) }, now);
}

export function withIdempotencyKeyRequirement(
  application: Application,
  { live, sandbox }: IdempotencyKeyRequirement,
  now: Date,
): Application {
  const current = application.requireIdempotencyKey;
  if (current.live === live && current.sandbox === sandbox) return application;
  return changed(application, { requireIdempotencyKey: { live, sandbox } }, now);
}

export function withStatus(application: Application, status: ApplicationStatus, now: Date): Application {
  if (application.status === status) return application;
  return changed(application, { status }, now);
}

export function deleted(application: Application, now: Date): Application {
  return changed(application, { deletedAt: now }, now);
}

/**
 * The application as an entry of the bucket says, which is ahead of the database after a restore. What the entry does not
 * have, such as the name, is lost.
 */
export function atEntry(application: Application, entry: ApplicationEntry, now: Date): Application {
  return {
    ...application,
    status: entry.status,
    scopes: inCatalogueOrder(entry.scopes),
    limits: entry.limits,
    requireIdempotencyKey: entry.require_idempotency_key,
    deletedAt: entry.deleted_at === null ? null : new Date(entry.deleted_at),
    version: entry.version,
    updatedAt: now,
  };
}

function changed(application: Application, change: Partial<Application>, now: Date): Application {
  return { ...application, ...change, version: application.version + 1, updatedAt: now };
}

function sameLimit(a: RateLimit, b: RateLimit): boolean {
  return a.requests_per_second === b.requests_per_second && a.burst === b.burst;
}

function inKeyOrder(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A fixed order, so that equal sets compare equal. */
export function inCatalogueOrder(scopes: readonly Scope[]): Scope[] {
  return SCOPE_NAMES.filter((scope) => scopes.includes(scope));
}
