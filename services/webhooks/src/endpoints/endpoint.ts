import { PAYMENT_EVENT_TYPES, type PaymentEventType } from '@tollgate/contracts/payments/events';
import { DAY_S } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import { Problem } from '@tollgate/contracts/platform/problem';
import { ALL_EVENT_TYPES } from '@tollgate/contracts/webhooks/all-event-types';
import type { DISABLED_BY, Subscription } from '@tollgate/contracts/webhooks/webhook';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import {
  AUDITED_FIELDS,
  listOf,
  nullableDate,
  nullableShape,
  RECORD_OPTIONS,
  shape,
  textOf,
} from '@tollgate/store/schema/fields';
import { type InferRawDocType, Schema } from 'mongoose';
import { type EndpointHealth, HEALTHY } from '../health/endpoint-health.ts';
import { RETENTION_S } from '../retention.ts';
import type { SealedSecret } from '../secrets/secret-cipher.ts';

/** How many rotations in quick succession keep all their secrets signing. */
const MAX_SECRETS = 5;

export interface EndpointSecret {
  sealed: SealedSecret;
  /** Null for the current secret. */
  expiresAt: Date | null;
}

interface Disabled {
  by: (typeof DISABLED_BY)[number];
  reason: string | null;
  at: Date;
}

/** The right of one instance to send to an endpoint. */
interface StoredLease {
  /** The instance. */
  holder: string;
  /** Differs for each acquisition, so that a late release does not end the next lease. */
  token: string;
  until: Date;
}

const definition = {
  _id: { type: String, required: true },
  team_id: { type: String, required: true },
  application_id: { type: String, required: true },
  environment: textOf<Environment>(),
  url: { type: String, required: true },
  description: { type: String, default: '' },
  event_types: listOf<Subscription[number]>(),
  /** Null while it is enabled. */
  disabled: nullableShape<Disabled>(),
  /** The current one first; empty once the endpoint is deleted. */
  secrets: listOf<EndpointSecret>(),
  /** Null while it exists. A deleted endpoint is kept as long as its deliveries, which show its URL. */
  deleted_at: nullableDate(),
  /** Keeps the number of the team's endpoints at its limit. */
  slot: { type: Number, required: true },
  /** Written by the worker that sends. Does not change the version. */
  health: shape<EndpointHealth>(),
  /** The lease. Instances of adjacent releases run side by side and must agree on its name in the store. */
  turn: nullableShape<StoredLease>(),
  ...AUDITED_FIELDS,
} as const;

/** A webhook endpoint: a URL of an application that receives events. It changes only through the functions below. */
export type Endpoint = InferRawDocType<typeof definition>;

export const endpointSchema = new Schema(definition, { ...RECORD_OPTIONS, collection: 'endpoints' });

export const ENDPOINT_INDEXES: readonly IndexDeclaration[] = [
  {
    key: { team_id: 1, deleted_at: 1, _id: -1 },
    purpose: 'Endpoints of a team, without reading deleted ones',
  },
  {
    key: { team_id: 1, slot: 1 },
    unique: true,
    // A deleted endpoint leaves this index, so that its slot is free.
    partialFilterExpression: { deleted_at: null },
    purpose: 'Keeps the number of endpoints of a team at its limit',
  },
  {
    key: { application_id: 1, environment: 1, deleted_at: 1 },
    purpose: 'The fan-out: subscribed endpoints, without reading deleted ones',
  },
  {
    key: { deleted_at: 1 },
    // A day longer than its newest delivery, because MongoDB may expire deliveries late.
    expireAfterSeconds: RETENTION_S + DAY_S,
    purpose: 'Deletes endpoints after their deliveries',
  },
  OUTBOX_INDEX,
];

/** What a member chooses, and can change. */
type EndpointFields = Pick<Endpoint, 'url' | 'description' | 'event_types'>;

/** The store gives the endpoint its slot. */
export function newEndpoint(
  fields: EndpointFields & Pick<Endpoint, '_id' | 'team_id' | 'application_id' | 'environment'>,
  sealed: SealedSecret,
  now: Date,
): Endpoint {
  return {
    ...normalized(fields),
    disabled: null,
    secrets: [{ sealed, expiresAt: null }],
    deleted_at: null,
    slot: 0,
    health: HEALTHY,
    turn: null,
    version: 1,
    created_at: now,
    updated_at: now,
    outbox: [],
  };
}

// A change returns the same object when nothing changes.

/** A new URL is a new receiver, so the failures of the old one do not count. */
export function withFields(endpoint: Endpoint, fields: Partial<EndpointFields>, now: Date): Endpoint {
  const changed = normalized({ ...endpoint, ...fields });
  const isSame =
    changed.url === endpoint.url &&
    changed.description === endpoint.description &&
    changed.event_types.join() === endpoint.event_types.join();
  if (isSame) return endpoint;
  const health = changed.url === endpoint.url ? endpoint.health : withoutFailures(endpoint.health);
  return next({ ...changed, health }, now);
}

/** `*` includes every other type. */
function normalized<Fields extends EndpointFields>(fields: Fields): Fields {
  return fields.event_types.includes(ALL_EVENT_TYPES)
    ? { ...fields, event_types: [ALL_EVENT_TYPES] }
    : fields;
}

/** The event types that the endpoint receives. */
export function typesOf(endpoint: Pick<Endpoint, 'event_types'>): PaymentEventType[] {
  return PAYMENT_EVENT_TYPES.filter((type) => receives(endpoint, type));
}

export function receives({ event_types }: Pick<Endpoint, 'event_types'>, type: PaymentEventType): boolean {
  return event_types.includes(ALL_EVENT_TYPES) || event_types.includes(type);
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
  return next({ ...endpoint, deleted_at: now, secrets: [] }, now);
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
  const end = new Date(now.getTime() + overlapMs);
  const old = signingSecrets(endpoint, now)
    .map((secret) => (secret.expiresAt && secret.expiresAt < end ? secret : { ...secret, expiresAt: end }))
    .filter(({ expiresAt }) => expiresAt && expiresAt > now);
  if (old.length >= MAX_SECRETS) {
    throw new Problem(
      'conflict',
      `${old.length} earlier secrets still sign deliveries. Wait until one of them expires.`,
    );
  }
  return next({ ...endpoint, secrets: [{ sealed, expiresAt: null }, ...old] }, now);
}

/** The secrets that sign at this time, the current one first. */
export function signingSecrets({ secrets }: Pick<Endpoint, 'secrets'>, now: Date): EndpointSecret[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
}

/** Throws `conflict` for a disabled endpoint. */
export function requireEnabled(endpoint: Endpoint): void {
  if (endpoint.disabled === null) return;
  throw new Problem('conflict', 'The endpoint is disabled. Enable it first.');
}

function withoutFailures(health: EndpointHealth): EndpointHealth {
  return { ...HEALTHY, lastSuccessAt: health.lastSuccessAt };
}

function next(endpoint: Endpoint, now: Date): Endpoint {
  return { ...endpoint, version: endpoint.version + 1, updated_at: now };
}
