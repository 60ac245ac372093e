import Type from 'typebox';
import { Page, PageRequest } from '../platform/page.ts';
import { contractsOf } from '../platform/rpc-contract.ts';
import {
  ClosedObject,
  EnvironmentSchema,
  Id,
  MapOf,
  Nullable,
  TextOfPattern,
  Time,
} from '../platform/schema.ts';
import { AUDIT_ACTIONS, AUDIT_ACTORS, AUDIT_TARGETS, type AuditAction, AuditRecord } from './audit.ts';
import {
  AuditHead,
  AuditPublicKey,
  AuditVerification,
  ConsistencyProof,
  InclusionProof,
} from './audit-log.ts';

const rpc = contractsOf('audit');

/** A record must match all given filters. */
const AuditFilters = {
  actor_type: Type.Optional(Type.Enum(AUDIT_ACTORS)),
  actor_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  action: Type.Optional(Type.Enum(Object.keys(AUDIT_ACTIONS) as AuditAction[])),
  target_type: Type.Optional(Type.Enum(AUDIT_TARGETS)),
  target_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  application_id: Type.Optional(Id('application')),
  environment: Type.Optional(EnvironmentSchema),
  occurred_from: Type.Optional(Time),
  occurred_to: Type.Optional(Time),
  /** Prefixes of words in the actor's or the target's name, or complete ids, addresses, and request ids. All of them must match. */
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
};

export const listRecords = rpc('list_records', 'member-or-token', {
  request: { ...AuditFilters, ...PageRequest },
  reply: Page(AuditRecord),
});

export const getRecord = rpc('get_record', 'member-or-token', {
  request: { record_id: Id('audit') },
  reply: AuditRecord,
});

export const listHeads = rpc('list_heads', 'member-or-token', {
  request: { ...PageRequest },
  reply: Page(AuditHead),
});

/** The proof is for the first signed tree head that contains the record. Errors: `conflict` if there is none yet. */
export const proveInclusion = rpc('prove_inclusion', 'member-or-token', {
  request: { record_id: Id('audit') },
  reply: InclusionProof,
});

export const proveConsistency = rpc('prove_consistency', 'member-or-token', {
  request: { from_number: Type.Integer({ minimum: 1 }), to_number: Type.Integer({ minimum: 1 }) },
  reply: ConsistencyProof,
});

/** Returns the verification that is already running, if there is one. */
export const startVerification = rpc('start_verification', 'member-or-token', {
  idempotent: true,
  reply: AuditVerification,
});

export const getVerification = rpc('get_verification', 'member-or-token', {
  request: { verification_id: Id('auditVerification') },
  reply: AuditVerification,
});

export const latestVerification = rpc('latest_verification', 'member-or-token', {
  reply: Type.Object({ verification: Nullable(AuditVerification) }),
});

/**
 * Returns the lines of an export in parts. The first call, without a cursor, is recorded in the audit log before it
 * returns. `lines` are complete NDJSON lines; a null cursor marks the end.
 */
export const exportRecords = rpc('export', 'member-or-token', {
  request: { from: Time, to: Time, cursor: Type.Optional(Type.String({ maxLength: 512 })) },
  reply: Type.Object({ lines: Type.String(), next_cursor: Nullable(Type.String()) }),
});

/** Maximum size of the recorded filters of an export, as JSON. A page of records with the largest ones must fit into a reply. */
export const MAX_EXPORT_FILTERS_BYTES = 4 * 1024;

/** More than any export has. The names are fields of the stored record, so no other characters are allowed. */
const ExportFilters = MapOf(
  TextOfPattern('^[a-z][a-z0-9_]*$', 'This must be the name of a query parameter.', { maxLength: 64 }),
  Type.String({ maxLength: MAX_EXPORT_FILTERS_BYTES }),
  { maxProperties: 16 },
);

/** Called before the data is returned. */
export const recordExport = rpc('record_export', 'member-or-token', {
  request: {
    of: Type.Enum(['payments', 'usage'] as const),
    environment: Nullable(EnvironmentSchema),
    /** The query as requested. */
    filters: ExportFilters,
  },
  reply: AuditRecord,
});

/** Including retired keys. */
export const publicKeys = rpc('public_keys', 'service', {
  reply: Type.Object({ data: Type.Array(AuditPublicKey) }),
});

export const MAX_CONFIRMED_RECORDS = 500;

/**
 * Returns the ids of those entries of a service that the log has with this content, or has rejected, so that the service
 * can remove them from its outbox.
 */
export const confirmEntries = rpc('confirm_entries', 'service', {
  request: {
    entries: Type.Array(
      ClosedObject({
        id: Id('audit'),
        team_id: Id('team'),
        /** SHA-256 of the canonical form of the entry without its signature; hexadecimal. */
        digest: TextOfPattern(
          '^[0-9a-f]{64}$',
          'This must be a SHA-256 digest in lowercase hexadecimal digits.',
        ),
      }),
      { minItems: 1, maxItems: MAX_CONFIRMED_RECORDS },
    ),
  },
  reply: Type.Object({
    stored: Type.Array(Id('audit')),
    /** Entries that the log can never store, which are in the dead letters. */
    rejected: Type.Array(Id('audit')),
  }),
});
