import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ALL_EVENT_TYPES } from '@tollgate/contracts/webhooks/all-event-types';
import type { DISABLED_BY, Subscription } from '@tollgate/contracts/webhooks/webhook';
import { type EndpointHealth, HEALTHY } from '../health/endpoint-health.ts';
import type { SealedSecret } from '../secrets/secret-cipher.ts';

/** How many rotations in quick succession keep all their secrets signing. */
const MAX_SECRETS = 5;

export interface EndpointSecret {
  sealed: SealedSecret;
  /** Null for the current secret. */
  expiresAt: Date | null;
}

export interface Disabled {
  by: (typeof DISABLED_BY)[number];
  reason: string | null;
  at: Date;
}

/** A webhook endpoint: a URL of an application that receives events. Changes are pure functions that return a new endpoint. */
export interface Endpoint {
  id: string;
  teamId: string;
  applicationId: string;
  environment: Environment;
  url: string;
  description: string;
  eventTypes: Subscription;
  /** Null while it is enabled. */
  disabled: Disabled | null;
  /** The current one first; empty once the endpoint is deleted. */
  secrets: readonly EndpointSecret[];
  /** Null while it exists. */
  deletedAt: Date | null;
  /** Written by the worker that sends. Does not change the version. */
  health: EndpointHealth;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export type EndpointFields = Pick<Endpoint, 'url' | 'description' | 'eventTypes'>;

export function newEndpoint(
  owner: Pick<Endpoint, 'id' | 'teamId' | 'applicationId' | 'environment'>,
  fields: EndpointFields,
  sealed: SealedSecret,
  now: Date,
): Endpoint {
  return {
    ...owner,
    ...normalized(fields),
    disabled: null,
    secrets: [{ sealed, expiresAt: null }],
    deletedAt: null,
    health: HEALTHY,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** A new URL is a new receiver, so the failures of the old one do not count. */
export function withFields(endpoint: Endpoint, fields: Partial<EndpointFields>, now: Date): Endpoint {
  const changed = normalized({ ...endpoint, ...fields });
  const isSame =
    changed.url === endpoint.url &&
    changed.description === endpoint.description &&
    changed.eventTypes.join() === endpoint.eventTypes.join();
  if (isSame) return endpoint;
  const health = changed.url === endpoint.url ? endpoint.health : withoutFailures(endpoint.health);
  return next({ ...changed, health }, now);
}

/** `*` includes every other type. */
function normalized<Fields extends EndpointFields>(fields: Fields): Fields {
  return fields.eventTypes.includes(ALL_EVENT_TYPES) ? { ...fields, eventTypes: [ALL_EVENT_TYPES] } : fields;
}

/** The event types that the endpoint receives. */
export function typesOf({ eventTypes }: Pick<Endpoint, 'eventTypes'>): readonly PaymentEventType[] {
  return PAYMENT_EVENT_TYPES.filter((type) => receives({ eventTypes }, type));
}

export function receives({ eventTypes }: Pick<Endpoint, 'eventTypes'>, type: PaymentEventType): boolean {
  return eventTypes.includes(ALL_EVENT_TYPES) || eventTypes.includes(type);
}

export function enabled(endpoint: Endpoint, now: Date): Endpoint {
  if (endpoint.disabled === null) return endpoint;
  return next({ ...endpoint, disabled: null, health: withoutFailures(endpoint.health) }, now);
}

export function disabled(endpoint: Endpoint, by: Disabled['by'], reason: string | null, now: Date): Endpoint {
  if (endpoint.disabled !== null) return endpoint;
  return next({ ...endpoint, disabled: { by, reason, at: now } }, now);
}

/** Permanent. Nothing is signed for it any longer, so its secrets are removed. */
export function deleted(endpoint: Endpoint, now: Date): Endpoint {
  return next({ ...endpoint, deletedAt: now, secrets: [] }, now);
}

/**
 * The new secret becomes the current one. Earlier secrets sign until the overlap ends, or until their own earlier expiry.
 * Without an overlap they all expire immediately, which is the choice after a leak.
 */
export function withRotatedSecret(
  endpoint: Endpoint,
  sealed: SealedSecret,
  overlapMs: number,
  now: Date,
): Endpoint {
  const expiresAt = new Date(now.getTime() + overlapMs);
  const old = signingSecrets(endpoint, now)
    .map((secret) => ({ ...secret, expiresAt: earlier(secret.expiresAt ?? expiresAt, expiresAt) }))
    .filter((secret) => secret.expiresAt > now);
  if (old.length >= MAX_SECRETS) {
    throw new Problem(
      'conflict',
      `${old.length} earlier secrets still sign deliveries. Wait until one of them expires.`,
    );
  }
  return next({ ...endpoint, secrets: [{ sealed, expiresAt: null }, ...old] }, now);
}

/** The secrets that sign at this time, the current one first. */
export function signingSecrets(endpoint: Pick<Endpoint, 'secrets'>, now: Date): EndpointSecret[] {
  return endpoint.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function withoutFailures(health: EndpointHealth): EndpointHealth {
  return { ...HEALTHY, lastSuccessAt: health.lastSuccessAt };
}

function next(endpoint: Endpoint, now: Date): Endpoint {
  return { ...endpoint, version: endpoint.version + 1, updatedAt: now };
}
