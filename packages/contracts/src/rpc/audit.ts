import Type from 'typebox';
import { AUDIT_ACTIONS, AUDIT_ACTORS, AUDIT_TARGETS, type AuditAction, AuditRecord } from '../audit.ts';
import {
  AuditHead,
  AuditPublicKey,
  AuditVerification,
  ConsistencyProof,
  InclusionProof,
} from '../audit-log.ts';
import { EnvironmentSchema } from '../environment.ts';
import { Id } from '../ids.ts';
import { Nullable } from '../nullable.ts';
import { Time } from '../time.ts';
import { rpc } from './contract.ts';
import { Page, PageRequest } from './page.ts';

const closed = { additionalProperties: false } as const;

/** All that are given hold together. */
export const AuditFilters = {
  actor_type: Type.Optional(Type.Enum(AUDIT_ACTORS)),
  actor_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  action: Type.Optional(Type.Enum(Object.keys(AUDIT_ACTIONS) as AuditAction[])),
  target_type: Type.Optional(Type.Enum(AUDIT_TARGETS)),
  target_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  application_id: Type.Optional(Id('application')),
  environment: Type.Optional(EnvironmentSchema),
  occurred_from: Type.Optional(Time),
  occurred_to: Type.Optional(Time),
  /** Beginnings of words of the actor's or the target's name, or whole ids, addresses and request ids; several all must match. */
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
};

/** Newest first. */
export const listRecords = rpc('audit', 'list_records', {
  caller: 'member',
  request: Type.Object({ ...AuditFilters, ...PageRequest }, closed),
  reply: Page(AuditRecord),
});

export const getRecord = rpc('audit', 'get_record', {
  caller: 'member',
  request: Type.Object({ record_id: Id('audit') }, closed),
  reply: AuditRecord,
});

/** Newest first. */
export const listHeads = rpc('audit', 'list_heads', {
  caller: 'member',
  request: Type.Object({ ...PageRequest }, closed),
  reply: Page(AuditHead),
});

/** In the first head that has the record; `conflict` while there is none yet. */
export const proveInclusion = rpc('audit', 'prove_inclusion', {
  caller: 'member',
  request: Type.Object({ record_id: Id('audit') }, closed),
  reply: InclusionProof,
});

export const proveConsistency = rpc('audit', 'prove_consistency', {
  caller: 'member',
  request: Type.Object(
    {
      from_number: Type.Integer({ minimum: 1 }),
      to_number: Type.Integer({ minimum: 1 }),
    },
    closed,
  ),
  reply: ConsistencyProof,
});

/** Begins a check of the whole log. One that runs already is returned instead of a second one. */
export const startVerification = rpc('audit', 'start_verification', {
  caller: 'member',
  request: Type.Object({}, closed),
  reply: AuditVerification,
});

export const getVerification = rpc('audit', 'get_verification', {
  caller: 'member',
  request: Type.Object({ verification_id: Id('auditVerification') }, closed),
  reply: AuditVerification,
});

/** The newest; null when the log was never checked. */
export const latestVerification = rpc('audit', 'latest_verification', {
  caller: 'member',
  request: Type.Object({}, closed),
  reply: Type.Object({ verification: Nullable(AuditVerification) }),
});

/**
 * The lines of an export, some at a time: the first call, without a cursor, is itself recorded before anything is returned. `lines` are complete NDJSON;
 * a null cursor is the end.
 */
export const exportRecords = rpc('audit', 'export', {
  caller: 'member',
  request: Type.Object(
    { from: Time, to: Time, cursor: Type.Optional(Type.String({ maxLength: 512 })) },
    closed,
  ),
  reply: Type.Object({ lines: Type.String(), next_cursor: Nullable(Type.String()) }),
});

/** Records that a member takes data away, before they get any. */
export const recordExport = rpc('audit', 'record_export', {
  caller: 'member',
  request: Type.Object(
    {
      of: Type.Enum(['payments', 'usage'] as const),
      environment: Nullable(EnvironmentSchema),
      /** The query, as it was asked. */
      filters: Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 512 })),
    },
    closed,
  ),
  reply: AuditRecord,
});

/** The keys that heads are signed with, those of the past too. */
export const publicKeys = rpc('audit', 'public_keys', {
  caller: 'service',
  request: Type.Object({}, closed),
  reply: Type.Object({ data: Type.Array(AuditPublicKey) }),
});

export const MAX_CONFIRMED_RECORDS = 500;

/** A service asks which of its entries are in the log: those it may forget. */
export const confirmRecords = rpc('audit', 'confirm_records', {
  caller: 'service',
  request: Type.Object(
    { ids: Type.Array(Id('audit'), { minItems: 1, maxItems: MAX_CONFIRMED_RECORDS }) },
    closed,
  ),
  reply: Type.Object({ stored: Type.Array(Id('audit')) }),
});
