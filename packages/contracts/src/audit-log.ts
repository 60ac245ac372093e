import Type, { type Static } from 'typebox';
import { AuditRecord } from './audit.ts';
import { Id } from './ids.ts';
import { Nullable } from './nullable.ts';
import { Time } from './time.ts';

const closed = { additionalProperties: false } as const;

/** SHA-256, hexadecimal. */
export const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Ed25519, base64. */
const Signature = Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' });

/** A head is made at the latest after so many records: what is between two heads must fit into memory to be compared. */
export const MAX_RECORDS_PER_HEAD = 10_000;

/**
 * That the service has written the record with a leaf hash: Ed25519 over `tollgate-audit-record-v1\n` and the 32 bytes of the hash. A root
 * only says that something is wrong among all records of a head; by the seals each of them is named, hashes recomputed or not.
 */
export const AuditSeal = Type.Object(
  { key_version: Type.Integer({ minimum: 1 }), signature: Signature },
  closed,
);
export type AuditSeal = Static<typeof AuditSeal>;

/**
 * What the log of a team was at a time, signed (Ed25519 over `tollgate-audit-head-v1\n` and the RFC 8785 form of all other members). `root` is
 * the RFC 6962 Merkle tree hash over the first `size` records, each leaf the RFC 8785 form of a record. `at` is never before that of the head before.
 */
export const AuditHead = Type.Object({
  team_id: Id('team'),
  /** Counts the heads of a team from 1, without gaps. */
  number: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
  root: Sha256,
  at: Time,
  /** SHA-256 of the RFC 8785 form of the whole head before; null for the first. */
  previous_hash: Nullable(Sha256),
  key_version: Type.Integer({ minimum: 1 }),
  signature: Signature,
});
export type AuditHead = Static<typeof AuditHead>;

export const AuditPublicKey = Type.Object({
  version: Type.Integer({ minimum: 1 }),
  /** PEM, SubjectPublicKeyInfo. */
  public_key: Type.String(),
});
export type AuditPublicKey = Static<typeof AuditPublicKey>;

/** That a record is the leaf `index` (from 0) of the tree of `head`: RFC 9162 §2.1.3. */
export const InclusionProof = Type.Object({
  record: AuditRecord,
  index: Type.Integer({ minimum: 0 }),
  path: Type.Array(Sha256, { maxItems: 64 }),
  head: AuditHead,
});
export type InclusionProof = Static<typeof InclusionProof>;

/** That the log of `to` begins with all of the log of `from`: RFC 9162 §2.1.4. */
export const ConsistencyProof = Type.Object({
  from: AuditHead,
  to: AuditHead,
  path: Type.Array(Sha256, { maxItems: 128 }),
});
export type ConsistencyProof = Static<typeof ConsistencyProof>;

export const AUDIT_FINDINGS = [
  /** The record is not what was written: changed, back-dated, or put there by someone else. */
  'record-changed',
  /** A number of the sequence is missing. */
  'record-missing',
  /** A record is at another place than it was written at. */
  'record-out-of-place',
  /** A record that the service has not written, or not for this team. */
  'record-foreign',
  /** The service's own record says a time that cannot be, seen from its neighbours and its head. */
  'record-time-invalid',
  /** A signed head says that the log was longer. */
  'log-truncated',
  /** Records that a head signed and records that are there differ, and no single one could be named. */
  'root-differs',
  'head-missing',
  /** The head was signed, but for another history or another team than the heads around it. */
  'head-changed',
  'head-out-of-place',
  'head-signature-invalid',
  'head-time-invalid',
  /** A head that a witness has seen is missing, or is another one. */
  'witness-differs',
  /** The first line is not the one that the service signed. */
  'export-changed',
  /** The export itself is not whole or not in the form of one. */
  'export-malformed',
] as const;

/** Something that is wrong with a log, with the record or the head at which it shows. */
export const AuditFinding = Type.Object({
  code: Type.Enum(AUDIT_FINDINGS),
  seq: Nullable(Type.Integer({ minimum: 1 })),
  record_id: Nullable(Type.String()),
  head_number: Nullable(Type.Integer({ minimum: 1 })),
  detail: Type.String(),
});
export type AuditFinding = Static<typeof AuditFinding>;

/** A check of the whole log of a team. */
export const AuditVerification = Type.Object({
  id: Id('auditVerification'),
  status: Type.Enum(['running', 'intact', 'tampered', 'failed'] as const),
  started_at: Time,
  ended_at: Nullable(Time),
  records_checked: Type.Integer({ minimum: 0 }),
  records: Type.Integer({ minimum: 0 }),
  heads_checked: Type.Integer({ minimum: 0 }),
  heads: Type.Integer({ minimum: 0 }),
  /** Up to which everything was compared; null without heads. */
  last_head: Nullable(AuditHead),
  /** The first 100. */
  findings: Type.Array(AuditFinding, { maxItems: 100 }),
  findings_count: Type.Integer({ minimum: 0 }),
});
export type AuditVerification = Static<typeof AuditVerification>;

/**
 * The first line of an export, signed like a head (context `tollgate-audit-export-v1\n`): what it says it holds cannot be cut down later.
 * An export begins after a head (or at the first record) and ends with one, so that heads on both sides hold what is between; a period is
 * widened to that. Where `to` is not over yet, or no head was made since, one is made for the export.
 */
export const ExportHeader = Type.Object(
  {
    type: Type.Literal('export'),
    format: Type.Literal(1),
    team_id: Id('team'),
    /** As asked for. */
    from: Time,
    to: Time,
    exported_at: Time,
    /** Records before the first one here, and the roots of the complete subtrees they make, largest first. */
    size_before: Type.Integer({ minimum: 0 }),
    subtrees_before: Type.Array(Sha256, { maxItems: 64 }),
    /** Of `size_before`; null when there is no head before the first one here. */
    head_before: Nullable(AuditHead),
    /** Of the last head here. */
    last_head_number: Type.Integer({ minimum: 1 }),
    last_head_size: Type.Integer({ minimum: 0 }),
    public_keys: Type.Array(AuditPublicKey),
    key_version: Type.Integer({ minimum: 1 }),
    signature: Signature,
  },
  closed,
);
export type ExportHeader = Static<typeof ExportHeader>;

export const ExportRecord = Type.Object(
  {
    type: Type.Literal('record'),
    /** By these a changed record is told from its neighbours. */
    leaf_hash: Sha256,
    seal: AuditSeal,
    record: AuditRecord,
  },
  closed,
);
export type ExportRecord = Static<typeof ExportRecord>;

export const ExportHead = Type.Object({ type: Type.Literal('head'), head: AuditHead }, closed);
export type ExportHead = Static<typeof ExportHead>;

export const ExportEnd = Type.Object(
  {
    type: Type.Literal('end'),
    records: Type.Integer({ minimum: 0 }),
    heads: Type.Integer({ minimum: 0 }),
  },
  closed,
);
export type ExportEnd = Static<typeof ExportEnd>;

/**
 * The lines of an export, in this order: `export`, then `record` and `head` by rising size, then `end`. Each line is in RFC 8785 form and
 * ends with a line feed, so that no byte of an export can be changed unseen.
 */
export const ExportLine = Type.Union([ExportHeader, ExportRecord, ExportHead, ExportEnd]);
export type ExportLine = Static<typeof ExportLine>;
