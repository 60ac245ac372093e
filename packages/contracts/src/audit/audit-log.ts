import Type, { type Static } from 'typebox';
import { ClosedObject, Id, Nullable, Time } from '../platform/schema.ts';
import { AuditRecord } from './audit.ts';

/** SHA-256, hexadecimal. */
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/** Ed25519, base64. */
const Signature = Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' });

/** A signed tree head covers at most this many new records, because verification holds the records between two heads in memory. */
export const MAX_RECORDS_PER_HEAD = 10_000;

/**
 * Proves that the service wrote the record with a leaf hash: Ed25519 over `tollgate-audit-record-v1\n` and the 32 bytes
 * of the hash. A root only shows that some record of a head is wrong; seals identify each wrong record, even if the
 * hashes were recomputed.
 */
export const AuditSeal = ClosedObject({ key_version: Type.Integer({ minimum: 1 }), signature: Signature });
export type AuditSeal = Static<typeof AuditSeal>;

/**
 * Signed tree head: the state of a team's log at a time, signed with Ed25519 over `tollgate-audit-head-v1\n` and the RFC
 * 8785 form of all other members. `root` is the RFC 6962 Merkle tree hash of the first `size` records; each leaf is the
 * RFC 8785 form of a record. `at` is never earlier than that of the previous head.
 */
export const AuditHead = Type.Object({
  team_id: Id('team'),
  /** Counts the signed tree heads of a team from 1, without gaps. */
  number: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 0 }),
  root: Sha256,
  at: Time,
  /** SHA-256 of the RFC 8785 form of the previous signed tree head; null for the first. */
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

/** The KV bucket with the newest signed tree head of each team's log, by team id. Only audit reads and writes it. */
export const AUDIT_HEADS_BUCKET = 'audit_heads';

/** Proves that a record is the leaf `index` (from 0) of the tree of `head`: RFC 9162 §2.1.3. */
export const InclusionProof = Type.Object({
  record: AuditRecord,
  index: Type.Integer({ minimum: 0 }),
  path: Type.Array(Sha256, { maxItems: 64 }),
  head: AuditHead,
});
export type InclusionProof = Static<typeof InclusionProof>;

/** Proves that the log of `to` starts with the entire log of `from`: RFC 9162 §2.1.4. */
export const ConsistencyProof = Type.Object({
  from: AuditHead,
  to: AuditHead,
  path: Type.Array(Sha256, { maxItems: 128 }),
});
export type ConsistencyProof = Static<typeof ConsistencyProof>;

export const AUDIT_FINDINGS = [
  /** The record differs from what the service wrote: changed, backdated, or forged. */
  'record-changed',
  /** A sequence number is missing. */
  'record-missing',
  /** The record is at a different position than the one it was written at. */
  'record-out-of-place',
  /** The service did not write the record, or not for this team. */
  'record-foreign',
  /** The time that the service wrote contradicts the neighboring records and the signed tree head. */
  'record-time-invalid',
  /** A signed tree head covers a longer log. */
  'log-truncated',
  /** The records differ from those that a head signed, and the wrong one cannot be identified. */
  'root-differs',
  'head-missing',
  /** The head is signed, but for another history or team than the heads around it. */
  'head-changed',
  'head-out-of-place',
  'head-signature-invalid',
  'head-time-invalid',
  /** A head that a witness saw is missing or differs. */
  'witness-differs',
  /** The first line differs from the one that the service signed. */
  'export-changed',
  /** The export is incomplete or malformed. */
  'export-malformed',
] as const;

/** A problem found in a log, with the record or signed tree head at which it shows. */
export const AuditFinding = Type.Object({
  code: Type.Enum(AUDIT_FINDINGS),
  seq: Nullable(Type.Integer({ minimum: 1 })),
  record_id: Nullable(Type.String()),
  head_number: Nullable(Type.Integer({ minimum: 1 })),
  detail: Type.String(),
});
export type AuditFinding = Static<typeof AuditFinding>;

/** A verification of a team's entire log. */
export const AuditVerification = Type.Object({
  id: Id('auditVerification'),
  status: Type.Enum(['running', 'intact', 'tampered', 'failed'] as const),
  started_at: Time,
  ended_at: Nullable(Time),
  records_checked: Type.Integer({ minimum: 0 }),
  records: Type.Integer({ minimum: 0 }),
  heads_checked: Type.Integer({ minimum: 0 }),
  heads: Type.Integer({ minimum: 0 }),
  /** The last signed tree head that was verified; null if there is none. */
  last_head: Nullable(AuditHead),
  /** The first 100. */
  findings: Type.Array(AuditFinding, { maxItems: 100 }),
  findings_count: Type.Integer({ minimum: 0 }),
});
export type AuditVerification = Static<typeof AuditVerification>;

/**
 * First line of an export, signed like a signed tree head (context `tollgate-audit-export-v1\n`), so that the export
 * cannot be shortened later. An export starts after a signed tree head (or at the first record) and ends with one, so
 * that heads on both sides cover the records between; the period is extended to that. If `to` is in the future, or
 * there is no head after it, the service signs a new head for the export.
 */
export const ExportHeader = ClosedObject({
  type: Type.Literal('export'),
  format: Type.Literal(1),
  team_id: Id('team'),
  /** As requested. */
  from: Time,
  to: Time,
  exported_at: Time,
  /** Number of records before the first one here, and the roots of the complete subtrees over them, largest first. */
  size_before: Type.Integer({ minimum: 0 }),
  subtrees_before: Type.Array(Sha256, { maxItems: 64 }),
  /** Head of size `size_before`; null if the export starts at the first record. */
  head_before: Nullable(AuditHead),
  /** Number of the last signed tree head in the export. */
  last_head_number: Type.Integer({ minimum: 1 }),
  last_head_size: Type.Integer({ minimum: 0 }),
  public_keys: Type.Array(AuditPublicKey),
  key_version: Type.Integer({ minimum: 1 }),
  signature: Signature,
});
export type ExportHeader = Static<typeof ExportHeader>;

export const ExportRecord = ClosedObject({
  type: Type.Literal('record'),
  /** Distinguish a changed record from its neighbors. */
  leaf_hash: Sha256,
  seal: AuditSeal,
  record: AuditRecord,
});
export type ExportRecord = Static<typeof ExportRecord>;

export const ExportHead = ClosedObject({ type: Type.Literal('head'), head: AuditHead });
export type ExportHead = Static<typeof ExportHead>;

export const ExportEnd = ClosedObject({
  type: Type.Literal('end'),
  records: Type.Integer({ minimum: 0 }),
  heads: Type.Integer({ minimum: 0 }),
});
export type ExportEnd = Static<typeof ExportEnd>;

/**
 * Lines of an export, in this order: `export`, then `record` and `head` by increasing size, then `end`. Each line is in
 * RFC 8785 form and ends with a line feed, so that a change of any byte is detected.
 */
export const ExportLine = Type.Union([ExportHeader, ExportRecord, ExportHead, ExportEnd]);
export type ExportLine = Static<typeof ExportLine>;
