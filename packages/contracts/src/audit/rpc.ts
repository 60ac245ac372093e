import Type from 'typebox';
import { EnvironmentSchema } from '../platform/environment.ts';
import { Id } from '../platform/ids.ts';
import { Page, PageRequest } from '../platform/page.ts';
import { rpc } from '../platform/rpc-contract.ts';
import { closed, MapOf, Nullable, TextOfPattern } from '../platform/schema.ts';
import { Time } from '../platform/time.ts';
import { AUDIT_ACTIONS, AUDIT_ACTORS, AUDIT_TARGETS, type AuditAction, AuditRecord } from './audit.ts';
import {
  AuditHead,
  AuditPublicKey,
  AuditVerification,
  ConsistencyProof,
  InclusionProof,
} from './audit-log.ts';

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
  /**
   * Prefixes of words in the actor's or the target's name, or complete ids, addresses, and request ids. All of them
   * must match.
   */
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
};

/** Newest first. */
export const listRecords = rpc('audit', 'list_records', 'member-or-token', {
  request: { ...AuditFilters, ...PageRequest },
  reply: Page(AuditRecord),
});

export const getRecord = rpc('audit', 'get_record', 'member-or-token', {
  request: { record_id: Id('audit') },
  reply: AuditRecord,
});

/** Newest first. */
export const listHeads = rpc('audit', 'list_heads', 'member-or-token', {
  request: { ...PageRequest },
  reply: Page(AuditHead),
});

/** Returns the proof for the first signed tree head that contains the record. Returns `conflict` if there is none yet. */
export const proveInclusion = rpc('audit', 'prove_inclusion', 'member-or-token', {
  request: { record_id: Id('audit') },
  reply: InclusionProof,
});

export const proveConsistency = rpc('audit', 'prove_consistency', 'member-or-token', {
  request: {
    from_number: Type.Integer({ minimum: 1 }),
    to_number: Type.Integer({ minimum: 1 }),
  },
  reply: ConsistencyProof,
});

/** Starts a verification of the entire log, or returns the one that is already running. */
export const startVerification = rpc('audit', 'start_verification', 'member-or-token', {
  idempotent: true,
  reply: AuditVerification,
});

export const getVerification = rpc('audit', 'get_verification', 'member-or-token', {
  request: { verification_id: Id('auditVerification') },
  reply: AuditVerification,
});

/** The newest verification; null if there is none. */
export const latestVerification = rpc('audit', 'latest_verification', 'member-or-token', {
  reply: Type.Object({ verification: Nullable(AuditVerification) }),
});

/**
 * Returns the lines of an export in parts. The first call, without a cursor, is recorded in the audit log before it
 * returns. `lines` are complete NDJSON lines; a null cursor marks the end.
 */
export const exportRecords = rpc('audit', 'export', 'member-or-token', {
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

/** Records an export by a member, before the data is returned. */
export const recordExport = rpc('audit', 'record_export', 'member-or-token', {
  request: {
    of: Type.Enum(['payments', 'usage'] as const),
    environment: Nullable(EnvironmentSchema),
    /** The query as requested. */
    filters: ExportFilters,
  },
  reply: AuditRecord,
});

/** Public keys of signed tree heads, including retired ones. */
export const publicKeys = rpc('audit', 'public_keys', 'service', {
  reply: Type.Object({ data: Type.Array(AuditPublicKey) }),
});

export const MAX_CONFIRMED_RECORDS = 500;

/**
 * Returns the ids of those entries of a service that the log has with this content, or has rejected, so that the service
 * can remove them from its outbox.
 */
export const confirmEntries = rpc('audit', 'confirm_entries', 'service', {
  request: {
    entries: Type.Array(
      Type.Object(
        {
          id: Id('audit'),
          team_id: Id('team'),
          /** SHA-256 of the canonical form of the entry without its signature; hexadecimal. */
          digest: TextOfPattern(
            '^[0-9a-f]{64}$',
            'This must be a SHA-256 digest in lowercase hexadecimal digits.',
          ),
        },
        closed,
      ),
      { minItems: 1, maxItems: MAX_CONFIRMED_RECORDS },
    ),
  },
  reply: Type.Object({
    stored: Type.Array(Id('audit')),
    /** Entries that the log can never store, which are in the dead letters. */
    rejected: Type.Array(Id('audit')),
  }),
});
