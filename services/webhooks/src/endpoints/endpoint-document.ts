import type { SignedAuditEntry } from '@tollgate/contracts/audit/audit';
import { DAY_S } from '@tollgate/contracts/platform/durations';
import type { Environment } from '@tollgate/contracts/platform/environment';
import type { Subscription } from '@tollgate/contracts/webhooks/webhook';
import { OUTBOX_INDEX } from '@tollgate/store/audit-outbox';
import type { IndexDeclaration } from '@tollgate/store/schema/database-schema';
import { Schema } from 'mongoose';
import { RETENTION_S } from '../deliveries/delivery-document.ts';
import type { EndpointHealth } from '../health/endpoint-health.ts';
import type { Disabled, Endpoint, EndpointSecret } from './endpoint.ts';

/** The right of one instance to send to an endpoint. */
export interface StoredLease {
  /** The instance. */
  holder: string;
  /** Differs for each acquisition, so that a late release does not end the next lease. */
  token: string;
  until: Date;
}

/** An endpoint as stored in the collection `endpoints`. */
export interface EndpointDocument {
  _id: string;
  team_id: string;
  application_id: string;
  environment: Environment;
  url: string;
  description: string;
  event_types: Subscription[number][];
  disabled: Disabled | null;
  secrets: EndpointSecret[];
  /** Null while it exists. A deleted endpoint is kept as long as its deliveries, which show its URL. */
  deleted_at: Date | null;
  /** Keeps the number of the team's endpoints at its limit. */
  slot: number;
  health: EndpointHealth;
  /** The lease. Instances of adjacent releases run side by side and must agree on its name in the store. */
  turn: StoredLease | null;
  version: number;
  created_at: Date;
  updated_at: Date;
  /** Audit entries of changes, written with them and cleared when published. */
  outbox: SignedAuditEntry[];
}

export const endpointSchema = new Schema<EndpointDocument>(
  {
    _id: { type: String, required: true },
    team_id: { type: String, required: true },
    application_id: { type: String, required: true },
    environment: { type: String, required: true },
    url: { type: String, required: true },
    description: { type: String, default: '' },
    event_types: { type: [String], required: true },
    disabled: { type: Schema.Types.Mixed, default: null },
    secrets: [Schema.Types.Mixed],
    deleted_at: { type: Date, default: null },
    slot: { type: Number, required: true },
    health: { type: Schema.Types.Mixed, required: true },
    turn: { type: Schema.Types.Mixed, default: null },
    version: { type: Number, required: true },
    created_at: { type: Date, required: true },
    updated_at: { type: Date, required: true },
    outbox: [Schema.Types.Mixed],
  },
  { collection: 'endpoints', versionKey: false, strict: 'throw', autoCreate: false, minimize: false },
);

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

export function toDocument(endpoint: Endpoint, slot: number, outbox: SignedAuditEntry[]): EndpointDocument {
  return {
    _id: endpoint.id,
    team_id: endpoint.teamId,
    application_id: endpoint.applicationId,
    environment: endpoint.environment,
    ...changingFields(endpoint),
    slot,
    health: endpoint.health,
    turn: null,
    created_at: endpoint.createdAt,
    outbox,
  };
}

/** What a change may change, apart from the health. */
export function changingFields(endpoint: Endpoint) {
  return {
    url: endpoint.url,
    description: endpoint.description,
    event_types: [...endpoint.eventTypes],
    disabled: endpoint.disabled,
    secrets: [...endpoint.secrets],
    deleted_at: endpoint.deletedAt,
    version: endpoint.version,
    updated_at: endpoint.updatedAt,
  };
}

export function toEndpoint(document: EndpointDocument): Endpoint {
  return {
    id: document._id,
    teamId: document.team_id,
    applicationId: document.application_id,
    environment: document.environment,
    url: document.url,
    description: document.description,
    eventTypes: document.event_types,
    disabled: document.disabled,
    secrets: document.secrets,
    deletedAt: document.deleted_at,
    health: document.health,
    version: document.version,
    createdAt: document.created_at,
    updatedAt: document.updated_at,
  };
}
