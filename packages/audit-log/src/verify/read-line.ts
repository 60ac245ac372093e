import {
  type AuditHead,
  AuditSeal,
  ExportEnd,
  ExportHead,
  ExportHeader,
} from '@tollgate/contracts/audit/audit-log';
import { canonicalJson } from '@tollgate/contracts/platform/canonical-json';
import { Time } from '@tollgate/contracts/platform/schema';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import { leafHash } from '../hash.ts';
import { type Restore, readRestore } from './restore-record.ts';

/**
 * The members of a record that a verifier needs. Not the full schema: a record of a later version, with an action that
 * is unknown here, is as intact as its seal.
 */
const RecordCore = Compile(
  Type.Object({
    id: Type.String(),
    seq: Type.Integer({ minimum: 1 }),
    team_id: Type.String(),
    occurred_at: Time,
    recorded_at: Time,
  }),
);
const Header = Compile(ExportHeader);
const Head = Compile(ExportHead);
const End = Compile(ExportEnd);
const Seal = Compile(AuditSeal);

/** A record in an export. Unreadable members are null. */
export interface ExportedRecord {
  seq: number | null;
  record_id: string | null;
  teamId: string | null;
  recordedAtMs: number;
  /** Hash of the record as exported; empty without a record. */
  leafHash: string;
  /** The hash in the line. */
  writtenHash: string;
  seal: AuditSeal | null;
  /**
   * Whether the line is, byte for byte, what a service writes for these members: a duplicate name would show another
   * reader a different value.
   */
  isAsWritten: boolean;
  /** What it states if it is the record of a restore. */
  restore: Restore | null;
}

export type ReadLine =
  | { type: 'record'; record: ExportedRecord }
  /** A head is null if it is malformed. */
  | { type: 'head'; head: AuditHead | null }
  | { type: 'end'; end: ExportEnd }
  | { type: 'unreadable'; problem: string };

/** Parses the first line of an export; null if it is not a header. */
export function readHeader(line: string): ExportHeader | null {
  const value = parse(line);
  return Header.Check(value) && isCanonical(line, value) ? value : null;
}

/** Parses any other line. Never throws: every problem becomes a finding. */
export function readLine(line: string): ReadLine {
  const value = parse(line);
  if (!isObject(value)) return { type: 'unreadable', problem: 'it is not a JSON object' };
  if (value['type'] === 'record') return { type: 'record', record: readRecord(line, value) };
  if (value['type'] === 'head') {
    return { type: 'head', head: Head.Check(value) && isCanonical(line, value) ? value.head : null };
  }
  if (End.Check(value) && isCanonical(line, value)) return { type: 'end', end: value };
  return { type: 'unreadable', problem: 'it is not a record, a tree head, or the last line' };
}

function readRecord(line: string, value: Record<string, unknown>): ExportedRecord {
  const core: Record<string, unknown> = isObject(value['record']) ? value['record'] : {};
  const isRecord = RecordCore.Check(core);
  const text = canonicalOrNull(value['record']);
  const seal = Seal.Check(value['seal']) ? value['seal'] : null;
  const writtenHash = textOrNull(value['leaf_hash']) ?? '';
  return {
    seq: isRecord && Number.isSafeInteger(core.seq) ? core.seq : null,
    record_id: textOrNull(core['id']),
    teamId: textOrNull(core['team_id']),
    recordedAtMs: isRecord ? Date.parse(core.recorded_at) : Number.NaN,
    leafHash: text === null ? '' : leafHash(text),
    writtenHash,
    seal,
    isAsWritten: text !== null && seal !== null && line === recordLine(writtenHash, text, seal),
    restore: isRecord ? readRestore(core) : null,
  };
}

/** Builds the RFC 8785 form of a line around that of its record, which is needed separately. */
function recordLine(hash: string, record: string, { key_version, signature }: AuditSeal): string {
  const seal = `{"key_version":${key_version},"signature":"${signature}"}`;
  return `{"leaf_hash":${JSON.stringify(hash)},"record":${record},"seal":${seal},"type":"record"}`;
}

function canonicalOrNull(value: unknown): string | null {
  try {
    return canonicalJson(value);
  } catch {
    return null;
  }
}

function isCanonical(line: string, value: unknown): boolean {
  return canonicalOrNull(value) === line;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
